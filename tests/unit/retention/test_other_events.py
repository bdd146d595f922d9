# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How long other events are kept: as Ironic's node_history_minimum_days and node_history_max_entries say."""

from __future__ import annotations

import pytest

from .past import TICK, StoppedClock, days, left, provisioned, purge


@pytest.mark.parametrize(("number", "most", "gone"), [(3, 3, 0), (4, 3, 1), (10, 3, 7), (10, 1, 9), (3, 300, 0)])
def test_the_oldest_beyond_the_number_go(store: StoppedClock, number: int, most: int, gone: int) -> None:
    provisioned(store, number, days(1))
    assert purge(store, other_most=most) == gone
    assert left(store) == [f"node-1/{place}" for place in range(gone, number)]


def test_each_node_has_the_number_for_itself(store: StoppedClock) -> None:
    provisioned(store, 5, days(1), node="a")
    provisioned(store, 2, days(1), node="b")
    assert purge(store, other_most=3) == 2
    assert left(store) == ["a/2", "a/3", "a/4", "b/0", "b/1"]


@pytest.mark.parametrize(("age", "gone"), [(days(7) - TICK, 0), (days(7), 0), (days(7) + TICK, 3)], ids=str)
def test_whatever_their_number_they_stay_for_the_minimum_days(store: StoppedClock, age, gone: int) -> None:
    provisioned(store, 5, age)
    assert purge(store, other_days=7, other_most=2) == gone
    assert len(left(store)) == 5 - gone


def test_however_old_they_stay_within_the_number(store: StoppedClock) -> None:
    provisioned(store, 3, days(10_000))
    assert purge(store, other_days=7, other_most=3) == 0


def test_no_number_means_no_limit(store: StoppedClock) -> None:
    provisioned(store, 500, days(10_000))
    assert purge(store, other_most=0) == 0
    assert len(left(store)) == 500


def test_an_event_without_a_kind_is_one_of_them(store: StoppedClock) -> None:
    """As events are that an earlier revision or an Ironic left."""
    provisioned(store, 3, days(1000), kind=None)
    assert purge(store, maintenance_days=1, other_most=2) == 1
    assert left(store) == ["node-1/1", "node-1/2"]


def test_the_days_of_maintenance_events_are_not_theirs(store: StoppedClock) -> None:
    provisioned(store, 3, days(10_000))
    assert purge(store, maintenance_days=1, other_most=3) == 0
    assert len(left(store)) == 3
