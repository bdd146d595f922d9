# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a look at a node in Ironic means: every row is a situation, what is found in it, and what Ironic is told after that."""

from __future__ import annotations

import datetime
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.fronting import judging
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.fronting.judging import (
    Call,
    FaultChanged,
    FaultEnded,
    FaultFound,
    FlagFound,
    FlagLost,
    Memory,
)
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.fronting.seen import Seen
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.values import Entry

POWER = "power failure"
CLEAN = "clean failure"


def entry(type_: str, reason: str | None = None, **extra: t.Any) -> Entry:
    """Give an active entry."""
    return Entry(
        id=1,
        uuid="e",
        node_id=1,
        type=type_,
        key="",
        reason=reason,
        scope="system",
        asserted_by="who",
        asserted_by_name=None,
        asserted_by_project="",
        asserted_by_project_name=None,
        asserted_at=datetime.datetime(2026, 1, 1),
        extra=extra,
        ticket=None,
        run=None,
    )


def seen(maintenance: bool = False, reason: str | None = None, fault: str | None = None, last_error: str | None = None) -> Seen:
    """Give what Ironic says."""
    return Seen(uuid="n", maintenance=maintenance, reason=reason, fault=fault, last_error=last_error)


HOLD = entry("operator_hold", "disk")
OURS = "operator_hold: disk"
LEGACY = entry("legacy", "old script")
FAULT = entry("fault", "no answer", fault=POWER)
BOTH = "fault: no answer; operator_hold: disk"


