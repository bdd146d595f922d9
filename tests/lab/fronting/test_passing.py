# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bare metal API through us and direct: the same status, headers and bodies, but for what is laid over and links."""

from __future__ import annotations

import base64
import dataclasses
import json
import os
import pathlib
import random
import socket
import time
import typing as t
import urllib.parse
import uuid

import pytest
import requests
from ansible_collections.baremetal.maintenance.tests.lab.direct import Direct
from ansible_collections.baremetal.maintenance.tests.lab.fronting.comparing import differences
from ansible_collections.baremetal.maintenance.tests.lab.fronting.plain import Plain, raw

pytestmark = [pytest.mark.lab, pytest.mark.timeout(600)]

MIB: t.Final = 1024 * 1024


@dataclasses.dataclass(frozen=True)
class Scene:
    """Two equal nodes: what is written to the one direct, is written to the other through us. Each with one of everything."""

    pair: Plain
    mine: str
    twin: str
    parts: dict[str, str]

    @property
    def same(self) -> dict[str, str]:
        """What stands for one thing in answers of both."""
        pair = self.pair
        names = {pair.ironic.url: "URL", pair.backend.url: "URL", self.mine: "NODE", self.twin: "NODE"}
        return {**names, "mine-1": "NAME", "twin-1": "NAME"}


@pytest.fixture(scope="module")
def scene(plain: Plain) -> Scene:
    """The two nodes, manageable."""
    direct = plain.direct
    mine, twin = (plain.ironic.nodes.enrol(name, state="manageable", extra={"href": "x", "rel": "self"}) for name in ("mine-1", "twin-1"))
    made = {
        "port": ("ports", {"node_uuid": twin, "address": _mac()}),
        "portgroup": ("portgroups", {"node_uuid": twin, "name": "bond-1"}),
        "chassis": ("chassis", {"description": "rack"}),
        "template": ("deploy_templates", {"name": "CUSTOM_PASSING", "steps": [_step()]}),
        "connector": ("volume/connectors", {"node_uuid": twin, "type": "iqn", "connector_id": "iqn.1"}),
    }
    parts = {}
    for name, (path, body) in made.items():
        answer = direct.post(f"/v1/{path}", body)
        assert answer.status == 201, answer.content
        parts[name] = answer.json["uuid"]
    assert direct.patch(f"/v1/nodes/{twin}", [{"op": "add", "path": "/chassis_uuid", "value": parts["chassis"]}]).status == 200
    return Scene(plain, mine, twin, parts)


READ: t.Final = (
    "/",
    "/v1",
    "/v1/",
    "/v1/nodes",
    "/v1/nodes/",
    "/v1/nodes?limit=1",
    "/v1/nodes/detail",
    "/v1/nodes?detail=true&limit=1",
    "/v1/nodes?fields=name,extra",
    "/v1/nodes?sort_key=name&sort_dir=desc",
    "/v1/nodes?owner=nobody",
    "/v1/nodes?limit=0",
    "/v1/nodes?limit=abc",
    "/v1/nodes?marker=nope",
    f"/v1/nodes?marker={uuid.UUID(int=1)}",
    "/v1/nodes?bogus=1",
    "/v1/nodes?fields=bogus,uuid",
    "/v1/nodes?maintenance=false&fields=name",
    "/v1/nodes?maintenance=true",
    "/v1/nodes?maintenance=banana",
    "/v1/nodes?fault=none",
    "/v1/nodes?maintenance=false&detail=true&limit=1",
    "/v1/nodes?maintenance=true&limit=-1",
    "/v1/nodes?maintenance=true&limit=abc",
    f"/v1/nodes?maintenance=true&marker={uuid.UUID(int=1)}",
    "/v1/nodes?fault=power%20failure&maintenance=true",
    "/v1/nodes/detail?fields=uuid",
    "/v1/nodes/{twin}",
    "/v1/nodes/twin-1",
    "/v1/nodes/twin-1?fields=name",
    "/v1/nodes/twin-1?fields=",
    "/v1/nodes/{twin}?fields=bogus",
    "/v1/nodes/{twin}?bogus=1",
    "/v1/nodes/nope",
    "/v1/nodes/{twin}.json",
    "/v1/nodes/twin-1/ports",
    "/v1/nodes/{twin}/portgroups",
    "/v1/nodes/{twin}/volume",
    "/v1/nodes/{twin}/volume/connectors",
    "/v1/nodes/{twin}/traits",
    "/v1/nodes/{twin}/vifs",
    "/v1/nodes/{twin}/bios",
    "/v1/nodes/{twin}/states",
    "/v1/nodes/{twin}/validate",
    "/v1/nodes/{twin}/management/boot_device",
    "/v1/nodes/{twin}/management/boot_device/supported",
    "/v1/nodes/{twin}/management/indicators",
    "/v1/nodes/{twin}/vendor_passthru/methods",
    "/v1/nodes/{twin}/vendor_passthru?method=first_method",
    "/v1/nodes/{twin}/allocation",
    "/v1/nodes/{twin}/firmware",
    "/v1/nodes/{twin}/inventory",
    "/v1/nodes/{twin}/children",
    "/v1/nodes/{twin}/history",
    "/v1/nodes/{twin}/history/nope",
    "/v1/nodes/{twin}/states/console",
    "/v1/nodes/{twin}/nope",
    "/v1/ports?limit=1",
    "/v1/ports/detail",
    "/v1/ports/{port}",
    "/v1/ports/nope",
    "/v1/portgroups",
    "/v1/portgroups/{portgroup}",
    "/v1/portgroups/{portgroup}/ports",
    "/v1/chassis",
    "/v1/chassis/{chassis}",
    "/v1/chassis/{chassis}/nodes",
    "/v1/chassis/{chassis}/nodes/detail",
    "/v1/drivers",
    "/v1/drivers/fake-hardware",
    "/v1/drivers/fake-hardware/properties",
    "/v1/drivers/nope",
    "/v1/conductors",
    "/v1/conductors/lab-conductor",
    "/v1/allocations",
    "/v1/allocations/nope",
    "/v1/deploy_templates",
    "/v1/deploy_templates/{template}",
    "/v1/runbooks",
    "/v1/inspection_rules",
    "/v1/volume",
    "/v1/volume/connectors/{connector}",
    "/v1/volume/targets",
    "/v1/shards",
    "/v1/lookup",
    "/v1/lookup?addresses=52:54:00:99:99:99",
    "/v1/events",
    "/v1/nope",
    "/nope",
    "/v2",
)


