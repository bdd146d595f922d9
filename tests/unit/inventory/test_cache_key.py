# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two answers never share a cache key."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.plugin_utils.inventory.cache_key import cache_key

PARTS = {"url": "https://a", "identity": ["http_basic", "alice"], "filters": {"owner": "p1"}, "microversion": "1.116"}


@pytest.mark.parametrize(
    "other",
    [
        {"url": "https://b"},
        {"identity": ["http_basic", "bob"]},
        {"filters": {"owner": "p2"}},
        {"filters": {}},
        {"filters": {"lessee": "p1"}},
        {"microversion": "1.117"},
    ],
)
def test_a_part_that_differs_makes_another_key(other: dict[str, t.Any]) -> None:
    assert cache_key("source", PARTS) != cache_key("source", {**PARTS, **other})


def test_the_order_of_parts_does_not_matter_and_the_source_does() -> None:
    assert cache_key("source", PARTS) == cache_key("source", dict(reversed(PARTS.items())))
    assert cache_key("source", PARTS) != cache_key("other", PARTS)
