# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Assert and release on many nodes at once (api.md 7): in one transaction, all or nothing or a result per node."""

from __future__ import annotations

import dataclasses
import functools
import typing as t

from .. import libs
from ..errors import Blocker, Refusal, not_found
from ..schema.tables import tables
from ..store import rows
from ..store.store import CHUNK
from ..store.values import Changes, Entry, Locked, Node
from . import decisions
from .acting import Acting
from .decisions import Wish
from .holds import Held
from .parts import Parts

OnError = t.Literal["stop", "continue"]

#: How many refusals the text of one error spells out; its blockers are always complete.
MOST_SENTENCES = 50


@dataclasses.dataclass(frozen=True)
class Result:
    """What became of one node, or of one entry. status is the HTTP status that the single call would have had."""

    ident: str
    status: int
    held: Held | None = None
    refusal: Refusal | None = None


@dataclasses.dataclass(frozen=True)
class Selection:
    """Which entries to release: by uuid, or the caller's own on `nodes` by type (and key), run, ticket."""

    entries: tuple[str, ...] | None = None
    nodes: tuple[str, ...] | None = None
    type: str | None = None
    key: str = ""
    run: str | None = None
    ticket: str | None = None

    @functools.cached_property
    def _uuids(self) -> frozenset[str]:
        return frozenset(self.entries or ())

    def picks(self, acting: Acting, node: Node, entry: Entry) -> bool:
        """Tell whether an entry of the node is meant. By type the key counts; by run or ticket any key does."""
        if self.entries is not None:
            return entry.uuid in self._uuids
        return (
            acting.owns(node, entry)
            and (self.type is None or (entry.type == self.type and entry.key == self.key))
            and (self.run is None or entry.run == self.run)
            and (self.ticket is None or entry.ticket == self.ticket)
        )


def assert_many(
    parts: Parts, acting: Acting, idents: t.Sequence[str], wish: Wish, on_error: OnError, *, dry_run: bool = False
) -> list[Result]:
    """Assert the wish on every node. `stop`: a Refusal with every blocker, and nothing is written, if any node refuses."""
    found, refused = _find(parts, acting, idents)

    def decide(locked: Locked) -> Changes:
        changes = Changes()
        by_id = {node.id: node for node in locked.nodes}
        results = []
        for ident in idents:
            try:
                if ident in refused:
                    raise refused[ident]
                node = by_id.get(found[ident].id)
                if node is None or not node.is_called(ident):
                    raise not_found(ident)
                entry = decisions.assert_typed(
                    acting,
                    node,
                    ident,
                    locked.entries[node.id],
                    wish,
                    locked.now[node.id],
                    most=parts.max_entries_per_node,
                    call="bulk",
                )
            except Refusal as refusal:
                results.append(Result(ident, refusal.status, refusal=refusal))
                continue
            changes.insert.append(entry)
            changes.events.append(decisions.event(acting, node, entry, "assert"))
            results.append(Result(ident, 201, Held(node, entry)))
        changes.answer = _settled(results, on_error)
        return changes

    return _changed(parts, [node.id for node in found.values()], decide, dry_run)


def release_many(
    parts: Parts,
    acting: Acting,
    selection: Selection,
    on_error: OnError,
    *,
    comment: str | None = None,
    dry_run: bool = False,
) -> list[Result]:
    """Release what is selected. A named node without a match is nothing to do: 204 without an entry.

    The results are in the order of the request; where it names neither entries nor nodes, in that of the nodes.
    """
    if selection.entries is not None:
        node_ids, missing = _nodes_of_entries(parts, acting, selection.entries)
        asked: dict[int, str] = {}
        known = {uuid: Result(uuid, 404, refusal=decisions.no_entry(uuid)) for uuid in selection.entries if uuid in missing}
    elif selection.nodes is not None:
        found, refused = _find(parts, acting, selection.nodes)
        asked = {node.id: ident for ident, node in found.items()}
        node_ids = list(asked)
        known = {ident: Result(ident, refusal.status, refusal=refusal) for ident, refusal in refused.items()}
    else:
        asked, known = {}, {}
        node_ids = _nodes_of_labels(parts, acting, selection)

    def decide(locked: Locked) -> Changes:
        changes = Changes()
        # By what the request names, in its order.
        outcome: dict[str, list[Result]] = {name: [] for name in selection.entries or selection.nodes or ()}
        for name, result in known.items():
            outcome[name].append(result)
        for node in locked.nodes:
            ident = asked.get(node.id, node.uuid)
            picked = [entry for entry in locked.entries[node.id] if selection.picks(acting, node, entry)]
            if not (acting.sees(node) and node.is_called(ident)):
                if node.id in asked:
                    outcome[ident].append(Result(ident, 404, refusal=not_found(ident)))
                continue
            if not picked and node.id in asked:
                outcome[ident].append(Result(ident, 204))
            for entry in picked:
                name = ident if selection.entries is None else entry.uuid
                outcome.setdefault(name, []).append(_release(acting, node, ident, entry, comment, changes))
        # What was there when it was looked up, and is not under the lock.
        gone = decisions.no_entry if selection.entries is not None else not_found
        for name, results in outcome.items():
            if not results:
                results.append(Result(name, 404, refusal=gone(name)))
        changes.answer = _settled([result for results in outcome.values() for result in results], on_error)
        return changes

    return _changed(parts, node_ids, decide, dry_run)


