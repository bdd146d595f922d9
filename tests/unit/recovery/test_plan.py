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

from .samples import SINCE, access, entry, fell, node, planning, rows


def planned(entries: list[dict[str, t.Any]], *, nodes: list[dict[str, t.Any]] | None = None, **more: t.Any) -> list[Row]:
    known = more.pop("known", {"a": access()})
    return plan.plan(nodes or [node("a")], entries, known, **planning(**more))


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


def test_a_node_is_skipped_if_one_that_is_not_of_this_run_has_its_bmc() -> None:
    (row,) = planned([entry("a")], known={"a": access(claim="host 1"), "z": access(claim="host 2")})
    assert (row["outcome"], row["why"]) == ("skipped", "another node has the same BMC in the inventory: z")


def test_two_nodes_with_one_bmc_are_both_skipped() -> None:
    found = planned([entry("a"), entry("b")], nodes=[node("a"), node("b")], known={"a": access(claim="1"), "b": access(claim="2")})
    assert [(row["outcome"], "same BMC" in row["why"]) for row in found] == [("skipped", True)] * 2


def test_flaps_are_unknown_where_the_history_could_not_be_read() -> None:
    at = "2026-06-10T10:00:00Z"
    found = rows("a", "b", "c", histories=[{"item": "uuid-a", "events": [fell("a", at)]}, {"item": "uuid-b"}])
    assert [row["flaps"] for row in found] == [1, None, None]


RECENT: t.Final = "2026-06-10T09:00:00+00:00"


@pytest.mark.parametrize(
    "events",
    [
        [],
        # Of another fault.
        [fell("a", "2026-06-10T10:00:00+00:00", "earlier")],
        # An Ironic's own history says nothing about entries.
        [{"node_uuid": "uuid-a", "created_at": SINCE, "event": "maintenance set", "event_type": "maintenance"}],
    ],
)
def test_a_history_without_the_assertion_of_the_very_fault_is_not_whole_and_counts_for_nothing(events: list[dict[str, t.Any]]) -> None:
    assert planned([entry("a")], history=events, since=RECENT)[0]["flaps"] is None
    per_node = [{"item": "uuid-a", "events": events}]
    assert planned([entry("a")], history=None, histories=per_node, since=RECENT)[0]["flaps"] is None


def test_a_fault_older_than_the_events_needs_none() -> None:
    assert planned([entry("a")], history=[], since="2026-06-10T11:00:00+00:00")[0]["flaps"] == 0
    assert planned([entry("a")], history=[fell("a", SINCE)], since=RECENT)[0]["flaps"] == 1


def ironics(name: str, kind: str = "power failure", type_: str = "fault", **more: t.Any) -> dict[str, t.Any]:
    return entry(name, type_, extra={"fault": kind}, enforced=True, enforced_by="ironic", **more)


@pytest.mark.parametrize("kind", ["clean failure", "rescue abort failure", "service failure"])
def test_what_ironics_own_recovery_can_not_release_is_checked(kind: str) -> None:
    (row,) = planned([ironics("a", kind)])
    assert (row["state"], row["fault"]) == ("due", kind)


def test_a_power_failure_is_left_to_the_ironic_that_enforces_it_unless_that_does_not_recover() -> None:
    (row,) = planned([ironics("a")])
    assert (row["state"], row["outcome"], row["proposal"]) == ("done", "left_to_ironic", None)
    assert planned([ironics("a")], ironic_recovers=False)[0]["state"] == "due"
    assert planned([entry("a")])[0]["state"] == "due"


def test_a_service_that_does_not_tell_who_enforces_is_an_ironic() -> None:
    native = entry("a")
    del native["enforced_by"], native["enforced"]
    assert planned([native])[0]["outcome"] == "left_to_ironic"


def test_a_fault_that_ironic_recovered_is_released_on_evidence_only_but_not_while_ironic_says_that_it_is_back() -> None:
    review = ironics("a", type_="x_fault_review")
    (row,) = planned([review])
    assert (row["state"], row["fault"], [one["uuid"] for one in row["entries"]]) == ("due", "power failure", [review["uuid"]])
    assert planned([review, ironics("a")])[0]["outcome"] == "left_to_ironic"


@pytest.mark.parametrize("scope", ["owner", "lessee"])
def test_a_hold_of_a_tenant_is_no_fault_whatever_its_type(scope: str) -> None:
    theirs = ironics("a", type_="x_fault_review", scope=scope)
    assert planned([theirs]) == planned([theirs], watch=True) == []
    (row,) = planned([theirs, ironics("a", "clean failure")])
    assert ([one["uuid"] for one in row["entries"]], [one["uuid"] for one in row["others"]]) == (["fault-on-a"], ["x_fault_review-on-a"])


def test_a_node_that_flaps_in_an_ironic_is_proposed_a_hold_though_its_fault_is_left() -> None:
    falls = [fell("a", f"2026-06-10T1{hour}:00:00+00:00") for hour in range(3)]
    (row,) = planned([ironics("a")], history=falls)
    assert (row["outcome"], row["proposal"]) == ("left_to_ironic", "operator_hold")
    assert planned([ironics("a")], history=falls, flap_threshold=0)[0]["proposal"] is None


def test_rows_hold_no_secret() -> None:
    assert "canary" not in json.dumps(rows("a"))
