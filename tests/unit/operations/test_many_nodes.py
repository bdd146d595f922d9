# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""hold on many nodes: all or nothing with `stop`, each by itself with `continue`, with and without the service's bulk endpoints."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.errors import Refused
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.hold import OPERATION
from ansible_collections.baremetal.maintenance.tests.unit.operations.doing import do
from ansible_collections.baremetal.maintenance.tests.unit.operations.fake_api import EXTENSIONS, FakeApi, World, lost

NODES: t.Final = ["n1", "n2", "n3"]
HOLD: t.Final = {"nodes": NODES, "type": "operator_hold", "reason": "why"}
GONE: t.Final = {"nodes": NODES, "state": "absent", "type": "operator_hold"}


@pytest.fixture
def world() -> World:
    return World(NODES)


@pytest.fixture(params=["bulk", "without bulk", "without any extension but labels"])
def op(world: World, request: pytest.FixtureRequest) -> FakeApi:
    extensions = {"bulk": EXTENSIONS, "without bulk": EXTENSIONS - {"bulk"}}.get(request.param, frozenset({"labels"}))
    return world.api("op", extensions=extensions)


def held(world: World) -> list[str]:
    return [name for name, entries in world.entries.items() if entries]


def test_every_node_is_held_and_has_its_row(world: World, op: FakeApi) -> None:
    result = do(OPERATION, op, **HOLD)
    assert result["changed"]
    assert [(row["node"], row["changed"], row["failed"]) for row in result["nodes_result"]] == [(name, True, False) for name in NODES]
    assert [row["uuid"] for row in result["nodes_result"]] == [world.entries[name][0]["uuid"] for name in NODES]
    assert [diff["after_header"] for diff in result["diff"]] == ["node n1", "node n2", "node n3"]
    assert "entry" not in result


def test_again_changes_nothing(world: World, op: FakeApi) -> None:
    do(OPERATION, op, **HOLD)
    writes = list(world.writes)
    assert not do(OPERATION, op, **HOLD)["changed"]
    assert world.writes == writes


def test_only_the_nodes_without_the_hold_are_changed(world: World, op: FakeApi) -> None:
    do(OPERATION, op, node="n2", type="operator_hold", reason="why")
    result = do(OPERATION, op, **HOLD)
    assert [row["changed"] for row in result["nodes_result"]] == [True, False, True]


def test_release_of_many_and_again(world: World, op: FakeApi) -> None:
    do(OPERATION, op, **HOLD)
    result = do(OPERATION, op, **GONE)
    assert [row["changed"] for row in result["nodes_result"]] == [True, True, True]
    assert held(world) == []
    again = do(OPERATION, op, **GONE)
    assert (again["changed"], again["failed"]) == (False, False)


@pytest.mark.parametrize("on_error", ["stop", "continue"])
def test_release_of_all_holds_of_many(world: World, op: FakeApi, on_error: str) -> None:
    do(OPERATION, op, **HOLD)
    do(OPERATION, op, **HOLD, key="dc")
    result = do(OPERATION, op, nodes=NODES, state="absent", all=True, on_error=on_error)
    assert [(row["node"], row["entry"]["key"]) for row in result["nodes_result"]] == [(name, key) for name in NODES for key in ("", "dc")]
    assert held(world) == []


def test_stop_holds_no_node_if_one_is_unknown(world: World, op: FakeApi) -> None:
    result = do(OPERATION, op, **{**HOLD, "nodes": ["n1", "n9", "n3"]})
    assert result["failed"]
    assert not result["changed"]
    assert "n9" in result["msg"]
    assert world.writes == []
    assert not any(row["changed"] for row in result["nodes_result"])


def test_stop_holds_no_node_if_the_hold_of_one_would_not_be_changed(world: World, op: FakeApi) -> None:
    do(OPERATION, op, node="n2", type="operator_hold", reason="other", run="17")
    result = do(OPERATION, op, **HOLD)
    assert result["failed"]
    assert held(world) == ["n2"]
    rows = {row["node"]: row for row in result["nodes_result"]}
    assert rows["n2"]["failed"]
    assert rows["n2"]["blockers"]
    assert "Nothing was done on this node" in rows["n1"]["msg"]


def test_stop_releases_nothing_if_one_is_of_another_run(world: World, op: FakeApi) -> None:
    for name, run in zip(NODES, ("17", "18", "17"), strict=True):
        do(OPERATION, op, node=name, type="operator_hold", reason="why", run=run)
    result = do(OPERATION, op, **GONE, run="17")
    assert result["failed"]
    assert not result["changed"]
    assert held(world) == NODES


def test_stop_releases_nothing_if_a_node_is_unknown(world: World, op: FakeApi) -> None:
    do(OPERATION, op, **HOLD)
    result = do(OPERATION, op, **{**GONE, "nodes": ["n1", "n9"]})
    assert result["failed"]
    assert held(world) == NODES


