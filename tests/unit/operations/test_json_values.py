# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that a task gives are compared as the JSON that is stored of them, not as the YAML that they were written in."""

from __future__ import annotations

import datetime
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.hold import OPERATION
from ansible_collections.baremetal.maintenance.tests.unit.operations.doing import do
from ansible_collections.baremetal.maintenance.tests.unit.operations.fake_api import World

HOLD: t.Final = {"node": "n1", "type": "operator_hold", "reason": "why"}


@pytest.mark.parametrize(
    ("written", "stored"), [({1: "PSU"}, {"1": "PSU"}), ({"a": {2: None}}, {"a": {"2": None}}), ({"slots": (1, 2)}, {"slots": [1, 2]})]
)
def test_the_same_task_again_changes_nothing(written: dict[t.Any, t.Any], stored: dict[str, t.Any]) -> None:
    world = World(["n1"])
    do(OPERATION, world.api("op"), **HOLD, extra=written)
    assert world.entries["n1"][0]["extra"] == stored
    assert not do(OPERATION, world.api("op"), **HOLD, extra=written)["changed"]
    assert len(world.writes) == 1


@pytest.mark.parametrize(("before", "after"), [(1, True), (False, 0), (1, 1.0)])
def test_what_only_python_takes_for_equal_is_a_change(before: t.Any, after: t.Any) -> None:
    world = World(["n1"])
    do(OPERATION, world.api("op"), **HOLD, extra={"x": before})
    assert do(OPERATION, world.api("op"), **HOLD, extra={"x": after})["changed"]
    assert repr(world.entries["n1"][0]["extra"]["x"]) == repr(after)


@pytest.mark.parametrize("value", [datetime.date(2026, 6, 10), float("nan"), b"bytes", {1, 2}])
def test_what_json_can_not_carry_is_one_sentence_that_names_the_option(value: t.Any) -> None:
    world = World(["n1"])
    result = do(OPERATION, world.api("op"), **HOLD, extra={"x": value})
    assert (result["failed"], result["code"]) == (True, "option")
    assert "`extra`" in result["msg"]
    assert world.calls == []
