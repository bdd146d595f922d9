# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""hold, state absent: what is released, what never is, and what is asked for before."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.hold import OPERATION
from ansible_collections.baremetal.maintenance.tests.unit.operations.doing import do
from ansible_collections.baremetal.maintenance.tests.unit.operations.fake_api import FakeApi, World

HOLD: t.Final = {"node": "n1", "type": "operator_hold", "reason": "why"}
GONE: t.Final = {"node": "n1", "state": "absent"}


@pytest.fixture
def world() -> World:
    world = World([])
    world.add("n1", owner="p1", lessee="p2")
    return world


@pytest.fixture
def op(world: World) -> FakeApi:
    return world.api("op")


def test_by_type_the_callers_own_hold_is_released_and_given_as_it_was(world: World, op: FakeApi) -> None:
    do(OPERATION, world.api("lee", project="p2"), **HOLD)
    asserted = do(OPERATION, op, **HOLD)["entry"]
    result = do(OPERATION, op, **GONE, type="operator_hold")
    assert result["changed"]
    assert result["entry"]["uuid"] == asserted["uuid"]
    assert result["diff"][0]["after"] == ""
    assert [entry["asserted_by"] for entry in world.entries["n1"]] == ["lee"]


def test_absent_again_changes_nothing(world: World, op: FakeApi) -> None:
    do(OPERATION, world.api("lee", project="p2"), **HOLD)
    result = do(OPERATION, op, **GONE, type="operator_hold")
    assert not result["changed"]
    assert not result["failed"]
    assert result["entry"] is None


def test_by_type_only_the_hold_of_the_key_is_meant(world: World, op: FakeApi) -> None:
    do(OPERATION, op, **HOLD)
    do(OPERATION, op, **HOLD, key="network")
    do(OPERATION, op, **GONE, type="operator_hold", key="network")
    assert [entry["key"] for entry in world.entries["n1"]] == [""]


def test_by_uuid_one_hold_is_released_whatever_its_run(world: World, op: FakeApi) -> None:
    uuid = do(OPERATION, op, **HOLD, run="17")["entry"]["uuid"]
    do(OPERATION, op, **{**HOLD, "type": "hardware_failure"})
    assert do(OPERATION, op, **GONE, uuid=uuid, run="18")["changed"]
    assert [entry["type"] for entry in world.entries["n1"]] == ["hardware_failure"]
    assert not do(OPERATION, op, **GONE, uuid=uuid)["changed"]


@pytest.mark.parametrize("check", [False, True])
def test_an_empty_run_is_no_run_and_never_any(world: World, op: FakeApi, check: bool) -> None:
    """A variable that is empty by mistake would otherwise let go what another job still holds."""
    do(OPERATION, op, **HOLD, run="17")
    result = do(OPERATION, op, **GONE, type="operator_hold", run="", check=check)
    assert (result["failed"], result["code"]) == (True, "other_run")
    assert "its run is 17 and not none" in result["msg"]
    assert len(world.entries["n1"]) == 1
    do(OPERATION, op, **{**HOLD, "node": "n1"}, key="plain")
    assert do(OPERATION, op, **GONE, type="operator_hold", key="plain", run="")["changed"]


def test_all_releases_every_hold_with_a_row_each(world: World, op: FakeApi) -> None:
    do(OPERATION, op, **HOLD)
    do(OPERATION, op, **{**HOLD, "type": "hardware_failure"})
    result = do(OPERATION, op, **GONE, all=True)
    assert [row["entry"]["type"] for row in result["nodes_result"]] == ["operator_hold", "hardware_failure"]
    assert world.entries["n1"] == []
    assert [write[0] for write in world.writes] == ["assert", "assert", "release_all"]
    assert not do(OPERATION, op, **GONE, all=True)["changed"]


def test_all_leaves_what_is_asserted_after_the_holds_were_read(world: World, op: FakeApi) -> None:
    """Nobody was asked for a comment on it, no row tells of it, and its asserter relies on it."""
    do(OPERATION, op, **HOLD)
    real = op.release_all

    def asserted_meanwhile(node: str, **more: t.Any) -> None:
        do(OPERATION, world.api("night"), **HOLD, key="late")
        real(node, **more)

    op.release_all = asserted_meanwhile  # type: ignore[method-assign]
    result = do(OPERATION, op, **GONE, all=True)
    assert [row["changed"] for row in result["nodes_result"]] == [True]
    assert [entry["key"] for entry in world.entries["n1"]] == ["late"]


def test_all_releases_nothing_if_one_hold_is_in_the_way_and_names_it(world: World, op: FakeApi) -> None:
    system = do(OPERATION, op, **HOLD)["entry"]["uuid"]
    lee = world.api("lee", project="p2")
    do(OPERATION, lee, **HOLD)
    result = do(OPERATION, lee, **GONE, all=True, comment="done")
    assert result["failed"]
    assert not result["changed"]
    assert [blocker["uuid"] for blocker in result["blockers"]] == [system]
    assert len(world.entries["n1"]) == 2


