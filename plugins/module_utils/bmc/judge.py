# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Judge a report by the rules. Pure: a report and what is expected in, a verdict out.

A verdict: {"release": bool, "blocking": [{"rule", "msg"}], "warnings": [{"rule", "msg"}], "not_checked": [{"rule", "msg"}],
"ignored": [{"kind", "name", "serial"}]}. What could not be read is never taken for well.
"""

from __future__ import annotations

import dataclasses
import datetime
import typing as t

from . import report as reports
from . import rules as rulebook
from .rules import Rule

Report = t.Mapping[str, t.Any]

EXPECTED: t.Final = ("power_state", "memory_mb", "cpus", "psus", "drives", "serials", "firmware")

MOST_SKEW: t.Final = 300
LEAST_MEDIA_LIFE: t.Final = 10
UNSETTLED: t.Final = ("starting", "intest", "updating", "intestdisabled", "resetting")
#: What a BMC counts less than the modules hold, at most: it may keep some for itself.
LEAST_MEMORY: t.Final = 0.97


@dataclasses.dataclass(frozen=True)
class Finding:
    """Something that a rule found. level: `bad` violates it, `mild` is worth knowing, `unknown` means that the report can't tell."""

    level: t.Literal["bad", "mild", "unknown", "not_checked"]
    msg: str


@dataclasses.dataclass(frozen=True)
class Case:
    """What the rules look at: the report without ignored parts, and what is expected of the machine."""

    report: Report
    expected: t.Mapping[str, t.Any]
    since: str | None

    def parts(self, *kinds: str) -> list[dict[str, t.Any]]:
        """Give the parts of these kinds that are there."""
        return [part for part in self.report["components"] if part["kind"] in kinds and reports.present(part)]

    def unread(self, *sections: str) -> Finding | None:
        """Give what to say if one of these sections was not read to its end, or not asked for."""
        states = self.report["sections"]
        missing = [name for name in sections if states.get(name) not in ("ok", "absent")]
        if not missing:
            return None
        return Finding("unknown", f"{' and '.join(missing)} could not be read{_why(self.report, missing)}")


def judge(
    report: Report,
    *,
    fault: str | None = None,
    rules: t.Mapping[str, str] | None = None,
    expected: t.Mapping[str, t.Any] | None = None,
    since: str | None = None,
    ignore: t.Sequence[t.Mapping[str, str]] = (),
    unknown_blocks: bool = False,
) -> dict[str, t.Any]:
    """Give the verdict.

    fault: the kind that is to be released; None: every rule counts. rules: severities (block, warn, off) by rule name, over the defaults.
    expected: see EXPECTED; what is left out is not compared. since: ISO time from which events count. ignore: parts by kind, name and
    serial (each as far as given) that are not to count; recorded in the verdict. unknown_blocks: what can't be read blocks under every
    rule that blocks. ValueError: an unknown rule, severity, fault or expectation.
    """
    chosen = _severities(fault, rules or {})
    for name in expected or {}:
        if name not in EXPECTED:
            raise ValueError(f"expected: {name!r} is not known; known are {', '.join(EXPECTED)}")
    kept, ignored = _without(report, ignore)
    case = Case(kept, {name: value for name, value in (expected or {}).items() if value is not None}, since)
    verdict: dict[str, t.Any] = {"release": False, "blocking": [], "warnings": [], "not_checked": [], "ignored": ignored}
    for rule in rulebook.RULES:
        severity = chosen[rule.name]
        if severity == "off":
            verdict["not_checked"].append({"rule": rule.name, "msg": "switched off"})
            continue
        for finding in CHECKS[rule.name](case):
            place = _place(rule, severity, finding, unknown_blocks)
            if place:
                verdict[place].append({"rule": rule.name, "msg": finding.msg})
    verdict["release"] = not verdict["blocking"]
    return verdict


