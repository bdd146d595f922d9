# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that clear the flag because they know nothing of holds: they are told why not, no hold is lost, and no log is filled."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import time
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.lab import fronted as pairs
from ansible_collections.baremetal.maintenance.tests.lab import openstack_cloud
from ansible_collections.baremetal.maintenance.tests.lab.direct import NEWEST, Flag
from ansible_collections.baremetal.maintenance.tests.lab.environment import NotBuilt
from ansible_collections.baremetal.maintenance.tests.lab.fronted import Fronted
from ansible_collections.baremetal.maintenance.tests.lab.fronting.holding import flag, hold, release_all, said, typed, until
from ansible_collections.baremetal.maintenance.tests.support.backend import own_environment

# The first run fetches the package `ansible`.
pytestmark = [pytest.mark.lab, pytest.mark.timeout(900)]

#: Seconds between two attempts of a controller, and how many it makes.
EVERY: t.Final = 1.0 if "SOAK_ROUNDS" in os.environ else 0.2
ATTEMPTS: t.Final = 60 if "SOAK_ROUNDS" in os.environ else 8


@pytest.fixture(scope="module")
def guarded(fronted: Fronted, tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Fronted]:
    """A second backend before the same Ironic and on the same database, that lets old clients release nobody else's holds."""
    shared = str(fronted.backend.database)
    folder = tmp_path_factory.mktemp("guarded")
    backend = pairs.backend(folder, fronted.keystone, fronted.ironic, database=shared, policy_file="guarded")
    with backend:
        yield Fronted(backend, fronted.ironic, fronted.keystone)


def attempts(pair: Fronted, user: str, node: str) -> tuple[list[int], set[str]]:
    """Clear the flag again and again, as a controller does; give the statuses and the texts of the refusals."""
    controller = pair.through(user)
    statuses, texts = [], set()
    for _attempt in range(ATTEMPTS):
        answer = controller.delete(f"/v1/nodes/{node}/maintenance", version=NEWEST)
        statuses.append(answer.status)
        texts.add(answer.said)
        time.sleep(EVERY)
    return statuses, texts


def lines_of_refusals(pair: Fronted, node: str) -> list[str]:
    """Give what the log has of refusals on a node, beside the lines of requests."""
    return [line for line in pair.backend.log.splitlines() if "refused:" in line and node in line]


def test_a_controller_without_authority_is_told_why_each_time_and_logged_once(fronted: Fronted) -> None:
    node = fronted.enrol("controller-without")
    entry = hold(fronted, node, "owner-member", reason="legal")["uuid"]
    statuses, texts = attempts(fronted, "lessee-manager", node)
    assert statuses == [403] * ATTEMPTS
    assert texts == {f"Cannot release maintenance entry {entry} (type operator_hold, scope owner): not permitted at lessee scope"}
    assert said(fronted, node) == [("operator_hold", "legal")]
    until(lambda: flag(fronted, node) == Flag(True, "operator_hold: legal", None), 120, "the hold is not enforced")
    # Once a minute and process; the attempts of make test are over sooner, however busy the machine is.
    assert 1 <= len(lines_of_refusals(fronted, node)) <= 1 + ATTEMPTS * EVERY // 30
    release_all(fronted, [node])


def test_a_controller_with_authority_ends_what_it_may_end_and_no_more_under_guarded(fronted: Fronted, guarded: Fronted) -> None:
    node = fronted.enrol("controller-with")
    hold(fronted, node, "owner-member", reason="legal")
    statuses, texts = attempts(guarded, "system-admin", node)
    assert statuses == [403] * ATTEMPTS
    [text] = texts
    assert "operator_hold" in text
    assert said(fronted, node) == [("operator_hold", "legal")]
    until(lambda: flag(fronted, node) == Flag(True, "operator_hold: legal", None), 120, "the hold is not enforced")
    assert 1 <= len(lines_of_refusals(guarded, node)) <= 1 + ATTEMPTS * EVERY // 30
    # Who names the entry means it.
    [entry] = typed(guarded, "system-admin", "GET", f"/v1/nodes/{node}/maintenance").json["maintenance"]
    assert typed(guarded, "system-admin", "DELETE", f"/v1/nodes/{node}/maintenance/{entry['uuid']}").status == 204
    # Its own flag it sets and clears as ever, here and there.
    for pair in (guarded, fronted):
        assert pair.through("system-admin").put(f"/v1/nodes/{node}/maintenance", {"reason": "mine"}).status == 202
        statuses, texts = attempts(pair, "system-admin", node)
        assert (statuses, texts) == ([202] * ATTEMPTS, {""})
        until(lambda: flag(fronted, node) == Flag(False, None, None), 120, "the flag stays")


