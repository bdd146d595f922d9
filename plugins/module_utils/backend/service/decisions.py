# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Decisions about entries, shared by single and bulk calls. Pure: rows in, changes or a Refusal out."""

from __future__ import annotations

import dataclasses
import datetime
import typing as t
import uuid

from ...rules import authority, scopes, types
from ..errors import Blocker, Refusal
from ..store.values import Entry, Event, Node
from . import acting as act
from .acting import Acting, Call


@dataclasses.dataclass(frozen=True)
class Wish:
    """A hold as a caller asks for it; the rest of an entry follows from who the caller is."""

    type: str
    reason: str | None = None
    extra: dict[str, t.Any] = dataclasses.field(default_factory=dict)
    key: str = ""
    ticket: str | None = None
    run: str | None = None


def event(
    acting: Acting,
    node: Node,
    entry: Entry,
    action: str,
    *,
    comment: str | None = None,
    data: dict[str, t.Any] | None = None,
    fold: bool = False,
) -> Event:
    """Record what the caller did with the entry. An actor whom policy alone lets act is recorded at system scope, as its entries are."""
    caller = acting.caller
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
        project=caller.project_id,
        project_name=caller.project_name,
        actor_scope=acting.standing(node) or scopes.SYSTEM,
        source=caller.source,
        comment=comment,
        data=data,
        fold=fold,
    )


def new_entry(acting: Acting, node: Node, wish: Wish, scope: str, now: datetime.datetime) -> Entry:
    """Make the entry that the caller asserts at this scope."""
    caller = acting.caller
    return Entry(
        id=None,
        uuid=str(uuid.uuid4()),
        node_id=node.id,
        type=wish.type,
        key=wish.key,
        reason=wish.reason,
        scope=scope,
        asserted_by=caller.user_id,
        asserted_by_name=caller.user_name,
        asserted_by_project=caller.project_id,
        asserted_by_project_name=caller.project_name,
        asserted_at=now,
        extra=wish.extra,
        ticket=wish.ticket,
        run=wish.run,
    )


def assert_typed(
    acting: Acting,
    node: Node,
    ident: str,
    entries: t.Sequence[Entry],
    wish: Wish,
    now: datetime.datetime,
    *,
    most: int,
    call: Call = "single",
) -> Entry:
    """Give the entry that POST creates.

    Refusal: 404 the node is not for the caller; 403 policy, or no standing; 409 the same hold exists; 400 the node has `most` entries.
    """
    acting.require_sight(node, ident)
    standing = acting.standing(node)
    # What policy sees of the entry to come: all that it will be, so that a rule can be about types or scopes.
    coming = new_entry(acting, node, wish, standing or "", now)
    if not acting.may(act.ADD, node, coming, call):
        raise Refusal(
            403,
            "not_permitted",
            f"Cannot assert {wish.type} on node {ident}: policy {act.ADD} does not permit it to you",
            node=ident,
        )
    if standing is None:
        raise Refusal(
            403,
            "not_permitted",
            f"Cannot assert {wish.type} on node {ident}: you are neither its owner nor its lessee nor a system operator,"
            " so there is no scope at which to hold it",
            node=ident,
        )
    for entry in entries:
        if entry.identity == coming.identity:
            key = f" with key {entry.key!r}" if entry.key else ""
            raise Refusal(
                409,
                "duplicate",
                f"Cannot assert {wish.type} on node {ident}: the active entry {entry.uuid} is the same hold"
                f" (type {entry.type}, scope {entry.scope}{key}, same project); change or release that one, or give another key",
                node=ident,
                blockers=[describe(acting, node, entry, "the same hold is active")],
            )
    if len(entries) >= most:
        raise Refusal(
            400,
            "invalid",
            f"Cannot assert {wish.type} on node {ident}: it has {len(entries)} active entries, the most allowed; release some first",
            node=ident,
        )
    return coming


