# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What our entries say of nodes is laid over what Ironic says, in every place where it shows nodes, and its filters follow."""

from __future__ import annotations

import time
import typing as t
import urllib.parse

import pytest
from ansible_collections.baremetal.maintenance.tests.lab.fronted import TYPED
from ansible_collections.baremetal.maintenance.tests.lab.fronting.plain import Plain

pytestmark = [pytest.mark.lab, pytest.mark.timeout(600)]

OWNER: t.Final = "shown"


@pytest.fixture(scope="module")
def nodes(plain: Plain) -> list[str]:
    """Thirty nodes of one owner, of which every third is held; of those Ironic has lost every other one's flag."""
    first = plain.ironic.nodes.enrol("shown-0", owner=OWNER)
    made = [first, *plain.ironic.nodes.copies(first, 29)]
    held = made[::3]
    answer = plain.through.post("/v1/maintenance", {"nodes": held, "type": "operator_hold", "reason": "move"}, version=TYPED)
    assert answer.status == 200 and all(result["status"] == 201 for result in answer.json["results"])
    end = time.monotonic() + 120
    while not all(entry["enforced"] for row in pages(plain, "fields=maintenance_entries") for entry in row["maintenance_entries"]):
        assert time.monotonic() < end
        time.sleep(0.2)
    plain.gap(held[::2])
    return made


def pages(plain: Plain, query: str) -> list[dict[str, t.Any]]:
    """Give all nodes of a list, page by page, each link followed as it is given."""
    rows: list[dict[str, t.Any]] = []
    path: str | None = f"/v1/nodes?owner={OWNER}&{query}"
    while path:
        answer = plain.through.get(path, version=TYPED)
        assert answer.status == 200, answer.content
        rows += answer.json["nodes"]
        following = answer.json.get("next")
        assert following is None or following.startswith(plain.backend.url + "/v1/nodes?")
        path = following and following.removeprefix(plain.backend.url)
        assert len(rows) < 100
    return rows


@pytest.mark.parametrize("limit", [1, 3, 4, 10, 11, 1000])
def test_the_filter_of_maintenance_in_pages(plain: Plain, nodes: list[str], limit: int) -> None:
    held, free = set(nodes[::3]), set(nodes) - set(nodes[::3])
    assert [row["uuid"] for row in pages(plain, f"maintenance=true&limit={limit}")] == [node for node in nodes if node in held]
    assert [row["uuid"] for row in pages(plain, f"maintenance=false&limit={limit}")] == [node for node in nodes if node in free]


def test_in_a_gap_ironic_itself_says_otherwise(plain: Plain, nodes: list[str]) -> None:
    """Otherwise the other tests would show nothing."""
    theirs = plain.direct.get(f"/v1/nodes?owner={OWNER}&maintenance=true").json["nodes"]
    assert {row["uuid"] for row in theirs} == set(nodes[::3]) - set(nodes[::6])


@pytest.mark.parametrize("query", ["", "&fields=name", "&fields=uuid", "&fields=maintenance_reason", "&fields=", "&detail=true"])
def test_fields(plain: Plain, nodes: list[str], query: str) -> None:
    """What is asked for is there and nothing else, whatever is needed to find out."""
    ours = pages(plain, f"maintenance=true&limit=4{query}")
    theirs = plain.direct.get(f"/v1/nodes?owner={OWNER}&limit=1{query}").json["nodes"]
    assert len(ours) == 10 and {frozenset(row) for row in ours} == {frozenset(theirs[0])}
    for row in ours:
        assert row.get("maintenance", True) is True and row.get("maintenance_reason", "operator_hold: move") == "operator_hold: move"


def test_everywhere_it_is_shown(plain: Plain, nodes: list[str]) -> None:
    """One node, by uuid and by name, and in the lists, below a chassis too."""
    direct, through, node = plain.direct, plain.through, nodes[0]
    chassis = direct.post("/v1/chassis", {"description": "shown"}).json["uuid"]
    assert direct.patch(f"/v1/nodes/{node}", [{"op": "add", "path": "/chassis_uuid", "value": chassis}]).status == 200
    shown = [
        through.node(node),
        through.node("shown-0"),
        through.node(node, "maintenance", "maintenance_reason", "fault", "uuid"),
        next(row for row in through.get("/v1/nodes/detail").json["nodes"] if row["uuid"] == node),
        through.get(f"/v1/chassis/{chassis}/nodes/detail").json["nodes"][0],
    ]
    assert {(row["uuid"], row["maintenance"], row["maintenance_reason"], row["fault"]) for row in shown} == {
        (node, True, "operator_hold: move", None)
    }
    assert through.get(f"/v1/chassis/{chassis}/nodes").json["nodes"][0]["maintenance"] is True
    assert plain.direct.flag(node).maintenance is False


def test_the_filter_of_faults(plain: Plain) -> None:
    """A fault that Ironic has is an entry as soon as somebody looks; in a gap the filter still finds it."""
    made = [plain.ironic.nodes.enrol(name, owner="faulty") for name in ("faulty-1", "faulty-2")]
    plain.ironic.nodes.put_fault(made, "clean failure", "no step")
    for node in made:
        assert plain.entries(node) == [("fault", "no step")]
    plain.gap(made[:1])
    for kind, found in (("clean failure", made), ("power failure", [])):
        for more in ("", "&detail=true", "&fields=name,uuid"):
            query = f"owner=faulty&fault={urllib.parse.quote(kind)}{more}"
            assert [row["uuid"] for row in plain.through.get(f"/v1/nodes?{query}").json["nodes"]] == found, query
    short = plain.through.get("/v1/nodes?owner=faulty&fault=clean%20failure").json["nodes"][0]
    assert set(short) == {"uuid", "instance_uuid", "maintenance", "power_state", "provision_state", "name", "links"}
    assert plain.through.get("/v1/nodes?fault=clean%20failure", version="1.41").status == 406


def test_nodes_with_their_entries(plain: Plain, nodes: list[str]) -> None:
    rows = pages(plain, "fields=name,maintenance_entries&limit=7")
    assert len(rows) == 30 and all(set(row) == {"name", "maintenance_entries", "links"} for row in rows)
    assert [len(row["maintenance_entries"]) for row in rows] == [1, 0, 0] * 10
    entry = rows[0]["maintenance_entries"][0]
    assert (entry["type"], entry["reason"], entry["enforced_by"]) == ("operator_hold", "move", "ironic")
    held = pages(plain, "fields=uuid,maintenance_entries&maintenance=true&limit=4")
    assert [(row["uuid"], len(row["maintenance_entries"])) for row in held] == [(node, 1) for node in nodes[::3]]
    one = plain.through.get(f"/v1/nodes/{nodes[0]}?fields=maintenance_entries", version=TYPED)
    assert set(one.json) == {"maintenance_entries", "links"} and len(one.json["maintenance_entries"]) == 1
    below = plain.through.get(f"/v1/nodes/{nodes[0]}?fields=maintenance_entries", version="1.115")
    assert below.status == 406 and "1.116" in below.said
