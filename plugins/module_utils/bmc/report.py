# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The report about one BMC: one shape for IPMI and Redfish, plain JSON values only.

What a value means:

- A health is `ok`, `warning`, `critical` or `unknown`. What the BMC leaves out, gives as null or in a word that is not mapped is
  `unknown`, never `ok`.
- A part or sensor in state `absent` is not there: its health is `unknown` and it counts nowhere, whatever the BMC says about its health.
  `present` tells.
- A state is the Redfish `Status.State` in lower case (`enabled`, `absent`, `standbyoffline`, …), for a sensor read over IPMI its asserted
  states in words, `unavailable` (a BMC says that about sensors of a host that is off) or `unreadable 0xNN`; null where the BMC gives none.
- A time is UTC in ISO 8601 (`2026-06-10T10:30:00+00:00`), corrected by the skew of the BMC's clock where that is known, and null where
  the BMC gives none or one from before its clock was set.
- `sections` says of each section that was begun whether it was read (`ok`), the BMC does not offer it (`absent`) or could not be read to
  its end (`error`: what was read before is in the report, why not all in `errors`). A section that was not asked for, or not reached
  before the deadline, is not in it.
"""

from __future__ import annotations

import copy
import typing as t

Json = dict[str, t.Any]

#: What can be asked for, in the order in which it is read. `fru` is what IPMI knows about serial numbers: slow, so only on request.
SECTIONS = ("power", "system", "cpu", "memory", "storage", "psu", "sensors", "bmc", "events", "tasks", "fru")
DEFAULT_SECTIONS = SECTIONS[:-1]
#: The parts that a report can list.
KINDS = ("cpu", "memory", "drive", "controller", "psu", "chassis", "bmc", "other")
#: The name of a part of kind `other` that stands for all supplies; it is listed only if they do not stand in for one another any more.
REDUNDANCY = "Redundancy of the power supplies"

_RANK = {"ok": 0, "warning": 1, "critical": 2}


class Power(t.TypedDict):
    """The host's power. `reads` has one state for each time it was read, `state` is the last of them."""

    #: on, off, poweringon, poweringoff, paused or unknown.
    state: str
    reads: list[str]
    #: overload, interlock, main_power_fault, power_control_fault, drive_fault, cooling_fault: the fault bits of IPMI's chassis status.
    faults: list[str]
    #: Whether `faults` was read; Redfish has no such bits.
    faults_known: bool


class Health(t.TypedDict):
    """`overall` is the worst that is known of the parts, sensors, chassis bits and the roll-up: `unknown` if none of them is known."""

    overall: str
    #: The worst of the Health and HealthRollup of the system; null: not offered (IPMI) or not read.
    rollup: str | None
    #: The system's own state, such as enabled, starting, intest, updating, standbyoffline.
    state: str | None
    #: How many present parts and sensors have an unknown health.
    unknown: int


class System(t.TypedDict):
    """What the BMC says about the whole machine; every member null where it does not say."""

    uri: str | None
    manufacturer: str | None
    model: str | None
    serial: str | None
    #: The size of the memory that the machine found, and how many processors (not cores) are enabled.
    memory_mb: int | None
    cpus: int | None
    #: The target of a boot override that is still set, `none` if none is.
    boot_override: str | None
    #: The images of virtual media that are still inserted.
    virtual_media: list[str] | None


class Component(t.TypedDict):
    """One part. Two mentions of one part (such as of a drive below its controller and below its chassis) are one component."""

    kind: str
    name: str
    #: The slot, bay or socket as the BMC names it.
    location: str | None
    state: str | None
    health: str
    model: str | None
    serial: str | None
    firmware: str | None
    #: Of memory.
    size_mb: int | None
    #: Of drives.
    failure_predicted: bool | None
    media_life_left_pct: float | None
    #: Of power supplies: the output now.
    watts: float | None
    uri: str | None


class Sensor(t.TypedDict):
    """One sensor. `value` is null for a discrete one; `critical_high` is the upper critical limit where the BMC gives one."""

    name: str
    #: temperature, fan, voltage, current, power or another type in lower case.
    type: str
    value: float | None
    #: C, RPM, V, A, W, % or another unit; null: none.
    unit: str | None
    critical_high: float | None
    state: str | None
    health: str


class Event(t.TypedDict):
    """One entry of the BMC's logs whose severity is not ok. `repaired` is null where the BMC keeps no such record."""

    id: str
    #: Which log it is from: `sel`, or the Id of the Redfish log service.
    log: str
    #: When it happened, the last time if it is repeated.
    time: str | None
    severity: str
    #: What it is about in the BMC's words (a type of sensor, a class of messages such as Network); null: it does not say.
    about: str | None
    message: str
    repaired: bool | None


class Events(t.TypedDict):
    """`entries` holds what is at or after `since`, has no time, or is critical and marked as not repaired, however old."""

    #: Whether every log was read to its end, and none has lost entries that `entries` should hold.
    complete: bool
    overflow: bool | None
    since: str | None
    #: When a log was last cleared, the latest of them; null: unknown.
    cleared_at: str | None
    #: How many entries of any severity and time were read.
    read: int
    entries: list[Event]