def _severities(fault: str | None, given: t.Mapping[str, str]) -> dict[str, str]:
    if fault is not None and fault not in rulebook.ALL_FAULTS:
        raise ValueError(f"fault: {fault!r} is not known; known are {', '.join(sorted(rulebook.ALL_FAULTS))}")
    for name, severity in given.items():
        if name not in rulebook.BY_NAME:
            raise ValueError(f"rules: {name!r} is not a rule; rules are {', '.join(rulebook.BY_NAME)}")
        if severity not in rulebook.SEVERITIES:
            raise ValueError(f"rules: {name} is {' or '.join(rulebook.SEVERITIES)}, not {severity!r}")
    chosen = {}
    for rule in rulebook.RULES:
        needed = fault is None or fault in rule.faults
        chosen[rule.name] = given.get(rule.name, rule.severity if needed or rule.severity != "block" else "warn")
    return chosen


def _place(rule: Rule, severity: str, finding: Finding, unknown_blocks: bool) -> str | None:
    if finding.level == "not_checked":
        return "not_checked"
    if finding.level == "mild":
        return "warnings"
    if finding.level == "unknown":
        weight = severity if severity == "block" and unknown_blocks else rule.unknown
        if weight == "off":
            return "not_checked"
        return "blocking" if weight == "block" and severity == "block" else "warnings"
    return "blocking" if severity == "block" else "warnings"


def _without(report: Report, ignore: t.Sequence[t.Mapping[str, str]]) -> tuple[Report, list[dict[str, t.Any]]]:
    ignored: list[dict[str, t.Any]] = []

    def kept(part: t.Mapping[str, t.Any]) -> bool:
        for pattern in ignore:
            if pattern and all(part.get(name) == value for name, value in pattern.items()):
                ignored.append({"kind": part.get("kind", "sensor"), "name": part["name"], "serial": part.get("serial")})
                return False
        return True

    components = [part for part in report["components"] if kept(part)]
    sensors = [sensor for sensor in report["sensors"] if kept({"kind": "sensor", **sensor})]
    return {**report, "components": components, "sensors": sensors}, ignored


def _why(report: Report, sections: t.Sequence[str]) -> str:
    said = [problem["msg"] for problem in report["errors"] if problem["section"] in (*sections, "connect", "check")]
    return f": {said[0]}" if said else ""


def _power(case: Case) -> t.Iterator[Finding]:
    power = case.report["power"]
    if not case.report["reachable"]:
        yield Finding("bad", f"the BMC can't be read{_why(case.report, ['connect'])}")
        return
    reads = power["reads"]
    if not reads:
        yield case.unread("power") or Finding("unknown", "the BMC does not say whether the machine is on or off")
        return
    if len(set(reads)) > 1:
        yield Finding("bad", f"the power state changes between reads: {', '.join(reads)}")
    elif reads[0] not in ("on", "off"):
        yield Finding("bad", f"the power state is {reads[0]}, neither on nor off")


def _power_expected(case: Case) -> t.Iterator[Finding]:
    wanted = case.expected.get("power_state")
    if wanted is None:
        yield Finding("not_checked", "no power state is expected")
        return
    wanted = str(wanted).removeprefix("power ")
    found = case.report["power"]["state"]
    if found == "unknown":
        yield Finding("unknown", f"the machine is expected to be {wanted}, and the BMC does not say what it is")
    elif found != wanted:
        yield Finding("bad", f"the machine is {found}, and expected to be {wanted}")


def _chassis(case: Case) -> t.Iterator[Finding]:
    power = case.report["power"]
    if power["faults"]:
        yield Finding("bad", f"the chassis reports {', '.join(fault.replace('_', ' ') for fault in power['faults'])}")
    elif case.report["protocol"] == "ipmi" and not power["faults_known"]:
        yield case.unread("power") or Finding("unknown", "the chassis' fault bits could not be read")


