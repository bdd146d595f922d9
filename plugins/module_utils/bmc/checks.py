# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What each rule looks at in a report, and what it finds there. How much a finding weighs is not decided here. Pure."""

from __future__ import annotations

import dataclasses
import re
import typing as t

from . import clock
from . import report as reports
from .expected import Expected

Report = t.Mapping[str, t.Any]
Part = t.Mapping[str, t.Any]

MOST_SKEW: t.Final = 300
LEAST_MEDIA_LIFE: t.Final = 10
UNSETTLED: t.Final = ("starting", "intest", "updating")
#: What a BMC may count less than is expected, since units are rounded; one of 64 memory modules is more than that.
LEAST_MEMORY: t.Final = 0.985
#: Sensors that mean something on a machine that is off: a fan that stands still or a voltage of 0 is no fault then.
WHILE_OFF: t.Final = "temperature"
_OF_HEAT: t.Final = ("temperature", "fan")
#: Boot overrides that change nothing: none, and the disk, which Ironic sets by itself.
HARMLESS_OVERRIDES: t.Final = (None, "none", "disabled", "hdd")
#: A supply at warning in one of these states feeds nothing: it is no spare.
IDLE_SUPPLY: t.Final = ("disabled", "unavailableoffline")
#: Words for what ends outside of the machine, a link to a network, and for parts that end inside. An event about the first, and none of
#: the others, tells of cables and switches.
_NETWORK: t.Final = re.compile(r"\b(networks?|nics?|ethernet|lan)\b", re.IGNORECASE)
_LINK: t.Final = re.compile(r"\b(links?|connectivity|connection|cables?|carrier)\b", re.IGNORECASE)
_INSIDE: t.Final = re.compile(
    r"\b(memory|dimms?|cpus?|processors?|drives?|disks?|ssds?|storage|psus?|power suppl(y|ies)|fans?|temperatures?"
    r"|(main|mother)?boards?|pcie?|uncorrectable|machine check)\b",
    re.IGNORECASE,
)
#: How many parts a message names.
NAMED: t.Final = 5

#: Over Redfish, where parts of these kinds are read.
_SECTIONS: t.Final = {"cpu": "cpu", "memory": "memory", "drive": "storage", "controller": "storage", "psu": "psu"}
#: Over IPMI all parts come from sensors.
_IPMI_SECTION: t.Final = "sensors"

Level = t.Literal["bad", "mild", "unknown", "not_offered", "not_checked"]


@dataclasses.dataclass(frozen=True)
class Finding:
    """Something that a rule found.

    level: `bad` violates it, `mild` is worth knowing, `unknown` means that the report can't tell though it should, `not_offered` that this
    BMC has no such thing, `not_checked` that there was nothing to compare with or that the protocol has no such thing.
    """

    level: Level
    msg: str


Findings = t.Iterator[Finding]


@dataclasses.dataclass(frozen=True)
class Case:
    """What the rules look at. report: without ignored parts and sensors. everything: all parts, for counting. start: `since` in seconds."""

    report: Report
    everything: t.Sequence[Part]
    expected: Expected
    since: str | None
    start: float | None

    @property
    def is_redfish(self) -> bool:
        """Whether the BMC was read over Redfish."""
        return self.report["protocol"] == "redfish"

    def parts(self, *kinds: str) -> list[Part]:
        """Give the parts of these kinds that are there and not ignored."""
        return [part for part in self.report["components"] if part["kind"] in kinds and reports.present(part)]

    def sensors(self) -> list[Part]:
        """Give the sensors that are there, not ignored, and mean something in the machine's power state."""
        off = self.report["power"]["state"] == "off"
        return [
            sensor
            for sensor in self.report["sensors"]
            if reports.present(sensor)
            and sensor["state"] != "disabled"
            and not (off and sensor["value"] is not None and sensor["type"] != WHILE_OFF)
        ]

    def count(self, kind: str) -> tuple[int, bool]:
        """Give how many parts of a kind are there, ignored ones too, and whether these are known to be all."""
        listed = [part for part in self.everything if part["kind"] == kind]
        section = _SECTIONS[kind] if self.is_redfish else _IPMI_SECTION
        whole = self.report["sections"].get(section) == "ok" and (self.is_redfish or bool(listed))
        return sum(reports.present(part) for part in listed), whole

    def unread(self, *sections: str) -> Findings:
        """Tell which of these sections were not read to their end, or are not offered."""
        states = self.report["sections"]
        missing = [name for name in sections if states.get(name) not in ("ok", "absent")]
        if missing:
            yield Finding("unknown", f"{_listed(missing)} could not be read to the end{why(self.report, missing)}")
        absent = [name for name in sections if states.get(name) == "absent"]
        if absent:
            yield Finding("not_offered", f"the BMC tells nothing about {_listed(absent)}")

    def recent(self, event: Part) -> bool | None:
        """Whether an event is from the time that counts; None: it has no time, or nobody said since when they count."""
        if self.start is None or event["time"] is None:
            return None
        at = clock.parse(event["time"])
        return None if at is None else at >= self.start


