# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of BMCs: as they write them, by their own clocks, which may be wrong."""

from __future__ import annotations

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import clock
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc.ipmi import events

TEN = 1781087400  # 2026-06-10T10:30:00Z


@pytest.mark.parametrize(
    "text",
    [
        "2026-06-10T10:30:00Z",
        "2026-06-10T12:30:00+02:00",
        "2026-06-10T05:00:00-0530",
        "2026-06-10T10:30:00.123456+00:00",
        "2026-06-10 10:30",
        "2026-06-10t10:30:00z",
    ],
)
def test_times_in_the_forms_that_are_seen(text):
    assert clock.parse(text) == TEN


@pytest.mark.parametrize("text", ["0000-00-00T00:00:00Z", "2026-13-40T00:00:00Z", "yesterday", "", None, 5, "9999999-01-01T00:00:00Z"])
def test_what_is_no_time_is_none(text):
    assert clock.parse(text) is None


def test_a_time_is_written_in_utc():
    assert clock.iso(TEN + 0.7) == "2026-06-10T10:30:00+00:00"
    assert clock.iso(None) is None


def test_a_time_is_corrected_by_the_skew_and_one_from_before_the_clock_was_set_is_none():
    assert clock.corrected(TEN, 3 * 86400) == TEN - 3 * 86400
    assert clock.corrected(TEN, None) == TEN
    assert clock.corrected(6803, 0) is None
    assert clock.corrected(None, 0) is None


def entry(stamp, event="Failure", **more):
    return {"timecode": stamp, "event": event, **more}


def set_from(before, after):
    """What the log says about a clock that was set."""
    return [entry(before, "Clock time change", event_data="Before"), entry(after, "Clock time change", event_data="After")]


def test_entries_are_corrected_by_the_clock_of_now():
    assert events.corrected_times([entry(TEN), entry(TEN + 60)], 3600) == [TEN - 3600, TEN - 3540]


def test_entries_from_before_the_clock_was_set_are_corrected_by_that_step_too():
    log = [entry(TEN - 7200), *set_from(TEN - 7100, TEN), entry(TEN + 10)]
    assert events.corrected_times(log, 0) == [TEN - 100, None, None, TEN + 10]


def test_where_times_run_backwards_nothing_before_is_believed():
    log = [entry(TEN + 500), entry(TEN), entry(TEN + 60)]
    assert events.corrected_times(log, 0) == [None, TEN, TEN + 60]


def test_times_since_the_start_of_the_bmc_are_none():
    assert events.corrected_times([entry(120), entry(None), entry(0xFFFFFFFF), entry(TEN)], 0) == [None, None, None, TEN]
