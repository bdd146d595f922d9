# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Against a real Ironic: the recorded answers are true, its nodes can be imported, and the client knows what it talks to."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import json
import pathlib
import sqlite3
import typing as t
import uuid

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.errors import NotSupported
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.settings import Settings
from ansible_collections.baremetal.maintenance.tests.fixtures import ironic as fixtures
from ansible_collections.baremetal.maintenance.tests.fixtures.ironic import playing, words
from ansible_collections.baremetal.maintenance.tests.fixtures.ironic.cases import boolean, documents, history, nodes
from ansible_collections.baremetal.maintenance.tests.fixtures.ironic.wire import Wire
from ansible_collections.baremetal.maintenance.tests.lab.ironic import Ironic
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend

# The first run installs the Ironic.
pytestmark = [pytest.mark.lab, pytest.mark.timeout(600)]

FIXTURES = pathlib.Path(str(fixtures.__file__)).parent
#: Of the boolean endpoints' exchanges every so many is recorded anew, of the nodes' those that only read.
EVERY = 37
READING = tuple(itertools.takewhile(lambda case: not case.name.startswith("create"), nodes.RECORDING.cases))


@pytest.fixture
def wire(real_ironic: Ironic) -> t.Iterator[Wire]:
    """The Ironic, without nodes before and after."""
    wire = Wire(real_ironic.url)
    yield wire
    playing.remove_all(wire)


@pytest.mark.parametrize(
    ("name", "recording"),
    [
        ("boolean", dataclasses.replace(boolean.RECORDING, cases=boolean.RECORDING.cases[::EVERY])),
        ("documents", documents.RECORDING),
        ("history", history.RECORDING),
        ("nodes", dataclasses.replace(nodes.RECORDING, cases=READING)),
    ],
)
def test_the_fixtures_are_what_it_answers(wire: Wire, name: str, recording: words.Recording) -> None:
    stored = {case["name"]: case for case in playing.read((FIXTURES / f"{name}.json").read_text(encoding="ascii"))[1]}
    recorded = playing.record(wire, recording, words.KNOWN_UUIDS)
    assert [case["name"] for case in recorded["cases"]] == [case.name for case in recording.cases]
    for case in recorded["cases"]:
        assert case == stored[case["name"]], case["name"]


def test_its_nodes_are_imported(real_ironic: Ironic, wire: Wire, tmp_path: pathlib.Path) -> None:
    made = [
        {"name": "imp-1", "driver": "fake-hardware", "owner": "own-1", "lessee": "les-1", "properties": {"rack": "C"}},
        {"name": "imp-2", "driver": "fake-hardware", "driver_info": {"redfish_password": "canary-8c1f"}},
        {"name": "imp-3", "driver": "redfish", "extra": {"a": "b"}, "description": "with a fault"},
        {"driver": "fake-hardware"},
    ]
    uuids = [wire.send(words.post("/v1/nodes", "latest", body)).json()["uuid"] for body in made]
    assert wire.send(words.put(f"/v1/nodes/{uuids[1]}/maintenance", json_body={"reason": "LK_OP: 🔒"})).status == 202
    with real_ironic.rows() as rows:
        change = "UPDATE nodes SET maintenance = 1, maintenance_reason = 'no answer', fault = 'power failure' WHERE uuid = ?"
        rows.execute(change, (uuids[2],))
    backend = Backend(tmp_path)
    with copies(real_ironic, uuids[3], 600):
        first = backend.run("import", real_ironic.url)
        again = backend.run("import", real_ironic.url)
    assert (first.returncode, first.stderr) == (0, "")
    assert "604 nodes: 604 new" in first.stdout
    assert "1 new legacy entries, 1 new fault entries" in first.stdout
    assert "604 nodes: 0 new, 0 changed, 604 as they were; 0 new legacy entries, 0 new fault entries" in again.stdout
    assert b"canary-8c1f" not in backend.database.read_bytes()
    with backend:
        ours = Wire(backend.url)
        for node_uuid in uuids:
            fields = "uuid,name,owner,lessee,driver,properties,extra,description,maintenance,fault,provision_state"
            path = f"/v1/nodes/{node_uuid}?fields={fields}"
            here, there = (_without_links(each.send(words.get(path, "1.115")).json()) for each in (ours, wire))
            assert here == there
        reasons = [ours.send(words.get(f"/v1/nodes/{node}", "1.115")).json()["maintenance_reason"] for node in uuids]
        assert reasons == [None, "LK_OP: 🔒", "fault: no answer", None]
        entries = [ours.send(words.get(f"/v1/nodes/{node}/maintenance", "latest")).json()["maintenance"] for node in uuids]
        assert [[(entry["type"], entry["reason"]) for entry in found] for found in entries] == [
            [],
            [("legacy", "LK_OP: 🔒")],
            [("fault", "no answer")],
            [],
        ]
        assert entries[2][0]["extra"] == {"fault": "power failure"}