def why(report: Report, sections: t.Sequence[str]) -> str:
    """Give the first reason that the report has for these sections, or for the reading as a whole, as the end of a sentence."""
    said = [problem["msg"] for problem in report["errors"] if problem["section"] in (*sections, "connect", "check")]
    return f": {said[0].rstrip('.')}" if said else ""


def _power(case: Case) -> Findings:
    reads = case.report["power"]["reads"]
    known = {state for state in reads if state != "unknown"}
    if len(known) > 1:
        yield Finding("bad", f"the power state changes between reads: {', '.join(reads)}")
    elif known - {"on", "off"}:
        yield Finding("bad", f"the power state is {reads[-1]}, neither on nor off: wait, and read again")
    if case.report["sections"].get("power") != "ok":
        yield Finding("unknown", f"the power state could not be read every time{why(case.report, ['power'])}")
    elif "unknown" in reads or not reads:
        yield Finding("unknown", "the BMC does not say whether the machine is on or off")


def _power_expected(case: Case) -> Findings:
    wanted, found = case.expected.power_state, case.report["power"]["state"]
    if wanted is None:
        yield Finding("not_checked", "no power state is expected")
    elif found == "unknown":
        yield Finding("unknown", f"the machine is expected to be {wanted}, and the BMC does not say what it is")
    elif found != wanted:
        yield Finding("bad", f"the machine is {found}, and expected to be {wanted}")


def _chassis(case: Case) -> Findings:
    power = case.report["power"]
    if power["faults"]:
        yield Finding("bad", f"the chassis reports {_listed([fault.replace('_', ' ') for fault in power['faults']])}")
    elif case.is_redfish:
        yield Finding("not_checked", "Redfish has no fault bits of the chassis")
    elif not power["faults_known"]:
        yield Finding("unknown", f"the chassis' fault bits could not be read{why(case.report, ['power'])}")


def _system(case: Case) -> Findings:
    health = case.report["health"]
    if health["overall"] == "unknown":
        # Nothing at all is known: that is not a machine without faults.
        failed = [name for name, state in case.report["sections"].items() if state == "error"]
        remedy = why(case.report, failed) or ": restart the BMC, wait some minutes, and run this again"
        yield Finding("bad", f"the BMC reports no health at all{remedy}")
    elif not case.is_redfish:
        critical = [sensor["name"] for sensor in case.sensors() if sensor["health"] == "critical"]
        if critical:
            yield Finding("bad", f"sensors are critical: {_some(critical)}")
    elif health["rollup"] == "critical":
        yield Finding("bad", "the health of the system is critical")
    elif health["rollup"] in (None, "unknown"):
        yield Finding("unknown", f"the BMC reports no health of the system{why(case.report, ['system'])}")


def _parts(case: Case) -> Findings:
    for part in case.parts("cpu", "memory", "drive", "controller", "chassis", "bmc", "other"):
        if part["health"] == "critical" and part["name"] != reports.REDUNDANCY:
            yield Finding("bad", f"{_named(part)} is critical")
        if part["failure_predicted"]:
            yield Finding("bad", f"{_named(part)} predicts its failure")
        life = part["media_life_left_pct"]
        if life is not None and life <= LEAST_MEDIA_LIFE:
            yield Finding("bad", f"{_named(part)} has {life:g} % of its life left")
    yield from _unknown_parts(case, "cpu", "memory", "drive", "controller", "other")
    yield from _unread_parts(case, "cpu", "memory", "storage")


