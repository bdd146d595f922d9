# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""history_info: who held and released what, of a node and of the fleet."""

from __future__ import annotations

import datetime
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.history_info import OPERATION
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.hold import OPERATION as HOLD

from .direct import do
from .running import Stage


@pytest.fixture(scope="module", autouse=True)
def past(stage: Stage) -> None:
    stage.enrol("node1", "node2")
    hold = {"type": "operator_hold", "reason": "why", "ticket": "CHG-1", "run": "17"}
    do(stage, HOLD, node="node1", **hold)
    do(stage, HOLD, node="node1", **{**hold, "reason": "other"})
    do(stage, HOLD, node="node2", who="alice", type="hardware_failure", reason="disk")
    do(stage, HOLD, node="node1", state="absent", type="operator_hold", comment="done")


def told(result: dict[str, t.Any]) -> list[tuple[str, str]]:
    return [(event["maintenance"]["action"], event["maintenance"]["type"]) for event in result["events"]]


NODE1: t.Final = [("assert", "operator_hold"), ("update", "operator_hold"), ("release", "operator_hold")]


def test_of_a_node_oldest_first_with_the_comment_of_the_release(stage: Stage) -> None:
    result = do(stage, OPERATION, node="node1")
    assert told(result) == NODE1
    assert result["events"][-1]["maintenance"]["comment"] == "done"
    assert result["events"][0]["user"] == "op-id"


def test_of_the_fleet(stage: Stage) -> None:
    assert told(do(stage, OPERATION, fleet=True)) == [*NODE1[:2], ("assert", "hardware_failure"), NODE1[2]]


@pytest.mark.parametrize("target", [{"fleet": True}, {"node": "node1"}], ids=["fleet", "node"])
def test_filters_are_the_same_for_a_node_and_for_the_fleet(stage: Stage, target: dict[str, t.Any]) -> None:
    def picked(**filters: t.Any) -> list[tuple[str, str]]:
        return told(do(stage, OPERATION, **target, **filters))

    assert picked(action="release") == NODE1[2:]
    assert picked(type="operator_hold", ticket="CHG-1", run="17") == NODE1
    assert picked(ticket="CHG-2") == []
    assert picked(user="op-id") == NODE1
    assert picked(user="op") == NODE1
    assert picked(user="nobody") == []
    moments = [event["created_at"] for event in do(stage, OPERATION, node="node1")["events"]]
    assert picked(type="operator_hold", since=moments[1]) == NODE1[1:]
    assert picked(type="operator_hold", until=moments[2]) == NODE1[:2]
    tomorrow = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
    assert picked(since=tomorrow.strftime("%Y-%m-%dT%H:%M:%SZ")) == []


def test_an_owner_reads_its_nodes_history_without_operators_names_and_not_the_fleets(stage: Stage) -> None:
    mine = do(stage, OPERATION, who="alice", node="node1")
    assert told(mine) == NODE1
    assert {event["user"] for event in mine["events"]} == {None}
    refused = do(stage, OPERATION, who="alice", fleet=True)
    assert (refused["failed"], refused["status"]) == (True, 403)


@pytest.mark.parametrize(
    ("options", "words"),
    [({}, "No node is named"), ({"fleet": True, "node": "node1"}, "leave out"), ({"node": "node1", "since": "yesterday"}, "since")],
)
def test_a_mistake_is_a_sentence(stage: Stage, options: dict[str, t.Any], words: str) -> None:
    result = do(stage, OPERATION, **options)
    assert result["failed"]
    assert words in result["msg"]
