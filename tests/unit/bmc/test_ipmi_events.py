# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Entries of a system event log, as pyghmi decodes them, in a report."""

from __future__ import annotations

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc.ipmi import events

TEN = 1781087400


def decoded(number, severity=2, event="Failure", component="PS1", ago=0, **more):
    raw = bytes([number, 0, 2]) + bytes(13)
    event_id = more.pop("event_id", "111.1")
    known = {
        "record_id": number,
        "raw": raw,
        "timecode": TEN - ago,
        "component": component,
        "component_id": component,
        "event_id": event_id,
    }
    return {**known, "severity": severity, "event": event, **more}


def listed(*log, since=None):
    return events.entries(log, 0, since)


@pytest.mark.parametrize("severity, word", [(1, "warning"), (2, "critical"), (3, "critical"), (4, "critical")])
def test_severities_are_a_bit_mask(severity, word):
    assert [entry["severity"] for entry in listed(decoded(1, severity))] == [word]


def test_what_is_ok_is_not_listed():
    assert listed(decoded(1, 0)) == []


def test_an_entry_that_the_library_cannot_name_is_unknown_and_not_ok():
    (entry,) = listed({"record_id": 7, "raw": bytes.fromhex("0700c0") + bytes(13), "timecode": TEN})
    assert (entry["id"], entry["severity"], entry["repaired"]) == ("7", "unknown", None)
    assert "0xc0" in entry["message"]
    assert [entry["severity"] for entry in listed(decoded(1, 0, event=""))] == ["unknown"]


def test_what_the_bmc_has_taken_back_is_repaired():
    asserted, taken_back = decoded(1), decoded(2, 0, event="Failure deasserted", deassertion=True)
    assert [entry["repaired"] for entry in listed(asserted, taken_back)] == [True]
    assert [entry["repaired"] for entry in listed(taken_back, asserted)] == [None]


@pytest.mark.parametrize("other", [{"component": "PS2"}, {"event_id": "111.3"}])
def test_only_the_same_state_of_the_same_sensor_is_repaired(other):
    log = [decoded(1), decoded(2, 0, deassertion=True, **other)]
    assert [entry["repaired"] for entry in listed(*log)] == [None]


def test_since_leaves_out_what_is_older_but_not_what_has_no_time():
    log = [decoded(1, timecode=120), decoded(2, ago=500), decoded(3, ago=100)]
    assert [entry["id"] for entry in listed(*log, since=TEN - 200)] == ["1", "3"]


def test_a_message_names_the_sensor_and_what_happened():
    (entry,) = listed(decoded(1, component="Drive 1", event="Drive fault", event_data="slot 3", component_type="Drive Bay"))
    assert (entry["message"], entry["about"], entry["log"]) == ("Drive 1: Drive fault: slot 3", "Drive Bay", "sel")