def _system(case: Case) -> t.Iterator[Finding]:
    health = case.report["health"]
    if health["rollup"] == "critical":
        yield Finding("bad", "the health of the system is critical")
    elif health["rollup"] == "warning":
        yield Finding("mild", "the health of the system is warning")
    if health["overall"] == "unknown":
        # Nothing at all is known: that is not a machine without faults.
        yield Finding("bad", "the BMC reports no health at all: reset the BMC, wait some minutes, and run again")
    elif case.report["protocol"] == "redfish" and health["rollup"] in (None, "unknown"):
        yield case.unread("system") or Finding("unknown", "the BMC reports no health of the system")


def _parts(case: Case) -> t.Iterator[Finding]:
    for part in case.parts("cpu", "memory", "drive", "controller", "chassis", "bmc", "other"):
        name = _named(part)
        if part["health"] == "critical":
            yield Finding("bad", f"{name} is critical")
        elif part["health"] == "warning":
            yield Finding("mild", f"{name} is warning")
        if part["failure_predicted"]:
            yield Finding("bad", f"{name} predicts its failure")
        life = part["media_life_left_pct"]
        if life is not None and life <= LEAST_MEDIA_LIFE:
            yield Finding("bad", f"{name} has {life:g} % of its life left")
    unread = case.unread("cpu", "memory", "storage") if case.report["protocol"] == "redfish" else None
    if unread:
        yield unread


def _supplies(case: Case) -> t.Iterator[Finding]:
    supplies = case.parts("psu")
    for part in supplies:
        if part["health"] in ("critical", "warning"):
            yield Finding("bad" if part["health"] == "critical" else "mild", f"{_named(part)} is {part['health']}")
    unread = case.unread("psu") if case.report["protocol"] == "redfish" else None
    if unread:
        yield unread
    yield from _count(case, "psus", len(supplies), "power supplies", known=unread is None)


def _sensors(case: Case) -> t.Iterator[Finding]:
    on = case.report["power"]["state"] == "on"
    for sensor in case.report["sensors"]:
        if not reports.present(sensor):
            continue
        value, limit = sensor["value"], sensor["critical_high"]
        if sensor["health"] == "critical":
            yield Finding("bad", f"sensor {sensor['name']} is critical{_reading(sensor)}")
        elif sensor["type"] == "temperature" and value is not None and limit is not None and value >= limit:
            yield Finding("bad", f"sensor {sensor['name']} is at {value:g} C, its critical limit is {limit:g} C")
        elif sensor["type"] == "fan" and value == 0 and on:
            yield Finding("bad", f"fan {sensor['name']} stands still while the machine is on")
        elif sensor["health"] == "warning":
            yield Finding("mild", f"sensor {sensor['name']} is warning{_reading(sensor)}")
    unread = case.unread("sensors")
    if unread:
        yield unread


def _events(case: Case) -> t.Iterator[Finding]:
    events = case.report["events"]
    for event in events["entries"]:
        if event["severity"] != "critical" or event["repaired"]:
            continue
        said = f"{event['time'] or 'at an unknown time'}, log {event['log']}: {event['message']}"
        if event["repaired"] is False:
            yield Finding("bad", f"a critical event is not repaired ({said})")
        elif case.since is None:
            # Nobody said since when events count, and the log does not say whether it is over: old logs are full of these.
            yield Finding("mild", f"a critical event is in the log ({said})")
        elif event["time"] is None or not _before(event["time"], case.since):
            yield Finding("bad", f"a critical event was logged since {case.since} ({said})")
    if case.report["sections"].get("events") == "absent":
        yield Finding("not_checked", "the BMC offers no log")
        return
    unread = case.unread("events")
    if unread:
        yield unread
    elif not events["complete"]:
        lost = "it overflowed and lost entries" if events["overflow"] else "it was not read to its end"
        yield Finding("unknown", f"the log is not complete: {lost}")
    if case.since and events["cleared_at"] and not _before(events["cleared_at"], case.since):
        yield Finding("mild", f"the log was cleared at {events['cleared_at']}, after the hold began: what was logged before is gone")


