# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a report says about what was read, and what it never says."""

from __future__ import annotations

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import report


def reading(**pieces):
    whole = report.empty("redfish", "bmc:443")
    report.merge(whole, pieces)
    report.finish(whole)
    return whole


def test_nothing_read_is_unknown_and_not_ok():
    assert reading()["health"]["overall"] == "unknown"


def test_an_unknown_part_does_not_make_the_machine_ok_but_is_counted():
    whole = reading(components=[report.component("memory", "DIMM 1")])
    assert whole["health"] == {"overall": "unknown", "rollup": None, "state": None, "unknown": 1}


@pytest.mark.parametrize("worst", ["warning", "critical"])
def test_the_worst_part_counts_whatever_the_roll_up_says(worst):
    parts = [report.component("psu", "1", health="ok"), report.component("drive", "2", health=worst)]
    assert reading(components=parts, health={"rollup": "ok"})["health"]["overall"] == worst


def test_an_absent_part_counts_nowhere_even_if_it_is_critical():
    whole = reading(
        components=[report.component("drive", "bay", state="absent", health="critical"), report.component("psu", "1", health="ok")],
        sensors=[report.sensor("SSD temperature", "temperature", state="absent", health="critical")],
    )
    assert whole["health"]["overall"] == "ok"
    assert whole["health"]["unknown"] == 0
    assert [part["health"] for part in whole["components"]] == ["unknown", "ok"]


def test_fault_bits_of_the_chassis_are_critical():
    assert reading(power={"faults": ["drive_fault"], "faults_known": True})["health"]["overall"] == "critical"


def test_no_fault_bits_are_good_news_only_where_they_were_read():
    assert reading(power={"faults": [], "faults_known": True})["health"]["overall"] == "ok"
    assert reading(power={"faults": [], "faults_known": False})["health"]["overall"] == "unknown"


def test_power_reads_are_appended_and_the_last_one_is_the_state():
    whole = report.empty("ipmi", "bmc:623")
    for state in ("on", "on", "off"):
        report.merge(whole, {"power": {"reads": [state]}})
    report.finish(whole)
    assert (whole["power"]["reads"], whole["power"]["state"]) == (["on", "on", "off"], "off")


def test_a_power_state_that_was_never_read_is_unknown():
    assert reading()["power"] == {"state": "unknown", "reads": [], "faults": [], "faults_known": False}


def test_one_part_mentioned_twice_is_one_with_the_worse_health_and_all_that_is_known():
    first = report.component("drive", "Bay 1", serial="S1", health="ok", uri="/Storage/1")
    again = report.component("drive", "Bay 1", serial="S1", health="warning", uri="/Chassis/1", media_life_left_pct=90)
    (part,) = reading(components=[first, again])["components"]
    assert (part["health"], part["media_life_left_pct"], part["uri"]) == ("warning", 90, "/Storage/1")


@pytest.mark.parametrize(
    "other",
    [
        report.component("drive", "Bay 2", serial="0000", health="ok"),
        report.component("psu", "Bay 1", serial="0000", health="ok"),
        report.component("drive", "Bay 1", serial="0000", state="absent"),
        report.component("drive", "Bay 1", serial=None, health="ok"),
    ],
    ids=["another name", "another kind", "absent", "without a serial number"],
)
def test_parts_that_only_share_a_serial_number_stay_apart(other):
    first = report.component("drive", "Bay 1", serial="0000", health="ok")
    assert len(reading(components=[first, other])["components"]) == 2


def test_events_of_several_pieces_are_kept():
    whole = report.empty("ipmi", "bmc:623")
    report.merge(whole, {"events": {"entries": [{"id": "1"}], "complete": False}})
    report.merge(whole, {"events": {"entries": [{"id": "2"}], "complete": True}})
    assert [event["id"] for event in whole["events"]["entries"]] == ["1", "2"]
    assert whole["events"]["complete"]


def test_pieces_are_copied():
    piece = {"power": {"reads": ["on"], "faults": []}}
    whole = report.empty("ipmi", "bmc:623")
    report.merge(whole, piece)
    report.merge(whole, piece)
    assert piece == {"power": {"reads": ["on"], "faults": []}}
