# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of this folder say in one word."""

from __future__ import annotations

import time
import typing as t

from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import checking
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc.report import Report

#: For readings that are to end by themselves, in seconds.
AMPLE = 30.0
#: Beyond its deadline a reading may take the time that its process needs to start, on a machine that is busy.
START = 30.0


def read(target: dict[str, t.Any], **how: t.Any) -> Report:
    """Read a BMC; with ample time unless the test says otherwise."""
    return checking.check(target, **{"deadline": AMPLE, **how})


def read_until(target: dict[str, t.Any], deadline: float, **how: t.Any) -> Report:
    """Read a BMC that does not come to an end: the report is there at the deadline."""
    begun = time.monotonic()
    report = checking.check(target, deadline=deadline, **how)
    took = time.monotonic() - begun
    assert took < deadline + START, f"ended after {took:.1f} s"
    assert report["seconds"] <= deadline + 5
    return report


def read_together(targets: t.Mapping[str, dict[str, t.Any]], **how: t.Any) -> dict[str, Report]:
    """Read BMCs at the same time, each for as long as its own `deadline` says, and give their reports by name. None waits for another, and
    all end by the longest deadline."""
    begun = time.monotonic()
    asked = [{"deadline": AMPLE, **target} for target in targets.values()]
    reports = dict(zip(targets, checking.many(asked, workers=len(asked), **how), strict=True))
    took = time.monotonic() - begun
    assert took < max(target["deadline"] for target in asked) + START, f"ended after {took:.1f} s"
    late = {
        name: reports[name]["seconds"]
        for name, target in zip(targets, asked, strict=True)
        if reports[name]["seconds"] > target["deadline"] + 5
    }
    assert not late
    return reports


def kinds(report: t.Any) -> list[str]:
    """What went wrong."""
    return [error["kind"] for error in report["errors"]]


def named(things: t.Iterable[t.Any]) -> dict[str, t.Any]:
    """Parts or sensors by their names."""
    return {thing["name"]: thing for thing in things}
