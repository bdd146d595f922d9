# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""hold, state present: what becomes of a hold that is there already (`on_existing`), and what is left alone."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.hold import OPERATION
from ansible_collections.baremetal.maintenance.tests.unit.operations.doing import do
from ansible_collections.baremetal.maintenance.tests.unit.operations.fake_api import FakeApi, World

HOLD: t.Final = {"node": "n1", "type": "operator_hold", "reason": "Row C power work"}


@pytest.fixture
def world() -> World:
    world = World([])
    world.add("n1", owner="p1", lessee="p2")
    return world


@pytest.fixture
def op(world: World) -> FakeApi:
    return world.api("op")


def test_a_hold_is_asserted_with_one_request(world: World, op: FakeApi) -> None:
    result = do(OPERATION, op, **HOLD, ticket="CHG-2211", run="17", extra={"rack": "c"}, key="dc")
    assert result["changed"]
    assert world.calls == ["assert"]
    [entry] = world.entries["n1"]
    assert {name: entry[name] for name in ("type", "reason", "ticket", "run", "extra", "key")} == {
        "type": "operator_hold",
        "reason": "Row C power work",
        "ticket": "CHG-2211",
        "run": "17",
        "extra": {"rack": "c"},
        "key": "dc",
    }
    assert result["entry"]["uuid"] == entry["uuid"]
    assert result["nodes_result"][0]["node"] == "n1"


def test_the_same_hold_again_changes_nothing(world: World, op: FakeApi) -> None:
    do(OPERATION, op, **HOLD)
    again = do(OPERATION, op, **HOLD)
    assert not again["changed"]
    assert not again["failed"]
    assert again["entry"]["uuid"] == world.entries["n1"][0]["uuid"]
    assert len(world.writes) == 1


def test_a_changed_reason_of_the_same_user_and_run_is_updated_in_place_with_a_diff(world: World, op: FakeApi) -> None:
    do(OPERATION, op, **HOLD, run="17", extra={"rack": "c"})
    uuid = world.entries["n1"][0]["uuid"]
    result = do(OPERATION, op, **{**HOLD, "reason": "Row D too"}, run="17")
    assert result["changed"]
    [entry] = world.entries["n1"]
    assert (entry["uuid"], entry["reason"]) == (uuid, "Row D too")
    [diff] = result["diff"]
    assert diff["before_header"] == "node n1"
    assert (diff["before"]["reason"], diff["after"]["reason"]) == ("Row C power work", "Row D too")


def test_an_omitted_extra_leaves_the_stored_one(world: World, op: FakeApi) -> None:
    do(OPERATION, op, **HOLD, extra={"rack": "c"}, ticket="CHG-1")
    do(OPERATION, op, **{**HOLD, "reason": "other"})
    assert world.entries["n1"][0]["extra"] == {"rack": "c"}
    assert world.entries["n1"][0]["ticket"] == "CHG-1"


def test_an_empty_extra_clears_the_stored_one(world: World, op: FakeApi) -> None:
    do(OPERATION, op, **HOLD, extra={"rack": "c"})
    assert do(OPERATION, op, **HOLD, extra={})["changed"]
    assert world.entries["n1"][0]["extra"] == {}


def test_auto_fails_for_the_hold_of_another_run_and_names_asserter_and_run(world: World, op: FakeApi) -> None:
    do(OPERATION, op, **HOLD, run="17")
    result = do(OPERATION, op, **{**HOLD, "reason": "other"}, run="18")
    assert result["failed"]
    assert result["code"] == "exists"
    assert "asserted by op in run 17" in result["msg"]
    assert [blocker["uuid"] for blocker in result["blockers"]] == [world.entries["n1"][0]["uuid"]]
    assert world.entries["n1"][0]["reason"] == "Row C power work"


def test_auto_leaves_the_same_text_of_another_run_alone(world: World, op: FakeApi) -> None:
    do(OPERATION, op, **HOLD, run="17")
    result = do(OPERATION, op, **HOLD, run="18")
    assert not result["changed"]
    assert not result["failed"]
    assert world.entries["n1"][0]["run"] == "17"


def test_auto_changes_what_the_same_user_of_a_project_asserted(world: World) -> None:
    alice = world.api("alice", project="p1")
    do(OPERATION, alice, **HOLD)
    assert do(OPERATION, alice, **{**HOLD, "reason": "other"})["changed"]


def test_auto_fails_for_the_hold_of_a_teammate(world: World) -> None:
    do(OPERATION, world.api("alice", project="p1"), **HOLD)
    result = do(OPERATION, world.api("carol", project="p1"), **{**HOLD, "reason": "other"})
    assert result["failed"]
    assert "asserted by alice" in result["msg"]


