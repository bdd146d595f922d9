# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""hold on services that lack extensions: what the specification alone gives is done, the rest refused, nothing half-way."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.hold import OPERATION
from ansible_collections.baremetal.maintenance.tests.unit.operations.doing import do
from ansible_collections.baremetal.maintenance.tests.unit.operations.fake_api import EXTENSIONS, FakeApi, World

HOLD: t.Final = {"node": "n1", "type": "operator_hold", "reason": "why"}
GONE: t.Final = {"node": "n1", "state": "absent"}


@pytest.fixture
def world() -> World:
    world = World([])
    world.add("n1", owner="p1")
    return world


@pytest.fixture
def native(world: World) -> FakeApi:
    return world.api("op", kind="native")


def test_a_native_api_is_asserted_to_and_again(world: World, native: FakeApi) -> None:
    assert do(OPERATION, native, **HOLD)["changed"]
    again = do(OPERATION, native, **HOLD)
    assert (again["changed"], again["failed"]) == (False, False)


def test_a_native_api_can_not_change_a_reason_and_the_failure_names_the_difference(world: World, native: FakeApi) -> None:
    do(OPERATION, native, **HOLD)
    for on_existing in ("auto", "update"):
        result = do(OPERATION, native, **{**HOLD, "reason": "other"}, on_existing=on_existing)
        assert result["failed"]
    assert "'why'" in result["msg"]
    assert "'other'" in result["msg"]
    assert world.entries["n1"][0]["reason"] == "why"


def test_a_native_api_does_not_say_whose_a_hold_is_so_the_uuid_is_needed(world: World, native: FakeApi) -> None:
    uuid = do(OPERATION, native, **HOLD)["entry"]["uuid"]
    result = do(OPERATION, native, **GONE, type="operator_hold")
    assert result["failed"]
    assert "`uuid`" in result["msg"]
    assert world.entries["n1"]
    assert do(OPERATION, native, **GONE, uuid=uuid)["changed"]


def test_two_holds_of_a_type_are_not_guessed_between(world: World, native: FakeApi) -> None:
    do(OPERATION, world.api("alice", project="p1"), **HOLD)
    do(OPERATION, native, **HOLD)
    result = do(OPERATION, native, **HOLD)
    assert result["failed"]
    assert len(result["blockers"]) == 2


def test_a_key_or_ticket_that_can_not_be_recorded_is_refused(world: World, native: FakeApi) -> None:
    for label in ({"key": "dc"}, {"ticket": "CHG-1"}):
        assert do(OPERATION, native, **HOLD, **label)["code"] == "not_supported"
    assert world.writes == []


def test_a_run_that_can_not_be_recorded_is_told(world: World, native: FakeApi) -> None:
    result = do(OPERATION, native, **HOLD, run="17")
    assert result["changed"]
    assert "run is not recorded" in result["warnings"][0]


def test_no_comment_is_asked_for_that_could_not_be_recorded(world: World, native: FakeApi) -> None:
    uuid = do(OPERATION, world.api("alice", project="p1"), **HOLD)["entry"]["uuid"]
    assert do(OPERATION, native, **GONE, uuid=uuid)["changed"]


def test_a_native_api_is_predicted_from_reads(world: World, native: FakeApi) -> None:
    result = do(OPERATION, native, check=True, **HOLD)
    assert (result["changed"], result["prediction"]) == (True, "client")
    assert world.writes == []


def test_a_boolean_service_refuses_with_its_own_sentence(world: World) -> None:
    boolean = world.api("op", kind="boolean")
    for task in (HOLD, {**GONE, "all": True}):
        for check in (True, False):
            result = do(OPERATION, boolean, check=check, **task)
            assert result["code"] == "not_supported"
            assert "maintenance flag only" in result["msg"]


def test_without_patch_a_changed_reason_fails_and_an_equal_one_does_not(world: World) -> None:
    op = world.api("op", extensions=EXTENSIONS - {"patch"})
    do(OPERATION, op, **HOLD)
    assert not do(OPERATION, op, **HOLD)["failed"]
    result = do(OPERATION, op, **{**HOLD, "reason": "other"})
    assert result["failed"]
    assert "reason is 'why'" in result["msg"]
