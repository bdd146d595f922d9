# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The boolean of today: set and clear, mapped onto entries (spec, "REST API impact"; api.md 3)."""

from __future__ import annotations

import dataclasses
import typing as t

from ...rules import authority, scopes, types
from ..store.values import Changes, Entry, Locked, Node
from . import acting as act
from . import decisions
from .acting import Acting, Call
from .decisions import Wish
from .holds import locked_node
from .parts import Parts


def set_flag(parts: Parts, acting: Acting, ident: str, reason: str | None, *, by_name: bool = True, dry_run: bool = False) -> None:
    """Make or update the node's legacy entry; every other entry stays as it is. Refusal: 404 node, 403 set_maintenance."""
    found = acting.require_sight(parts.source.find(ident, acting, by_name=by_name), ident)

    def decide(locked: Locked) -> Changes:
        node, entries = locked_node(locked, ident)
        acting.require_sight(node, ident)
        acting.require(act.SET_MAINTENANCE, node, ident)
        return hold_legacy(acting, node, entries, reason, locked)

    parts.store.change([found.id], decide, dry_run=dry_run)
    if not dry_run:
        parts.source.changed([found.id])


def hold_legacy(acting: Acting, node: Node, entries: t.Sequence[Entry], reason: str | None, locked: Locked) -> Changes:
    """Give the changes of PUT: asserter and scope of an existing legacy entry are never stamped anew."""
    for entry in entries:
        if entry.type == types.LEGACY:
            if entry.reason == reason:
                return Changes()
            after = dataclasses.replace(entry, reason=reason)
            return Changes(update=[after], events=[decisions.event(acting, node, after, "update")])
    # Someone whom policy lets set maintenance without any standing is recorded at system scope: safe, since legacy
    # entries are released by policy alone.
    scope = acting.standing(node) or scopes.SYSTEM
    entry = decisions.new_entry(acting, node, Wish(types.LEGACY, reason), scope, locked.now[node.id])
    return Changes(insert=[entry], events=[decisions.event(acting, node, entry, "assert")])


def clear_flag(
    parts: Parts,
    acting: Acting,
    ident: str,
    call: Call,
    *,
    by_name: bool = True,
    comment: str | None = None,
    dry_run: bool = False,
) -> None:
    """Release every active entry of the node, all or nothing.

    Refusal: 404 node; 403 clear_maintenance, or one that names every entry the caller may not release.
    """
    found = acting.require_sight(parts.source.find(ident, acting, by_name=by_name), ident)

    def decide(locked: Locked) -> Changes:
        node, entries = locked_node(locked, ident)
        acting.require_sight(node, ident)
        return release_all(acting, node, ident, entries, call, comment=comment)

    parts.store.change([found.id], decide, dry_run=dry_run)
    if not dry_run:
        parts.source.changed([found.id])


def release_all(acting: Acting, node: Node, ident: str, entries: t.Sequence[Entry], call: Call, *, comment: str | None = None) -> Changes:
    """Give the changes of DELETE on the collection: clear_maintenance once, then for each typed entry policy and the floor."""
    acting.require(act.CLEAR_MAINTENANCE, node, ident, call=call)
    decisions.require_release(acting, node, ident, [entry for entry in entries if entry.type not in authority.EXEMPT], call, cleared=True)
    return Changes(
        delete=list(entries),
        events=[decisions.event(acting, node, entry, "release", comment=comment) for entry in entries],
    )
