# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings in Ironic become entries and history. Pure: findings in, changes out."""

from __future__ import annotations

import dataclasses
import datetime
import typing as t
import uuid

from ...rules import faults, scopes, types
from ..caller import Caller, internal
from ..store.values import Changes, Entry, Event, Node
from . import judging
from .judging import Finding

#: Who acts where nobody is known: Ironic does not tell who set or cleared its flag.
RECONCILER: t.Final = "reconcile"
#: The hold that takes a recovered power fault's place until somebody looked (`recovered_power_fault: review`).
REVIEW_TYPE: t.Final = "x_fault_review"


def changes(node: Node, entries: t.Sequence[Entry], found: t.Iterable[Finding], now: datetime.datetime, *, review: bool) -> Changes:
    """Give what the findings do to the node's entries. review: a power failure that Ironic recovered leaves a hold behind."""
    caller = internal(RECONCILER, "reconcile")
    result = Changes()
    for finding in found:
        if isinstance(finding, judging.FaultFound):
            entry = entry_of(caller, node, types.FAULT, _storable(finding.reason), now, {"fault": finding.kind})
            result.insert.append(entry)
            result.events.append(_event(caller, node, entry, "assert", data={"fault": finding.kind}))
        elif isinstance(finding, judging.FaultChanged):
            entry = _first(entries, types.FAULT)
            after = dataclasses.replace(entry, reason=_storable(finding.reason), extra={**entry.extra, "fault": finding.kind})
            result.update.append(after)
            result.events.append(_event(caller, node, after, "update", data={"fault": finding.kind}))
        elif isinstance(finding, judging.FaultEnded):
            _end_fault(result, caller, node, entries, finding, now, review=review)
        elif isinstance(finding, judging.FlagFound):
            _flag(result, caller, node, entries, _storable(finding.reason), now)
        elif isinstance(finding, judging.FlagLost):
            for entry in entries:
                if entry.type != types.FAULT:
                    result.events.append(_event(caller, node, entry, "external_clear", comment="the flag is set again", fold=True))
    return result


def ended(node: Node, entry: Entry, why: str) -> Event:
    """Give the event that ends an entry because of what Ironic says."""
    return _event(internal(RECONCILER, "reconcile"), node, entry, "release", comment=why)


def _end_fault(
    result: Changes,
    caller: Caller,
    node: Node,
    entries: t.Sequence[Entry],
    finding: judging.FaultEnded,
    now: datetime.datetime,
    *,
    review: bool,
) -> None:
    entry = _first(entries, types.FAULT)
    kind = entry.extra.get("fault")
    result.delete.append(entry)
    if finding.recovered:
        result.events.append(_event(caller, node, entry, "release", comment="Ironic reads the power state again", data={"fault": kind}))
    else:
        result.events.append(_event(caller, node, entry, "external_clear", comment="the fault is gone in Ironic", data={"fault": kind}))
    # To be reviewed however it ended: somebody may have set the flag anew between the recovery and this look.
    held = any(other.type == REVIEW_TYPE and other.scope == scopes.SYSTEM and not other.asserted_by_project for other in entries)
    if review and kind == faults.POWER_FAILURE and not held:
        hold = entry_of(caller, node, REVIEW_TYPE, entry.reason, now, {"fault": kind, "fault_entry": entry.uuid})
        result.insert.append(hold)
        result.events.append(_event(caller, node, hold, "assert", data={"fault": kind}))


def _flag(result: Changes, caller: Caller, node: Node, entries: t.Sequence[Entry], reason: str | None, now: datetime.datetime) -> None:
    for entry in entries:
        if entry.type == types.LEGACY:
            after = dataclasses.replace(entry, reason=reason)
            result.update.append(after)
            result.events.append(_event(caller, node, after, "update"))
            return
    entry = entry_of(caller, node, types.LEGACY, reason, now, {})
    result.insert.append(entry)
    result.events.append(_event(caller, node, entry, "assert"))


def _first(entries: t.Iterable[Entry], type_: str) -> Entry:
    return next(entry for entry in entries if entry.type == type_)


def _storable(reason: str | None) -> str | None:
    """Give the reason without what no database keeps; Ironic on SQLite keeps it."""
    if reason is None:
        return None
    return "".join("\N{REPLACEMENT CHARACTER}" if char == "\0" or "\ud800" <= char <= "\udfff" else char for char in reason)


def entry_of(caller: Caller, node: Node, type_: str, reason: str | None, now: datetime.datetime, extra: dict[str, t.Any]) -> Entry:
    """Make the entry that the service itself asserts, at system scope."""
    return Entry(
        id=None,
        uuid=str(uuid.uuid4()),
        node_id=node.id,
        type=type_,
        key="",
        reason=reason,
        scope=scopes.SYSTEM,
        asserted_by=caller.user_id,
        asserted_by_name=caller.user_name,
        asserted_by_project="",
        asserted_by_project_name=None,
        asserted_at=now,
        extra=extra,
        ticket=None,
        run=None,
    )


def _event(
    caller: Caller,
    node: Node,
    entry: Entry,
    action: str,
    *,
    comment: str | None = None,
    data: dict[str, t.Any] | None = None,
    fold: bool = False,
) -> Event:
    return Event(
        node_uuid=node.uuid,
        node_name=node.name,
        action=action,
        entry_uuid=entry.uuid,
        type=entry.type,
        scope=entry.scope,
        key=entry.key,
        reason=entry.reason,
        ticket=entry.ticket,
        run=entry.run,
        user=caller.user_id,
        user_name=caller.user_name,
        project="",
        project_name=None,
        actor_scope=scopes.SYSTEM,
        source=caller.source,
        comment=comment,
        data=data,
        fold=fold,
    )
