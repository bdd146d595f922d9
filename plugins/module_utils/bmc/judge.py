# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Judge a report by the rules. Pure: a report and what is expected in, a verdict out.

A verdict: {"release": bool, "blocking": [{"rule", "msg"}], "warnings": [{"rule", "msg"}], "not_checked": [{"rule", "msg"}],
"ignored": [{"kind", "name", "serial"}]}. What could not be read is never taken for well, and a BMC that could not be read at all is never
released, whatever is switched off: there is no evidence then.
"""

from __future__ import annotations

import typing as t

from . import checks
from . import rules as rulebook
from .checks import Case, Finding, Report
from .expected import Expected, moment
from .rules import Rule

#: What a part to ignore is known by.
PATTERN: t.Final = ("kind", "name", "serial")


def judge(
    report: Report,
    *,
    fault: str | None = None,
    rules: t.Mapping[str, str] | None = None,
    expected: t.Mapping[str, t.Any] | None = None,
    since: str | None = None,
    ignore: t.Sequence[t.Mapping[str, t.Any]] = (),
    unknown_blocks: bool = False,
) -> dict[str, t.Any]:
    """Give the verdict.

    fault: the kind that is to be released; None: every rule counts. rules: severities (block, warn, off) by rule name, over the defaults
    and over what the fault needs. expected: the fields of `expected.Expected`; what is left out or null is not compared. since: ISO time
    from which events count. ignore: parts and sensors by kind, name and serial (as far as given, but not by kind alone) whose state is not
    to count; recorded in the verdict. They are still counted and weigh in the system's own health, which the BMC gives as a whole.
    unknown_blocks: what can't be read, or a BMC that speaks Redfish does not offer, blocks under every rule that blocks; without it only
    under those whose `unknown` says so. What does not block of it is in `not_checked`.

    ValueError: an unknown rule, severity, fault or expectation, or a value that makes no sense; the text names it.
    """
    chosen = _severities(fault, rules or {})
    wanted = Expected.of(expected or {})
    patterns = [_pattern(given) for given in ignore]
    start = None if since is None else moment(since)
    verdict: dict[str, t.Any] = {"release": False, "blocking": [], "warnings": [], "not_checked": [], "ignored": []}
    if not report["reachable"]:
        verdict["blocking"].append({"rule": "R1", "msg": f"the BMC can't be read{checks.why(report, ())}"})
        return verdict
    kept, verdict["ignored"] = _without(report, patterns)
    case = Case(kept, report["components"], wanted, since, start)
    for rule, place, finding in _weighed(case, chosen, unknown_blocks):
        verdict[place].append({"rule": rule, "msg": finding.msg})
    verdict["release"] = not verdict["blocking"]
    return verdict


def refusals(report: Report, fault: str | None = None) -> list[tuple[str, Finding]]:
    """Give what blocks by the defaults: the rule, and the finding, whose level tells what is reported (bad) from what is not known."""
    if not report["reachable"]:
        return [("R1", Finding("unknown", f"the BMC can't be read{checks.why(report, ())}"))]
    case = Case(report, report["components"], Expected(), None, None)
    weighed = _weighed(case, _severities(fault, {}), False)
    return [(rule, finding) for rule, place, finding in weighed if place == "blocking"]


def _weighed(case: Case, chosen: t.Mapping[str, str], unknown_blocks: bool) -> t.Iterator[tuple[str, str, Finding]]:
    """Give each finding with its rule and the list of the verdict that it belongs to."""
    for rule in rulebook.RULES:
        severity = chosen[rule.name]
        if severity == "off":
            yield rule.name, "not_checked", Finding("not_checked", "switched off")
            continue
        for finding in checks.CHECKS[rule.name](case):
            yield rule.name, _place(rule, severity, finding, unknown_blocks), finding


def _severities(fault: str | None, given: t.Mapping[str, str]) -> dict[str, str]:
    if fault is not None and fault not in rulebook.FAULTS:
        raise ValueError(f"fault: {fault!r} is not known; known are {', '.join(rulebook.FAULTS)}")
    for name, severity in given.items():
        if name not in rulebook.BY_NAME:
            raise ValueError(f"rules: {name!r} is not a rule; rules are {', '.join(rulebook.BY_NAME)}")
        if severity not in rulebook.SEVERITIES:
            raise ValueError(f"rules: {name} is {' or '.join(rulebook.SEVERITIES)}, not {severity!r}")
    return {rule.name: given.get(rule.name, _severity(rule, fault)) for rule in rulebook.RULES}


def _severity(rule: Rule, fault: str | None) -> str:
    if fault in rule.blocks_for:
        return "block"
    return rule.severity if fault is None or fault in rule.faults or rule.severity != "block" else "warn"


def _place(rule: Rule, severity: str, finding: Finding, unknown_blocks: bool) -> str:
    """Give the list of the verdict that a finding belongs to."""
    if finding.level == "bad":
        return "blocking" if severity == "block" else "warnings"
    if finding.level == "mild":
        return "warnings"
    # What could not be checked is never a warning: either it is needed, or it is named.
    needed = finding.level == "unknown" and (unknown_blocks or rule.unknown == "block") or finding.level == "not_offered" and unknown_blocks
    return "blocking" if needed and severity == "block" else "not_checked"


def _pattern(given: t.Mapping[str, t.Any]) -> dict[str, str]:
    unknown = sorted(set(given) - set(PATTERN))
    if unknown:
        raise ValueError(f"ignore: {', '.join(unknown)} is not known; a part is known by {', '.join(PATTERN)}")
    pattern = {name: str(value) for name, value in given.items() if value not in (None, "")}
    if not pattern.get("name") and not pattern.get("serial"):
        raise ValueError("ignore: a part needs a name or a serial, or a whole kind of parts would be ignored")
    return pattern


def _without(report: Report, patterns: t.Sequence[t.Mapping[str, str]]) -> tuple[Report, list[dict[str, t.Any]]]:
    """Give the report without the parts and sensors that a pattern names, and those."""
    ignored: list[dict[str, t.Any]] = []

    def kept(kind: str, part: t.Mapping[str, t.Any]) -> bool:
        mark = {"kind": kind, "name": part["name"], "serial": part.get("serial")}
        if any(all(mark[name] == value for name, value in pattern.items()) for pattern in patterns):
            ignored.append(mark)
            return False
        return True

    components = [part for part in report["components"] if kept(part["kind"], part)]
    sensors = [sensor for sensor in report["sensors"] if kept("sensor", sensor)]
    return {**report, "components": components, "sensors": sensors}, ignored
