# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""maintenance_flag: the boolean, on a plain Ironic and on a service with typed holds."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.hold import OPERATION as HOLD
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.maintenance_flag import OPERATION
from ansible_collections.baremetal.maintenance.tests.unit.operations.doing import do
from ansible_collections.baremetal.maintenance.tests.unit.operations.fake_api import FakeApi, World

KINDS: t.Final = ("extended", "native", "boolean")


@pytest.fixture
def world() -> World:
    world = World([])
    world.add("n1", owner="p1")
    return world


@pytest.fixture(params=KINDS)
def op(world: World, request: pytest.FixtureRequest) -> FakeApi:
    return world.api("op", kind=request.param)


def test_it_is_set_with_a_reason_again_changed_and_unset(world: World, op: FakeApi) -> None:
    first = do(OPERATION, op, node="n1", reason="rebalancing rack")
    assert first["changed"]
    assert first["diff"][0]["before_header"] == "node n1"
    assert not do(OPERATION, op, node="n1", reason="rebalancing rack")["changed"]
    assert do(OPERATION, op, node="n1", reason="other")["changed"]
    assert world.nodes["n1"]["maintenance_reason"] == "other"
    assert do(OPERATION, op, node="n1", state="absent")["changed"]
    assert not do(OPERATION, op, node="n1", state="absent")["changed"]
    assert [write[0] for write in world.writes] == ["set_flag", "set_flag", "clear_flag"]


def test_a_reason_that_is_not_given_leaves_the_stored_one(world: World, op: FakeApi) -> None:
    do(OPERATION, op, node="n1", reason="rebalancing rack")
    assert not do(OPERATION, op, node="n1")["changed"]
    assert world.nodes["n1"]["maintenance_reason"] == "rebalancing rack"


def test_it_is_set_without_a_reason(world: World, op: FakeApi) -> None:
    assert do(OPERATION, op, node="n1")["changed"]
    assert not do(OPERATION, op, node="n1")["changed"]


def test_a_reason_is_compared_as_the_service_cuts_it(world: World, op: FakeApi) -> None:
    do(OPERATION, op, node="n1", reason="x" * 4096)
    assert not do(OPERATION, op, node="n1", reason="x" * 5000)["changed"]


def test_check_mode_writes_nothing(world: World, op: FakeApi) -> None:
    checked = do(OPERATION, op, node="n1", reason="why", check=True)
    assert checked["changed"]
    assert checked["prediction"] == ("server" if op.service().has("dry_run") else "client")
    do(OPERATION, op, node="n1", reason="why")
    assert do(OPERATION, op, node="n1", state="absent", check=True)["changed"]
    assert [write[0] for write in world.writes] == ["set_flag"]


def test_with_typed_holds_setting_touches_the_legacy_entry_only(world: World) -> None:
    op = world.api("op")
    do(HOLD, op, node="n1", type="operator_hold", reason="rebalancing rack")
    assert do(OPERATION, op, node="n1", reason="rebalancing rack")["changed"]
    assert [entry["type"] for entry in world.entries["n1"]] == ["operator_hold", "legacy"]
    assert not do(OPERATION, op, node="n1", reason="rebalancing rack")["changed"]


def test_with_typed_holds_unsetting_is_all_or_nothing_and_names_the_blockers(world: World) -> None:
    op, alice = world.api("op"), world.api("alice", project="p1")
    blocking = do(HOLD, op, node="n1", type="operator_hold", reason="why")["entry"]["uuid"]
    do(OPERATION, alice, node="n1", reason="mine")
    for check in (True, False):
        result = do(OPERATION, alice, node="n1", state="absent", check=check)
        assert result["failed"]
        assert [blocker["uuid"] for blocker in result["blockers"]] == [blocking]
    assert len(world.entries["n1"]) == 2
