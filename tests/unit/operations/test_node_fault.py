# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""node_fault: a node's one fault, asserted, changed, released."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.hold import OPERATION as HOLD
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.node_fault import OPERATION
from ansible_collections.baremetal.maintenance.tests.unit.operations.doing import do
from ansible_collections.baremetal.maintenance.tests.unit.operations.fake_api import World

FAULT: t.Final = {"node": "n1", "fault": "power failure", "reason": "No answer from the BMC"}


@pytest.fixture
def world() -> World:
    return World(["n1"])


def test_it_is_asserted_again_changed_and_released(world: World) -> None:
    watch = world.api("watch")
    assert do(OPERATION, watch, **FAULT)["entry"]["extra"] == {"fault": "power failure"}
    assert not do(OPERATION, watch, **FAULT)["changed"]
    changed = do(OPERATION, watch, **{**FAULT, "fault": "clean failure"})
    assert changed["changed"]
    assert changed["diff"][0]["before"]["extra"] == {"fault": "power failure"}
    assert do(OPERATION, watch, node="n1", state="absent")["changed"]
    assert not do(OPERATION, watch, node="n1", state="absent")["changed"]


def test_it_touches_no_other_hold(world: World) -> None:
    watch = world.api("watch")
    do(HOLD, watch, node="n1", type="operator_hold", reason="why")
    do(OPERATION, watch, **FAULT)
    do(OPERATION, watch, node="n1", state="absent")
    assert [entry["type"] for entry in world.entries["n1"]] == ["operator_hold"]


def test_releasing_what_the_service_asserted_needs_the_evidence_as_comment(world: World) -> None:
    do(OPERATION, world.api("watch"), **FAULT)
    op = world.api("op")
    assert do(OPERATION, op, node="n1", state="absent")["code"] == "needs_comment"
    assert do(OPERATION, op, node="n1", state="absent", comment="BMC answers")["changed"]
    assert world.writes[-1][-1] == "BMC answers"


def test_check_mode_writes_nothing(world: World) -> None:
    watch = world.api("watch")
    assert do(OPERATION, watch, **FAULT, check=True)["changed"]
    do(OPERATION, watch, **FAULT)
    assert do(OPERATION, watch, node="n1", state="absent", check=True)["changed"]
    assert [write[0] for write in world.writes] == ["put_fault"]


def test_a_service_that_takes_no_faults_refuses(world: World) -> None:
    for check in (True, False):
        assert do(OPERATION, world.api("watch", kind="native"), **FAULT, check=check)["code"] == "not_supported"
    assert world.writes == []
