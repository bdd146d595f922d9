# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Count from the history how often nodes fell over, leaving out what was one outage of many."""

from __future__ import annotations

import bisect
import datetime
import typing as t

from .row import FAULT, FLAP_KEY, FLAP_TYPE, Found


def counts(events: t.Iterable[Found], *, storm_threshold: int, storm_window: float) -> dict[str, int]:
    """Give by node UUID how often a fault was asserted in these events.

    A fault that came within `storm_window` seconds of faults on more than `storm_threshold` nodes is part of an outage and does not count,
    nor does one before the release of the role's own hold: whoever released that has looked at the node.
    """
    falls: list[tuple[float, str]] = []
    looked: dict[str, float] = {}
    for event in events:
        about, node = event.get("maintenance") or {}, event.get("node_uuid")
        if node is None:
            continue
        at = moment(event["created_at"])
        if about.get("action") == "assert" and about.get("type") == FAULT:
            falls.append((at, node))
        elif about.get("action") == "release" and about.get("type") == FLAP_TYPE and about.get("key") == FLAP_KEY:
            looked[node] = max(at, looked.get(node, at))
    falls.sort()
    times = [at for at, _node in falls]
    counted: dict[str, int] = {}
    for at, node in falls:
        near = falls[bisect.bisect_left(times, at - storm_window) : bisect.bisect_right(times, at + storm_window)]
        if at >= looked.get(node, at) and len({other for _at, other in near}) <= storm_threshold:
            counted[node] = counted.get(node, 0) + 1
    return counted


def asserted(events: t.Iterable[Found]) -> set[str]:
    """Give the UUIDs of the entries whose assertion these events tell of."""
    told = (event.get("maintenance") or {} for event in events)
    return {str(about.get("entry_uuid")) for about in told if about.get("action") == "assert"}


def moment(text: str) -> float:
    """Give a time of the service in seconds since 1970. Without an offset it is UTC."""
    at = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return (at if at.tzinfo else at.replace(tzinfo=datetime.timezone.utc)).timestamp()