def test_continue_goes_on_and_fails_at_its_end_with_what_changed(world: World, op: FakeApi) -> None:
    result = do(OPERATION, op, **{**HOLD, "nodes": ["n1", "n9", "n3"]}, on_error="continue")
    assert result["failed"]
    assert result["changed"]
    assert held(world) == ["n1", "n3"]
    assert [(row["node"], row["changed"], row["failed"]) for row in result["nodes_result"]] == [
        ("n1", True, False),
        ("n9", False, True),
        ("n3", True, False),
    ]
    assert result["msg"].startswith("1 of 3 nodes failed, 2 changed. ")
    assert len(result["diff"]) == 2


def test_continue_releases_the_others(world: World, op: FakeApi) -> None:
    for name, run in zip(NODES, ("17", "18", "17"), strict=True):
        do(OPERATION, op, node=name, type="operator_hold", reason="why", run=run)
    result = do(OPERATION, op, **GONE, run="17", on_error="continue")
    assert result["failed"]
    assert held(world) == ["n2"]
    assert [row["changed"] for row in result["nodes_result"]] == [True, False, True]


def test_a_service_without_bulk_has_every_node_checked_before_the_first_write(world: World) -> None:
    op = world.api("op", extensions=EXTENSIONS - {"bulk"})
    do(OPERATION, op, **HOLD)
    assert world.calls == ["assert dry"] * 3 + ["assert"] * 3


def test_a_later_failure_without_bulk_stops_and_reports_what_changed(world: World) -> None:
    op = world.api("op", extensions=EXTENSIONS - {"bulk"})
    world.broken["n2"] = lost()
    result = do(OPERATION, op, **HOLD)
    assert result["failed"]
    assert result["changed"]
    assert result["outcome_unknown"]
    assert held(world) == ["n1"]
    rows = {row["node"]: row for row in result["nodes_result"]}
    assert (rows["n1"]["changed"], rows["n2"]["failed"], rows["n3"]["changed"]) == (True, True, False)
    assert "Nothing was done on this node" in rows["n3"]["msg"]


def test_a_later_failed_release_without_bulk_stops_and_reports_what_changed(world: World) -> None:
    op = world.api("op", extensions=EXTENSIONS - {"bulk"})
    do(OPERATION, op, **HOLD)
    world.broken["n2"] = lost("Cannot release: closed the connection without an answer")
    result = do(OPERATION, op, **GONE)
    assert result["failed"]
    assert result["changed"]
    assert held(world) == ["n2", "n3"]


def test_with_bulk_many_nodes_are_two_requests(world: World) -> None:
    op = world.api("op")
    do(OPERATION, op, **HOLD)
    assert world.calls[:2] == ["fleet", "assert_many"]


def test_the_refusal_of_a_bulk_call_is_said_once_with_every_blocker(world: World) -> None:
    world.nodes["n1"]["owner"] = world.nodes["n3"]["owner"] = "p1"
    op, alice = world.api("op"), world.api("alice", project="p1")
    do(OPERATION, op, **HOLD)
    result = do(OPERATION, alice, nodes=["n1", "n3"], state="absent", all=True, comment="mine")
    assert result["failed"]
    assert len(result["blockers"]) == 2
    assert result["msg"].count("Cannot release from node n1") == 1
    assert result["msg"].startswith("2 of 2 nodes failed, 0 changed. ")


def test_many_nodes_are_read_with_one_listing() -> None:
    names = [f"n{number}" for number in range(30)]
    world = World(names)
    op = world.api("op")
    do(OPERATION, op, nodes=names, type="operator_hold", reason="why")
    world.calls.clear()
    result = do(OPERATION, op, nodes=[*names, "n99"], state="absent", type="operator_hold", on_error="continue")
    assert world.calls[:3] == ["iter_nodes", "list", "release_many"]
    assert [row["node"] for row in result["nodes_result"] if row["failed"]] == ["n99"]
    assert held(world) == []


def test_a_long_message_names_a_few_nodes_and_counts_the_rest() -> None:
    world = World([])
    names = [f"n{number}" for number in range(9)]
    result = do(OPERATION, world.api("op", extensions=EXTENSIONS - {"bulk"}), nodes=names, type="operator_hold", reason="why")
    assert result["msg"].endswith("… 4 more in nodes_result.")
    assert len(result["nodes_result"]) == 9


def test_a_node_whose_holds_policy_hides_is_refused_by_name_and_not_taken_for_free() -> None:
    names = [f"m{number}" for number in range(30)]
    world = World(names)
    api = world.api("op")
    listed, single = api.iter_nodes, api.list_entries

    def hidden(*arguments: t.Any, **more: t.Any) -> list[dict[str, t.Any]]:
        return [{**node, "maintenance_entries": None if node["name"] == "m7" else node["maintenance_entries"]} for node in listed(**more)]

    def refused(node: str) -> list[dict[str, t.Any]]:
        if node == "m7":
            raise Refused("Access was denied", code="not_permitted", status=403, node=node)
        return single(node)

    api.iter_nodes, api.list_entries = hidden, refused  # type: ignore[method-assign]
    result = do(OPERATION, api, nodes=names, state="absent", type="operator_hold")
    assert result["failed"]
    assert [row["node"] for row in result["nodes_result"] if row["failed"]] == ["m7"]
