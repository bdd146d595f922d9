# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A service credential that is weakened while 300 nodes are known: nothing is forgotten or cleared, one alert, and then it goes on."""

from __future__ import annotations

import contextlib
import pathlib
import sqlite3
import time
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.lab.direct import Flag
from ansible_collections.baremetal.maintenance.tests.lab.fronted import Fronted, settings
from ansible_collections.baremetal.maintenance.tests.lab.fronting.holding import entries, events, flag, hold, until
from ansible_collections.baremetal.maintenance.tests.lab.ironic import Ironic
from ansible_collections.baremetal.maintenance.tests.lab.keystone import SYSTEM, Keystone
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend

pytestmark = [pytest.mark.lab, pytest.mark.timeout(900)]

NODES: t.Final = 300
#: Who the backend is for Ironic in this file: somebody who does nothing else, so that it can be weakened.
SERVICE: t.Final = "system-member"
#: Cycles of the comparison that pass before it is believed that nothing happens.
CYCLES: t.Final = 3
INTERVAL: t.Final = 1


ALERT: t.Final = "ALERT:"
OVER: t.Final = "what the last alert was about is over"


def made(folder: pathlib.Path, keystone: Keystone, ironic: Ironic, user: str, scope: str) -> Backend:
    """Give a backend, not yet started, that is this user for Ironic."""
    wanted = settings(keystone, ironic.url, reconcile_interval=INTERVAL, hot_interval=INTERVAL)
    wanted["ironic"] = {"endpoint": ironic.url, "auth_type": "password", **keystone.credentials(user, scope)}
    return Backend(folder, **wanted)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Where the backend has its database."""
    return tmp_path_factory.mktemp("weakened")


@pytest.fixture(scope="module")
def ironic(tmp_path_factory: pytest.TempPathFactory, real_keystone: Keystone) -> t.Iterator[Ironic]:
    """An Ironic of its own with 300 nodes: nobody else's comparison has to read them."""
    with Ironic(tmp_path_factory.mktemp("ironic-300"), keystone=real_keystone) as ironic:
        ironic.nodes.copies(ironic.nodes.enrol("weakened", owner=real_keystone.project_id("owner")), NODES - 1)
        yield ironic


@pytest.fixture(scope="module")
def pair(folder: pathlib.Path, real_keystone: Keystone, ironic: Ironic) -> t.Iterator[Fronted]:
    """A backend of its own in front of it, that knows all nodes."""
    with made(folder, real_keystone, ironic, SERVICE, SYSTEM) as backend:
        until(lambda: known(folder) == NODES, 120, "the nodes are not known")
        yield Fronted(backend, ironic, real_keystone)


def known(folder: pathlib.Path) -> int:
    """Give the number of nodes in the backend's table."""
    with contextlib.closing(sqlite3.connect(folder / "maintenance.sqlite", timeout=30)) as rows:
        return int(rows.execute("SELECT count(*) FROM nodes").fetchone()[0])


def count(backend: Backend, text: str) -> int:
    """Give the number of lines of the log that have a text."""
    return sum(text in line for line in backend.log.splitlines())


def weaken(pair: Fronted, folder: pathlib.Path, node: str, how: t.Callable[[], None], restore: t.Callable[[], None]) -> None:
    """Weaken the credential, clear the node's flag round us, see that nothing follows, restore it, see that it goes on."""
    held, alerts, overs = entries(pair, node), count(pair.backend, ALERT), count(pair.backend, OVER)
    cleared = events(pair, node).count(("external_clear", "operator_hold", None))
    how()
    try:
        until(lambda: count(pair.backend, ALERT) > alerts, 90, "there is no alert")
        assert pair.direct("system-admin").delete(f"/v1/nodes/{node}/maintenance").status == 202
        before = pair.ironic.nodes.flags()
        time.sleep(CYCLES * 2 * INTERVAL)
        assert known(folder) == NODES
        assert [entry["uuid"] for entry in entries(pair, node)] == [entry["uuid"] for entry in held]
        assert pair.ironic.nodes.flags() == before
        assert count(pair.backend, ALERT) == alerts + 1, pair.backend.log
    finally:
        restore()
    until(lambda: count(pair.backend, OVER) > overs, 120, "it does not go on")
    until(lambda: flag(pair, node) == Flag(True, "operator_hold: why", None), 120, "the flag is not set again")
    assert events(pair, node).count(("external_clear", "operator_hold", None)) <= cleared + 1
    assert [entry["uuid"] for entry in entries(pair, node)] == [entry["uuid"] for entry in held]
    assert known(folder) == NODES


def test_a_weakened_credential_changes_nothing_until_it_is_restored(pair: Fronted, folder: pathlib.Path) -> None:
    keystone = pair.keystone
    nodes = sorted(pair.ironic.nodes.flags())[:2]
    for node in nodes:
        hold(pair, node, "system-admin", reason="why")
    until(lambda: all(flag(pair, node).maintenance for node in nodes), 60, "the holds are not enforced")
    weaken(
        pair,
        folder,
        nodes[0],
        lambda: keystone.remove_system_role(SERVICE, "member"),
        lambda: keystone.add_system_role(SERVICE, "member"),
    )
    weaken(pair, folder, nodes[1], lambda: keystone.set_password(SERVICE, "another"), lambda: keystone.set_password(SERVICE))


def test_an_empty_list_forgets_nothing(pair: Fronted, folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    before = pair.ironic.nodes.flags()
    held = {node for node, (maintenance, _reason, _fault) in before.items() if maintenance}
    assert len(held) == 2
    assert pair.direct("stranger-admin").get("/v1/nodes").json["nodes"] == []
    copied(folder, tmp_path)
    with made(tmp_path, pair.keystone, pair.ironic, "stranger-admin", "stranger") as weak:
        until(lambda: count(weak, ALERT) > 0, 90, "there is no alert")
        time.sleep(CYCLES * 2 * INTERVAL)
        assert count(weak, ALERT) == 1, weak.log
        assert known(tmp_path) == NODES
        assert all(entries(Fronted(weak, pair.ironic, pair.keystone), node) for node in held)
    assert pair.ironic.nodes.flags() == before


def copied(folder: pathlib.Path, to: pathlib.Path) -> None:
    """Give another backend what this one knows, as if it were the only one."""
    with contextlib.closing(sqlite3.connect(folder / "maintenance.sqlite", timeout=30)) as source:
        with contextlib.closing(sqlite3.connect(to / "maintenance.sqlite")) as target:
            source.backup(target)
            target.execute("DELETE FROM leases")
            target.commit()
