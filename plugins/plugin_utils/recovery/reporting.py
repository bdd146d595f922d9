# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The role's report: what became of every node, and why."""

from __future__ import annotations

import typing as t

from . import judging
from .row import DONE, FLAP_TYPE, LEFT, Found, Json, Row, updated

#: In the order in which the table shows them: first what asks for a person.
OUTCOMES: t.Final = (
    "failed",
    "asserted",
    "would_assert",
    "unreachable",
    "not_released",
    "skipped",
    LEFT,
    "released",
    "would_release",
)


def report(
    rows: t.Sequence[Row], asserted: t.Sequence[Found], asked: t.Sequence[Found] = (), *, storm_threshold: int, check_mode: bool
) -> Json:
    """Give the report: {"outage", "counts", "check_mode", "nodes"}.

    asserted: the results of loops of `hold` and `node_fault` over rows whose proposal was to be asserted. asked: those of `node_fault`
    in check mode before, by which it is known whose nodes an Ironic watches.
    """
    results = {one["item"]["node_uuid"]: one for one in asserted}
    rows = _left(rows, [one for one in asked if one["item"]["node_uuid"] not in results])
    told = [_told(row, results.get(row["node_uuid"]), check_mode) for row in rows]
    shown = [row for row in told if row["outcome"] != "watched"]
    storm = judging.outage(rows, storm_threshold)
    return {
        "check_mode": check_mode,
        "outage": {"unreachable": storm, "threshold": storm_threshold} if storm else None,
        "counts": {outcome: sum(row["outcome"] == outcome for row in told) for outcome in (*OUTCOMES, "watched")},
        "nodes": sorted((_node(row, results) for row in shown), key=lambda one: (OUTCOMES.index(one["outcome"]), one["node"])),
    }


def _left(rows: t.Sequence[Row], asked: t.Sequence[Found]) -> list[Row]:
    """Give the rows, with what became of those for which a fault was asked about and then not asserted."""
    answers = {one["item"]["node_uuid"]: one for one in asked}
    after = []
    for row in rows:
        answer = answers.get(row["node_uuid"])
        if answer and judging.done(answer):
            why = f"{row['why']}; its power failures are asserted by the Ironic that it is in"
            row = updated(row, state=DONE, outcome=LEFT, why=why, proposal=None)
        elif answer:
            row = _refused(row, answer)
        after.append(row)
    return after


def _refused(row: Row, answer: Found) -> Row:
    what = "the operator hold" if row["proposal"] == FLAP_TYPE else "the fault"
    why = str(answer.get("msg") or "the service did not say why")
    return updated(row, outcome="failed", why=f"{row['why']}; {what} could not be asserted: {why}")


def _told(row: Row, result: Found | None, check_mode: bool) -> Row:
    """Give the row with what became of its proposal: a fault is what becomes of a watched node, a hold comes beside the fault."""
    if result is None:
        return row
    if not judging.done(result):
        return _refused(row, result)
    if row["watch"]:
        return updated(row, outcome="would_assert" if check_mode or result.get("prediction") else "asserted")
    return row


def _node(row: Row, results: t.Mapping[str, Found]) -> Json:
    verdict: Found = row["verdict"] or {}
    return {
        "node": row["node"],
        "node_uuid": row["node_uuid"],
        "fault": row["fault"] or row["entries"] and (row["entries"][0]["extra"] or {}).get("fault") or None,
        "entries": [entry["uuid"] for entry in row["entries"]],
        "outcome": row["outcome"],
        "why": row["why"],
        "bmc": row["bmc"],
        "attempts": row["attempts"],
        "flaps": row["flaps"],
        "proposal": row["proposal"],
        "asserted": row["node_uuid"] in results and judging.done(results[row["node_uuid"]]),
        "still_held_by": row["others"],
        **{name: verdict.get(name, []) for name in ("blocking", "warnings", "not_checked", "ignored")},
    }


def table(whole: Found) -> list[str]:
    """Give the report as lines for people."""
    lines = []
    if whole["outage"]:
        lines.append(
            f"OUTAGE: {whole['outage']['unreachable']} BMCs were unreachable at once, more than {whole['outage']['threshold']}: that is"
            " taken for one failure, of a network say; nothing is proposed and nothing asserted"
        )
    for one in whole["nodes"]:
        if whole["outage"] and one["outcome"] == "unreachable":
            continue
        lines.append(f"{one['node']:<24} {one['outcome']:<14} {one['fault'] or '-':<22} {_line(one)}".rstrip())
    counts = [f"{number} {outcome.replace('_', ' ')}" for outcome, number in whole["counts"].items() if number]
    lines.append(", ".join(counts) or "no node has a fault")
    return lines


def _line(one: Found) -> str:
    said = [one["why"]]
    if one["proposal"]:
        what = "operator hold" if one["proposal"] == FLAP_TYPE else f"fault {one['proposal']}"
        said.append(f"{what} {'asserted' if one['asserted'] else 'proposed'}")
    if one["still_held_by"]:
        said.append("held besides by " + ", ".join(_holder(hold) for hold in one["still_held_by"]))
    return " | ".join(text for text in said if text)


def _holder(hold: Found) -> str:
    who = hold["asserted_by_name"] or hold["asserted_by"]
    return f"{hold['type']} at {hold['scope']} scope" + (f" by {who}" if who else "")
