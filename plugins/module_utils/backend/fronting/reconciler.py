# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Comparing all nodes of the Ironic behind us with our table, again and again.

A list is only a hint: it names nodes that need a look, and each look is a settling of its own with a fresh GET. Nothing at all is
done in a cycle that has not first proven the service's credential, because a weakened one sees an empty fleet.
"""

from __future__ import annotations

import dataclasses
import logging
import threading
import typing as t

from ...rules import faults, types
from .. import libs
from ..schema.tables import tables
from ..store import rows
from ..store.store import CHUNK, Store
from ..store.values import Changes, Entry, Locked, Node
from . import adopting, ironic, judging, mirrors, nodes, questions, seen
from .judging import Call, Memory
from .mirror import Mirror, Outcome
from .seen import Seen

_log = logging.getLogger(__name__)

#: So many nodes, or this part of all, may vanish in one cycle before somebody is asked.
BRAKE_LEAST: t.Final = 5
BRAKE_PART: t.Final = 0.01


@dataclasses.dataclass(frozen=True)
class Known:
    """A node as our table has it."""

    node: Node
    entries: tuple[Entry, ...]
    memory: Memory
    clean: bool


@dataclasses.dataclass
class Report:
    """What one cycle found and did, in uuids."""

    listed: int = 0
    registered: list[str] = dataclasses.field(default_factory=list)
    settled: list[str] = dataclasses.field(default_factory=list)
    later: list[str] = dataclasses.field(default_factory=list)
    purged: list[str] = dataclasses.field(default_factory=list)
    asked: list[str] = dataclasses.field(default_factory=list)


class Reconciler:
    """Compares. One of them works at a time, among all replicas: who calls sees to that."""

    def __init__(self, store: Store, service: ironic.Ironic, mirror: Mirror, *, observe: bool = False, review: bool = False) -> None:
        """observe: Ironic is told nothing, so that it goes on differing from our entries. review: a recovery leaves a hold behind."""
        self._store = store
        self._ironic = service
        self._mirror = mirror
        self._observe = observe
        self._review = review
        self._registering = threading.Lock()

    def hot(self) -> list[str]:
        """Look at nodes whose holds Ironic's own recovery wipes: those with a power fault and something else. Give whom it settled.

        Where a recovery leaves a hold behind, the power fault alone is enough. Raises IronicError: nothing was done.
        """
        hot = self._hot_nodes()
        if not hot:
            return []
        self._ironic.prove()
        listed = {row["uuid"] for row in self._ironic.nodes(("uuid",), fault=faults.POWER_FAILURE, maintenance="true")}
        recovered = {uuid: node_id for uuid, node_id in hot.items() if uuid not in listed}
        self._mirror.settle_many(list(recovered.values()))
        return list(recovered)

    def full(self) -> Report:
        """Compare every node. Raises IronicError: nothing was done, or no more than what single nodes asked for."""
        self._ironic.prove()
        listed = {row["uuid"]: row for row in self._ironic.nodes((*seen.KEPT, "uuid", "maintenance", "maintenance_reason", "fault"))}
        report = Report(listed=len(listed))
        before = self._known()
        if not listed and before:
            raise ironic.Denied(f"Ironic lists no node where {len(before)} are known: that is taken for a credential that is too weak")
        looked = {uuid: seen.read(row) for uuid, row in listed.items()}
        report.registered = self._register(before, looked)
        known = self._known() if report.registered else before
        wanted = [item for uuid, item in known.items() if uuid in looked and self._differs(item, looked[uuid])]
        outcomes = self._mirror.settle_many([item.node.id for item in wanted])
        for item in wanted:
            done = outcomes[item.node.id] is Outcome.SETTLED
            (report.settled if done else report.later).append(item.node.uuid)
        self._purge([item for uuid, item in known.items() if uuid not in looked], len(known), report)
        return report

    def trust(self) -> list[str]:
        """Release the entries of held nodes that Ironic has out of maintenance; give their uuids (`unpin --trust-ironic`)."""
        self._ironic.prove()
        released = []
        for uuid, item in self._known().items():
            if not item.entries or self._ironic.node(uuid).maintenance:
                continue

            def decide(locked: Locked) -> Changes:
                changes = Changes()
                for there in locked.nodes:
                    changes.delete += locked.entries[there.id]
                    why = "Ironic had the node out of maintenance (unpin --trust-ironic)"
                    changes.events += [adopting.ended(there, entry, why) for entry in locked.entries[there.id]]
                return changes

            self._store.change([item.node.id], decide)
            released.append(uuid)
        return released

    def _differs(self, item: Known, looked: Seen) -> bool:
        """Tell whether the node needs a look of its own. What is dirty has the sweep's attention already."""
        if not item.clean:
            return False
        found = judging.findings(item.entries, item.memory, looked)
        # What was seen last time and is no more, though nothing follows from it, must be forgotten: the same kind of fault may come anew.
        moved = (item.memory.flag or False) != looked.maintenance or item.memory.fault != looked.fault
        # While only observing, what Ironic would be told is said once, when it is found.
        untold = not self._observe and judging.call(item.entries, looked, item.memory) is not Call.NOTHING
        return bool(found) or moved or untold

    def _register(self, known: t.Mapping[str, Known], looked: t.Mapping[str, Seen]) -> list[str]:
        """Bring our rows up to date; give the uuids of new nodes."""
        fresh = {uuid: one.members for uuid, one in looked.items() if uuid not in known or nodes.differing(known[uuid].node, one.members)}
        if not fresh:
            return []
        uuids = sorted(fresh)
        for start in range(0, len(uuids), CHUNK):
            nodes.register(self._store, {uuid: fresh[uuid] for uuid in uuids[start : start + CHUNK]}, self._registering)
        return [uuid for uuid in uuids if uuid not in known]

    def _purge(self, missing: list[Known], total: int, report: Report) -> None:
        """Forget nodes that Ironic no longer has, each by an answer of its own; too many at once only with an operator's word."""
        gone = []
        for item in missing:
            try:
                self._ironic.node(item.node.uuid)
            except ironic.Gone:
                gone.append(item)
        if not gone:
            return
        most = max(BRAKE_LEAST, int(total * BRAKE_PART))
        if len(gone) > most:
            uuids = sorted(item.node.uuid for item in gone)
            text = (
                f"{len(uuids)} of {total} nodes are gone from Ironic at once, more than {most}: nothing is forgotten."
                " If they were really removed, accept this; else find out what the service's credential no longer sees."
            )
            if not questions.accepted(self._store, "purge", text, {"uuids": uuids}):
                report.asked = uuids
                return
        # Proven once more: what was listed and asked for must have been seen with a whole credential to the end.
        self._ironic.prove()
        for item in gone:
            self._forget(item.node)
            report.purged.append(item.node.uuid)

    def _forget(self, node: Node) -> None:
        def decide(locked: Locked) -> Changes:
            changes = Changes()
            for there in locked.nodes:
                entries = locked.entries[there.id]
                changes.delete += entries
                changes.events += [adopting.ended(there, entry, "the node is gone from Ironic") for entry in entries]
                changes.delete_nodes.append(there)
            return changes

        self._store.change([node.id], decide)
        _log.warning("node %s is gone from Ironic; its entries ended with it", node.uuid)

    def _hot_nodes(self) -> dict[str, int]:
        sa, table = libs.sqlalchemy, tables()
        entries, all_nodes = table.node_maintenance, table.nodes
        other = entries.alias("other")
        held = sa.exists().where(other.c.node_id == all_nodes.c.id, other.c.type != types.FAULT)
        with self._store.reading() as connection:
            found = connection.execute(
                sa.select(all_nodes.c.uuid, all_nodes.c.id)
                .join(entries, entries.c.node_id == all_nodes.c.id)
                .where(
                    all_nodes.c.fault == faults.POWER_FAILURE,
                    entries.c.type == types.FAULT,
                    *(() if self._review else (held,)),
                )
            )
            return {row.uuid: row.id for row in found}

    def _known(self) -> dict[str, Known]:
        sa, table = libs.sqlalchemy, tables()
        with self._store.reading() as connection:
            entries: dict[int, list[Entry]] = {}
            query = sa.select(table.node_maintenance).order_by(table.node_maintenance.c.asserted_at, table.node_maintenance.c.id)
            for row in connection.execute(query):
                entries.setdefault(row.node_id, []).append(rows.entry(row))
            remembered = {row.node_id: row for row in connection.execute(sa.select(table.mirrors))}
            known = {}
            for row in connection.execute(sa.select(table.nodes)):
                node = rows.node(row)
                mirror = remembered.get(node.id)
                known[node.uuid] = Known(
                    node=node,
                    entries=tuple(entries.get(node.id, ())),
                    memory=Memory() if mirror is None else mirrors.memory(mirror),
                    clean=node.generation == (0 if mirror is None else mirror.generation),
                )
            return known