def _release(acting: Acting, node: Node, ident: str, entry: Entry, comment: str | None, changes: Changes) -> Result:
    try:
        decisions.require_release(acting, node, ident, [entry], "bulk")
    except Refusal as refusal:
        return Result(ident, refusal.status, refusal=refusal)
    changes.delete.append(entry)
    changes.events.append(decisions.event(acting, node, entry, "release", comment=comment))
    return Result(ident, 204, Held(node, entry))


def _find(parts: Parts, acting: Acting, idents: t.Sequence[str]) -> tuple[dict[str, Node], dict[str, Refusal]]:
    """Give the nodes that the caller sees, and the refusals of the rest. Refusal 400: a node is named twice."""
    nodes = parts.source.find_many(idents, acting)
    found: dict[str, Node] = {}
    refused: dict[str, Refusal] = {}
    seen: dict[int, str] = {}
    for ident in idents:
        node = nodes.get(ident)
        if ident in found or ident in refused or (node is not None and node.id in seen):
            other = ident if node is None else seen.get(node.id, ident)
            raise Refusal(400, "invalid", f"Node {ident} is named twice (also as {other}): name each node once.", node=ident)
        if node is None or not acting.sees(node):
            refused[ident] = not_found(ident)
            continue
        seen[node.id] = ident
        found[ident] = node
    return found, refused


def _nodes_of_entries(parts: Parts, acting: Acting, uuids: t.Sequence[str]) -> tuple[list[int], set[str]]:
    """Give the ids of the nodes that hold the entries, and the uuids of no entry on a node that the caller sees."""
    sa, table = libs.sqlalchemy, tables()
    missing = set(uuids)
    node_ids = set()
    of_node: dict[int, list[str]] = {}
    with parts.store.reading() as connection:
        for start in range(0, len(uuids), CHUNK):
            chunk = uuids[start : start + CHUNK]
            query = sa.select(table.node_maintenance.c.node_id, table.node_maintenance.c.uuid)
            for row in connection.execute(query.where(table.node_maintenance.c.uuid.in_(chunk))):
                of_node.setdefault(row.node_id, []).append(row.uuid)
    nodes = _rows(parts, sorted(of_node))
    # Outside the transaction: it may ask another service.
    parts.source.reveal(acting, [node.uuid for node in nodes])
    for node in nodes:
        if acting.sees(node):
            missing.difference_update(of_node[node.id])
            node_ids.add(node.id)
    return sorted(node_ids), missing


def _rows(parts: Parts, ids: list[int]) -> list[Node]:
    sa, nodes = libs.sqlalchemy, tables().nodes
    found = []
    with parts.store.reading() as connection:
        for start in range(0, len(ids), CHUNK):
            found += [rows.node(row) for row in connection.execute(sa.select(nodes).where(nodes.c.id.in_(ids[start : start + CHUNK])))]
    return found


def _nodes_of_labels(parts: Parts, acting: Acting, selection: Selection) -> list[int]:
    sa, table = libs.sqlalchemy, tables().node_maintenance
    query = sa.select(table.c.node_id).distinct()
    if selection.run is not None:
        query = query.where(table.c.run == selection.run)
    if selection.ticket is not None:
        query = query.where(table.c.ticket == selection.ticket)
    with parts.store.reading() as connection:
        found = [row.node_id for row in connection.execute(query)]
    parts.source.reveal(acting, [node.uuid for node in _rows(parts, found)])
    return found


def _settled(results: list[Result], on_error: OnError) -> list[Result]:
    refusals = [result.refusal for result in results if result.refusal is not None]
    if on_error == "continue" or not refusals:
        return results
    if len(refusals) == 1:
        raise refusals[0]
    first = refusals[0]
    texts = [refusal.text for refusal in refusals[:MOST_SENTENCES]]
    if len(refusals) > MOST_SENTENCES:
        texts.append(f"{len(refusals) - MOST_SENTENCES} more nodes refuse")
    blockers: list[Blocker] = [blocker for refusal in refusals for blocker in refusal.blockers]
    raise Refusal(first.status, first.code, ". ".join(text.rstrip(".") for text in texts), node=first.node, blockers=blockers)


def _changed(parts: Parts, node_ids: list[int], decide: t.Callable[[Locked], Changes], dry_run: bool) -> list[Result]:
    results = parts.store.change(node_ids, decide, dry_run=dry_run)
    if not dry_run:
        parts.source.changed(node_ids)
    return results