def test_update_changes_the_hold_of_a_teammate_and_takes_it_into_its_run(world: World) -> None:
    do(OPERATION, world.api("alice", project="p1"), **HOLD, run="17")
    result = do(OPERATION, world.api("carol", project="p1"), **{**HOLD, "reason": "other"}, run="18", on_existing="update")
    assert result["changed"]
    [entry] = world.entries["n1"]
    assert (entry["reason"], entry["run"], entry["asserted_by"]) == ("other", "18", "alice")


def test_keep_leaves_the_hold_of_a_teammate_and_warns(world: World) -> None:
    do(OPERATION, world.api("alice", project="p1"), **HOLD)
    result = do(OPERATION, world.api("carol", project="p1"), **{**HOLD, "reason": "other"}, on_existing="keep")
    assert not result["changed"]
    assert not result["failed"]
    assert "alice" in result["warnings"][0]
    assert world.entries["n1"][0]["reason"] == "Row C power work"


def test_keep_does_not_warn_of_ones_own(world: World, op: FakeApi) -> None:
    do(OPERATION, op, **HOLD)
    assert "warnings" not in do(OPERATION, op, **{**HOLD, "reason": "other"}, on_existing="keep")


def test_fail_refuses_even_an_identical_hold(world: World, op: FakeApi) -> None:
    do(OPERATION, op, **HOLD)
    result = do(OPERATION, op, **HOLD, on_existing="fail")
    assert result["failed"]
    assert result["blockers"]


def test_a_hold_beside_another_partys_and_under_another_key_is_a_second_entry(world: World, op: FakeApi) -> None:
    do(OPERATION, world.api("lee", project="p2"), **HOLD)
    do(OPERATION, op, **HOLD)
    do(OPERATION, op, **HOLD, key="network")
    assert [(entry["scope"], entry["key"]) for entry in world.entries["n1"]] == [("lessee", ""), ("system", ""), ("system", "network")]


def test_a_refusal_of_the_service_keeps_its_fields(world: World) -> None:
    result = do(OPERATION, world.api("mallory", project="p9"), **HOLD)
    assert result["failed"]
    assert (result["code"], result["status"], result["node"]) == ("not_permitted", 403, "n1")
    assert result["nodes_result"][0]["failed"]


def test_a_hold_that_was_released_between_refusal_and_read_is_the_services_error(world: World, op: FakeApi) -> None:
    do(OPERATION, op, **HOLD)
    api = world.api("op")
    real = api.get_entry

    def released_meanwhile(node: str, uuid: str) -> dict[str, t.Any]:
        world.entries["n1"].clear()
        return real(node, uuid)

    api.get_entry = released_meanwhile  # type: ignore[method-assign]
    result = do(OPERATION, api, **HOLD)
    assert result["failed"]
    assert result["code"] == "not_found"


@pytest.mark.parametrize("on_existing", ["auto", "update", "fail"])
@pytest.mark.parametrize("check", [False, True])
def test_another_operators_hold_is_not_ones_own_however_much_alike(world: World, op: FakeApi, on_existing: str, check: bool) -> None:
    """Both have no project, so the service takes a second hold for a duplicate; once its asserter releases it, nothing would be held."""
    do(OPERATION, world.api("night"), **HOLD)
    result = do(OPERATION, op, **HOLD, on_existing=on_existing, check=check)
    assert (result["failed"], result["changed"], result["code"]) == (True, False, "exists")
    assert "another's" in result["msg"]
    assert "asserted by night" in result["msg"]
    assert "`key`" in result["msg"]
    assert [blocker["uuid"] for blocker in result["blockers"]] == [world.entries["n1"][0]["uuid"]]
    assert len(world.writes) == 1


def test_another_operators_hold_is_not_ones_own_among_many(world: World, op: FakeApi) -> None:
    world.add("n2")
    do(OPERATION, world.api("night"), **HOLD)
    options = {**HOLD, "node": None, "nodes": ["n1", "n2"]}
    result = do(OPERATION, op, **options, on_error="continue")
    assert [(row["node"], row["failed"], row["changed"]) for row in result["nodes_result"]] == [("n1", True, False), ("n2", False, True)]


def test_keep_takes_another_operators_hold_with_a_warning(world: World, op: FakeApi) -> None:
    do(OPERATION, world.api("night"), **HOLD)
    result = do(OPERATION, op, **HOLD, on_existing="keep")
    assert not result["failed"]
    assert "night" in result["warnings"][0]


def test_the_same_text_of_another_run_is_left_alone_with_a_warning(world: World, op: FakeApi) -> None:
    do(OPERATION, op, **HOLD, run="17")
    result = do(OPERATION, op, **HOLD, run="18")
    assert not result["changed"]
    assert "17" in result["warnings"][0]
    assert "`key`" in result["warnings"][0]
