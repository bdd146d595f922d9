# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which nodes are checked, by which rules, and which can't be."""

from __future__ import annotations

import json
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.plugin_utils.recovery import plan
from ansible_collections.baremetal.maintenance.plugins.plugin_utils.recovery.row import Row

from .samples import SINCE, access, entry, fell, node, rows


def planned(entries: list[dict[str, t.Any]], *, nodes: list[dict[str, t.Any]] | None = None, **more: t.Any) -> list[Row]:
    options: dict[str, t.Any] = {"watch": False, "history": [], "histories": None, "storm_threshold": 10, "storm_window": 600, **more}
    known = options.pop("known", {"a": access()})
    return plan.plan(nodes or [node("a")], entries, known, **options)


def test_a_fault_is_judged_by_its_kind_since_it_was_asserted_and_other_holds_stay() -> None:
    (row,) = planned([entry("a"), entry("a", "operator_hold")])
    assert (row["state"], row["fault"], row["since"]) == ("due", "power failure", SINCE)
    assert [one["uuid"] for one in row["entries"]] == ["fault-on-a"]
    assert [one["uuid"] for one in row["others"]] == ["operator_hold-on-a"]


@pytest.mark.parametrize("extra", [{}, {"fault": "something new"}, None])
def test_a_fault_of_an_unknown_kind_is_judged_by_every_rule(extra: dict[str, str] | None) -> None:
    (row,) = planned([entry("a", extra=extra)])
    assert (row["state"], row["fault"]) == ("due", None)


def test_a_review_beside_a_fault_of_another_kind_is_judged_by_every_rule_since_the_first() -> None:
    earlier = "2026-06-10T10:00:00+00:00"
    (row,) = planned([entry("a"), entry("a", "x_fault_review", extra={"fault": "clean failure"}, asserted_at=earlier)])
    assert (row["fault"], row["since"], len(row["entries"])) == (None, earlier, 2)


def test_a_node_without_a_fault_is_left_alone_unless_nobody_holds_it_and_it_is_watched() -> None:
    assert planned([]) == []
    assert planned([entry("a", "operator_hold")], watch=True) == []
    (row,) = planned([], watch=True)
    assert (row["watch"], row["entries"], row["state"]) == (True, [], "due")


def test_what_the_service_recorded_is_expected_and_the_inventory_wins() -> None:
    about = node("a", power_state="power on", properties={"memory_mb": "65536", "cpus": 128})
    (row,) = planned([entry("a")], nodes=[about])
    assert row["expected"] == {"power_state": "on", "memory_mb": 65536}
    own = access()
    own.expected["memory_mb"] = 1024
    (row,) = planned([entry("a")], nodes=[about], known={"a": own})
    assert row["expected"]["memory_mb"] == 1024


@pytest.mark.parametrize("state", [None, "error"])
def test_a_power_state_that_the_service_does_not_know_is_not_expected(state: str | None) -> None:
    assert planned([entry("a")], nodes=[node("a", power_state=state)])[0]["expected"] == {}


def test_without_a_bmc_in_the_inventory_a_node_is_skipped() -> None:
    (row,) = planned([entry("a")], known={})
    assert (row["state"], row["outcome"]) == ("done", "skipped")
    assert "no host of the inventory" in row["why"]


def test_two_nodes_with_one_bmc_are_both_skipped() -> None:
    found = planned([entry("a"), entry("b")], nodes=[node("a"), node("b")], known={"a": access(), "b": access()})
    assert [(row["outcome"], "same BMC" in row["why"]) for row in found] == [("skipped", True)] * 2


def test_flaps_are_unknown_where_the_history_could_not_be_read() -> None:
    at = "2026-06-10T10:00:00Z"
    found = rows("a", "b", "c", histories=[{"item": "uuid-a", "events": [fell("a", at)]}, {"item": "uuid-b"}])
    assert [row["flaps"] for row in found] == [1, None, None]


def test_rows_hold_no_secret() -> None:
    assert "canary" not in json.dumps(rows("a"))
