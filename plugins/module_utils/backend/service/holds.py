# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Typed entries of one node: list, show, assert, change, release (spec, "REST API impact"; api.md 2 and 5)."""

from __future__ import annotations

import dataclasses
import typing as t

from .. import libs
from ..errors import not_found
from ..schema.tables import tables
from ..store import rows
from ..store.values import Changes, Entry, Locked, Node, same
from . import acting as act
from . import decisions
from .acting import Acting
from .decisions import Wish
from .parts import Parts


@dataclasses.dataclass(frozen=True)
class Held:
    """An entry and its node, as an answer."""

    node: Node
    entry: Entry
    #: PUT of a fault: the entry was made, not updated.
    created: bool = False


def locked_node(locked: Locked, ident: str) -> tuple[Node, tuple[Entry, ...]]:
    """Give the one node and its entries. Refusal 404: it went away before the lock, or its name went to another node."""
    if not locked.nodes or not locked.nodes[0].is_called(ident):
        raise not_found(ident)
    node = locked.nodes[0]
    return node, locked.entries[node.id]


def entries_of(parts: Parts, node_ids: t.Sequence[int]) -> dict[int, tuple[Entry, ...]]:
    """Give the active entries of the nodes, oldest first."""
    sa, table = libs.sqlalchemy, tables().node_maintenance
    found: dict[int, list[Entry]] = {node_id: [] for node_id in node_ids}
    with parts.store.reading() as connection:
        for row in connection.execute(sa.select(table).where(table.c.node_id.in_(node_ids)).order_by(table.c.asserted_at, table.c.id)):
            found[row.node_id].append(rows.entry(row))
    return {node_id: tuple(entries) for node_id, entries in found.items()}


def list_entries(parts: Parts, acting: Acting, ident: str) -> tuple[Node, tuple[Entry, ...]]:
    """Give the node and its active entries. Refusal: 404 node, 403 policy."""
    node = acting.require_sight(parts.source.find(ident, acting), ident)
    acting.require(act.GET, node, ident)
    return node, entries_of(parts, [node.id])[node.id]


def get_entry(parts: Parts, acting: Acting, ident: str, entry_uuid: str) -> Held:
    """Give one entry. Refusal: 404 node or entry, 403 policy."""
    node, entries = list_entries(parts, acting, ident)
    return Held(node, _pick(entries, entry_uuid))


def assert_entry(parts: Parts, acting: Acting, ident: str, wish: Wish, *, dry_run: bool = False) -> Held:
    """Assert a typed entry at the caller's scope. Refusal as decisions.assert_typed."""
    found = acting.require_sight(parts.source.find(ident, acting), ident)

    def decide(locked: Locked) -> Changes:
        node, entries = locked_node(locked, ident)
        entry = decisions.assert_typed(acting, node, ident, entries, wish, locked.now[node.id], most=parts.max_entries_per_node)
        return Changes(answer=Held(node, entry), insert=[entry], events=[decisions.event(acting, node, entry, "assert")])

    return _changed(parts, found, decide, dry_run)


def update_entry(
    parts: Parts, acting: Acting, ident: str, entry_uuid: str, changes: t.Mapping[str, t.Any], *, dry_run: bool = False
) -> Held:
    """Change reason, extra, ticket or run of the caller's own entry. Who asserted it, and when, stays."""
    found = acting.require_sight(parts.source.find(ident, acting), ident)

    def decide(locked: Locked) -> Changes:
        node, entries = locked_node(locked, ident)
        acting.require_sight(node, ident)
        before = _pick(entries, entry_uuid)
        after = decisions.change_own(acting, node, ident, before, changes)
        if after == before and same(after.extra, before.extra):
            return Changes(answer=Held(node, before))
        return Changes(answer=Held(node, after), update=[after], events=[decisions.event(acting, node, after, "update")])

    return _changed(parts, found, decide, dry_run)


def release_entry(parts: Parts, acting: Acting, ident: str, entry_uuid: str, *, dry_run: bool = False) -> Held:
    """Release one entry and give it as it was. Refusal: 404 node or entry, 403 policy or the floor."""
    found = acting.require_sight(parts.source.find(ident, acting), ident)

    def decide(locked: Locked) -> Changes:
        node, entries = locked_node(locked, ident)
        acting.require_sight(node, ident)
        entry = _pick(entries, entry_uuid)
        decisions.require_release(acting, node, ident, [entry], "single")
        return Changes(answer=Held(node, entry), delete=[entry], events=[decisions.event(acting, node, entry, "release")])

    return _changed(parts, found, decide, dry_run)


def _pick(entries: t.Iterable[Entry], entry_uuid: str) -> Entry:
    for entry in entries:
        if entry.uuid == entry_uuid:
            return entry
    raise decisions.no_entry(entry_uuid)


def _changed(parts: Parts, node: Node, decide: t.Callable[[Locked], Changes], dry_run: bool) -> Held:
    held = parts.store.change([node.id], decide, dry_run=dry_run)
    if not dry_run:
        parts.source.changed([node.id])
    return held
