# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a look at a node in Ironic means for its entries, and what Ironic must be told. Pure: no I/O, no clock.

Three things are compared: the node's active entries, what Ironic says now, and what we remember of Ironic from the last look.
One rule above all: a node may be kept in maintenance too long, never be let go too early. So whatever cannot be explained as
our own doing becomes an entry, and the flag is cleared only where the flag that is seen is known to be ours.
"""

from __future__ import annotations

import dataclasses
import enum
import typing as t

from ...rules import faults, reasons, types
from ..store.values import Entry
from .seen import Seen

#: Ironic cuts a reason there (`[DEFAULT]log_in_db_max_size`; a deployment may have lowered it).
REASON_MOST: t.Final = 4096
#: A reason that is cut shorter than this is taken for another one.
_REASON_LEAST: t.Final = 64


@dataclasses.dataclass(frozen=True)
class Memory:
    """What is remembered of a node in Ironic. flag None: never looked at.

    reason: as last read back. told: what Ironic was told when it came to keep that, None if not by us. fault: the kind last seen.
    sending_flag: what a call that was sent and whose outcome is not known makes of the flag, None if there is none. sending: the
    reasons that such calls carry; one of them can still arrive late.
    """

    flag: bool | None = None
    reason: str | None = None
    told: str | None = None
    sending_flag: bool | None = None
    sending: tuple[str | None, ...] = ()
    fault: str | None = None


class Finding:
    """Something that happened in Ironic and that the entries don't know."""


@dataclasses.dataclass(frozen=True)
class FaultFound(Finding):
    """Ironic has a fault of which there is no entry."""

    kind: str
    reason: str | None


@dataclasses.dataclass(frozen=True)
class FaultChanged(Finding):
    """The fault is of another kind than its entry says."""

    kind: str
    reason: str | None


@dataclasses.dataclass(frozen=True)
class FaultEnded(Finding):
    """Ironic no longer has the fault. recovered: its own recovery ended it, which it does for a power failure only."""

    recovered: bool


@dataclasses.dataclass(frozen=True)
class FlagFound(Finding):
    """Somebody set the flag, or gave it another reason, behind our back: the legacy entry has this reason now."""

    reason: str | None


@dataclasses.dataclass(frozen=True)
class FlagLost(Finding):
    """Somebody cleared the flag of a held node behind our back."""


class Call(enum.Enum):
    """What Ironic must be told."""

    NOTHING = "nothing"
    SET = "set"
    CLEAR = "clear"
    #: The fault whose entry was released ends with the flag, which others still need: cleared, and set again at once.
    CLEAR_AND_SET = "clear and set"


def cut(reason: str | None) -> str | None:
    """Give the reason as Ironic keeps it."""
    return reason if reason is None else reason[:REASON_MOST]


def is_ours(seen: str | None, ours: str | None) -> bool:
    """Tell whether a reason read in Ironic is this one of ours, which Ironic may have cut."""
    if seen == ours:
        return True
    return bool(seen and ours) and len(seen or "") >= _REASON_LEAST and (ours or "").startswith(seen or "")


def findings(entries: t.Sequence[Entry], memory: Memory, seen: Seen) -> list[Finding]:
    """Tell what happened in Ironic that the entries don't know. Empty: all of it is our own doing."""
    found: list[Finding] = []
    fault = next((entry for entry in entries if entry.type == types.FAULT), None)
    wanted = synthesised(entries)
    # Only a flag that was set by us, or is about to be, can have a reason of ours.
    known = seen.maintenance and (
        (memory.flag is True and is_ours(seen.reason, memory.reason))
        or any(is_ours(seen.reason, reason) for reason in memory.sending)
        # Also where nothing is remembered, as after `restore` into an empty database.
        or (bool(entries) and memory.flag is not False and is_ours(seen.reason, wanted))
    )
    told = False
    if seen.fault and fault is None and (seen.fault != memory.fault or not known):
        # The same kind with a reason of ours is the one whose entry was released here and that Ironic has still to be told of.
        found.append(FaultFound(seen.fault, seen.last_error if known else seen.reason))
        told = True
    elif seen.fault and fault is not None and fault.extra.get("fault") != seen.fault:
        found.append(FaultChanged(seen.fault, seen.last_error if known else seen.reason))
        told = True
    elif seen.fault and fault is not None and not known and seen.reason is not None and seen.reason in (fault.reason, seen.last_error):
        # It ended and came again between two looks: a conductor writes its last error as the reason, which nobody else does.
        told = True
        if seen.reason != fault.reason:
            found.append(FaultChanged(seen.fault, seen.reason))
    elif not seen.fault and fault is not None:
        # Recovery clears the flag with the fault. A power failure that ended otherwise is over as well: Ironic looks after those itself.
        found.append(FaultEnded(recovered=fault.extra.get("fault") == faults.POWER_FAILURE and not seen.maintenance))
    if seen.maintenance and not known and not told and not _is_legacy(entries, seen.reason):
        found.append(FlagFound(seen.reason))
    elif not seen.maintenance and memory.flag is True and memory.sending_flag is not False and _others(entries):
        recovered = any(isinstance(finding, FaultEnded) and finding.recovered for finding in found)
        if not recovered:
            found.append(FlagLost())
    return found


def call(entries: t.Sequence[Entry], seen: Seen, memory: Memory) -> Call:
    """Tell what Ironic must be told so that it has what the entries say, the findings being applied to them.

    A reason that Ironic changed when it was told the last one (a deployment may cut earlier) is as good as the one it was told.
    """
    if not entries:
        return Call.CLEAR if seen.maintenance or seen.fault else Call.NOTHING
    if seen.fault and not any(entry.type == types.FAULT for entry in entries):
        return Call.CLEAR_AND_SET
    wanted = cut(synthesised(entries))
    kept = seen.reason == wanted or (memory.told is not None and memory.told == wanted and seen.reason == memory.reason)
    return Call.NOTHING if seen.maintenance and kept else Call.SET


def synthesised(entries: t.Sequence[Entry]) -> str | None:
    """Give the reason that the entries, oldest first, make together."""
    return reasons.synthesise([(entry.type, entry.reason) for entry in entries])


def _is_legacy(entries: t.Sequence[Entry], reason: str | None) -> bool:
    """Tell whether the legacy entry says just this already: then there is nothing to learn from seeing it."""
    return any(entry.type == types.LEGACY and is_ours(reason, cut(entry.reason)) for entry in entries)


def _others(entries: t.Sequence[Entry]) -> bool:
    return any(entry.type != types.FAULT for entry in entries)
