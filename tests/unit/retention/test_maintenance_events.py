# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How long maintenance events are kept: by days alone, counted from the last occurrence (api.md 6)."""

from __future__ import annotations

import pytest

from .past import TICK, StoppedClock, days, happened, left, purge


@pytest.mark.parametrize(
    ("age", "stays"),
    [
        (days(0), True),
        (days(399), True),
        (days(400) - TICK, True),
        (days(400), True),
        (days(400) + TICK, False),
        (days(401), False),
        (days(4000), False),
        (-days(1), True),
    ],
    ids=str,
)
def test_an_event_is_kept_for_its_days_and_not_a_microsecond_longer(store: StoppedClock, age, stays: bool) -> None:
    happened(store, "event", age)
    assert purge(store) == (0 if stays else 1)
    assert left(store) == (["event"] if stays else [])


@pytest.mark.parametrize(("kept_for", "stay"), [(1, ["new"]), (10, ["new", "week"]), (100, ["new", "week", "month"])])
def test_the_days_are_the_deployments_choice(store: StoppedClock, kept_for: int, stay: list[str]) -> None:
    for name, age in (("new", 0.5), ("week", 7), ("month", 30), ("year", 365)):
        happened(store, name, days(age))
    assert purge(store, maintenance_days=kept_for) == 4 - len(stay)
    assert left(store) == stay


def test_no_days_means_for_ever(store: StoppedClock) -> None:
    happened(store, "ancient", days(10_000))
    assert purge(store, maintenance_days=0) == 0
    assert left(store) == ["ancient"]


def test_a_folded_event_is_as_old_as_its_last_occurrence(store: StoppedClock) -> None:
    happened(store, "still happening", days(1000), again=days(1))
    happened(store, "just inside", days(1000), again=days(400))
    happened(store, "over", days(1000), again=days(400) + TICK)
    happened(store, "never again", days(1000))
    assert purge(store) == 2
    assert left(store) == ["still happening", "just inside"]


def test_their_number_is_never_a_reason(store: StoppedClock) -> None:
    for number in range(12):
        happened(store, str(number), days(399))
    assert purge(store, other_days=0, other_most=5) == 0
    assert len(left(store)) == 12


def test_they_do_not_count_among_the_other_events(store: StoppedClock) -> None:
    for number in range(4):
        happened(store, f"maintenance {number}", days(2))
        happened(store, f"other {number}", days(2), kind="provisioning")
    assert purge(store, other_most=4) == 0
    assert purge(store, other_most=3) == 1
    assert [name for name in left(store) if name.startswith("other")] == ["other 1", "other 2", "other 3"]


def test_the_events_of_a_node_that_is_gone_stay_until_their_time(store: StoppedClock) -> None:
    """No row of the node is there in any of these tests: its events are judged by their age all the same."""
    happened(store, "gone, recent", days(399), node="no-such-node")
    happened(store, "gone, old", days(401), node="no-such-node")
    assert purge(store) == 1
    assert left(store) == ["gone, recent"]


def test_running_again_takes_nothing_more(store: StoppedClock) -> None:
    happened(store, "old", days(500))
    happened(store, "new", days(1))
    assert [purge(store), purge(store)] == [1, 0]
    assert left(store) == ["new"]