def _supplies(case: Case) -> Findings:
    for part in case.parts("psu"):
        if part["health"] == "critical":
            yield Finding("bad", f"{_named(part)} is critical")
        elif part["health"] == "warning" and part["state"] in IDLE_SUPPLY:
            yield Finding("bad", f"{_named(part)} is warning and {part['state']}, so that the redundancy is lost")
    if _redundancy_lost(case):
        yield Finding("bad", "the redundancy of the power supplies is lost")
    yield from _unknown_parts(case, "psu")
    yield from _unread_parts(case, "psu")
    yield from _enough(case.expected.psus, case.count("psu"), "power supplies")


def _redundancy_lost(case: Case) -> bool:
    """Whether the BMC says so: over Redfish in a part made for that, over IPMI in a sensor about all supplies."""
    if any(part["name"] == reports.REDUNDANCY and part["health"] in ("warning", "critical") for part in case.parts("other")):
        return True
    return any(
        sensor["type"] == "power supply" and sensor["health"] in ("warning", "critical") and "redundan" in (sensor["state"] or "").lower()
        for sensor in case.sensors()
    )


def _unknown_parts(case: Case, *kinds: str) -> Findings:
    """Tell of parts whose health nobody knows. Over IPMI an inventory lists parts that no sensor is about: that says nothing."""
    unknown = [_named(part) for part in case.parts(*kinds) if part["health"] == "unknown"] if case.is_redfish else []
    if unknown:
        yield Finding("unknown", f"the BMC reports no health of {_some(unknown)}")


def _unread_parts(case: Case, *sections: str) -> Findings:
    if case.is_redfish:
        yield from case.unread(*sections)
    else:
        yield Finding("not_checked", "over IPMI parts are known by their sensors only")


def _sensors(case: Case) -> Findings:
    power = case.report["power"]["state"]
    unreadable, silent = [], []
    for sensor in case.sensors():
        name, value, limit = sensor["name"], sensor["value"], sensor["critical_high"]
        if sensor["health"] == "critical":
            yield Finding("bad", f"sensor {name} is critical{_reading(sensor)}")
        elif sensor["type"] == "temperature" and value is not None and limit and value >= limit:
            yield Finding("bad", f"sensor {name} is at {value:g} C, its critical limit is {limit:g} C")
        elif sensor["type"] == "fan" and value == 0 and power != "off":
            yield Finding("bad", f"fan {name} stands still while the machine is {power}")
        elif (sensor["state"] or "").startswith("unreadable"):
            unreadable.append(name)
        elif case.is_redfish and power != "off" and value is None and sensor["health"] == "unknown" and sensor["type"] in _OF_HEAT:
            silent.append(name)
    if unreadable:
        yield Finding("unknown", f"sensors could not be read: {_some(unreadable)}")
    if silent:
        yield Finding("unknown", f"sensors tell neither a value nor a health: {_some(silent)}")
    yield from case.unread("sensors")


def _events(case: Case) -> Findings:
    entries = case.report["events"]["entries"]
    critical = [event for event in entries if event["severity"] == "critical" and not event["repaired"]]
    unrepaired = [event for event in critical if event["repaired"] is False]
    others = [event for event in critical if event["repaired"] is None]
    old_links = [event for event in unrepaired if _is_of_a_link(event) and (case.start is None or case.recent(event) is False)]
    for said in _told(old_links):
        yield Finding("mild", f"an old critical event of a network link is not marked as repaired ({said})")
    for said in _told([event for event in unrepaired if event not in old_links]):
        yield Finding("bad", f"a critical event is not marked as repaired ({said})")
    for said in _told([event for event in others if case.recent(event)]):
        yield Finding("bad", f"a critical event was logged since {case.since} ({said})")
    if case.start is None:
        # Nobody said since when events count, and the log does not say whether it is over: old logs are full of these.
        for said in _told(others):
            yield Finding("mild", f"a critical event is in the log ({said})")
    else:
        for said in _told([event for event in others if case.recent(event) is None]):
            yield Finding("unknown", f"a critical event may be from after {case.since}; clear the log if it is old ({said})")
    unnamed = sum(event["severity"] == "unknown" and not event["repaired"] and bool(case.recent(event)) for event in entries)
    if unnamed:
        yield Finding("mild", f"{unnamed} events since {case.since} say nothing about how severe they are")
    yield from _log(case)


