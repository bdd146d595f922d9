# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""bmc_check: read BMCs and judge their machines by the rules."""

from __future__ import annotations

import typing as t

from ..bmc import judge, report
from ..bmc import rules as rulebook
from . import bmc_targets, bmc_words
from .bmc_operation import BmcFailure, BmcOperation, Params, Progress, Result

#: What is judged by, which a target can say of itself.
_OF_A_TARGET: t.Final[dict[str, dict[str, t.Any]]] = {
    "fault": {"type": "str", "choices": list(rulebook.FAULTS)},
    "since": {"type": "str"},
    "expected": {
        "type": "dict",
        "options": {
            "power_state": {"type": "str"},
            "memory_mb": {"type": "int"},
            "cpus": {"type": "int"},
            "psus": {"type": "int"},
            "drives": {"type": "int"},
            "serials": {"type": "list", "elements": "str"},
            "firmware": {"type": "str"},
        },
    },
    "ignore": {
        "type": "list",
        "elements": "dict",
        "options": {
            "kind": {"type": "str", "choices": [*report.KINDS, "sensor"]},
            "name": {"type": "str"},
            "serial": {"type": "str"},
        },
    },
}


def bmc_check(params: Params, check_mode: bool, diff: bool, progress: Progress) -> Result:
    """Give the verdict on the machine, or on that of each target, and the report that it rests on. Reads only, in any mode.

    A verdict that says no fails the task where `fail_on` is `block`, which it is for one BMC unless the task says otherwise.
    """
    return _one(params) if params["targets"] is None else _many(params, progress)


def _one(params: Params) -> Result:
    judging = _judging(params, {})
    found = bmc_targets.read_one(params, sections=_sections([judging]), since=judging["since"])
    verdict = judge.judge(found, **judging)
    result = {"changed": False, "address": found["address"], **_judged(found, verdict, judging), "report": found}
    if not verdict["release"] and params["fail_on"] != "never":
        raise BmcFailure(
            f"The machine of the BMC {found['address']} is not to be released: {bmc_words.refusal(verdict)}.", "not_released", **result
        )
    return result


def _many(params: Params, progress: Progress) -> Result:
    judgings = [_judging(params, one, place) for place, one in enumerate(params["targets"])]
    reports = bmc_targets.read_many(
        params,
        sections=_sections(judgings),
        sinces=[judging["since"] for judging in judgings],
        progress=progress,
        say=lambda place, one: bmc_words.outcome(judge.judge(one, **judgings[place])),
    )
    rows = []
    for place, (found, judging) in enumerate(zip(reports, judgings, strict=True)):
        rows.append(bmc_targets.row(params, place, found, **_judged(found, judge.judge(found, **judging), judging)))
    result: Result = {"changed": False, "targets_result": rows}
    refused = [row for row in rows if not row["release"]]
    if refused and params["fail_on"] == "block":
        named = "; ".join(f"{row['node']} ({bmc_words.refusal(row['verdict'])})" for row in refused)
        raise BmcFailure(f"{len(refused)} of {len(rows)} machines are not to be released: {named}.", "not_released", **result)
    return result


def _judged(found: report.Report, verdict: Result, judging: Params) -> Result:
    return {"release": verdict["release"], "verdict": verdict, "evidence": bmc_words.evidence(found, verdict, judging["fault"])}


def _judging(params: Params, target: Params, place: int | None = None) -> dict[str, t.Any]:
    """Give the arguments of `judge` for one BMC; BmcFailure before anything is read if they make no sense."""
    chosen = {name: target.get(name) if target.get(name) is not None else params[name] for name in _OF_A_TARGET}
    judging = {
        "fault": chosen["fault"],
        "since": chosen["since"] or None,
        "expected": chosen["expected"],
        "ignore": chosen["ignore"] or (),
        "rules": params["rules"],
        "unknown_blocks": params["unknown_blocks"],
    }
    try:
        judge.judge(report.empty("ipmi", ""), **judging)
    except ValueError as error:
        where = "" if place is None else f" (of {bmc_targets.label(params, place)})"
        raise BmcFailure(f"{error}{where}. Nothing was read.", "option") from error
    return judging


def _sections(judgings: t.Sequence[Params]) -> tuple[str, ...]:
    """Give what is to be read. IPMI has serial numbers in a section of its own, which is slow: it is read if one is expected."""
    serials = any((judging["expected"] or {}).get("serials") for judging in judgings)
    return report.SECTIONS if serials else report.DEFAULT_SECTIONS


OPERATION: t.Final = BmcOperation(
    name="bmc_check",
    run=bmc_check,
    options={
        **_OF_A_TARGET,
        "targets": bmc_targets.option(**_OF_A_TARGET),
        "rules": {"type": "dict"},
        "unknown_blocks": {"type": "bool", "default": False},
        "fail_on": {"type": "str", "choices": ["block", "never"]},
        "workers": bmc_targets.WORKERS,
    },
    mutually_exclusive=bmc_targets.EXCLUSIVE,
)
