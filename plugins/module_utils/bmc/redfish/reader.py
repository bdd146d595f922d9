# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A BMC read over Redfish."""

from __future__ import annotations

import typing as t

from .. import alarm
from ..errors import Ends, NotOffered
from ..reading import Reading
from ..report import Json
from . import machine, managers, parts, sensors, sessions, supplies, tasks, values
from .logs import Logs
from .machine import Machine
from .sessions import Service, Tell
from .walk import Walk

#: The service let us in, but which machine is to be read is not clear.
_LET_IN = ("several_systems", "system_not_found")


def read(job: Reading, tell: Tell) -> None:
    """Read what was asked for, and end the session whatever happens."""
    service = sessions.enter(job.target, tell)
    try:
        try:
            found = machine.find(service)
        except Ends as error:
            job.emit({"reachable": error.kind in _LET_IN})
            raise
        job.emit({"reachable": True})
        found.system()
        _read(job, service, found)
    finally:
        alarm.silence()
        job.emit({"requests": service.connection.requests})
        service.close()


def _read(job: Reading, service: Service, found: Machine) -> None:
    def walking(name: str, read: t.Callable[[Machine, Walk, Json], None]) -> None:
        job.section(name, lambda piece: read(found, Walk(service, name, piece), piece))

    job.power_section(found.power, lambda piece: _power(found, piece))
    job.section("system", lambda piece: machine.facts(found, piece))
    walking("cpu", parts.processors)
    walking("memory", parts.memory)
    walking("storage", lambda one, walk, piece: parts.Storage(one, walk, piece).read())
    walking("psu", supplies.read)
    walking("sensors", sensors.read)
    walking("bmc", managers.read)
    walking("events", lambda one, walk, piece: Logs(one, walk, job.since, piece).read())
    job.section("fru", _not_offered)
    job.finish_power()
    # Last, so that a BMC that is slow about it keeps nothing from being read that more depends on.
    walking("tasks", tasks.read)


def _power(found: Machine, piece: Json) -> None:
    piece["power"] = {"reads": ["unknown"]}
    piece["power"] = {"reads": [values.power(found.system().get("PowerState"))]}


def _not_offered(piece: Json) -> None:
    """Serial numbers are in the parts themselves."""
    raise NotOffered