def test_a_controller_beside_whom_somebody_holds_ends_its_own_entry_with_theirs_or_none(fronted: Fronted) -> None:
    node = fronted.enrol("controller-beside")
    hold(fronted, node, "system-admin", reason="row")
    assert fronted.through("owner-member").put(f"/v1/nodes/{node}/maintenance", {"reason": "mine"}).status == 202
    statuses, _texts = attempts(fronted, "owner-member", node)
    assert statuses == [403] * ATTEMPTS
    assert said(fronted, node) == [("operator_hold", "row"), ("legacy", "mine")]
    release_all(fronted, [node])


def test_the_module_of_openstack_cloud_with_maintenance_left_out(fronted: Fronted, guarded: Fronted, tmp_path: pathlib.Path) -> None:
    try:
        path = openstack_cloud.collections()
    except NotBuilt as error:
        pytest.fail(str(error), pytrace=False)
    node = fronted.enrol("left-out", state="active")
    entry = hold(fronted, node, "system-admin", reason="LEGAL HOLD")["uuid"]
    enforced = Flag(True, "operator_hold: LEGAL HOLD", None)
    for pair, user, why in (
        (fronted, "owner-member", f"Cannot release maintenance entry {entry} (type operator_hold, scope system): not permitted at owner"),
        (guarded, "system-member", entry),
    ):
        result = node_action(pair, user, node, path, tmp_path / user)
        assert result["failed"], result
        assert why in result["msg"], result["msg"]
        assert said(fronted, node) == [("operator_hold", "LEGAL HOLD")]
        until(lambda: flag(fronted, node) == enforced, 120, "the hold is not enforced")
    release_all(fronted, [node])


def node_action(pair: Fronted, user: str, node: str, path: pathlib.Path, folder: pathlib.Path) -> dict[str, t.Any]:
    """Run openstack.cloud.baremetal_node_action on a node, its `maintenance` left out; give the task's result."""
    folder.mkdir()
    pair.keystone.set_endpoint(pair.backend.url)
    pair.keystone.clouds_yaml(folder / "clouds.yaml", user)
    module = {"cloud": user, "name": node, "state": "present", "deploy": False, "instance_info": {}}
    (folder / "ansible.cfg").write_text("[defaults]\n", encoding="utf-8")
    world = {name: value for name, value in own_environment().items() if not name.startswith(("ANSIBLE_", "BAREMETAL_"))}
    world.update(
        ANSIBLE_CONFIG=str(folder / "ansible.cfg"),
        ANSIBLE_HOME=str(folder / "ansible"),
        ANSIBLE_COLLECTIONS_PATH=str(path),
        OS_CLIENT_CONFIG_FILE=str(folder / "clouds.yaml"),
    )
    done = subprocess.run(
        [
            str(pathlib.Path(sys.executable).with_name("ansible")),
            "localhost",
            "-m",
            "openstack.cloud.baremetal_node_action",
            "-a",
            json.dumps(module),
            "-e",
            json.dumps({"ansible_python_interpreter": sys.executable}),
            "-o",
        ],
        env=world,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    _head, _arrow, shown = done.stdout.partition("=> ")
    try:
        result = t.cast("dict[str, t.Any]", json.loads(shown.strip()))
    except ValueError:
        pytest.fail(f"no result of the module in: {done.stdout}{done.stderr}")
    return {"failed": "FAILED" in done.stdout.partition("=>")[0], **result}
