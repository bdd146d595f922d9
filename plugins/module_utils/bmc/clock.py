# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of BMCs: read, corrected by the skew of their clocks, written as UTC in ISO 8601."""

from __future__ import annotations

import datetime
import re
import typing as t

#: A BMC whose clock was not set since it was powered counts from 1970; IPMI calls anything before 1987 time since its start.
UNSET_BEFORE = 0x20000000

_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?$", re.IGNORECASE)


def parse(text: t.Any) -> float | None:
    """Seconds since 1970 of a time in ISO 8601, UTC where it names no zone; None for what is no time (such as HPE's 0000-00-00)."""
    match = _ISO.match(text.strip()) if isinstance(text, str) else None
    if not match:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    zone = (match[7] or "Z").upper()
    try:
        stamp = datetime.datetime(year, month, day, hour, minute, second, tzinfo=datetime.timezone.utc).timestamp()
    except (ValueError, OverflowError):
        return None
    if zone != "Z":
        offset = int(zone[1:3]) * 3600 + int(zone[-2:]) * 60
        stamp -= offset if zone[0] == "+" else -offset
    return stamp


def iso(stamp: float | None) -> str | None:
    """A time as it stands in a report."""
    if stamp is None:
        return None
    try:
        return datetime.datetime.fromtimestamp(int(stamp), datetime.timezone.utc).isoformat()
    except (ValueError, OverflowError, OSError):
        return None


def corrected(stamp: float | None, skew: float | None) -> float | None:
    """What our clock said when the BMC's said `stamp`; None if the BMC's clock was not set by then."""
    if stamp is None or stamp < UNSET_BEFORE:
        return None
    return stamp - (skew or 0)