def _is_of_a_link(event: Part) -> bool:
    """Whether an event is about a link to a network: a cable that was pulled once is never marked as repaired, and harms no machine."""
    about, message = event.get("about") or "", event["message"]
    said = f"{about} {message}"
    return bool(_NETWORK.search(about or message) and _LINK.search(message) and not _INSIDE.search(said))


def _told(events: t.Iterable[Part]) -> list[str]:
    """Give what each event says, once for those that say the same: the last of them, and how many they are."""
    same: dict[tuple[str, str], list[Part]] = {}
    for event in events:
        same.setdefault((event["log"], event["message"]), []).append(event)
    told = []
    for (log, message), several in same.items():
        last = max((event["time"] for event in several if event["time"]), default="at an unknown time")
        often = f", {len(several)} times, the last" if len(several) > 1 else ""
        told.append(f"log {log}{often} {last}: {message}")
    return told


def _log(case: Case) -> Findings:
    events = case.report["events"]
    if case.report["sections"].get("events") == "absent":
        yield Finding("mild", "the BMC offers no log: nothing is known about what happened")
        yield from case.unread("events")
        return
    unread = list(case.unread("events"))
    yield from unread
    if not unread and not events["complete"]:
        lost = "it overflowed and lost entries: save and clear it" if events["overflow"] else "it was not read to its end"
        yield Finding("unknown", f"the log is not complete: {lost}")
    cleared = clock.parse(events["cleared_at"])
    if case.start is not None and cleared is not None and cleared >= case.start:
        yield Finding("mild", f"the log was cleared at {events['cleared_at']}, after the hold began: what was logged before is gone")


def _expectations(case: Case) -> Findings:
    entries = case.report["events"]["entries"]
    counting = [event for event in entries if event["repaired"] is False or (case.recent(event) and not event["repaired"])]
    for said in _told(event for event in counting if "uncorrectable" in event["message"].lower()):
        yield Finding("bad", f"an uncorrectable error was logged ({said})")
    yield from _memory(case)
    total = case.report["system"]["cpus"]
    # A machine that is off may say 0.
    yield from _enough(case.expected.cpus, (total, True) if total else case.count("cpu"), "processors")
    yield from _enough(case.expected.drives, case.count("drive"), "drives")
    yield from _serials(case)


def _memory(case: Case) -> Findings:
    wanted, found = case.expected.memory_mb, case.report["system"]["memory_mb"]
    if wanted is None:
        yield Finding("not_checked", "no memory size is expected")
    elif not found:
        # A machine that is off may say 0.
        yield Finding("unknown", f"{wanted} MB of memory are expected, and the BMC does not say how much there is")
    elif found < wanted * LEAST_MEMORY:
        yield Finding("bad", f"there are {found} MB of memory, and {wanted} are expected")


def _enough(wanted: int | None, counted: tuple[int, bool], what: str) -> Findings:
    found, whole = counted
    if wanted is None:
        yield Finding("not_checked", f"no number of {what} is expected")
    elif found >= wanted:
        return
    elif whole:
        yield Finding("bad", f"there are {found} {what}, and {wanted} are expected")
    else:
        yield Finding("unknown", f"{wanted} {what} are expected, and the BMC does not say how many there are")


def _serials(case: Case) -> Findings:
    there = {part["serial"] for part in case.everything if part["serial"] and reports.present(part)}
    missing = sorted(set(case.expected.serials) - there - {case.report["system"]["serial"]})
    if not case.expected.serials:
        yield Finding("not_checked", "no serial numbers are expected")
    elif missing:
        places = ("system", *dict.fromkeys(_SECTIONS.values())) if case.is_redfish else ("fru",)
        states = [case.report["sections"].get(name) for name in places]
        if "ok" in states and set(states) <= {"ok", "absent"}:
            yield Finding("bad", f"nothing is there with the expected serial numbers {_some(missing)}")
        else:
            yield Finding("unknown", f"the BMC does not list everything, and nothing with the expected serial numbers {_some(missing)}")


