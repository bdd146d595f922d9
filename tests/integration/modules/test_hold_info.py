# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""hold_info: of nodes, of the fleet, filtered and queried."""

from __future__ import annotations

import time
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.hold_info import OPERATION

from .direct import do
from .running import Stage


@pytest.fixture(scope="module", autouse=True)
def holds(stage: Stage) -> None:
    stage.enrol("node1", "node2", "node3", *(f"free{number}" for number in range(25)))
    for node, who, kind in (("node1", "op", "hardware_failure"), ("node1", "lee", "operator_hold"), ("node2", "alice", "operator_hold")):
        stage.call("POST", f"/v1/nodes/{node}/maintenance", {"type": kind, "reason": f"{kind} by {who}"}, who=who)
    stage.call("PUT", "/v1/nodes/node3/maintenance", {"reason": "old way"})


def picked(result: dict[str, t.Any]) -> list[tuple[str, str, str]]:
    return sorted((entry["node"], entry["type"], entry["scope"]) for entry in result["entries"])


ALL: t.Final = [
    ("node1", "hardware_failure", "system"),
    ("node1", "operator_hold", "lessee"),
    ("node2", "operator_hold", "owner"),
    ("node3", "legacy", "system"),
]


def test_of_one_node_of_several_and_of_none(stage: Stage) -> None:
    assert picked(do(stage, OPERATION, node="node1")) == ALL[:2]
    assert picked(do(stage, OPERATION, nodes=["node2", "node1"])) == ALL[:3]
    assert do(stage, OPERATION, nodes=[])["entries"] == []


def test_of_the_fleet_with_names_and_uuids_of_the_nodes(stage: Stage) -> None:
    result = do(stage, OPERATION, fleet=True)
    assert picked(result) == ALL
    assert {entry["node_uuid"] for entry in result["entries"] if entry["node"] == "node3"} == {stage.call("GET", "/v1/nodes/node3")["uuid"]}


@pytest.mark.parametrize("target", [{"fleet": True}, {"nodes": ["node1", "node2", "node3"]}], ids=["fleet", "nodes"])
@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"types": ["operator_hold"]}, ALL[1:3]),
        ({"types": ["operator_hold", "legacy"]}, ALL[1:]),
        ({"scopes": ["owner", "lessee"]}, ALL[1:3]),
        ({"projects": ["p-lessee"]}, ALL[1:2]),
        ({"projects": [""]}, [ALL[0], ALL[3]]),
        ({"types": ["operator_hold"], "scopes": ["owner"]}, ALL[2:3]),
        ({"types": []}, []),
    ],
)
def test_filters_are_the_same_for_nodes_and_for_the_fleet(
    stage: Stage, target: dict[str, t.Any], filters: dict[str, t.Any], expected: list[tuple[str, str, str]]
) -> None:
    assert picked(do(stage, OPERATION, **target, **filters)) == expected


@pytest.mark.parametrize("target", [{"fleet": True}, {"nodes": ["node1", "node2", "node3"]}], ids=["fleet", "nodes"])
def test_older_than_counts_by_the_services_clock(stage: Stage, target: dict[str, t.Any]) -> None:
    assert picked(do(stage, OPERATION, **target, older_than="1d")) == []
    time.sleep(0.01)
    assert picked(do(stage, OPERATION, **target, older_than="0")) == ALL


def test_many_nodes_are_read_at_once_and_an_unknown_one_is_an_error(stage: Stage) -> None:
    names = ["node1", *(f"free{number}" for number in range(25))]
    before = len(stage.requests())
    assert picked(do(stage, OPERATION, nodes=names)) == ALL[:2]
    assert stage.requests()[before:][:2] == ["GET /v1", "GET /v1/nodes"]
    result = do(stage, OPERATION, nodes=[*names, "no-such-node"])
    assert result["failed"]
    assert "no-such-node" in result["msg"]


def test_a_query_picks_from_the_entries(stage: Stage) -> None:
    result = do(stage, OPERATION, fleet=True, query="sort(@[?scope=='system'].type)")
    assert result["query_result"] == ["hardware_failure", "legacy"]
    assert picked(result) == ALL
    assert "query" in do(stage, OPERATION, fleet=True, query="[?")["msg"]


def test_a_lessee_does_not_learn_who_holds_above_it(stage: Stage) -> None:
    for target in ({"fleet": True}, {"node": "node1"}):
        entries = {entry["scope"]: entry for entry in do(stage, OPERATION, who="lee", **target)["entries"] if entry["node"] == "node1"}
        assert (entries["system"]["asserted_by"], entries["system"]["asserted_by_project"]) == (None, None)
        assert entries["lessee"]["asserted_by"] == "lee-id"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "No node is named"),
        ({"fleet": True, "node": "node1"}, "leave out"),
        ({"node": "node1", "older_than": "soon"}, "older_than"),
        ({"node": "no-such-node"}, "no-such-node"),
    ],
)
def test_a_mistake_is_a_sentence(stage: Stage, options: dict[str, t.Any], words: str) -> None:
    result = do(stage, OPERATION, **options)
    assert result["failed"]
    assert words in result["msg"]