def test_what_is_read(scene: Scene) -> None:
    pair, parts = scene.pair, {"twin": scene.twin, **scene.parts}
    direct, through = pair.direct, pair.through
    found: dict[str, list[str]] = {}
    for path in (path.format(**parts) for path in READ):
        documents = path.rstrip("/") in ("", "/v1")
        found[path] = differences(direct.get(path), through.get(path), scene.same, bodies=not documents)
    assert {path: lines for path, lines in found.items() if lines} == {}
    assert len(found) >= 40


@pytest.mark.parametrize("version", ["1.1", "1.4", "1.41", "1.42", "1.90", "1.115", None])
def test_in_every_version(scene: Scene, version: str | None) -> None:
    pair = scene.pair
    direct, through = pair.direct, pair.through
    suffix = [] if version in ("1.115",) else [f"/v1/nodes/{scene.twin}.json"]
    paths = ["/v1/nodes?limit=1", f"/v1/nodes/{scene.twin}", "/v1/nodes/twin-1", "/v1/nodes?maintenance=false&limit=1", *suffix]
    paths += ["/v1/nodes?fault=power%20failure", "/v1/ports", f"/v1/nodes/{scene.twin}/states", f"/v1/nodes/{scene.twin}/history"]
    different = {}
    for path in paths:
        theirs, ours = direct.get(path, version=version), through.get(path, version=version)
        # That history is not there yet is a sentence of ours.
        lines = differences(theirs, ours, scene.same, bodies="history" not in path)
        if lines:
            different[path] = lines
    assert different == {}


def test_versions_that_are_not_there(scene: Scene) -> None:
    direct, through = scene.pair.direct, scene.pair.through
    for version in ("1.999", "2.1", "abc", "1"):
        theirs, ours = (service.get("/v1/nodes", version=version) for service in (direct, through))
        assert (theirs.status, ours.status) == (406, 406), version
        assert differences(theirs, ours, {**scene.same, "1.115]": "N]", "1.116]": "N]"}) == []
    ours = through.get("/v1/nodes", version=None, headers={"OpenStack-API-Version": "baremetal 1.99"})
    assert ours.headers["X-OpenStack-Ironic-API-Version"] == "1.99"
    newest = through.get(f"/v1/nodes/{scene.twin}", version="latest")
    assert (newest.headers["X-OpenStack-Ironic-API-Version"], newest.headers["OpenStack-API-Version"]) == ("1.116", "baremetal 1.116")
    assert newest.json == through.get(f"/v1/nodes/{scene.twin}").json


def test_the_documents_name_the_typed_version(scene: Scene) -> None:
    through = scene.pair.through
    document = through.get("/v1").json
    assert document["version"]["version"] == "1.116" and document["maintenance_api"]["microversion"] == "1.116"
    assert "fault" not in document["maintenance_api"]["extensions"] and "bulk" in document["maintenance_api"]["extensions"]
    assert through.get("/").json["default_version"]["version"] == "1.116"
    assert scene.pair.ironic.url not in json.dumps([document, through.get("/").json])


