# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""hold: options that don't go together, and names that are none."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.hold import OPERATION
from ansible_collections.baremetal.maintenance.tests.unit.operations.doing import do
from ansible_collections.baremetal.maintenance.tests.unit.operations.fake_api import World

HOLD: t.Final = {"type": "operator_hold", "reason": "why"}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({**HOLD}, "No node is named"),
        ({**HOLD, "node": ""}, "empty string"),
        ({**HOLD, "node": "  "}, "empty string"),
        ({**HOLD, "nodes": ["n1", ""]}, "empty string"),
        ({**HOLD, "node": "n1", "reason": " "}, "`reason` is empty"),
        ({**HOLD, "node": "n1", "uuid": "u"}, "`uuid` says what to release"),
        ({**HOLD, "node": "n1", "all": True}, "`all` says what to release"),
        ({"state": "absent", "node": "n1", "uuid": ""}, "`uuid` is an empty string"),
        ({"state": "absent", "nodes": ["n1", "n2"], "uuid": "u"}, "one entry of one node"),
        # An empty variable widens nothing.
        ({"state": "absent", "node": "n1", "type": "operator_hold", "ticket": " "}, "`ticket` is an empty string"),
        ({"state": "absent", "node": "n1", "type": ""}, "`type` is an empty string"),
    ],
)
def test_a_mistake_is_one_sentence_and_nothing_is_asked_of_the_service(options: dict[str, t.Any], words: str) -> None:
    world = World(["n1", "n2"])
    result = do(OPERATION, world.api("op"), **options)
    assert result["failed"]
    assert result["code"] == "option"
    assert words in result["msg"]
    assert world.calls == []


@pytest.mark.parametrize("state", [{**HOLD}, {"state": "absent", "type": "operator_hold"}, {"state": "absent", "all": True}])
@pytest.mark.parametrize("check", [True, False])
def test_no_nodes_is_nothing_to_do(state: dict[str, t.Any], check: bool) -> None:
    world = World(["n1"])
    result = do(OPERATION, world.api("op"), nodes=[], check=check, **state)
    assert (result["changed"], result["failed"], result["nodes_result"], world.calls) == (False, False, [], [])


def test_a_node_that_is_named_twice_is_held_once() -> None:
    world = World(["n1", "n2"])
    result = do(OPERATION, world.api("op"), nodes=["n1", "n2", "n1"], **HOLD)
    assert [row["node"] for row in result["nodes_result"]] == ["n1", "n2"]