def _expectations(case: Case) -> t.Iterator[Finding]:
    system = case.report["system"]
    for event in case.report["events"]["entries"]:
        recent = case.since is not None and (event["time"] is None or not _before(event["time"], case.since))
        if recent and "uncorrectable" in event["message"].lower() and event["severity"] != "critical" and not event["repaired"]:
            yield Finding("bad", f"an uncorrectable error was logged since {case.since} ({event['message']})")
    wanted = case.expected.get("memory_mb")
    if wanted is None:
        yield Finding("not_checked", "no memory size is expected")
    elif not system["memory_mb"]:
        yield Finding("unknown", f"{wanted} MB of memory are expected, and the BMC does not say how much there is")
    elif system["memory_mb"] < float(wanted) * LEAST_MEMORY:
        yield Finding("bad", f"there are {system['memory_mb']} MB of memory, {wanted} are expected")
    processors = system["cpus"] or len(case.parts("cpu")) or None
    yield from _count(case, "cpus", processors or 0, "processors", known=processors is not None)
    drives = case.parts("drive")
    yield from _count(case, "drives", len(drives), "drives", known=case.unread("storage") is None)
    missing = set(map(str, case.expected.get("serials") or ())) - _serials(case)
    if missing:
        yield Finding("bad", f"parts with these serial numbers are expected and not there: {', '.join(sorted(missing))}")


def _serials(case: Case) -> set[str]:
    found = {part["serial"] for part in case.report["components"] if part["serial"] and reports.present(part)}
    return found | ({case.report["system"]["serial"]} - {None})


def _count(case: Case, name: str, found: int, what: str, *, known: bool) -> t.Iterator[Finding]:
    wanted = case.expected.get(name)
    if wanted is None:
        yield Finding("not_checked", f"no number of {what} is expected")
    elif not known:
        yield Finding("unknown", f"{wanted} {what} are expected, and the BMC does not say how many there are")
    elif found < int(wanted):
        yield Finding("bad", f"there are {found} {what}, {wanted} are expected")


def _clock(case: Case) -> t.Iterator[Finding]:
    skew = case.report["clock_skew_s"]
    if skew is None:
        yield Finding("unknown", "the BMC's clock could not be read")
    elif abs(skew) > MOST_SKEW:
        yield Finding("bad", f"the BMC's clock is {abs(skew)} s {'ahead' if skew > 0 else 'behind'}")


def _settled(case: Case) -> t.Iterator[Finding]:
    state = case.report["health"]["state"]
    if state in UNSETTLED:
        yield Finding("bad", f"the machine is {state}: wait, and read again")


def _firmware(case: Case) -> t.Iterator[Finding]:
    wanted, found = case.expected.get("firmware"), case.report["bmc"]["firmware"]
    if wanted is None:
        yield Finding("not_checked", "no firmware is expected")
    elif found != wanted:
        yield Finding("bad", f"the BMC's firmware is {found or 'unknown'}, {wanted} is expected")


def _left_over(case: Case) -> t.Iterator[Finding]:
    system = case.report["system"]
    if system["boot_override"] not in (None, "none", "disabled"):
        yield Finding("bad", f"a boot override is left over: {system['boot_override']}")
    for image in system["virtual_media"] or ():
        yield Finding("bad", f"a virtual medium is left over: {image}")


def _named(part: t.Mapping[str, t.Any]) -> str:
    where = f" ({part['location']})" if part["location"] and part["location"] != part["name"] else ""
    return f"{part['kind']} {part['name']}{where}"


def _reading(sensor: t.Mapping[str, t.Any]) -> str:
    if sensor["value"] is not None:
        return f" at {sensor['value']:g} {sensor['unit'] or ''}".rstrip()
    return f" ({sensor['state']})" if sensor["state"] else ""


def _before(time: str, since: str) -> bool:
    return _moment(time) < _moment(since)


def _moment(text: str) -> datetime.datetime:
    moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return moment if moment.tzinfo else moment.replace(tzinfo=datetime.timezone.utc)


CHECKS: t.Final[dict[str, t.Callable[[Case], t.Iterator[Finding]]]] = {
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
}
