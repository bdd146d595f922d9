# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""bmc_info: read BMCs."""

from __future__ import annotations

import typing as t

from ..bmc import report
from . import bmc_targets, bmc_words
from .bmc_operation import BmcFailure, BmcOperation, Params, Progress, Result


def bmc_info(params: Params, check_mode: bool, diff: bool, progress: Progress) -> Result:
    """Give the report of the BMC, or of each target. Reads only, in any mode."""
    if params["targets"] is None:
        return _one(params)
    since = params["since"] or None
    reports = bmc_targets.read_many(
        params, sections=params["sections"], sinces=[since] * len(params["targets"]), progress=progress, say=lambda place, one: _said(one)
    )
    result: Result = {"changed": False, "targets_result": [bmc_targets.row(params, place, one) for place, one in enumerate(reports)]}
    bad = [place for place, one in enumerate(reports) if _fails(one, params["fail_on"] or "never")]
    if bad:
        names = ", ".join(bmc_targets.label(params, place) for place in bad)
        raise BmcFailure(f"{len(bad)} of {len(reports)} BMCs could not be read: {names}.", reports[bad[0]]["errors"][0]["kind"], **result)
    return result


def _one(params: Params) -> Result:
    found = bmc_targets.read_one(params, sections=params["sections"], since=params["since"] or None)
    result: Result = {"changed": False, "report": found}
    if _fails(found, params["fail_on"] or "unreachable"):
        raise BmcFailure(_said(found), found["errors"][0]["kind"] if found["errors"] else "incomplete", **result)
    if not found["complete"]:
        result["warnings"] = [f"The BMC {found['address']} was not read completely: {_said(found)}"]
    return result


def _fails(found: report.Report, fail_on: str) -> bool:
    return (fail_on != "never" and not found["reachable"]) or (fail_on == "incomplete" and not found["complete"])


def _said(found: report.Report) -> str:
    return bmc_words.trouble(found) or f"power {found['power']['state']}, health {found['health']['overall']}"


OPERATION: t.Final = BmcOperation(
    name="bmc_info",
    run=bmc_info,
    options={
        "targets": bmc_targets.option(),
        "sections": {"type": "list", "elements": "str", "choices": list(report.SECTIONS), "default": list(report.DEFAULT_SECTIONS)},
        "since": {"type": "str"},
        "fail_on": {"type": "str", "choices": ["never", "unreachable", "incomplete"]},
        "workers": bmc_targets.WORKERS,
    },
    mutually_exclusive=bmc_targets.EXCLUSIVE,
)