@pytest.mark.parametrize(
    "selection", [{}, {"uuid": "u", "type": "operator_hold"}, {"type": "operator_hold", "all": True}, {"uuid": "u", "all": True}]
)
def test_exactly_one_selection_is_needed(world: World, op: FakeApi, selection: dict[str, t.Any]) -> None:
    do(OPERATION, op, **HOLD)
    result = do(OPERATION, op, **GONE, **selection)
    assert result["failed"]
    assert "exactly one of `uuid`, `type`" in result["msg"]
    assert len(world.entries["n1"]) == 1


@pytest.mark.parametrize("narrowing", [{"run": "17"}, {"ticket": "CHG-1"}, {"key": "dc"}])
def test_all_is_refused_with_what_would_not_narrow_it(world: World, op: FakeApi, narrowing: dict[str, t.Any]) -> None:
    do(OPERATION, op, **HOLD)
    result = do(OPERATION, op, **GONE, all=True, **narrowing)
    assert result["failed"]
    assert next(iter(narrowing)) in result["msg"]
    assert world.calls == ["assert"]


@pytest.mark.parametrize("of", ["17", None])
def test_by_type_a_run_releases_only_what_it_asserted(world: World, op: FakeApi, of: str | None) -> None:
    do(OPERATION, op, **HOLD, run=of)
    result = do(OPERATION, op, **GONE, type="operator_hold", run="18")
    assert result["failed"]
    assert result["code"] == "other_run"
    assert ("run is 17" if of else "it has no run") in result["msg"]
    assert "uuid" in result["msg"]
    assert len(world.entries["n1"]) == 1
    if of:
        assert do(OPERATION, op, **GONE, type="operator_hold", run=of)["changed"]


def test_by_type_without_a_run_the_own_hold_of_any_run_is_meant(world: World, op: FakeApi) -> None:
    do(OPERATION, op, **HOLD, run="17")
    assert do(OPERATION, op, **GONE, type="operator_hold")["changed"]


def test_by_type_another_ticket_is_a_failure(world: World, op: FakeApi) -> None:
    do(OPERATION, op, **HOLD, ticket="CHG-1")
    result = do(OPERATION, op, **GONE, type="operator_hold", ticket="CHG-2")
    assert result["code"] == "other_ticket"
    assert len(world.entries["n1"]) == 1


def test_releasing_what_another_user_asserted_needs_a_comment(world: World, op: FakeApi) -> None:
    uuid = do(OPERATION, world.api("lee", project="p2"), **HOLD)["entry"]["uuid"]
    result = do(OPERATION, op, **GONE, uuid=uuid)
    assert result["failed"]
    assert result["code"] == "needs_comment"
    assert "lee" in result["msg"]
    assert len(world.entries["n1"]) == 1
    assert do(OPERATION, op, **GONE, uuid=uuid, comment="lease ended")["changed"]
    assert world.writes[-1] == ("release", "n1", uuid, "lease ended")


def test_releasing_a_teammates_hold_needs_a_comment_and_ones_own_does_not(world: World) -> None:
    alice, carol = world.api("alice", project="p1"), world.api("carol", project="p1")
    do(OPERATION, alice, **HOLD)
    assert do(OPERATION, carol, **GONE, type="operator_hold")["code"] == "needs_comment"
    assert do(OPERATION, alice, **GONE, type="operator_hold")["changed"]


def test_where_the_caller_cannot_be_known_a_comment_is_needed(world: World) -> None:
    alice = world.api("alice", project="p1")
    do(OPERATION, alice, **HOLD)
    without = world.api("alice", project="p1", extensions={"bulk", "labels"})
    assert do(OPERATION, without, **GONE, type="operator_hold")["code"] == "needs_comment"


def test_a_masked_hold_needs_a_comment_and_its_asserter_is_not_named(world: World, op: FakeApi) -> None:
    uuid = do(OPERATION, op, **HOLD)["entry"]["uuid"]
    result = do(OPERATION, world.api("lee", project="p2"), **GONE, uuid=uuid)
    assert result["code"] == "needs_comment"
    assert "asserted by someone whom you may not see" in result["msg"]


def test_a_hold_released_by_somebody_else_meanwhile_is_nothing_to_do(world: World, op: FakeApi) -> None:
    do(OPERATION, op, **HOLD)
    real = op.release_entry

    def late(node: str, uuid: str, **options: t.Any) -> None:
        world.entries["n1"].clear()
        real(node, uuid, **options)

    op.release_entry = late  # type: ignore[method-assign]
    result = do(OPERATION, op, **GONE, type="operator_hold")
    assert not result["changed"]
    assert not result["failed"]


def test_an_unknown_node_is_an_error_and_not_nothing_to_do(op: FakeApi) -> None:
    result = do(OPERATION, op, state="absent", node="n9", type="operator_hold")
    assert result["failed"]
    assert result["code"] == "not_found"
