# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Decide from what the BMCs said: who may be released, who is checked again, and what should be asserted instead."""

from __future__ import annotations

import typing as t

from . import plan, proposing
from .row import CLEAN, DONE, DUE, Found, Row, updated

#: What will be no different in a minute. A refused login above all is never tried again: the account would be locked. A BMC that answers
#: anything but Redfish, or hangs up, may just be starting.
LASTING: t.Final = frozenset(
    {
        "auth_failed",
        "privilege",
        "tls_untrusted",
        "redirect",
        "system_not_found",
        "several_systems",
        "unsupported_cipher",
        "library_missing",
        "bad_option",
    }
)


def judged(rows: t.Sequence[Row], results: t.Sequence[Found], *, flap_threshold: int, storm_threshold: int) -> list[Row]:
    """Give the rows after one more attempt.

    results: those of bmc_check, `node` being the UUID, for each row that was due. flap_threshold: from how many faults on a node is
    flapping, 0 for never. storm_threshold: more silent BMCs than this at once are no single failures: nothing is proposed then.
    """
    by_node = {result["node"]: result for result in results}
    after = [_after(row, by_node.get(row["node_uuid"]), flap_threshold) if row["state"] == DUE else row for row in rows]
    storm = outage(after, storm_threshold)
    return [updated(row, proposal=None if storm else proposing.proposal(row, flap_threshold)) for row in after]


def outage(rows: t.Sequence[Row], threshold: int) -> int:
    """Give how many BMCs were silent at once, if they were more than the threshold in any attempt; else 0."""
    attempts = {number for row in rows for number in row["silent"]}
    most = max((sum(number in row["silent"] for row in rows) for number in attempts), default=0)
    return most if most > threshold else 0


def targets(rows: t.Sequence[Row], known: t.Mapping[str, t.Any]) -> list[dict[str, t.Any]]:
    """Give the targets of bmc_check for the rows that are due. They hold passwords. known: see access.found."""
    found = []
    for row in rows:
        if row["state"] == DUE:
            access = plan.accesses.of_node(known, {"uuid": row["node_uuid"], "name": row["node"]})
            judging = {"fault": row["fault"], "since": row["since"], "expected": row["expected"], "ignore": row["ignore"]}
            found.append({**access.options, "node": row["node_uuid"], **{name: value for name, value in judging.items() if value}})
    return found


def confirmed(rows: t.Sequence[Row], entries: t.Sequence[Found], nodes: t.Sequence[Found]) -> list[Row]:
    """Give the rows, those that may no longer be released marked so: what was judged must be what is released.

    entries, nodes: as they are now, of every row in state `clean`. A node on which a conductor is at work is due again: that passes.
    """
    now = {node["uuid"]: node for node in nodes}
    active = [(entry["node"], plan.kept(entry)) for entry in entries]
    after = []
    for row in rows:
        if row["state"] == CLEAN:
            gone = [entry for entry in row["entries"] if (row["node_uuid"], entry) not in active]
            if row["node_uuid"] not in now:
                row = _decided(row, "failed", "the node could not be read again before its release")
            elif gone:
                row = _decided(row, "not_released", "the fault was changed or released by somebody else while the BMC was checked")
            elif plan.node_state(now[row["node_uuid"]]) != row["node_state"]:
                row = _decided(row, "not_released", "the node's state changed while the BMC was checked")
            elif plan.is_busy(now[row["node_uuid"]]):
                row = updated(row, state=DUE, outcome="not_released", why="the BMC is clean, but a conductor is at work on the node")
        after.append(row)
    return after


def released(rows: t.Sequence[Row], results: t.Sequence[Found], *, check_mode: bool) -> list[Row]:
    """Give the rows after the releases.

    results: those of a loop of `hold` over pairs of a row and one of its entries. What a result says was only predicted is no release,
    even if the run is no check.
    """
    after = []
    for row in rows:
        if row["state"] == CLEAN:
            mine = [result for result in results if result["item"][0]["node_uuid"] == row["node_uuid"]]
            bad = [result for result in mine if not done(result)]
            if bad or len(mine) != len(row["entries"]):
                why = str(bad[0].get("msg") or "the service did not say why") if bad else "not every entry was released"
                row = _decided(row, "failed", why)
            else:
                predicted = check_mode or any(result.get("prediction") for result in mine)
                row = _decided(row, "would_release" if predicted else "released", row["evidence"])
        after.append(row)
    return after


def done(result: Found) -> bool:
    """Tell whether a task over one node did what it was for, from what it says of the node."""
    said = result.get("nodes_result")
    return isinstance(said, list) and bool(said) and not any(one["failed"] for one in said)


def _after(row: Row, result: Found | None, flap_threshold: int) -> Row:
    number = row["attempts"] + 1
    row = updated(row, attempts=number)
    if result is None:
        return _decided(row, "failed", "the BMC was not checked")
    report, verdict = result["report"], result["verdict"]
    kinds = {problem["kind"] for problem in report["errors"]}
    again = DONE if kinds & LASTING else DUE
    row = updated(row, verdict=verdict, evidence=f"fault_recovery: {result['evidence']}")
    if not report["reachable"] and "unreachable" in kinds:
        silent = [*row["silent"], number]
        return updated(row, state=again, outcome="unreachable", why=_first(report, verdict), silent=silent)
    if row["watch"]:
        return _decided(row, "watched", "the BMC answers" if report["reachable"] else _first(report, verdict))
    # Whatever rules were switched off: without an answer about the power there is no evidence.
    if report["reachable"] is not True or report["power"]["state"] not in ("on", "off") or verdict["release"] is not True:
        return updated(row, state=again, outcome="not_released", why=_first(report, verdict))
    if flap_threshold and row["flaps"] is None:
        return _decided(row, "not_released", "the BMC is clean, but the history is not to be had whole: the node may be flapping")
    if proposing.is_flapping(row, flap_threshold):
        return _decided(row, "not_released", f"the BMC is clean now, but {_fell(row)}")
    return updated(row, state=CLEAN, outcome=None, why="")


def _decided(row: Row, outcome: str, why: str) -> Row:
    return updated(row, state=DONE, outcome=outcome, why=why)


def _fell(row: Row) -> str:
    return f"the node is flapping: a fault was asserted {row['flaps']} times of late"


def _first(report: Found, verdict: Found) -> str:
    """Give why not, in one line: what blocks, or else what could not be read."""
    blocking = [f"{one['rule']} {one['msg']}" for one in verdict["blocking"]]
    said = blocking or [problem["msg"] for problem in report["errors"]] or ["the BMC gave no reading of the power"]
    return "; ".join(dict.fromkeys(said))
