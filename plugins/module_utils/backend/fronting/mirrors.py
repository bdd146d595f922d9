# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is remembered of nodes in the Ironic behind us, and the lease under which one node at a time is talked about.

A node is dirty where its entries changed after Ironic was last told. That is a state, not a queue: however often they change, the
next look tells Ironic what holds then.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
import typing as t

from .. import libs
from ..schema.tables import tables
from ..store import holders, rows
from ..store.store import CHUNK, Store
from ..store.values import Entry, Node
from . import judging
from .judging import Memory
from .seen import Seen

#: How long after a call of unknown outcome the node is looked at again and again: by then it has arrived or it never will.
VERIFY = datetime.timedelta(seconds=60)
#: Seconds between those looks.
VERIFY_EVERY: t.Final = 1.0
#: A window in which losses of the flag are counted.
LOST_WINDOW = datetime.timedelta(minutes=10)
#: As many reasons of calls under way are remembered.
_MOST_SENDING: t.Final = 32
_PROBLEM_MOST: t.Final = 500


@dataclasses.dataclass(frozen=True)
class Taken:
    """A node under its lease: the node and its entries, oldest first, as they were when it was taken."""

    holder: str
    node: Node
    entries: tuple[Entry, ...]
    memory: Memory
    attempts: int
    verifying: bool


@dataclasses.dataclass(frozen=True)
class State:
    """How far Ironic is with a node. problem: a sentence on what stands in the way, None for nothing known."""

    clean: bool
    flag: bool | None
    problem: str | None


