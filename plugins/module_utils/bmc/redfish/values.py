# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of Redfish resources as they really come: missing, null, of another type, or in words of the vendor's own. Nothing here raises."""

from __future__ import annotations

import math
import typing as t

from ..report import Json

_HEALTHS = {"ok": "ok", "warning": "warning", "critical": "critical"}
_POWER = ("on", "off", "poweringon", "poweringoff", "paused")


def mapping(value: t.Any, *path: str) -> Json:
    """The object at a path of members; an empty one if something else or nothing is there."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def items(value: t.Any) -> list[Json]:
    """The objects of a list; nothing if it is none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text(value: t.Any) -> str | None:
    """A text that says something; a number as text."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    return str(value).strip() or None


def number(value: t.Any) -> float | None:
    """A number, also in a text such as "325W" or "21.5"; None for "N/A"."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        try:
            value = float(value.strip().rstrip("WVACR%PM ").strip())
        except ValueError:
            return None
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return value


def integer(value: t.Any) -> int | None:
    """A number without a fraction."""
    known = number(value)
    return None if known is None else int(known)


def boolean(value: t.Any) -> bool | None:
    """True or false; None for anything else."""
    return value if isinstance(value, bool) else None


def health(word: t.Any) -> str:
    """Our word for a health; what is null or not of the standard is unknown."""
    return _HEALTHS.get(word.lower(), "unknown") if isinstance(word, str) else "unknown"


def status(resource: t.Any) -> tuple[str | None, str]:
    """The state and the health of a resource. Its health is the worse of Health and HealthRollup; if one of them is there but says
    nothing, the other's OK is not enough."""
    known = mapping(resource, "Status")
    state = known.get("State")
    healths = {health(known[name]) for name in ("Health", "HealthRollup") if name in known}
    for word in ("critical", "warning", "unknown", "ok"):
        if word in healths:
            break
    else:
        word = "unknown"
    return (state.lower() if isinstance(state, str) and state else None), word


def power(word: t.Any) -> str:
    """Our word for a power state."""
    return word.lower() if isinstance(word, str) and word.lower() in _POWER else "unknown"


def location(resource: Json) -> str | None:
    """Where a part is, as the BMC labels the place."""
    for place in (mapping(resource, "PhysicalLocation"), mapping(resource, "Location"), *items(resource.get("PhysicalLocation"))):
        label = text(mapping(place, "PartLocation").get("ServiceLabel"))
        if label:
            return label
    return text(resource.get("DeviceLocator")) or text(resource.get("Socket"))
