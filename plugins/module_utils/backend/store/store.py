# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The store: transactions, its clock, and `change`, the one way in which nodes, entries and history are written."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import datetime
import threading
import time
import typing as t

from .. import libs
from ..schema.tables import tables
from . import derived, engine, failures, rows
from .values import Changes, Entry, Locked, Node

Decide = t.Callable[[Locked], Changes]

#: How many values one IN list holds; SQLite's limit of variables is far above.
CHUNK = 5000


#: Tells this project's advisory locks from those of others in the same database.
_OURS: t.Final = 0x626D6D


Turn = t.Literal["history", "schema"]
#: What only one transaction at a time does on a server that has many. Of those that write events, so that the events' ids are in the
#: order in which they are committed and no reader's cursor passes one that is yet to come.
_TURNS: t.Final[dict[Turn, int]] = {"history": 1, "schema": 2}


class Store:
    """A database of nodes, entries and history. Any number of threads and processes may use it at once."""

    def __init__(self, url: str, *, busy_timeout: float = 5.0, clock_offset: float = 0.0) -> None:
        """url: SQLAlchemy's. busy_timeout: seconds that a write waits for others. clock_offset: seconds, for tests."""
        self._engine = engine.create(url, busy_timeout=busy_timeout)
        self._busy_timeout = busy_timeout
        self._offset = datetime.timedelta(seconds=clock_offset)
        self._sqlite = self._engine.dialect.name == "sqlite"
        self._snapshot = engine.snapshot(self._engine)
        # Fairness, not correctness: without it SQLite's own waiting makes the worst wait five times longer.
        self._write_lock = threading.Lock()

    @property
    def is_sqlite(self) -> bool:
        """Tell whether the database is a file of this machine, which one process at a time writes."""
        return self._sqlite

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()

    def now(self, connection: t.Any) -> datetime.datetime:
        """Give the database's time plus the offset: the only clock. UTC without a zone, in microseconds.

        SQLite lives in this process and has milliseconds only: there it is this process's.
        """
        if self._sqlite:
            now = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)
        else:
            sa = libs.sqlalchemy
            now = connection.execute(sa.text("SELECT clock_timestamp() AT TIME ZONE 'UTC'")).scalar()
        return now + self._offset

    @contextlib.contextmanager
    def reading(self) -> t.Iterator[t.Any]:
        """Open a transaction that sees one state of the database and writes nothing. Refusal 503: the database fails."""
        with failures.translated(), self._engine.connect() as connection:
            connection = connection.execution_options(**self._snapshot)
            with connection.begin():
                yield connection

    @contextlib.contextmanager
    def writing(self, *, durable: bool = True) -> t.Iterator[t.Any]:
        """Open a transaction that may write; it is committed at the end of the block. Refusal 503: the database fails or stays locked.

        durable: false lets a machine that loses its power forget it, which saves waiting for the disk. It survives this process's end.
        """
        with failures.translated():
            deadline = time.monotonic() + self._busy_timeout
            if self._sqlite and not self._write_lock.acquire(timeout=self._busy_timeout):
                raise failures.locked()
            try:
                with self._engine.connect() as connection:
                    connection = connection.execution_options(
                        immediate=True, durable=durable, patience=max(0.0, deadline - time.monotonic())
                    )
                    with connection.begin() as transaction:
                        yield connection
                        if transaction.is_active:
                            with failures.committing():
                                transaction.commit()
            finally:
                if self._sqlite:
                    self._write_lock.release()

    def insert(self, table: t.Any) -> t.Any:
        """Give the database's own INSERT for a table, which knows ON CONFLICT, and whose rowcount tells whether it came to that."""
        dialects = libs.sqlalchemy.dialects
        insert = dialects.sqlite.insert if self._sqlite else dialects.postgresql.insert
        return insert(table).execution_options(preserve_rowcount=True)

    def alone(self, connection: t.Any, turn: Turn) -> None:
        """Wait until no other transaction has this turn, and have it to the end of this one. On SQLite any that writes has it."""
        if not self._sqlite:
            connection.execute(libs.sqlalchemy.text("SELECT pg_advisory_xact_lock(:ours, :turn)"), {"ours": _OURS, "turn": _TURNS[turn]})

    def change(self, node_ids: t.Iterable[int], decide: Decide, *, dry_run: bool = False) -> t.Any:
        """Lock the nodes in id order, let `decide` say what to change, do all of it in one transaction, give its answer.

        decide is pure, sees the rows as they are under the lock, and may raise: then nothing is written. It may be called a
        second time, when another writer came between (a violated constraint, a deadlock). With dry_run all is done and rolled back.
        """
        wanted = sorted(set(node_ids))
        try:
            return self._change(wanted, decide, dry_run)
        except (failures.Deadlock, libs.sqlalchemy.exc.IntegrityError):
            # The row that stood in the way is visible now: the same decision meets it as a duplicate, or updates it in place.
            return self._change(wanted, decide, dry_run)

    def _change(self, node_ids: list[int], decide: Decide, dry_run: bool) -> t.Any:
        with self.writing() as connection:
            locked = self._lock(connection, node_ids)
            changes = decide(locked)
            try:
                self._apply(connection, locked, changes)
            finally:
                if dry_run:
                    connection.rollback()
            return changes.answer

    def _lock(self, connection: t.Any, node_ids: list[int]) -> Locked:
        sa, table = libs.sqlalchemy, tables()
        nodes: list[Node] = []
        entries: dict[int, list[Entry]] = {}
        for start in range(0, len(node_ids), CHUNK):
            chunk = node_ids[start : start + CHUNK]
            found = connection.execute(
                sa.select(table.nodes).where(table.nodes.c.id.in_(chunk)).order_by(table.nodes.c.id).with_for_update()
            )
            nodes.extend(rows.node(row) for row in found)
        for start in range(0, len(node_ids), CHUNK):
            chunk = node_ids[start : start + CHUNK]
            for row in connection.execute(
                sa.select(table.node_maintenance)
                .where(table.node_maintenance.c.node_id.in_(chunk))
                .order_by(table.node_maintenance.c.asserted_at, table.node_maintenance.c.id)
            ):
                entries.setdefault(row.node_id, []).append(rows.entry(row))
        # After the lock, and after every entry of the node: so entries of a node never stand in two orders.
        now = self.now(connection)
        step = datetime.timedelta(microseconds=1)
        times = {node.id: max([now, *(entry.asserted_at + step for entry in entries.get(node.id, ())[-1:])]) for node in nodes}
        return Locked(tuple(nodes), {node.id: tuple(entries.get(node.id, ())) for node in nodes}, times, now)

    def _apply(self, connection: t.Any, locked: Locked, changes: Changes) -> None:
        sa, table = libs.sqlalchemy, tables()
        now = locked.at
        nodes = {node.id: node for node in locked.nodes}
        if changes.delete:
            gone = [entry.id for entry in changes.delete]
            for start in range(0, len(gone), CHUNK):
                connection.execute(sa.delete(table.node_maintenance).where(table.node_maintenance.c.id.in_(gone[start : start + CHUNK])))
        if changes.update:
            connection.execute(
                sa.update(table.node_maintenance)
                .where(table.node_maintenance.c.id == sa.bindparam("entry_id"))
                .values({name: sa.bindparam(name) for name in ("reason", "extra", "ticket", "run", "updated_at")}),
                [rows.changed_entry(entry, locked.now[entry.node_id]) for entry in changes.update],
            )
        created = self._create_nodes(connection, changes, now)
        nodes |= {node.id: node for node in created.values()}
        inserts = changes.insert + [dataclasses.replace(entry, node_id=created[node_uuid].id) for node_uuid, entry in changes.insert_on_new]
        if inserts:
            connection.execute(sa.insert(table.node_maintenance), [rows.new_entry(entry) for entry in inserts])
        for node, columns in changes.update_nodes:
            connection.execute(
                sa.update(table.nodes).where(table.nodes.c.id == node.id),
                [{**rows.node_columns(columns), "updated_at": locked.now[node.id]}],
            )
        self._derive(connection, locked, changes, inserts, nodes, now)
        for node in changes.delete_nodes:
            connection.execute(sa.delete(table.nodes).where(table.nodes.c.id == node.id))
        # Last of all: nothing that could wait for another transaction may come after its turn.
        self._write_events(connection, changes, now)

    def _create_nodes(self, connection: t.Any, changes: Changes, now: datetime.datetime) -> dict[str, Node]:
        """Insert the new nodes and give them by uuid."""
        sa, table = libs.sqlalchemy, tables()
        if not changes.create_nodes:
            return {}
        connection.execute(sa.insert(table.nodes), [{**rows.node_columns(columns), "created_at": now} for columns in changes.create_nodes])
        uuids = [columns["uuid"] for columns in changes.create_nodes]
        created = {}
        for start in range(0, len(uuids), CHUNK):
            chunk = uuids[start : start + CHUNK]
            for row in connection.execute(sa.select(table.nodes).where(table.nodes.c.uuid.in_(chunk))):
                created[row.uuid] = rows.node(row)
        return created

    def _write_events(self, connection: t.Any, changes: Changes, now: datetime.datetime) -> None:
        sa, history = libs.sqlalchemy, tables().node_history
        fresh = []
        if changes.events:
            self.alone(connection, "history")
        for event in changes.events:
            row = rows.new_event(event, now)
            if event.fold:
                folded = connection.execute(
                    sa.update(history)
                    .where(history.c.entry_uuid == event.entry_uuid, history.c.action == event.action, history.c.data == row["data"])
                    .values(count=history.c.count + 1, reason=event.reason, event=event.text, updated_at=now)
                )
                if folded.rowcount:
                    continue
            fresh.append(row)
        if fresh:
            connection.execute(sa.insert(history), fresh)

    def _derive(
        self,
        connection: t.Any,
        locked: Locked,
        changes: Changes,
        inserts: list[Entry],
        nodes: dict[int, Node],
        now: datetime.datetime,
    ) -> None:
        """Recompute flag, reason and fault of every node whose entries change, and let its generation grow."""
        sa, table = libs.sqlalchemy, tables()
        inserted: dict[int, list[Entry]] = collections.defaultdict(list)
        for entry in inserts:
            inserted[entry.node_id].append(entry)
        updated = {entry.id: entry for entry in changes.update}
        deleted = {entry.id for entry in changes.delete}
        touched = {entry.node_id for entry in (*inserts, *changes.update, *changes.delete)}
        wanted = []
        for node_id in sorted(touched):
            entries = [updated.get(entry.id, entry) for entry in locked.entries.get(node_id, ()) if entry.id not in deleted] + inserted[
                node_id
            ]
            wanted.append(
                {"node_id": node_id, "updated_at": locked.now.get(node_id, now), **derived.columns(nodes[node_id], entries, changes.delete)}
            )
        if wanted:
            connection.execute(
                sa.update(table.nodes)
                .where(table.nodes.c.id == sa.bindparam("node_id"))
                .values(
                    maintenance=sa.bindparam("maintenance"),
                    maintenance_reason=sa.bindparam("maintenance_reason"),
                    fault=sa.bindparam("fault"),
                    updated_at=sa.bindparam("updated_at"),
                    generation=table.nodes.c.generation + 1,
                ),
                wanted,
            )
