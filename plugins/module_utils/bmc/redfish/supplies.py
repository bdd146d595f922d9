# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Chassis and power supplies. Machines list supplies in Power (old), in PowerSubsystem (new) or the same ones in both."""

from __future__ import annotations

import typing as t

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
        parts += _redundancy(*values.items((old or {}).get("Redundancy")), *values.items((new or {}).get("PowerSupplyRedundancy")))
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
    """Each supply once: those with one serial number are one, and where as many are left over in both lists, of all or of those that are
    there, those in the same place of both."""
    if not old or not new:
        return old or new
    found: list[t.Any] = [dict(one) for one in new]
    left, free = [], list(found)
    for one in old:
        same = next((other for other in free if one["serial"] and other["serial"] == one["serial"]), None)
        if same is None:
            left.append(one)
        else:
            free.remove(same)
            _complete(same, one)
    if len(left) != len(free):
        left, free = ([one for one in some if report.present(one)] for some in (left, free))
    if len(left) != len(free):
        return found + [dict(one) for one in left]  # type: ignore[return-value]
    for one, same in zip(left, free, strict=True):
        _complete(same, one)
    return found


def _complete(same: t.Any, one: Component) -> None:
    if report.present(same):
        same["health"] = report.worst([same["health"], one["health"]])
    same.update({name: value for name, value in one.items() if same[name] is None})


def _redundancy(*groups: Json) -> list[Component]:
    """Tell if supplies do not stand in for one another any more, where a machine says so. A group that is switched off, as that of a
    machine with one supply, has nothing to lose."""
    known = [values.status(group) for group in groups]
    worst = report.worst(health for state, health in known if state not in ("absent", "disabled"))
    return [report.component("other", report.REDUNDANCY, health=worst)] if worst in ("warning", "critical") else []
