# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""hold in check mode: the same answer as for real, and not one write; what it predicts itself it says so."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.hold import OPERATION
from ansible_collections.baremetal.maintenance.tests.unit.operations.doing import do
from ansible_collections.baremetal.maintenance.tests.unit.operations.fake_api import EXTENSIONS, World

HOLD: t.Final = {"type": "operator_hold", "reason": "why"}

SERVICES: t.Final = {
    "dry run and bulk": (EXTENSIONS, "server"),
    "dry run": (EXTENSIONS - {"bulk"}, "server"),
    "bulk": (EXTENSIONS - {"dry_run", "bulk"}, "client"),
}

STORIES: t.Final[dict[str, tuple[list[dict[str, t.Any]], dict[str, t.Any]]]] = {
    "assert": ([], HOLD),
    "assert again": ([HOLD], HOLD),
    "change": ([HOLD], {**HOLD, "reason": "other"}),
    "another run's": ([{**HOLD, "run": "17"}], {**HOLD, "reason": "other", "run": "18"}),
    "release": ([HOLD], {"state": "absent", "type": "operator_hold"}),
    "release of nothing": ([], {"state": "absent", "type": "operator_hold"}),
    "release of all": ([HOLD, {**HOLD, "key": "dc"}], {"state": "absent", "all": True}),
    "release of another run's": ([{**HOLD, "run": "17"}], {"state": "absent", "type": "operator_hold", "run": "18"}),
}


@pytest.mark.parametrize("target", [{"node": "n1"}, {"nodes": ["n1", "n2"]}], ids=["one node", "two nodes"])
@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize("story", STORIES)
def test_check_mode_says_what_would_be_done_and_writes_nothing(story: str, service: str, target: dict[str, t.Any]) -> None:
    before, task = STORIES[story]
    extensions, prediction = SERVICES[service]
    world = World(["n1", "n2"])
    op = world.api("op", extensions=extensions)
    for earlier in before:
        do(OPERATION, op, **earlier, **target)
    writes = list(world.writes)
    checked = do(OPERATION, op, check=True, **task, **target)
    assert world.writes == writes
    assert checked["prediction"] == prediction
    done = do(OPERATION, op, **task, **target)
    assert [checked[name] for name in ("changed", "failed")] == [done[name] for name in ("changed", "failed")]
    assert [(row["node"], row["changed"], row["failed"]) for row in checked["nodes_result"]] == [
        (row["node"], row["changed"], row["failed"]) for row in done["nodes_result"]
    ]
    assert checked.get("diff") == done.get("diff")
    assert "prediction" not in done


def test_a_refusal_is_the_same_in_check_mode() -> None:
    world = World(["n1"])
    mallory = world.api("mallory", project="p9")
    checked, done = (do(OPERATION, mallory, check=check, node="n1", **HOLD) for check in (True, False))
    assert checked["failed"]
    assert checked["msg"] == done["msg"]
    assert checked["blockers"] == done["blockers"]


def test_the_uuid_of_what_would_be_asserted_is_null() -> None:
    world = World(["n1"])
    assert do(OPERATION, world.api("op"), check=True, node="n1", **HOLD)["entry"]["uuid"] is None
