# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ironic away, Ironic breaking off, the database away, Ironic of a newer version: what still works, and what is said."""

from __future__ import annotations

import pathlib
import time
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.lab.direct import Direct, Flag
from ansible_collections.baremetal.maintenance.tests.lab.fronted import TYPED
from ansible_collections.baremetal.maintenance.tests.lab.fronting.plain import Plain, front
from ansible_collections.baremetal.maintenance.tests.lab.fronting.tap import Tap
from ansible_collections.baremetal.maintenance.tests.lab.postgresql import NotInstalled, Postgresql
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend

pytestmark = [pytest.mark.lab, pytest.mark.timeout(600)]

HEARTBEAT: t.Final = {"callback_url": "http://127.0.0.1:9/", "agent_token": "x", "agent_version": "9"}


@pytest.fixture(scope="module")
def server() -> t.Iterator[Postgresql]:
    """A PostgreSQL of this file's own, that it may stop."""
    try:
        running = Postgresql()
    except NotInstalled as error:
        pytest.fail(str(error), pytrace=False)
    with running:
        yield running


@pytest.fixture(scope="module")
def tap(plain: Plain) -> t.Iterator[Tap]:
    """The wire to Ironic."""
    with Tap(plain.ironic.port) as tap:
        yield tap


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory, tap: Tap, server: Postgresql) -> t.Iterator[Backend]:
    """A backend on that database, behind that wire."""
    with front(tmp_path_factory.mktemp("outages"), tap.url, database=server.database()) as backend:
        yield backend


def asked(backend: Backend) -> Direct:
    """Ask through it."""
    return Direct(backend.url)


def hold(backend: Backend, node: str, seconds: float = 60.0) -> None:
    """Assert a hold, as soon as the service takes one."""
    end = time.monotonic() + seconds
    body = {"type": "operator_hold", "reason": "move"}
    while (answer := asked(backend).post(f"/v1/nodes/{node}/maintenance", body, version=TYPED)).status == 503:
        assert time.monotonic() < end, answer.content
        time.sleep(0.1)
    assert answer.status == 201, answer.content


def test_ironic_away(plain: Plain, tap: Tap, backend: Backend) -> None:
    node = plain.ironic.nodes.enrol("outage-1")
    hold(backend, node)
    tap.down()
    try:
        for method, path, body in (
            ("GET", "/v1/nodes", None), ("GET", f"/v1/nodes/{node}", None), ("GET", "/v1/ports", None), ("GET", "/v1", None),
            ("PUT", f"/v1/nodes/{node}/maintenance", {}), ("DELETE", f"/v1/nodes/{node}/maintenance", None),
            ("PATCH", f"/v1/nodes/{node}", [{"op": "replace", "path": "/maintenance", "value": False}]),
            ("POST", "/v1/ports", {"address": "x"}), ("GET", f"/v1/nodes/{node}/maintenance", None), ("DELETE", f"/v1/nodes/{node}", None),
            ("PUT", f"/v1/nodes/{node}/states/provision", {"target": "manage"}),
        ):  # fmt: skip
            answer = asked(backend).send(method, path, body, version=TYPED)
            assert answer.status == 503 and answer.said.startswith("The Ironic behind this service does not answer"), (method, path)
            assert answer.said.count(".") <= 1 and answer.headers["Retry-After"] == "2"
    finally:
        tap.up()
    assert asked(backend).node(node)["maintenance"] is True
    assert plain.flag(node) == Flag(True, "operator_hold: move", None)


def test_an_answer_that_breaks_off_is_no_answer(plain: Plain, tap: Tap, backend: Backend) -> None:
    """Wherever Ironic breaks off, nothing of it passes for the whole: a short list of nodes would be nodes that are gone."""
    first = plain.ironic.nodes.enrol("outage-2", owner="broken")
    plain.ironic.nodes.copies(first, 60)
    through = asked(backend)
    paths = ["/v1/nodes?owner=broken", "/v1/nodes/detail?owner=broken", "/v1/nodes?owner=broken&maintenance=false", "/v1/ports"]
    paths += [f"/v1/nodes/{first}", "/v1/drivers/fake-hardware/properties"]
    whole = {path: through.get(path).json for path in paths}
    assert len(whole[paths[0]]["nodes"]) == 61
    broken = 0
    try:
        for size in (40, 500, 900, 1500, 4000, 16000):
            tap.cut(size)
            for path in paths:
                answer = through.get(path)
                assert answer.status == 503 or answer.json == whole[path], (size, path, answer.status)
                broken += answer.status == 503
        tap.cut(600)
        fleet = through.get("/v1/maintenance", version=TYPED)
        assert fleet.status == 503, "what the caller may see is a list of Ironic's too"
    finally:
        tap.cut(None)
    assert broken > 15, broken
    assert {path: through.get(path).json for path in paths} == whole


