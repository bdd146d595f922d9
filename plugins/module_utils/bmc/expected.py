# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is expected of a machine, as given by a playbook: checked, and made comparable with a report."""

from __future__ import annotations

import dataclasses
import typing as t

from . import clock

#: Spellings of power states: Ironic's, Redfish's, and what YAML makes of an unquoted `on`.
_POWER: t.Final = {"on": "on", "power on": "on", "true": "on", "yes": "on", "off": "off", "power off": "off", "false": "off", "no": "off"}


@dataclasses.dataclass(frozen=True)
class Expected:
    """What is None or empty is not compared. Numbers are the least that there must be."""

    #: on or off.
    power_state: str | None = None
    memory_mb: int | None = None
    cpus: int | None = None
    psus: int | None = None
    drives: int | None = None
    serials: tuple[str, ...] = ()
    firmware: str | None = None

    @classmethod
    def of(cls, given: t.Mapping[str, t.Any]) -> Expected:
        """Read what a playbook gives, where numbers may be strings. ValueError: an unknown name or a value that makes no sense."""
        known = tuple(cls.__dataclass_fields__)
        for name in given:
            if name not in known:
                raise ValueError(f"expected: {name!r} is not known; known are {', '.join(known)}")
        return cls(**{name: _READERS[name](name, value) for name, value in given.items() if value is not None})


def moment(text: t.Any) -> float:
    """Give the seconds since 1970 of an ISO time; ValueError for anything else."""
    stamp = clock.parse(text)
    if stamp is None:
        raise ValueError(f"since: {text!r} is no time in ISO 8601")
    return stamp


def _power(name: str, value: t.Any) -> str:
    state = _POWER.get(str(value).strip().lower())
    if state is None:
        raise ValueError(f"expected: {name} is on or off, not {value!r}")
    return state


def _number(name: str, value: t.Any) -> int:
    try:
        number = int(str(value))
    except ValueError:
        number = -1
    if number < 0:
        raise ValueError(f"expected: {name} is a whole number, not {value!r}")
    return number


def _texts(name: str, value: t.Any) -> tuple[str, ...]:
    if isinstance(value, (str, bytes)) or not isinstance(value, t.Sequence):
        raise ValueError(f"expected: {name} is a list")
    return tuple(text for text in (str(entry).strip() for entry in value) if text)


def _text(name: str, value: t.Any) -> str:
    return str(value).strip()


_READERS: t.Final[dict[str, t.Callable[[str, t.Any], t.Any]]] = {
    "power_state": _power,
    "memory_mb": _number,
    "cpus": _number,
    "psus": _number,
    "drives": _number,
    "serials": _texts,
    "firmware": _text,
}
