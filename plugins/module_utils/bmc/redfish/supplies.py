# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Chassis and power supplies. Machines list supplies in Power (old), in PowerSubsystem (new) or the same ones in both."""

from __future__ import annotations

from .. import report
from ..errors import NotOffered
from ..report import Component, Json
from . import values
from .machine import Machine
from .parts import part
from .walk import Walk, path_of


def read(machine: Machine, walk: Walk, piece: Json) -> None:
    """The section `psu`. Not offered if no chassis lists any supply (such as of a blade)."""
    parts: list[Component] = piece.setdefault("components", [])
    offered = False
    for chassis in machine.chassis(walk):
        parts.append(part("chassis", chassis))
        old = walk.try_follow(chassis.get("Power"))
        new = walk.try_follow(chassis.get("PowerSubsystem"))
        supplies = _merged(_old(old), _new(walk, new))
        offered = offered or bool(supplies)
        parts += supplies
        parts += _redundancy(old, "Redundancy") + _redundancy(new, "PowerSupplyRedundancy")
    if not offered:
        raise NotOffered


def _old(power: Json | None) -> list[Component]:
    found = values.items((power or {}).get("PowerSupplies"))
    return [part("psu", one, watts=_watts(one), uri=None) for one in found]


def _new(walk: Walk, subsystem: Json | None) -> list[Component]:
    link = (subsystem or {}).get("PowerSupplies")
    if path_of(link) is None:
        return []
    try:
        return [part("psu", one, watts=_watts(one)) for one in walk.members(link)]
    except NotOffered:
        return []


def _watts(supply: Json) -> float | None:
    for name in ("PowerOutputWatts", "LastPowerOutputWatts"):
        known = values.number(supply.get(name))
        if known is not None:
            return known
    return None


def _merged(old: list[Component], new: list[Component]) -> list[Component]:
    """Each supply once: those with one serial number are one, and where the lists are equally long and serial numbers do not tell them
    apart, those in the same place of both."""
    if not old or not new:
        return old or new
    found = [dict(one) for one in new]
    for position, one in enumerate(old):
        same = next((other for other in found if one["serial"] and other["serial"] == one["serial"]), None)
        if same is None and len(old) == len(new) and not (one["serial"] and found[position]["serial"]):
            same = found[position]
        if same is None:
            found.append(dict(one))
            continue
        same["health"] = report.worst([same["health"], one["health"]])
        same.update({name: value for name, value in one.items() if same[name] is None})
    return found  # type: ignore[return-value]


def _redundancy(resource: Json | None, name: str) -> list[Component]:
    """Whether the supplies still stand in for one another, where a machine says so."""
    return [
        report.component("other", "Redundancy of the power supplies", state=state, health=health)
        for state, health in (values.status(group) for group in values.items((resource or {}).get(name)))
        if health in ("warning", "critical")
    ]