def test_the_database_away(plain: Plain, server: Postgresql, backend: Backend) -> None:
    """Reads and the ramdisk's requests pass, what would change or miss a hold is 503, and it is over by itself."""
    node, free = (plain.ironic.nodes.enrol(name, state="manageable") for name in ("outage-3", "outage-4"))
    hold(backend, node)
    through = asked(backend)
    before = {path: through.get(path).json for path in ("/v1/nodes", f"/v1/nodes/{node}", "/v1/ports", "/v1/nodes?maintenance=true")}
    server.stop()
    try:
        for path, document in before.items():
            answer = through.get(path)
            assert (answer.status, answer.json) == (200, document), path
        assert through.get("/v1/lookup?addresses=52:54:00:99:99:99").status == 404
        assert through.post(f"/v1/heartbeat/{node}", HEARTBEAT).status == plain.direct.post(f"/v1/heartbeat/{node}", HEARTBEAT).status
        assert through.patch(f"/v1/nodes/{free}", [{"op": "add", "path": "/extra/x", "value": 1}]).status == 200
        assert through.put(f"/v1/nodes/{free}/management/boot_device", {"boot_device": "pxe"}).status == 204
        entry = {"type": "operator_hold", "reason": "x"}
        for method, path, body in (
            ("PUT", f"/v1/nodes/{free}/maintenance", {}), ("DELETE", f"/v1/nodes/{node}/maintenance", None),
            ("POST", f"/v1/nodes/{free}/maintenance", entry), ("GET", f"/v1/nodes/{node}/maintenance", None),
            ("PATCH", f"/v1/nodes/{node}", [{"op": "replace", "path": "/maintenance", "value": False}]),
            ("DELETE", f"/v1/nodes/{node}", None), ("PUT", f"/v1/nodes/{node}/states/provision", {"target": "clean"}),
            ("GET", "/v1/nodes?fields=maintenance_entries", None), ("GET", f"/v1/nodes/{node}/history", None),
            ("POST", "/v1/maintenance", {"nodes": [free], **entry}),
        ):  # fmt: skip
            answer = through.send(method, path, body, version=TYPED)
            assert answer.status == 503 and "database" in answer.said, (method, path, answer.status, answer.content)
        assert through.get("/healthz").status == 503
    finally:
        server.start()
    assert plain.flag(node) == Flag(True, "operator_hold: move", None) and not plain.flag(free).maintenance
    hold(backend, free)
    assert plain.flag(free) == Flag(True, "operator_hold: move", None)
    assert "ERROR backend.resources.failures" not in backend.log


def test_the_typed_version_moves_with_ironic_s(plain: Plain, tmp_path: pathlib.Path) -> None:
    """An Ironic that is upgraded while we run: our number is the next one, which is said once."""
    node = plain.ironic.nodes.enrol("outage-5")
    with Tap(plain.ironic.port) as tap, front(tmp_path, tap.url) as backend:
        through = asked(backend)
        assert through.get("/v1").json["maintenance_api"]["microversion"] == TYPED
        assert "ALERT: the newest version" not in backend.log
        tap.rewrite = (b"Maximum-Version: 1.115", b"Maximum-Version: 1.117")
        for _turn in range(3):
            assert through.get("/v1/nodes").status == 200
        assert through.get("/v1").json["maintenance_api"]["microversion"] == "1.118"
        assert through.post(f"/v1/nodes/{node}/maintenance", {"type": "operator_hold"}, version=TYPED).status == 404
        assert through.get(f"/v1/nodes/{node}/maintenance", version="1.118").headers["X-OpenStack-Ironic-API-Maximum-Version"] == "1.118"
        assert backend.log.count("ALERT: the newest version of the Ironic behind this service is 1.117") == 1


def test_an_ironic_of_another_version_from_the_start(plain: Plain, tmp_path: pathlib.Path) -> None:
    """The first request of all may be at our typed version: it is known before that is judged."""
    node = plain.ironic.nodes.enrol("outage-6")
    with Tap(plain.ironic.port) as tap:
        tap.rewrite = (b"Maximum-Version: 1.115", b"Maximum-Version: 1.114")
        with front(tmp_path, tap.url) as backend:
            answer = asked(backend).post(f"/v1/nodes/{node}/maintenance", {"type": "operator_hold"}, version="1.115")
            assert answer.status == 201, answer.content
            assert "ALERT: the newest version" not in backend.log