WRITTEN: t.Final[tuple[tuple[str, str, t.Any], ...]] = (
    ("PATCH", "/v1/nodes/{node}", [{"op": "add", "path": "/extra/x", "value": 1}]),
    ("PATCH", "/v1/nodes/{name}", [{"op": "replace", "path": "/extra/nope", "value": 1}]),
    ("PATCH", "/v1/nodes/{node}", [{"op": "bogus", "path": "/extra/nope", "value": 1}]),
    ("PATCH", "/v1/nodes/{node}", []),
    ("PATCH", "/v1/nodes/nope", [{"op": "add", "path": "/extra/x", "value": 1}]),
    ("POST", "/v1/ports", {"node_uuid": "{node}", "address": "bad"}),
    ("POST", "/v1/portgroups", {"node_uuid": "{node}", "name": "p-{name}"}),
    ("PUT", "/v1/nodes/{node}/traits", {"traits": ["CUSTOM_A"]}),
    ("PUT", "/v1/nodes/{node}/traits/CUSTOM_B", None),
    ("DELETE", "/v1/nodes/{node}/traits", None),
    ("POST", "/v1/nodes/{node}/vifs", {"id": "vif-{name}"}),
    ("PUT", "/v1/nodes/{node}/states/provision", {"target": "bogus"}),
    ("PUT", "/v1/nodes/{node}/states/provision", {"target": "active"}),
    ("PUT", "/v1/nodes/{name}/states/provision", {"target": "rebuild"}),
    ("PUT", "/v1/nodes/{node}/states/raid", {"logical_disks": []}),
    ("PUT", "/v1/nodes/{node}/management/boot_device", {"boot_device": "pxe"}),
    ("POST", "/v1/nodes/{node}/vendor_passthru?method=first_method", {"param": 1}),
    ("PUT", "/v1/nodes/{node}/bogus", {}),
    ("POST", "/v1/nodes/{node}/bogus", {}),
    ("DELETE", "/v1/nodes/{node}/bogus", None),
    ("POST", "/v1/nodes", {"name": "{name}", "driver": "fake-hardware"}),
    ("POST", "/v1/nodes", {"name": "{name}-2", "driver": "fake-hardware"}),
    ("POST", "/v1/nodes", {"driver": "nope"}),
    ("POST", "/v1/nodes", {}),
    ("POST", "/v1/chassis", {"description": "x"}),
    ("POST", "/v1/allocations", {"resource_class": "x-{name}", "name": "al-{name}"}),
    ("DELETE", "/v1/allocations/al-{name}", None),
    ("POST", "/v1/heartbeat/{node}", {"callback_url": "http://127.0.0.1:9/", "agent_token": "x", "agent_version": "9"}),
    ("POST", "/v1/heartbeat/nope", {"callback_url": "http://127.0.0.1:9/"}),
    ("PUT", "/v1/nodes/{node}/maintenance", {"reason": "why"}),
    ("GET", "/v1/nodes/{node}", None),
    ("GET", "/v1/nodes/{name}/states", None),
    ("PUT", "/v1/nodes/{node}/states/provision", {"target": "clean", "clean_steps": [{"interface": "bios", "step": "factory_reset"}]}),
    ("PUT", "/v1/nodes/{node}/maintenance", {"reason": 1}),
    ("PUT", "/v1/nodes/{node}/maintenance", {"bogus": "x"}),
    ("PUT", "/v1/nodes/nope/maintenance", {"reason": "why"}),
    ("DELETE", "/v1/nodes/{node}/maintenance", None),
    ("DELETE", "/v1/nodes/{node}/maintenance", None),
    ("GET", "/v1/nodes/{node}", None),
    ("DELETE", "/v1/nodes/{name}-2", None),
    ("DELETE", "/v1/nodes/{name}-2", None),
    ("DELETE", "/v1/nodes/{node}?x=1", None),
)


def test_what_is_written(scene: Scene) -> None:
    different = {}
    for number, (method, path, body) in enumerate(WRITTEN):
        answers = []
        for service, node, name in ((scene.pair.direct, scene.mine, "mine-1"), (scene.pair.through, scene.twin, "twin-1")):
            text = json.dumps(body).replace("{node}", node).replace("{name}", name)
            answers.append(service.send(method, path.format(node=node, name=name), json.loads(text)))
        lines = differences(*answers, {**scene.same, f'"chassis_uuid": "{scene.parts["chassis"]}"': '"chassis_uuid": null'})
        if lines:
            different[f"{number} {method} {path}"] = lines
    assert different == {}
    assert len(WRITTEN) >= 15