class Bmc(t.TypedDict):
    """The BMC itself. `cipher` is IPMI's cipher suite, 3 or 17. `pending` names its tasks and jobs that are not over; null: it is not known
    whether there are any."""

    firmware: str | None
    model: str | None
    cipher: int | None
    pending: list[str] | None


class Problem(t.TypedDict):
    """Why a section, or with `connect`, `check` the whole reading, is not complete. `kind` is one of those in errors.py."""

    section: str
    kind: str
    msg: str
    hint: str | None


class Report(t.TypedDict):
    """Everything. `complete`: every section that was asked for was read or is absent, and there is no error."""

    protocol: str
    #: The host and port, or URL, that was asked for.
    address: str
    #: The BMC answered and let us in.
    reachable: bool
    complete: bool
    seconds: float
    #: HTTP requests or IPMI commands.
    requests: int
    power: Power
    health: Health
    system: System
    components: list[Component]
    sensors: list[Sensor]
    events: Events
    bmc: Bmc
    #: The BMC's clock minus ours, in seconds.
    clock_skew_s: int | None
    sections: dict[str, str]
    errors: list[Problem]


def empty(protocol: str, address: str, since: str | None = None) -> Report:
    """A report in which nothing was read yet."""
    return {
        "protocol": protocol,
        "address": address,
        "reachable": False,
        "complete": False,
        "seconds": 0.0,
        "requests": 0,
        "power": {"state": "unknown", "reads": [], "faults": [], "faults_known": False},
        "health": {"overall": "unknown", "rollup": None, "state": None, "unknown": 0},
        "system": {
            "uri": None,
            "manufacturer": None,
            "model": None,
            "serial": None,
            "memory_mb": None,
            "cpus": None,
            "boot_override": None,
            "virtual_media": None,
        },
        "components": [],
        "sensors": [],
        "events": {"complete": False, "overflow": None, "since": since, "cleared_at": None, "read": 0, "entries": []},
        "bmc": {"firmware": None, "model": None, "cipher": None, "pending": None},
        "clock_skew_s": None,
        "sections": {},
        "errors": [],
    }


def component(kind: str, name: str, *, state: str | None = None, health: str = "unknown", **more: t.Any) -> Component:
    """One part; what is left out of `more` is null."""
    part: t.Any = dict.fromkeys(Component.__annotations__)
    part.update(kind=kind, name=name, state=state, health=_unless_absent(state, health), **more)
    return part


def sensor(
    name: str,
    type_: str,
    *,
    value: float | None = None,
    unit: str | None = None,
    critical_high: float | None = None,
    state: str | None = None,
    health: str = "unknown",
) -> Sensor:
    """One sensor."""
    return {
        "name": name,
        "type": type_,
        "value": value,
        "unit": unit,
        "critical_high": critical_high,
        "state": state,
        "health": _unless_absent(state, health),
    }


def present(part: t.Mapping[str, t.Any]) -> bool:
    """Whether a component or sensor is there, as far as the BMC says."""
    return part["state"] != "absent"


def worst(healths: t.Iterable[str | None]) -> str:
    """The worst health that is known; `unknown` if none is."""
    return max((health for health in healths if health in _RANK), key=_RANK.__getitem__, default="unknown")


def merge(whole: Report, piece: Json) -> None:
    """Add to `whole` what one section found: lists are appended, members of a mapping replace those of the same name (`power.reads` and
    `events.entries` are appended), a part that is mentioned again is completed."""
    for name, value in copy.deepcopy(piece).items():
        if name == "components":
            for part in value:
                _add_component(whole["components"], part)
        elif isinstance(value, dict):
            known: Json = whole[name]  # type: ignore[literal-required]
            for member in ("reads", "entries"):
                if member in value:
                    value[member] = known[member] + value[member]
            known.update(value)
        elif isinstance(value, list):
            whole[name].extend(value)  # type: ignore[literal-required]
        else:
            whole[name] = value  # type: ignore[literal-required]


def finish(whole: Report) -> None:
    """Fill in what follows from the rest: `power.state`, `health.overall`, `health.unknown`."""
    there: list[t.Any] = [part for part in (*whole["components"], *whole["sensors"]) if present(part)]
    power = whole["power"]
    power["state"] = power["reads"][-1] if power["reads"] else "unknown"
    bits = "critical" if power["faults"] else "ok" if power["faults_known"] else None
    whole["health"]["overall"] = worst([*(part["health"] for part in there), whole["health"]["rollup"], bits])
    whole["health"]["unknown"] = sum(part["health"] == "unknown" for part in there)


def _unless_absent(state: str | None, health: str) -> str:
    return "unknown" if state == "absent" else health


def _add_component(parts: list[Component], part: Component) -> None:
    for known in parts:
        if _same(known, part):
            known["health"] = worst([known["health"], part["health"]])
            for name, value in part.items():
                if known[name] is None:  # type: ignore[literal-required]
                    known[name] = value  # type: ignore[literal-required]
            return
    parts.append(part)


def _same(one: Component, other: Component) -> bool:
    if one["kind"] != other["kind"]:
        return False
    if one["uri"] and one["uri"] == other["uri"]:
        return True
    # Serial numbers alone would not do: some firmware fills in the same one everywhere.
    return bool(one["serial"] and (one["serial"], one["name"], present(one)) == (other["serial"], other["name"], present(other)))
