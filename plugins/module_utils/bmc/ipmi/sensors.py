# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sensors over IPMI, each by itself: one that cannot be read loses no other. Parts are what discrete sensors say about presence and faults.

pyghmi's own sweep gives up, and loses every sensor, at the first completion code but 0xCB (pyghmi 1.6, `get_sensor_data`).
"""

from __future__ import annotations

import math
import typing as t

from .. import report
from ..errors import BmcError, NotOffered
from ..report import Json
from . import entries, records
from .entries import Described, Place
from .session import Refused, Session, stumbles

#: "Not present": the sensor's part is not there.
_ABSENT = 0xCB
#: "Command illegal for this sensor", "not possible in present state": usual for a host that is off.
_UNAVAILABLE = (0xCD, 0xD5)

#: Of sensors with states of their own (reading type 0x6F): what they are about, and the state that says that the part is there.
_PARTS = {0x07: ("cpu", 7), 0x08: ("psu", 0), 0x0C: ("memory", 6), 0x0D: ("drive", 0)}
_SPECIFIC = 0x6F
_DRIVE_FAILURE_PREDICTED = 2

_TYPES = {"Temperature": "temperature", "Fan": "fan", "Voltage": "voltage", "Current": "current", "Power": "power"}
_UNITS = {"°C": "C", "": None, "% ": "%"}


class Sensors:
    """What the BMC's records describe, learned once. `incomplete` says why the list has an end before its end."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.sensors: list[Described] = []
        self.places: list[Place] = []
        #: The parts that sensors have told of, by the part that each is about.
        self.parts: dict[tuple[int, int], list[report.Component]] = {}
        self.incomplete: BmcError | None = None
        self.offered = True
        self._learn()

    def _learn(self) -> None:
        try:
            for record in records.read(self._session):
                for found in entries.decode(self._session, record):
                    if isinstance(found, Place):
                        self.places.append(found)
                    else:
                        self.sensors.append(found)
        except NotOffered:
            self.offered = False
        except BmcError as error:
            if error.kind == "unreachable":
                raise
            self.incomplete = error

    def read(self, piece: Json) -> None:
        """The section `sensors`."""
        if not self.offered:
            raise NotOffered
        piece["sensors"], piece["components"] = [], []
        for described in self.sensors:
            sensor, states = self._read(described)
            piece["sensors"].append(sensor)
            part = _part(described, sensor, states)
            if part:
                piece["components"].append(part)
                self.parts.setdefault(described.part, []).append(part)
        if self.incomplete:
            piece["errors"] = [self.incomplete.problem("sensors")]

    def _read(self, described: Described) -> tuple[report.Sensor, int | None]:
        """A sensor, and the bits of its states (null where it could not be read)."""
        entry = described.entry
        type_ = _TYPES.get(entry.sensor_type, entry.sensor_type.lower())

        def unread(state: str) -> tuple[report.Sensor, None]:
            return report.sensor(described.name, type_, state=state), None

        if not described.is_ours:
            return unread("of another controller")
        try:
            reply = self._session.ask(f"sensor {described.name}", 0x04, 0x2D, [entry.sensor_number], entry.sensor_lun)
        except Refused as refused:
            if refused.code == _ABSENT:
                return unread("absent")
            return unread("unavailable" if refused.code in _UNAVAILABLE else f"unreadable 0x{refused.code:02x}")
        if len(reply) < 2:
            return unread("unreadable")
        reply += bytes(4 - len(reply)) if len(reply) < 4 else b""
        try:
            reading = entry.decode_sensor_reading(self._session.command, reply)
        except stumbles():
            return unread("unreadable")
        if reading.unavailable:
            return unread("unavailable")
        sensor = report.sensor(
            described.name,
            type_,
            value=_number(reading.value),
            unit=_UNITS.get(reading.units, (reading.units or "").strip() or None),
            critical_high=_number(described.upper_critical(self._session.command)) if reading.value is not None else None,
            state=", ".join(reading.states) or None,
            health=health(reading.health, reading.states),
        )
        return sensor, reply[2] | (reply[3] & 0x7F) << 8


def health(level: int, states: t.Iterable[str]) -> str:
    """Our word for pyghmi's bit mask: warning 1, critical 2, failed 4. A state that pyghmi does not know is no good news."""
    if level >= 2:
        return "critical"
    if level:
        return "warning"
    return "unknown" if any(state.startswith("Unknown state") for state in states) else "ok"


def _part(described: Described, sensor: report.Sensor, states: int | None) -> report.Component | None:
    entry = described.entry
    if states is None or entry.reading_type != _SPECIFIC or entry.sensor_type_number not in _PARTS:
        return None
    kind, presence = _PARTS[entry.sensor_type_number]
    state = None
    if states >> presence & 1:
        state = "enabled"
    elif kind in ("psu", "drive") and not states and described.mask() >> presence & 1:
        state = "absent"
    predicted = bool(states >> _DRIVE_FAILURE_PREDICTED & 1) if kind == "drive" else None
    return report.component(
        kind, described.name, state=state, health=sensor["health"], failure_predicted=predicted, uri=f"sensor:{described.key}"
    )


def _number(value: t.Any) -> float | None:
    return round(float(value), 3) if isinstance(value, (int, float)) and math.isfinite(value) else None
