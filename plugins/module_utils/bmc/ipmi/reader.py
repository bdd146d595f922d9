# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A BMC read over IPMI."""

from __future__ import annotations

from .. import alarm
from ..errors import BmcError, NotOffered
from ..reading import Reading
from ..report import Json
from . import chassis, events, inventory, sensors
from .session import Session, connect

#: What Redfish has and IPMI does not: what sensors say about parts is in the section `sensors`.
_REDFISH_ONLY = ("cpu", "memory", "storage", "psu")


def read(job: Reading) -> None:
    """Read what was asked for, and close the session whatever happens."""
    session = connect(job.target)
    try:
        job.emit({"reachable": True, "bmc": {"cipher": session.cipher}})
        _Reader(job, session).read()
    finally:
        alarm.silence()
        job.emit({"requests": session.commands})
        session.close()


class _Reader:
    def __init__(self, job: Reading, session: Session) -> None:
        self._job = job
        self._session = session
        self._sensors: sensors.Sensors | None = None
        self._ahead: float | None = None

    def read(self) -> None:
        job = self._job
        job.power_section(lambda: chassis.status(self._session).power, self._power)
        job.section("system", lambda piece: chassis.boot_override(self._session, piece))
        for name in _REDFISH_ONLY:
            job.section(name, _not_offered)
        job.section("sensors", lambda piece: self._known().read(piece))
        job.section("bmc", self._bmc)
        job.section("events", self._events)
        job.section("tasks", _not_offered)
        job.section("fru", lambda piece: inventory.Inventory(self._session, self._known()).read(piece))
        job.finish_power()

    def _known(self) -> sensors.Sensors:
        if self._sensors is None:
            self._sensors = sensors.Sensors(self._session)
        return self._sensors

    def _power(self, piece: Json) -> None:
        piece["power"] = {"reads": ["unknown"]}
        status = chassis.status(self._session)
        piece["power"] = {"reads": [status.power], "faults": status.faults, "faults_known": True}

    def _bmc(self, piece: Json) -> None:
        device = self._session.ask("its device id", 0x06, 0x01)
        if len(device) < 4:
            raise BmcError("malformed", "The device id of the BMC is too short.")
        piece["bmc"] = {"firmware": f"{device[2] & 0x7F}.{device[3]:02x}"}
        try:
            self._ahead = events.skew(self._session)
        except NotOffered:
            return
        piece["clock_skew_s"] = None if self._ahead is None else round(self._ahead)

    def _events(self, piece: Json) -> None:
        if self._ahead is None:
            try:
                self._ahead = events.skew(self._session)
            except NotOffered:
                self._ahead = None
        # The names of sensors in the entries; without them the numbers do.
        known = self._known() if "sensors" in self._job.sections else None
        events.Log(self._session, known, self._ahead, self._job.since).read(piece)


def _not_offered(piece: Json) -> None:
    raise NotOffered