class Mirrors:
    """The table of what is remembered."""

    def __init__(self, store: Store, lease: float) -> None:
        """lease: seconds after which a node taken by a process that died may be taken by another."""
        self._store = store
        self._lease = datetime.timedelta(seconds=lease)

    def take(self, node_id: int, holder: str) -> Taken | None:
        """Take the node's lease. None: another has it, or the node is gone."""
        sa, table = libs.sqlalchemy, tables()
        mirrors = table.mirrors
        with self._store.writing() as connection:
            # It must not be deleted before its mirror's row is there.
            query = sa.select(table.nodes).where(table.nodes.c.id == node_id)
            row = connection.execute(query.with_for_update(read=True, key_share=True)).first()
            if row is None:
                return None
            before = connection.execute(sa.select(mirrors).where(mirrors.c.node_id == node_id).with_for_update()).first()
            now = self._store.now(connection)
            values: dict[str, t.Any] = {"holder": holder, "held_until": now + self._lease}
            if before is None:
                fresh = self._store.insert(mirrors).values(node_id=node_id, **values)
                if not connection.execute(fresh.on_conflict_do_nothing()).rowcount:
                    return None
            else:
                if before.holder is not None:
                    if before.held_until > now and not holders.is_dead(before.holder):
                        return None
                    if before.sending_flag is not None:
                        # It ended with a call under way, which may arrive after whatever is sent now.
                        values["verify_until"] = now + VERIFY
                connection.execute(sa.update(mirrors).where(mirrors.c.node_id == node_id).values(**values))
            found = connection.execute(sa.select(mirrors).where(mirrors.c.node_id == node_id)).one()
            node = rows.node(row)
            return Taken(
                holder=holder,
                node=node,
                entries=entries_of(connection, node_id),
                memory=memory(found),
                attempts=found.attempts,
                verifying=found.verify_until is not None and found.verify_until > now,
            )

    def read(self, node_id: int) -> tuple[Node, tuple[Entry, ...]] | None:
        """Give the node and its entries as they are now. None: it is gone."""
        sa, table = libs.sqlalchemy, tables()
        with self._store.reading() as connection:
            row = connection.execute(sa.select(table.nodes).where(table.nodes.c.id == node_id)).first()
            return None if row is None else (rows.node(row), entries_of(connection, node_id))

    def intend(self, taken: Taken, flag: bool, reason: str | None, learned: Seen | None = None) -> bool:
        """Note, before a call is sent, what it makes of the node. False: the lease is lost, nothing may be sent.

        learned: what was seen and is to be noted with it, as by `learn`.
        """
        sending = (*(one for one in taken.memory.sending if one != reason), reason)[-_MOST_SENDING:] if flag else taken.memory.sending
        noted = {} if learned is None else _learned(learned)
        return self._write(taken, **noted, sending_flag=flag, sending=json.dumps(sending))

    def learn(self, taken: Taken, seen: Seen) -> bool:
        """Note what was seen, the lease being kept. False: the lease is lost."""
        return self._write(taken, **_learned(seen))

    def settled(self, taken: Taken, seen: Seen, generation: int, told: str | None) -> bool:
        """Note that Ironic has what the node's entries said at this generation, and give the lease back. False: it was lost.

        told: the reason that the entries make.
        """
        values: dict[str, t.Any] = {
            "generation": generation,
            "flag": seen.maintenance,
            "reason": seen.reason,
            "told": told,
            "fault": seen.fault,
            "sending_flag": None,
            "attempts": 0,
            "not_before": None,
            "problem": None,
        }
        if taken.verifying:
            with self._store.reading() as connection:
                values["not_before"] = self._store.now(connection) + datetime.timedelta(seconds=VERIFY_EVERY)
        else:
            values["sending"] = None
            values["verify_until"] = None
        # Forgotten, the node would be looked at once more.
        return self._write(taken, free=True, durable=False, **values)

    def failed(self, taken: Taken, problem: str, *, again_in: float, unknown: bool = False) -> bool:
        """Note what stands in the way, and give the lease back. unknown: a call may have arrived or may still."""
        with self._store.reading() as connection:
            now = self._store.now(connection)
        values: dict[str, t.Any] = {
            "problem": problem[:_PROBLEM_MOST],
            "attempts": taken.attempts + 1,
            "not_before": now + datetime.timedelta(seconds=VERIFY_EVERY if unknown else again_in),
        }
        if unknown:
            values["verify_until"] = now + VERIFY
        return self._write(taken, free=True, **values)

    def give_back(self, taken: Taken) -> None:
        """Give the lease back with nothing else changed."""
        self._write(taken, free=True)

    def count_loss(self, node_id: int) -> int:
        """Count that the flag was cleared behind our back; give how often it was in the current window."""
        sa, mirrors = libs.sqlalchemy, tables().mirrors
        with self._store.writing() as connection:
            now = self._store.now(connection)
            row = connection.execute(sa.select(mirrors.c.lost_count, mirrors.c.lost_since).where(mirrors.c.node_id == node_id)).first()
            if row is None:
                return 0
            running = row.lost_since is not None and row.lost_since > now - LOST_WINDOW
            count, since = (row.lost_count + 1, row.lost_since) if running else (1, now)
            connection.execute(sa.update(mirrors).where(mirrors.c.node_id == node_id).values(lost_count=count, lost_since=since))
            return count

    def due(self, most: int) -> list[int]:
        """Give the ids of nodes that need a look, not leased, their pause over.

        That are those that are dirty, that are to be verified, that something stood in the way of (also where their entries did not
        move: a flag that was cleared round us is to be set again), and that a process had under its lease when it died. Those that are
        only to be verified come last: hundreds of them, each every second, must not keep the others waiting.
        """
        sa, table = libs.sqlalchemy, tables()
        nodes, mirrors = table.nodes, table.mirrors
        self._end_leases_of_the_dead()
        dirty = nodes.c.generation != sa.func.coalesce(mirrors.c.generation, 0)
        verified = sa.case((sa.or_(dirty, mirrors.c.problem.is_not(None)), 0), else_=1)
        with self._store.reading() as connection:
            now = self._store.now(connection)
            found = connection.execute(
                sa.select(nodes.c.id)
                .select_from(nodes.outerjoin(mirrors, mirrors.c.node_id == nodes.c.id))
                .where(
                    sa.or_(
                        dirty,
                        mirrors.c.verify_until > now,
                        mirrors.c.problem.is_not(None),
                        mirrors.c.held_until <= now,
                    ),
                    sa.or_(mirrors.c.held_until.is_(None), mirrors.c.holder.is_(None), mirrors.c.held_until <= now),
                    sa.or_(mirrors.c.not_before.is_(None), mirrors.c.not_before <= now),
                )
                .order_by(verified, mirrors.c.not_before, nodes.c.id)
                .limit(most)
            )
            return [row.id for row in found]

    def _end_leases_of_the_dead(self) -> None:
        sa, mirrors = libs.sqlalchemy, tables().mirrors
        with self._store.reading() as connection:
            query = sa.select(mirrors.c.holder).where(mirrors.c.holder.is_not(None), mirrors.c.held_until > self._store.now(connection))
            dead = [row.holder for row in connection.execute(query) if holders.is_dead(row.holder)]
        if dead:
            with self._store.writing() as connection:
                ended = sa.update(mirrors).where(mirrors.c.holder.in_(dead)).values(held_until=self._store.now(connection))
                connection.execute(ended)

    def waiting(self) -> list[tuple[str, str | None, str | None]]:
        """Give the dirty nodes: uuid, name and what stands in the way."""
        sa, table = libs.sqlalchemy, tables()
        nodes, mirrors = table.nodes, table.mirrors
        with self._store.reading() as connection:
            found = connection.execute(
                sa.select(nodes.c.uuid, nodes.c.name, mirrors.c.problem)
                .select_from(nodes.outerjoin(mirrors, mirrors.c.node_id == nodes.c.id))
                .where(nodes.c.generation != sa.func.coalesce(mirrors.c.generation, 0))
                .order_by(nodes.c.id)
            )
            return [(row.uuid, row.name, row.problem) for row in found]

    def states(self, node_ids: t.Collection[int]) -> dict[int, State]:
        """Tell for each of these nodes how far Ironic is."""
        sa, table = libs.sqlalchemy, tables()
        nodes, mirrors = table.nodes, table.mirrors
        wanted = sorted(set(node_ids))
        states: dict[int, State] = {}
        with self._store.reading() as connection:
            for start in range(0, len(wanted), CHUNK):
                found = connection.execute(
                    sa.select(nodes.c.id, nodes.c.generation, mirrors.c.generation.label("told"), mirrors.c.flag, mirrors.c.problem)
                    .select_from(nodes.outerjoin(mirrors, mirrors.c.node_id == nodes.c.id))
                    .where(nodes.c.id.in_(wanted[start : start + CHUNK]))
                )
                states |= {row.id: State(row.generation == (row.told or 0), row.flag, row.problem) for row in found}
        return states

    def _write(self, taken: Taken, *, free: bool = False, durable: bool = True, **values: t.Any) -> bool:
        """Write under the lease; false if another has it by now."""
        sa, mirrors = libs.sqlalchemy, tables().mirrors
        if free:
            values |= {"holder": None, "held_until": None}
        with self._store.writing(durable=durable) as connection:
            written = connection.execute(
                sa.update(mirrors).where(mirrors.c.node_id == taken.node.id, mirrors.c.holder == taken.holder).values(**values)
            )
            return bool(written.rowcount)


def _learned(seen: Seen) -> dict[str, t.Any]:
    return {"flag": seen.maintenance, "reason": seen.reason, "told": None, "fault": seen.fault}


def memory(row: t.Any) -> Memory:
    """Read a row of `mirrors`."""
    return judging.Memory(
        flag=row.flag,
        reason=row.reason,
        told=row.told,
        sending_flag=row.sending_flag,
        sending=tuple(json.loads(row.sending)) if row.sending else (),
        fault=row.fault,
    )


def entries_of(connection: t.Any, node_id: int) -> tuple[Entry, ...]:
    """Give the active entries of one node, oldest first."""
    sa, table = libs.sqlalchemy, tables().node_maintenance
    found = connection.execute(sa.select(table).where(table.c.node_id == node_id).order_by(table.c.asserted_at, table.c.id))
    return tuple(rows.entry(row) for row in found)
