# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Durations, queries, and the words that a message has for an entry."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations import durations, query
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.errors import OperationError


@pytest.mark.parametrize(
    ("text", "seconds"), [("0", 0), ("90", 90), ("90s", 90), ("15m", 900), ("4h", 14400), ("2d", 172800), ("1w", 604800), (" 4h ", 14400)]
)
def test_a_duration_is_seconds_or_has_a_unit(text: str, seconds: int) -> None:
    assert durations.seconds(text, "older_than") == seconds


@pytest.mark.parametrize("text", ["", "4 h", "h", "-1", "1.5h", "4hours", "2d3h", "9999999999w", "1" * 5000])
def test_anything_else_is_an_error_that_names_the_option(text: str) -> None:
    with pytest.raises(OperationError, match="older_than"):
        durations.seconds(text, "older_than")


def test_a_query_picks() -> None:
    assert query.search("[?type=='fault'].node", [{"type": "fault", "node": "n1"}, {"type": "legacy", "node": "n2"}]) == ["n1"]


@pytest.mark.parametrize(("expression", "data"), [("[?", []), ("length(@)", 1), ("no_such_function(@)", {})])
def test_a_query_that_can_not_be_used_is_one_sentence(expression: str, data: t.Any) -> None:
    with pytest.raises(OperationError, match="query") as caught:
        query.search(expression, data)
    assert "\n" not in caught.value.msg
