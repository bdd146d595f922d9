# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The flap counter: how often one node fell over by itself."""

from __future__ import annotations

from ansible_collections.baremetal.maintenance.plugins.plugin_utils.recovery import flaps

from .samples import fell


def counted(events: list[dict[str, object]], storm_threshold: int = 2) -> dict[str, int]:
    return flaps.counts(events, storm_threshold=storm_threshold, storm_window=600)


def test_every_assert_of_a_fault_counts_and_nothing_else_does() -> None:
    events = [fell("a", f"2026-06-10T1{hour}:00:00+00:00") for hour in range(4)]
    events[1]["maintenance"]["action"] = "update"
    events[2]["maintenance"]["type"] = "operator_hold"
    assert counted(events) == {"uuid-a": 2}


def test_what_fell_together_is_an_outage_and_no_flap() -> None:
    together = [fell(name, f"2026-06-10T10:0{minute}:00Z") for minute, name in enumerate("abc")]
    assert counted([*together, fell("a", "2026-06-10T12:00:00Z")]) == {"uuid-a": 1}


def test_as_many_as_the_threshold_are_no_outage() -> None:
    assert counted([fell(name, "2026-06-10T10:00:00Z") for name in "ab"]) == {"uuid-a": 1, "uuid-b": 1}


def test_one_node_that_falls_often_is_no_outage() -> None:
    assert counted([fell("a", f"2026-06-10T10:0{minute}:00Z") for minute in range(5)]) == {"uuid-a": 5}


def test_the_count_starts_again_when_the_roles_hold_is_released() -> None:
    looked = {"node_uuid": "uuid-a", "created_at": "2026-06-10T11:00:00Z"}
    mine = {**looked, "maintenance": {"action": "release", "type": "operator_hold", "key": "fault_recovery"}}
    others = {**looked, "maintenance": {"action": "release", "type": "operator_hold", "key": ""}}
    falls = [fell("a", "2026-06-10T10:00:00Z"), fell("a", "2026-06-10T12:00:00Z")]
    assert counted([*falls, mine]) == {"uuid-a": 1}
    assert counted([*falls, others]) == {"uuid-a": 2}
