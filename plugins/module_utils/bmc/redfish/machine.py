# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which system, chassis and managers a reading is about, and what the system says about itself."""

from __future__ import annotations

import time

from .. import clock, report
from ..errors import BmcError, Ends
from ..report import Json
from . import values
from .connection import NotFound
from .sessions import Service
from .walk import Walk, path_of

_COLLECTIONS = {name: {"@odata.id": f"/redfish/v1/{name}"} for name in ("Systems", "Chassis", "Managers")}


class Machine:
    """The machine behind a service: `path` of its system, found by the target's `system` or because there is only one."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self.root = service.root
        systems = self._paths("Systems")
        self.path = _chosen(service, systems)
        self.alone = len(systems) == 1
        self._chassis: list[Json] | None = None
        self._managers: list[Json] | None = None
        self._ahead: float | None = None

    def system(self) -> Json:
        """The system, as it was first read. Raises Ends: everything else hangs on it."""
        try:
            return self._service.connection.get(self.path)
        except NotFound as error:
            raise Ends("system_not_found", f"The BMC lists the system {self.path} but does not have it.") from error
        except Ends:
            raise
        except BmcError as error:
            raise Ends(error.kind, error.msg) from error

    def power(self) -> str:
        """The power state of now."""
        return values.power(self._service.connection.fresh(self.path).get("PowerState"))

    def chassis(self, walk: Walk) -> list[Json]:
        """The chassis of this system: all, if it is the only system; else those that say so, or that it names."""
        if self._chassis is None:
            named = [path_of(link) for link in values.items(values.mapping(self.system(), "Links").get("Chassis"))]
            paths = self._try_paths("Chassis") or [path for path in named if path]
            found = [(path, walk.try_follow(path)) for path in paths]
            self._chassis = [one for path, one in found if one and (self.alone or path in named or self._is_ours(one))]
        return self._chassis

    def managers(self, walk: Walk) -> list[Json]:
        """The managers of this system, or the one that the target names."""
        if self._managers is None:
            wanted = self._service.connection.target.manager
            links = [path_of(link) for link in values.items(values.mapping(self.system(), "Links").get("ManagedBy"))]
            paths = [path for path in links if path]
            if not paths and self.alone:
                paths = self._try_paths("Managers")
            if wanted:
                paths = [path for path in self._try_paths("Managers") or paths if _is(path, wanted)]
            self._managers = []
            for path in paths:
                one = walk.try_follow(path)
                if one:
                    self._managers.append(one)
                    theirs = clock.parse(one.get("DateTime"))
                    if self._ahead is None and theirs is not None and theirs >= clock.UNSET_BEFORE:
                        self._ahead = theirs - time.time()
        return self._managers

    def skew(self, walk: Walk) -> float | None:
        """How far the clock of the BMC is ahead of ours, in seconds; None if it does not say, or its clock was not set."""
        self.managers(walk)
        return self._ahead

    def _is_ours(self, chassis: Json) -> bool:
        links = values.items(values.mapping(chassis, "Links").get("ComputerSystems"))
        return self.path.rstrip("/") in [(path_of(link) or "").rstrip("/") for link in links]

    def _paths(self, name: str) -> list[str]:
        collection = self._service.root.get(name) or _COLLECTIONS[name]
        found = self._service.connection.get(path_of(collection) or _COLLECTIONS[name]["@odata.id"])
        return [path for link in values.items(found.get("Members")) if (path := path_of(link))]

    def _try_paths(self, name: str) -> list[str]:
        try:
            return self._paths(name)
        except NotFound:
            return []


def facts(machine: Machine, piece: Json) -> None:
    """The section `system`."""
    system = machine.system()
    state, health = values.status(system)
    gib = values.number(values.mapping(system, "MemorySummary").get("TotalSystemMemoryGiB"))
    piece["health"] = {"rollup": health, "state": state}
    piece["system"] = {
        "uri": machine.path,
        "manufacturer": values.text(system.get("Manufacturer")),
        "model": values.text(system.get("Model")),
        "serial": values.text(system.get("SerialNumber")),
        "memory_mb": None if gib is None else round(gib * 1024),
        "cpus": values.integer(values.mapping(system, "ProcessorSummary").get("Count")),
        "boot_override": _boot_override(values.mapping(system, "Boot")),
    }
    piece["components"] = _summaries(system)


def _boot_override(boot: Json) -> str | None:
    enabled, target = values.text(boot.get("BootSourceOverrideEnabled")), values.text(boot.get("BootSourceOverrideTarget"))
    if enabled is None:
        return None
    return "none" if enabled.lower() == "disabled" or target is None else target.lower()


def _summaries(system: Json) -> list[report.Component]:
    """What HPE says about groups of parts beside the roll-up, which leaves some of them out (such as the network)."""
    groups = values.mapping(system, "Oem", "Hpe", "AggregateHealthStatus") or values.mapping(system, "Oem", "Hp", "AggregateHealthStatus")
    found = []
    for name, group in sorted(groups.items()):
        if values.mapping(group, "Status"):
            state, health = values.status(group)
            found.append(report.component("other", f"{name} as a whole", state=state, health=health))
    if groups.get("PowerSupplyRedundancy") == "FailedRedundant":
        found.append(report.component("other", report.REDUNDANCY, health="warning"))
    return found


def _chosen(service: Service, systems: list[str]) -> str:
    address, wanted = service.connection.address, service.connection.target.system
    names = ", ".join(path.rstrip("/").rsplit("/", 1)[-1] for path in systems) or "none"
    if wanted:
        for path in systems:
            if _is(path, wanted):
                return path
        raise Ends("system_not_found", f"The BMC {address} has no system {wanted}; it lists: {names}.")
    if not systems:
        raise Ends("system_not_found", f"The BMC {address} lists no system.")
    if len(systems) > 1:
        raise Ends("several_systems", f"The BMC {address} lists {len(systems)} systems: {names}.")
    return systems[0]


def _is(path: str, wanted: str) -> bool:
    return wanted.rstrip("/") in (path.rstrip("/"), path.rstrip("/").rsplit("/", 1)[-1])


def find(service: Service) -> Machine:
    """The machine of a service. Raises Ends, since without a system there is nothing to read."""
    try:
        return Machine(service)
    except Ends:
        raise
    except NotFound as error:
        raise Ends("not_redfish", f"The service at {service.connection.address} has no systems.") from error
    except BmcError as error:
        raise Ends(error.kind, error.msg) from error
