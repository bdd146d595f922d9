# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What people read: text that fits, ages, and who may release a hold."""

from __future__ import annotations

import datetime
import itertools

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.rules import authority
from baremetal_maintenance.commands import holds, text
from hypothesis import given
from hypothesis import strategies as some

NOW = datetime.datetime(2026, 6, 10, 12, 0, tzinfo=datetime.timezone.utc)


@pytest.mark.parametrize(
    ("when", "shown"),
    [
        ("2026-06-10T11:59:30.000001+00:00", "just now"),
        ("2026-06-10T12:00:05+00:00", "just now"),
        ("2026-06-10T11:48:00", "12m ago"),
        ("2026-06-10T08:55:00+00:00", "3h 5m ago"),
        ("2026-06-10T10:00:00+02:00", "4h 0m ago"),
        ("2026-06-07T08:00:00+00:00", "3d 4h ago"),
        ("2026-06-07T12:00:00+00:00", "3d ago"),
        ("2025-06-10T12:00:00+00:00", "365d ago"),
        (None, ""),
        ("yesterday", "yesterday"),
    ],
)
def test_an_age_is_told_in_its_two_largest_units(when: str | None, shown: str) -> None:
    assert text.age(when, NOW) == shown


@given(some.text(), some.integers(min_value=4, max_value=40))
def test_wrapped_text_fits_and_loses_nothing_but_spaces(given_text: str, columns: int) -> None:
    shown = text.plain(given_text)
    lines = text.wrap(shown, columns)
    assert max(text.width(line) for line in lines) <= columns
    assert "".join("".join(lines).split()) == "".join(shown.split())
    assert len(text.wrap(shown, columns, 2)) <= 2
    assert max(text.width(line) for line in text.wrap(shown, columns, 2)) <= columns


@given(some.text())
def test_plain_text_has_nothing_that_a_terminal_would_obey(given_text: str) -> None:
    shown = text.plain(given_text)
    assert not any(ord(char) < 32 or 127 <= ord(char) < 160 or char in "\u202a\u202e\u2066\u2069\u200e\u200f\ufeff" for char in shown)


@pytest.mark.parametrize(
    ("word", "lines"),
    [
        ("hardware_failure", ["hardware_", "failure"]),
        ("compute-rack17-042", ["compute-", "rack17-042"]),
        ("機器故障機器故障", ["機器故障機", "器故障"]),
        ("abcdefghijklmno", ["abcdefghij", "klmno"]),
    ],
)
def test_a_long_name_is_broken_at_a_joint_where_it_has_one(word: str, lines: list[str]) -> None:
    assert text.wrap(word, 10) == lines


def test_a_cut_text_says_so() -> None:
    assert text.wrap("one two three four five", 9, 2) == ["one two", "three…"]


@pytest.mark.parametrize(
    ("type_name", "scope", "project"),
    list(itertools.product(["legacy", "fault", "hardware_failure", "x_other"], ["system", "owner", "lessee"], ["web", "", None])),
)
def test_who_can_release_is_what_the_rules_say(type_name: str, scope: str, project: str | None) -> None:
    row = {"type": type_name, "scope": scope, "asserted_by_project": project}
    assert holds.who_can(row) == authority.who_can(type=type_name, scope=scope, asserted_by_project=project or "")
