# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said about a BMC in one sentence: in a failure, a line of progress, or the audit trail of a node. Pure."""

from __future__ import annotations

import typing as t

Found = t.Mapping[str, t.Any]

#: How many reasons a sentence names.
NAMED: t.Final = 4


def refusal(verdict: Found) -> str:
    """Give why a machine is not to be released."""
    blocking = [f"{entry['rule']}: {entry['msg']}" for entry in verdict["blocking"]]
    return _some(blocking)


def outcome(verdict: Found) -> str:
    """Give a verdict in a few words."""
    if not verdict["release"]:
        return f"not to be released, {refusal(verdict)}"
    return f"may be released, {len(verdict['warnings'])} warnings" if verdict["warnings"] else "may be released"


def trouble(report: Found) -> str | None:
    """Give why not everything was read, with what to do next; None if everything was."""
    if not report["errors"]:
        return None if report["complete"] else "not everything was read"
    first, *others = report["errors"]
    more = f" ({len(others)} more errors are in the report.)" if others else ""
    return " ".join(part for part in (first["msg"], first["hint"]) if part) + more


def evidence(report: Found, verdict: Found, fault: str | None) -> str:
    """Give what the verdict rests on, in one sentence for a release's comment."""
    bmc = f"{report['protocol']} BMC {report['address']}"
    if not report["reachable"]:
        return f"{bmc} could not be read"
    power, events = report["power"], report["events"]
    parts = [part for part in report["components"] if part["state"] != "absent"]
    critical = sum(event["severity"] == "critical" for event in events["entries"])
    said = [
        f"{bmc} judged for {fault or 'any fault'}",
        f"power {power['state']} in {len(power['reads'])} reads",
        f"health {report['health']['overall']}",
        f"{len(parts)} parts and {len(report['sensors'])} sensors",
        f"{critical} critical events since {events['since'] or 'ever'}{'' if events['complete'] else ' in a log that is not complete'}",
    ]
    for what, entries in (("blocking", verdict["blocking"]), ("warnings", verdict["warnings"]), ("not checked", verdict["not_checked"])):
        if entries:
            said.append(f"{what} {', '.join(dict.fromkeys(entry['rule'] for entry in entries))}")
    if verdict["ignored"]:
        said.append(f"ignored {_some([str(part['name']) for part in verdict['ignored']], ', ')}")
    return "; ".join(said)


def _some(texts: t.Sequence[str], between: str = "; ") -> str:
    more = len(texts) - NAMED
    return between.join(texts[:NAMED]) + (f" and {more} more" if more > 0 else "")