@pytest.mark.parametrize(
    ("entries", "memory", "look", "found", "told"),
    [
        # Nothing anywhere.
        ([], Memory(), seen(), [], Call.NOTHING),
        # A hold of ours that Ironic does not have yet, and one that it has.
        ([HOLD], Memory(), seen(), [], Call.SET),
        ([HOLD], Memory(flag=True, reason=OURS), seen(True, OURS), [], Call.NOTHING),
        # Nothing remembered, after `restore` into an empty database: what the entries say is ours.
        ([HOLD], Memory(), seen(True, OURS), [], Call.NOTHING),
        ([HOLD], Memory(), seen(True, "somebody"), [FlagFound("somebody")], Call.SET),
        # Released: ours is cleared; so is one whose call got lost on the way here.
        ([], Memory(flag=True, reason=OURS), seen(True, OURS), [], Call.CLEAR),
        ([], Memory(sending_flag=True, sending=(OURS,)), seen(True, OURS), [], Call.CLEAR),
        # Not ours: never cleared, whatever we hold or have just released.
        ([], Memory(), seen(True, "somebody"), [FlagFound("somebody")], Call.CLEAR),
        ([], Memory(flag=True, reason=OURS), seen(True, "somebody"), [FlagFound("somebody")], Call.CLEAR),
        ([], Memory(flag=False), seen(True), [FlagFound(None)], Call.CLEAR),
        ([HOLD], Memory(flag=True, reason=OURS), seen(True, "somebody"), [FlagFound("somebody")], Call.SET),
        ([HOLD], Memory(), seen(True, "somebody"), [FlagFound("somebody")], Call.SET),
        # What a legacy entry says already is no news.
        ([LEGACY], Memory(), seen(True, "old script"), [], Call.NOTHING),
        ([LEGACY, HOLD], Memory(flag=True, reason="x"), seen(True, "old script"), [], Call.SET),
        # The flag was taken away round us; not so where we were about to clear it ourselves.
        ([HOLD], Memory(flag=True, reason=OURS), seen(), [FlagLost()], Call.SET),
        ([HOLD], Memory(flag=True, reason=OURS, sending_flag=False), seen(), [], Call.SET),
        # A fault comes: its reason is Ironic's own, or the last error where the reason is ours.
        ([], Memory(), seen(True, "no answer", POWER), [FaultFound(POWER, "no answer")], Call.CLEAR),
        ([HOLD], Memory(flag=True, reason=OURS), seen(True, OURS, CLEAN, "step x"), [FaultFound(CLEAN, "step x")], Call.CLEAR_AND_SET),
        ([HOLD], Memory(), seen(True, "no answer", POWER), [FaultFound(POWER, "no answer")], Call.CLEAR_AND_SET),
        # It is known, and stays.
        ([FAULT, HOLD], Memory(flag=True, reason=BOTH, fault=POWER), seen(True, BOTH, POWER), [], Call.NOTHING),
        ([FAULT], Memory(flag=True, reason="no answer", fault=POWER), seen(True, "fault: no answer", POWER), [], Call.NOTHING),
        # It came again between two looks; only a reason that is not the conductor's is somebody's.
        ([FAULT], Memory(flag=True, reason="fault: no answer", fault=POWER), seen(True, "no answer", POWER), [], Call.SET),
        (
            [FAULT],
            Memory(flag=True, reason="fault: no answer", fault=POWER),
            seen(True, "no route", POWER, "no route"),
            [FaultChanged(POWER, "no route")],
            Call.SET,
        ),
        ([FAULT], Memory(flag=True, reason="fault: no answer", fault=POWER), seen(True, "mine", POWER), [FlagFound("mine")], Call.SET),
        (
            [],
            Memory(flag=True, reason="fault: x", fault=POWER),
            seen(True, "no answer", POWER),
            [FaultFound(POWER, "no answer")],
            Call.CLEAR,
        ),
        # It becomes another.
        (
            [FAULT],
            Memory(flag=True, reason="fault: no answer", fault=POWER),
            seen(True, "aborted", CLEAN),
            [FaultChanged(CLEAN, "aborted")],
            Call.SET,
        ),
        # Ironic's own recovery, with a hold that it wipes and without.
        ([FAULT, HOLD], Memory(flag=True, reason=BOTH, fault=POWER), seen(), [FaultEnded(recovered=True)], Call.SET),
        ([FAULT], Memory(flag=True, reason="fault: no answer", fault=POWER), seen(), [FaultEnded(recovered=True)], Call.SET),
        # Cleared by somebody: a fault that Ironic does not recover, with a hold.
        (
            [entry("fault", "step", fault=CLEAN), HOLD],
            Memory(flag=True, reason="x", fault=CLEAN),
            seen(),
            [FaultEnded(recovered=False), FlagLost()],
            Call.SET,
        ),
        # The fault's entry was released here: the fault goes in Ironic too, the flag only with the last entry.
        ([], Memory(flag=True, reason="fault: step", fault=CLEAN), seen(True, "fault: step", CLEAN), [], Call.CLEAR),
        ([HOLD], Memory(flag=True, reason="x", fault=CLEAN), seen(True, "x", CLEAN), [], Call.CLEAR_AND_SET),
    ],
)
def test_a_situation(entries: list[Entry], memory: Memory, look: Seen, found: list[judging.Finding], told: Call) -> None:
    assert judging.findings(entries, memory, look) == found
    # What is told is decided after the findings became entries; here it shows that nothing is told while something is found.
    assert judging.call(entries, look, memory) is told


def test_a_long_reason_is_ours_after_ironic_has_cut_it() -> None:
    reason = "x" * 5000
    hold = entry("operator_hold", reason)
    cut = judging.cut(f"operator_hold: {reason}")
    assert cut is not None and len(cut) == judging.REASON_MOST
    assert judging.findings([hold], Memory(flag=True, reason=cut), seen(True, cut)) == []
    assert judging.call([hold], seen(True, cut), Memory()) is Call.NOTHING
    # A deployment may cut earlier.
    assert judging.findings([hold], Memory(sending_flag=True, sending=(cut,)), seen(True, cut[:1000])) == []


def test_a_short_beginning_of_a_reason_is_not_ours() -> None:
    assert judging.findings([HOLD], Memory(flag=True, reason=OURS), seen(True, "operator_hold")) == [FlagFound("operator_hold")]


def test_a_reason_that_ironic_keeps_cut_shorter_is_not_told_again_and_one_that_only_begins_alike_is() -> None:
    wanted = f"operator_hold: {'x' * 500}"
    hold = entry("operator_hold", "x" * 500)
    kept = wanted[:100]
    assert judging.call([hold], seen(True, kept), Memory(flag=True, reason=kept, told=wanted)) is Call.NOTHING
    assert judging.call([hold], seen(True, kept), Memory(flag=True, reason=kept, told=kept)) is Call.SET