def describe(acting: Acting, node: Node, entry: Entry, why: str) -> Blocker:
    """Describe an entry that stands in the way, as far as the caller may know it."""
    hidden = acting.hides(entry.scope, node)
    return Blocker(
        uuid=entry.uuid,
        type=entry.type,
        scope=entry.scope,
        project=None if hidden else entry.asserted_by_project,
        why=why,
        who_can=authority.who_can(type=entry.type, scope=entry.scope, asserted_by_project="" if hidden else entry.asserted_by_project),
    )


def release_refused(acting: Acting, node: Node, entry: Entry, call: Call, *, cleared: bool = False) -> tuple[str, Blocker] | None:
    """Give None if the caller may release the entry, else the spec's sentence and the blocker.

    cleared: the caller passed `clear_maintenance` for the whole node, which is all that legacy and fault entries need.
    """
    if entry.type in authority.EXEMPT:
        if cleared or acting.may(act.REMOVE, node, entry, call) or acting.may(act.CLEAR_MAINTENANCE, node, entry, call):
            return None
        why = f"not permitted by policy {act.REMOVE}"
    else:
        standing = acting.standing(node)
        floor = authority.release_floor(
            type=entry.type,
            scope=entry.scope,
            asserted_by_project=entry.asserted_by_project,
            standing=standing,
            project=acting.caller.project_id,
        )
        if floor == "project":
            why = "not asserted by your project"
        elif floor == "scope":
            why = f"not permitted at {standing} scope"
        elif floor == "no_standing":
            why = f"not permitted without standing on node {node.uuid}"
        elif not acting.may(act.REMOVE, node, entry, call):
            why = f"not permitted by policy {act.REMOVE}"
        else:
            return None
    blocker = describe(acting, node, entry, why)
    by = f", asserted by project {blocker.project}" if why == "not asserted by your project" and blocker.project else ""
    return f"Cannot release maintenance entry {entry.uuid} (type {entry.type}, scope {entry.scope}{by}): {why}", blocker


def require_release(acting: Acting, node: Node, ident: str, entries: t.Iterable[Entry], call: Call, *, cleared: bool = False) -> None:
    """Refusal 403 that names every one of these entries that the caller may not release, a sentence each, in order."""
    refused = [found for entry in entries if (found := release_refused(acting, node, entry, call, cleared=cleared)) is not None]
    if refused:
        raise Refusal(
            403,
            "not_permitted",
            ". ".join(sentence for sentence, _blocker in refused),
            node=ident,
            blockers=[blocker for _sentence, blocker in refused],
        )


def no_entry(entry_uuid: str) -> Refusal:
    """The answer for an entry that does not exist, is on another node, or on one that the caller does not see: they must not differ."""
    return Refusal(404, "not_found", f"Maintenance entry {entry_uuid} could not be found.")


def change_own(acting: Acting, node: Node, ident: str, entry: Entry, changes: t.Mapping[str, t.Any], call: Call = "single") -> Entry:
    """Give the entry with the members reason, extra, ticket, run of `changes` replaced (api.md 5).

    Refusal: 400 a legacy or fault entry; 403 policy, or not the caller's own: never by outranking.
    """
    if entry.type in types.RESERVED:
        raise Refusal(
            400,
            "reserved_type",
            f"Cannot change maintenance entry {entry.uuid} on node {ident}: a {entry.type} entry is changed where it was made,"
            f" by {'PUT maintenance' if entry.type == types.LEGACY else 'PUT maintenance/fault'}",
            node=ident,
        )
    if not acting.owns(node, entry):
        blocker = describe(acting, node, entry, "not your own")
        raise Refusal(
            403,
            "not_permitted",
            f"Cannot change maintenance entry {entry.uuid} (type {entry.type}, scope {entry.scope}) on node {ident}:"
            " it is not your own, and only who asserted an entry may change it",
            node=ident,
            blockers=[dataclasses.replace(blocker, who_can="who asserted it")],
        )
    acting.require(act.UPDATE, node, ident, entry, call)
    return dataclasses.replace(entry, **changes)
