# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What should be asserted: a hold on a node that flaps, a fault on one whose BMC is silent."""

from __future__ import annotations

from .row import FLAP_KEY, FLAP_TYPE, POWER_FAILURE, Row


def is_flapping(row: Row, threshold: int) -> bool:
    """Tell whether a fault was asserted so often on the node. threshold: 0 for never."""
    return bool(threshold and row["flaps"] is not None and row["flaps"] >= threshold)


def proposal(row: Row, flap_threshold: int) -> str | None:
    """Give the type of hold or the kind of fault that should be asserted on the node as it stands, None for nothing."""
    if row["outcome"] in ("skipped", "failed"):
        return None
    if row["watch"]:
        return POWER_FAILURE if row["outcome"] == "unreachable" else None
    if not is_flapping(row, flap_threshold):
        return None
    there = any(other["type"] == FLAP_TYPE and other["key"] == FLAP_KEY for other in row["others"])
    return None if there else FLAP_TYPE
