# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""hold in front of an Ironic: the task is done when Ironic enforces the hold, and says so when it does not."""

from __future__ import annotations

import itertools
import re
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.errors import Unreachable
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations import enforcement
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.hold import OPERATION
from ansible_collections.baremetal.maintenance.tests.unit.operations.doing import do
from ansible_collections.baremetal.maintenance.tests.unit.operations.fake_api import World

HOLD: t.Final = {"type": "operator_hold", "reason": "why"}


class Time:
    """Time that passes only when something sleeps."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.seconds += seconds


@pytest.fixture(autouse=True)
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    time = Time()
    monkeypatch.setattr(
        "ansible_collections.baremetal.maintenance.plugins.module_utils.operations.hold.Clock",
        lambda: enforcement.Clock(now=time.now, sleep=time.sleep),
    )
    return time


def test_a_hold_is_waited_for_until_it_is_enforced(time: Time) -> None:
    world = World(["n1"])
    world.reads_until_enforced = 4
    result = do(OPERATION, world.api("op"), node="n1", **HOLD)
    assert result["entry"]["enforced"]
    assert 2 <= time.seconds <= 4


def test_what_was_waited_for_is_said(time: Time) -> None:
    world = World(["n1", "n2"])
    world.reads_until_enforced = 4
    world.reservation = "conductor-2"
    said = do(OPERATION, world.api("op"), nodes=["n1", "n2"], **HOLD)["warnings"]
    assert [text.partition(":")[0] for text in said] == ["Node n1", "Node n2"]
    assert all(re.search(r"after [1-4] s; before, the node was locked by conductor-2\.$", text) for text in said)
    assert world.calls.count("get_node") == 2


def test_nothing_is_said_of_a_hold_that_is_enforced_at_once(time: Time) -> None:
    world = World(["n1"])
    world.reads_until_enforced = 0
    assert "warnings" not in do(OPERATION, world.api("op"), node="n1", **HOLD)


def test_of_many_nodes_that_wait_only_a_few_are_asked_why(time: Time) -> None:
    names = [f"n{number}" for number in range(50)]
    world = World(names)
    world.reads_until_enforced = 6
    result = do(OPERATION, world.api("op"), nodes=names, **HOLD)
    assert all(row["entry"]["enforced"] for row in result["nodes_result"])
    assert world.calls.count("get_node") == len(result["warnings"]) == enforcement.MOST_NAMED


def test_on_time_out_the_task_fails_the_hold_stays_and_the_lock_is_named(time: Time) -> None:
    world = World(["n1"])
    world.reads_until_enforced = 10**6
    world.reservation = "conductor-2"
    result = do(OPERATION, world.api("op"), node="n1", **HOLD, wait_timeout=5)
    assert result["failed"]
    assert result["changed"]
    assert result["code"] == "not_enforced"
    assert "locked by conductor-2" in result["msg"]
    assert "Do not touch the machine" in result["msg"]
    assert world.entries["n1"]
    assert time.seconds == pytest.approx(5, abs=1)


@pytest.mark.parametrize("failures", [3, 10**6])
def test_a_service_that_does_not_answer_for_a_moment_is_asked_again(time: Time, failures: int, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(["n1"])
    world.reads_until_enforced = 2
    api = world.api("op")
    answering, asked = api.get_entry, itertools.count(1)

    def get_entry(node: str, uuid: str) -> dict[str, t.Any]:
        if next(asked) <= failures:
            raise Unreachable("Cannot read: no answer", code="unreachable", retryable=True)
        return answering(node, uuid)

    monkeypatch.setattr(api, "get_entry", get_entry)
    result = do(OPERATION, api, node="n1", **HOLD, wait_timeout=20)
    if failures == 3:
        assert result["entry"]["enforced"] and 3 <= time.seconds < 20
    else:
        assert result["code"] == "not_enforced" and "is not known: Cannot read" in result["msg"]
        assert result["changed"] and time.seconds == pytest.approx(20, abs=1)


def test_a_hold_that_was_there_already_is_waited_for_as_well(time: Time) -> None:
    world = World(["n1"])
    op = world.api("op")
    do(OPERATION, op, node="n1", **HOLD)
    world.reads_until_enforced = 10**6
    assert do(OPERATION, op, node="n1", **HOLD, wait_timeout=1)["code"] == "not_enforced"


def test_many_nodes_share_one_time_out(time: Time) -> None:
    world = World(["n1", "n2", "n3"])
    world.reads_until_enforced = 10**6
    result = do(OPERATION, world.api("op"), nodes=["n1", "n2", "n3"], **HOLD, wait_timeout=5)
    assert all(row["failed"] and row["changed"] for row in result["nodes_result"])
    assert time.seconds == pytest.approx(5, abs=1)


@pytest.mark.parametrize("options", [{"wait_enforced": False}, {"check": True}])
def test_nothing_is_waited_for_if_not_asked_or_in_check_mode(time: Time, options: dict[str, t.Any]) -> None:
    world = World(["n1"])
    world.reads_until_enforced = 10**6
    assert not do(OPERATION, world.api("op"), node="n1", **HOLD, **options)["failed"]
    assert time.seconds == 0


def test_a_local_service_enforces_nothing_and_is_not_waited_for(time: Time) -> None:
    assert not do(OPERATION, World(["n1"]).api("op"), node="n1", **HOLD)["failed"]
    assert time.seconds == 0