def _clock(case: Case) -> Findings:
    skew = case.report["clock_skew_s"]
    if skew is None:
        yield Finding("unknown", "the BMC's clock could not be read")
    elif abs(skew) > MOST_SKEW:
        yield Finding("bad", f"the BMC's clock is {abs(skew)} s {'ahead' if skew > 0 else 'behind'}")


def _settled(case: Case) -> Findings:
    state = case.report["health"]["state"]
    if not case.is_redfish:
        yield Finding("not_checked", "IPMI does not say whether the machine is starting")
    elif state is None:
        yield Finding("unknown", f"the BMC does not say what state the machine is in{why(case.report, ['system'])}")
    elif state in UNSETTLED:
        yield Finding("bad", f"the machine is {state}: wait, and read again")
    for part in case.parts("bmc"):
        if part["state"] in UNSETTLED:
            yield Finding("bad", f"the BMC is {part['state']}: wait, and read again")


def _firmware(case: Case) -> Findings:
    wanted, found = case.expected.firmware, case.report["bmc"]["firmware"]
    if wanted is None:
        yield Finding("not_checked", "no firmware is expected")
    elif not found:
        yield Finding("unknown", f"the BMC does not say what firmware it has, and {wanted} is expected")
    elif found != wanted:
        yield Finding("bad", f"the BMC's firmware is {found}, and {wanted} is expected")


def _left_over(case: Case) -> Findings:
    system = case.report["system"]
    if system["boot_override"] not in HARMLESS_OVERRIDES:
        yield Finding("bad", f"a boot override is left over: {system['boot_override']}")
    elif system["boot_override"] is None:
        yield Finding("unknown", f"the BMC does not say what the machine boots next{why(case.report, ['system'])}")
    for image in system["virtual_media"] or ():
        yield Finding("bad", f"a virtual medium is left over: {image}")
    if not case.is_redfish:
        yield Finding("not_checked", "IPMI knows no virtual media")
    elif case.report["sections"].get("bmc") != "ok":
        yield Finding("unknown", f"whether virtual media are left over could not be read{why(case.report, ['bmc'])}")
    elif system["virtual_media"] is None:
        yield Finding("not_offered", "the BMC tells nothing about virtual media")


def _warnings(case: Case) -> Findings:
    if case.report["health"]["rollup"] == "warning":
        yield Finding("bad", "the health of the system is warning")
    for part in case.parts(*reports.KINDS):
        if part["health"] == "warning":
            yield Finding("bad", f"{_named(part)} is warning")
    for sensor in case.sensors():
        if sensor["health"] == "warning":
            yield Finding("bad", f"sensor {sensor['name']} is warning{_reading(sensor)}")


def _tasks(case: Case) -> Findings:
    pending = case.report["bmc"]["pending"]
    for task in pending or ():
        yield Finding("bad", f"the BMC has a task that is not over: {task}")
    if not case.is_redfish:
        yield Finding("not_checked", "IPMI knows no tasks")
    else:
        unread = list(case.unread("tasks"))
        yield from unread
        if pending is None and not unread:
            yield Finding("unknown", "the BMC lists more tasks than are looked at")


def _named(part: Part) -> str:
    where = f" ({part['location']})" if part["location"] and part["location"] != part["name"] else ""
    return f"{part['kind']} {part['name']}{where}"


def _reading(sensor: Part) -> str:
    if sensor["value"] is not None:
        return f" at {sensor['value']:g} {sensor['unit'] or ''}".rstrip()
    return f" ({sensor['state']})" if sensor["state"] else ""


def _listed(names: t.Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def _some(names: t.Sequence[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")


CHECKS: t.Final[dict[str, t.Callable[[Case], Findings]]] = {
    "R1": _power,
    "R2": _power_expected,
    "R3": _chassis,
    "R4": _system,
    "R5": _parts,
    "R6": _supplies,
    "R7": _sensors,
    "R8": _events,
    "R9": _expectations,
    "W1": _clock,
    "W2": _settled,
    "W3": _firmware,
    "W4": _left_over,
    "W5": _warnings,
    "W6": _tasks,
}