def test_the_client_knows_it_for_a_service_with_the_boolean_only(real_ironic: Ironic, wire: Wire) -> None:
    body = {"name": "client-1", "driver": "fake-hardware", "owner": "own-1"}
    node_uuid = wire.send(words.post("/v1/nodes", "latest", body)).json()["uuid"]
    api = Api(Settings(url=real_ironic.url))
    assert api.service("client-1").kind == "boolean"
    api.set_flag("client-1", "HW_ERR: disk 3")
    assert api.get_node(node_uuid)["maintenance_reason"] == "HW_ERR: disk 3"
    with pytest.raises(NotSupported):
        api.assert_entry("client-1", type="operator_hold", reason="x")
    assert api.get_node(node_uuid)["maintenance_reason"] == "HW_ERR: disk 3"
    api.clear_flag("client-1")
    assert api.get_node(node_uuid)["maintenance"] is False


def test_the_client_gets_every_page_of_a_filtered_list(real_ironic: Ironic, wire: Wire) -> None:
    body = {"name": "page-1", "driver": "fake-hardware", "owner": "own-1"}
    first = wire.send(words.post("/v1/nodes", "latest", body)).json()["uuid"]
    wire.send(words.post("/v1/nodes", "latest", {**body, "name": "other-1", "owner": "own-2"}))
    with copies(real_ironic, first, 25):
        # Its own link to the next page leaves the filter out.
        found = Api(Settings(url=real_ironic.url, page_size=10)).iter_nodes(fields=["uuid", "owner"], filters={"owner": "own-1"})
    assert [node["owner"] for node in found] == ["own-1"] * 26


@contextlib.contextmanager
def copies(ironic: Ironic, original: str, number: int) -> t.Iterator[None]:
    """Have so many copies of a node, without names; its API would take seconds to make them and to delete them."""
    with ironic.rows() as rows:
        made = _copy(rows, original, number)
    yield
    with ironic.rows() as rows:
        rows.executemany("DELETE FROM nodes WHERE uuid = ?", made)


def _copy(rows: sqlite3.Connection, original: str, number: int) -> list[tuple[str]]:
    cursor = rows.execute("SELECT * FROM nodes WHERE uuid = ?", (original,))
    with contextlib.closing(cursor):
        columns = [column[0] for column in cursor.description]
        row = dict(zip(columns, cursor.fetchone(), strict=True))
    row.pop("id")
    marks = ", ".join("?" * len(row))
    made = [(str(uuid.uuid4()),) for _number in range(number)]
    values = [tuple({**row, "uuid": node_uuid, "name": None}.values()) for (node_uuid,) in made]
    rows.executemany(f"INSERT INTO nodes ({', '.join(row)}) VALUES ({marks})", values)
    return made


def _without_links(node: dict[str, t.Any]) -> str:
    return json.dumps({name: value for name, value in node.items() if name != "links"}, sort_keys=True)