def test_methods_that_are_not_there(scene: Scene) -> None:
    direct, through = scene.pair.direct, scene.pair.through
    for method, path in (
        ("PUT", "/v1/nodes"), ("PUT", "/v1/nodes/{twin}"), ("HEAD", "/v1/nodes"), ("HEAD", "/v1/ports"), ("PATCH", "/v1/ports"),
        ("POST", "/v1/nodes/{twin}/states/provision"), ("DELETE", "/v1/nodes/{twin}/history"), ("POST", "/v1"), ("OPTIONS", "/v1/ports"),
    ):  # fmt: skip
        theirs, ours = (service.send(method, path.format(twin=scene.twin)) for service in (direct, through))
        assert theirs.status == ours.status, (method, path, theirs.status, ours.status)


def test_a_config_drive_streams(scene: Scene) -> None:
    """24 MiB to a node that nobody holds: Ironic has every byte, and we never had many of them at once."""
    pair = scene.pair
    node = pair.ironic.nodes.enrol("driven", state="available")
    drive = base64.b64encode(random.Random(5).randbytes(18 * MIB)).decode()
    before = _largest(pair.backend.pid)
    answer = pair.through.put(f"/v1/nodes/{node}/states/provision", {"target": "active", "configdrive": drive})
    assert answer.status == 202, answer.content
    assert _largest(pair.backend.pid) - before < 12 * MIB
    pair.direct.until(node, lambda seen: seen["provision_state"] == "active", "provision_state")
    with pair.ironic.rows() as rows:
        [info] = rows.execute("SELECT instance_info FROM nodes WHERE uuid = ?", (node,)).fetchone()
    assert json.loads(info)["configdrive"] == drive


def test_a_large_answer_streams(scene: Scene) -> None:
    pair = scene.pair
    direct = pair.direct
    value = "y" * (4 * MIB)
    for number in range(5):
        answer = direct.post("/v1/chassis", {"description": "large", "extra": {"n": number, "value": value[: 900 * 1024]}})
        assert answer.status == 201, answer.content
    for path in ("/v1/chassis?fields=uuid,extra,description",):
        theirs, ours = direct.get(path), pair.through.get(path)
        assert theirs.status == ours.status == 200 and len(ours.content) > 4 * MIB
        assert differences(theirs, ours, scene.same) == []
    for chassis in direct.get("/v1/chassis?fields=uuid,description").json["chassis"]:
        if chassis["description"] == "large":
            assert direct.delete(f"/v1/chassis/{chassis['uuid']}").status == 204


def test_a_client_that_breaks_off(scene: Scene) -> None:
    """In the middle of its request and of its answer, again and again: neither we nor Ironic are the worse for it."""
    pair = scene.pair
    place = urllib.parse.urlsplit(pair.backend.url)
    head = f"PUT /v1/nodes/{scene.twin}/states/provision HTTP/1.1\r\nHost: x\r\n"
    head += "Content-Type: application/json\r\nContent-Length: 90000\r\n\r\n"
    for number in range(40):
        with socket.create_connection((place.hostname, place.port)) as connection:
            if number % 2:
                connection.sendall(head.encode() + b'{"target": "clean", "x": "')
            else:
                connection.sendall(b"GET /v1/nodes/detail HTTP/1.1\r\nHost: x\r\n\r\n")
    # Every thread is free again when what was broken off has been given up.
    end = time.monotonic() + 120
    while True:
        try:
            assert Direct(pair.backend.url).get("/v1/nodes", seconds=10).status == 200
            break
        except requests.RequestException:
            assert time.monotonic() < end
    assert pair.direct.node(scene.twin)["provision_state"] == "manageable"
    assert "Traceback" not in pair.backend.log


def test_what_a_client_says_it_is_stays_with_us(scene: Scene) -> None:
    """Identity headers and another method's name reach nobody."""
    pair = scene.pair
    ours = pair.through.get("/v1/ports", headers={"X-Roles": "admin", "X-User-Id": "root", "X-HTTP-Method-Override": "DELETE"})
    assert ours.status == 200
    target = f"/v1/nodes/{scene.twin}/states/provision"
    headers = ("Content-Type: application/json", "X-HTTP-Method-Override: PUT")
    assert raw(pair.backend.url, "POST", target, b'{"target": "clean"}', *headers)[0] == 405


def _largest(pid: int) -> int:
    """Give the bytes of memory that a process and its children have at most had."""
    found = 0
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines() if ":" in line)
        except OSError:
            continue
        if int(status.get("PPid", 0)) == pid or int(folder.name) == pid:
            found += int(status.get("VmHWM", "0 kB").split()[0]) * 1024
    return found


def _mac() -> str:
    return ":".join(f"{byte:02x}" for byte in (0x52, 0x54, *os.urandom(4)))


def _step() -> dict[str, t.Any]:
    return {"interface": "bios", "step": "factory_reset", "args": {}, "priority": 1}
