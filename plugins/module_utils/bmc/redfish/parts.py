# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Processors, memory and storage of a system."""

from __future__ import annotations

import typing as t

from .. import report
from ..errors import BmcError, Ends, NotOffered
from ..report import Json
from . import values
from .machine import Machine
from .walk import Walk, path_of


def part(kind: str, resource: Json, name: str | None = None, **more: t.Any) -> report.Component:
    """A resource as a part, with what all kinds have."""
    state, health = values.status(resource)
    common = {
        "location": values.location(resource),
        "model": values.text(resource.get("Model")),
        "serial": values.text(resource.get("SerialNumber")),
        "firmware": values.text(resource.get("FirmwareVersion")) or values.text(resource.get("Revision")),
        "uri": path_of(resource),
    }
    known = name or values.text(resource.get("Name")) or values.text(resource.get("Id")) or values.text(resource.get("MemberId")) or kind
    return report.component(kind, known, state=state, health=health, **{**common, **more})


def processors(machine: Machine, walk: Walk, piece: Json) -> None:
    """The section `cpu`; accelerators are parts of another kind."""
    piece["components"] = []
    for resource in walk.members(machine.system().get("Processors")):
        kind = "cpu" if (values.text(resource.get("ProcessorType")) or "CPU").upper() == "CPU" else "other"
        name = values.text(resource.get("Socket")) or values.text(resource.get("Name"))
        piece["components"].append(part(kind, resource, name))
    if not piece["components"]:
        raise NotOffered


def memory(machine: Machine, walk: Walk, piece: Json) -> None:
    """The section `memory`."""
    piece["components"] = []
    for resource in walk.members(machine.system().get("Memory")):
        name = values.text(resource.get("DeviceLocator")) or values.text(resource.get("Name"))
        piece["components"].append(part("memory", resource, name, size_mb=values.integer(resource.get("CapacityMiB"))))
    if not piece["components"]:
        raise NotOffered


class Storage:
    """The section `storage`: controllers, and drives wherever they are listed, each once. Without any drive it is not offered, which is
    not the same as ok."""

    def __init__(self, machine: Machine, walk: Walk, piece: Json) -> None:
        self._machine = machine
        self._walk = walk
        self._parts: list[report.Component] = piece.setdefault("components", [])
        self._seen: set[str] = set()
        self._bays: dict[tuple[str | None, str | None], report.Component] = {}

    def read(self) -> None:
        """Fill in the piece."""
        system = self._machine.system()
        for one in self._offered(system.get("Storage")):
            self._subsystem(one)
        for chassis in self._machine.chassis(self._walk):
            self._drives(values.mapping(chassis, "Links").get("Drives"))
            self._drives(chassis.get("Drives"))
        if not self._seen:
            for one in self._offered(system.get("SimpleStorage")):
                for device in values.items(one.get("Devices")):
                    self._seen.add(str(device.get("Name")))
                    self._parts.append(part("drive", device))
        if not self._seen:
            raise NotOffered

    def _offered(self, link: t.Any) -> list[Json]:
        if path_of(link) is None:
            return []
        try:
            return self._walk.members(link)
        except NotOffered:
            return []
        except Ends:
            raise
        except BmcError as error:
            self._walk.problem(error)
            return []

    def _subsystem(self, storage: Json) -> None:
        self._parts.append(part("controller", storage))
        for controller in values.items(storage.get("StorageControllers")):
            self._parts.append(part("controller", controller))
        for controller in self._offered(storage.get("Controllers")):
            self._parts.append(part("controller", controller))
        self._drives(storage.get("Drives"))

    def _drives(self, links: t.Any) -> None:
        """Drives of a list of links, or of a collection."""
        if isinstance(links, dict):
            for resource in self._offered(links):
                self._drive(resource)
            return
        for link in values.items(links):
            path = path_of(link)
            if path and path.rstrip("/") in self._seen:
                continue
            resource = link if set(link) - {"@odata.id"} else self._walk.try_follow(link)
            if resource:
                self._drive(resource)
            elif path:
                self._walk.problem(BmcError("bmc_error", f"The drive {path} is listed but cannot be read."))

    def _drive(self, resource: Json) -> None:
        path = (path_of(resource) or "").rstrip("/")
        if path and path in self._seen:
            return
        self._seen.add(path or str(len(self._seen)))
        drive = part(
            "drive",
            resource,
            failure_predicted=values.boolean(resource.get("FailurePredicted")),
            media_life_left_pct=values.number(resource.get("PredictedMediaLifeLeftPercent")),
        )
        if drive["failure_predicted"]:
            drive["health"] = report.worst([drive["health"], "warning"])
        if not report.present(drive):
            _empty(drive)
        self._add(drive, values.text(resource.get("Id")))

    def _add(self, drive: report.Component, id_: str | None) -> None:
        """A drive without a serial number that two places list, with one Id and one label for its bay, is one drive; and none at all, if
        one of them says so."""
        bay = (id_, drive["location"])
        known = self._bays.get(bay) if id_ and drive["location"] else None
        if known is None or known["serial"] or drive["serial"]:
            self._bays[bay] = drive
            self._parts.append(drive)
            return
        known["health"] = report.worst([known["health"], drive["health"]])
        if not report.present(drive) or not report.present(known):
            known["state"] = "absent"
            _empty(known)


def _empty(drive: report.Component) -> None:
    """Of an empty bay some say that its drive is critical or will fail."""
    drive["health"], drive["failure_predicted"] = "unknown", None
