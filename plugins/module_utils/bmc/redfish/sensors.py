# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Temperatures, fans and voltages: in Thermal and Power (old), in ThermalSubsystem and Sensors (new), or in both."""

from __future__ import annotations

import typing as t

from .. import report
from ..errors import BmcError, Ends, NotOffered
from ..report import Json, Sensor
from . import values
from .machine import Machine
from .walk import Walk, path_of

_TYPES = {"rotational": "fan", "temperature": "temperature", "voltage": "voltage", "current": "current", "power": "power"}
_UNITS = {"cel": "C", "rpm": "RPM", "percent": "%"}


def read(machine: Machine, walk: Walk, piece: Json) -> None:
    """The section `sensors`."""
    found = _Found(piece.setdefault("sensors", []))
    offered = False
    for chassis in machine.chassis(walk):
        thermal = walk.try_follow(chassis.get("Thermal"))
        power = walk.try_follow(chassis.get("Power"))
        subsystem = walk.try_follow(chassis.get("ThermalSubsystem"))
        offered = offered or any(one is not None for one in (thermal, power, subsystem)) or path_of(chassis.get("Sensors")) is not None
        temperatures = values.items((thermal or {}).get("Temperatures"))
        for one in temperatures:
            found.add(_old("temperature", one, "ReadingCelsius", "C"))
        for one in values.items((thermal or {}).get("Fans")):
            found.add(_fan(one))
        for one in values.items((power or {}).get("Voltages")):
            found.add(_old("voltage", one, "ReadingVolts", "V"))
        if subsystem:
            for one in _members(walk, subsystem.get("Fans")):
                found.add(_new_fan(one))
            for one in _leak_detectors(walk, subsystem):
                found.add(_leak(one))
        if not temperatures:
            for one in _members(walk, chassis.get("Sensors")):
                found.add(_new(one))
    if not offered:
        raise NotOffered


class _Found:
    """Each sensor once: a fan that the old and the new resource name alike is one, with the worse of its healths."""

    def __init__(self, sensors: list[Sensor]) -> None:
        self._sensors = sensors
        self._fans: dict[str, Sensor] = {}

    def add(self, sensor: Sensor) -> None:
        known = self._fans.get(sensor["name"]) if sensor["type"] == "fan" else None
        if known is None:
            self._sensors.append(sensor)
            if sensor["type"] == "fan":
                self._fans[sensor["name"]] = sensor
            return
        known["health"] = report.worst([known["health"], sensor["health"]])


def _members(walk: Walk, link: t.Any) -> list[Json]:
    if path_of(link) is None:
        return []
    try:
        return walk.members(link)
    except NotOffered:
        return []
    except Ends:
        raise
    except BmcError as error:
        walk.problem(error)
        return []


def _leak_detectors(walk: Walk, subsystem: Json) -> list[Json]:
    """Of machines that are cooled by a liquid."""
    detection = walk.try_follow(subsystem.get("LeakDetection"))
    return _members(walk, (detection or {}).get("LeakDetectors"))


def _name(resource: Json) -> str:
    known = (values.text(resource.get(name)) for name in ("Name", "FanName", "DeviceName", "Id", "MemberId"))
    return next((name for name in known if name), "sensor")


def _sensor(resource: Json, type_: str, value: float | None, unit: str | None, limit: float | None = None) -> Sensor:
    state, health = values.status(resource)
    return report.sensor(_name(resource), type_, value=value, unit=unit, critical_high=limit, state=state, health=health)


def _old(type_: str, resource: Json, reading: str, unit: str) -> Sensor:
    return _sensor(resource, type_, values.number(resource.get(reading)), unit, values.number(resource.get("UpperThresholdCritical")))


def _fan(resource: Json) -> Sensor:
    unit = values.text(resource.get("ReadingUnits"))
    return _sensor(resource, "fan", values.number(resource.get("Reading")), _unit(unit))


def _new_fan(resource: Json) -> Sensor:
    speed = values.mapping(resource, "SpeedPercent")
    rpm = values.number(speed.get("SpeedRPM"))
    if rpm is not None:
        return _sensor(resource, "fan", rpm, "RPM")
    return _sensor(resource, "fan", values.number(speed.get("Reading")), "%")


def _new(resource: Json) -> Sensor:
    kind = (values.text(resource.get("ReadingType")) or "").lower()
    unit = values.text(resource.get("ReadingUnits"))
    if not kind:
        kind = {"C": "temperature", "RPM": "fan", "V": "voltage", "A": "current", "W": "power"}.get(_unit(unit) or "", "other")
    if kind == "percent" and values.text(resource.get("PhysicalContext")) == "Fan":
        kind = "fan"
    limit = values.number(values.mapping(resource, "Thresholds", "UpperCritical").get("Reading"))
    return _sensor(resource, _TYPES.get(kind, kind), values.number(resource.get("Reading")), _unit(unit), limit)


def _leak(resource: Json) -> Sensor:
    """A leak detector says OK, Warning or Critical in a member of its own."""
    sensor = _sensor(resource, "leak", None, None)
    if report.present(sensor):
        sensor["health"] = report.worst([sensor["health"], values.health(resource.get("DetectorState"))])
    return sensor


def _unit(word: str | None) -> str | None:
    return None if word is None else _UNITS.get(word.lower(), word)
