# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A database of revision 001 with ten thousand maintained nodes, and what a complete migration makes of it."""

from __future__ import annotations

import contextlib
import hashlib
import pathlib
import sqlite3
import typing as t
import uuid

from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema import migrate
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.store import Store
from ansible_collections.baremetal.maintenance.tests.support.agreement import disagreements

MAINTAINED: t.Final = 10_000
FREE: t.Final = 100


def reason(number: int) -> str | None:
    """Give the reason of the node of this number."""
    return (None, "", f"broken fan {number}", f"Lüfter {number} 🔧")[number % 4]


def make(database: pathlib.Path) -> None:
    """Make the database."""
    store = Store(f"sqlite:///{database}")
    migrate.upgrade(store, to="001")
    store.close()
    fill(database)


def fill(database: pathlib.Path) -> None:
    """Put the nodes into a database of revision 001."""
    rows = [(str(uuid.uuid4()), f"n{number}", True, reason(number)) for number in range(MAINTAINED)]
    rows += [(str(uuid.uuid4()), f"free{number}", False, None) for number in range(FREE)]
    insert = "INSERT INTO nodes (uuid, name, maintenance, maintenance_reason, created_at) VALUES (?, ?, ?, ?, '2026-01-02 03:04:05.000006')"
    with _opened(database) as connection:
        connection.executemany(insert, rows)
        connection.commit()


def revision(database: pathlib.Path) -> str:
    """Give the revision that the database says it has."""
    with _opened(database) as connection:
        return t.cast(str, connection.execute(f"SELECT revision FROM {migrate.VERSION_TABLE}").fetchone()[0])


def fingerprint(database: pathlib.Path) -> str:
    """Give a hash of everything in the database, the definitions of its tables included."""
    with _opened(database) as connection:
        return hashlib.sha256("\n".join(connection.iterdump()).encode()).hexdigest()


def mistakes(database: pathlib.Path) -> list[str]:
    """Say what a migration of it left wrong."""
    with _opened(database) as connection:
        entries = connection.execute(
            "SELECT n.name, e.reason, e.type, e.scope, e.asserted_by, e.asserted_by_project, e.key"
            " FROM nodes n JOIN node_maintenance e ON e.node_id = n.id ORDER BY n.id"
        ).fetchall()
        events = connection.execute("SELECT count(*), count(DISTINCT entry_uuid) FROM node_history").fetchone()
    found = [] if revision(database) == "002" else [f"the revision is {revision(database)}"]
    expected = [(f"n{number}", reason(number), "legacy", "system", "migration", "", "") for number in range(MAINTAINED)]
    found += [f"an entry is {is_} and should be {should}" for is_, should in zip(entries, expected, strict=False) if is_ != should][:5]
    if len(entries) != MAINTAINED:
        found.append(f"there are {len(entries)} entries")
    if events != (MAINTAINED, MAINTAINED):
        found.append(f"there are {events} events and entries in history")
    return found + disagreements(database)[:5]


@contextlib.contextmanager
def _opened(database: pathlib.Path) -> t.Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(database)) as connection:
        yield connection
