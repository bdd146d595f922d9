# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring a database to the newest revision: one transaction a revision, its number written in the same one.

A process killed in a revision leaves the revision before it; running again completes.
"""

from __future__ import annotations

import typing as t

from .. import libs
from ..errors import Refusal
from .revisions import r001_nodes_and_history, r002_node_maintenance, r003_mirrors

REVISIONS: t.Final = (r001_nodes_and_history, r002_node_maintenance, r003_mirrors)
HEAD: t.Final = REVISIONS[-1].REVISION
VERSION_TABLE = "baremetal_maintenance_schema"


def current(connection: t.Any) -> str | None:
    """Give the revision of the database, None if it has none."""
    sa = libs.sqlalchemy
    if not sa.inspect(connection).has_table(VERSION_TABLE):
        return None
    return connection.execute(sa.text(f"SELECT revision FROM {VERSION_TABLE}")).scalar()


def upgrade(store: t.Any, to: str = HEAD) -> list[str]:
    """Apply the revisions that the database lacks, up to `to`; give their numbers. Safe to run again.

    Refusal: the database is of a newer schema.
    """
    applied = []
    for revision in REVISIONS:
        with store.writing() as connection:
            store.alone(connection, "schema")
            _check_encoding(connection)
            found = _known(current(connection))
            if revision.REVISION > to:
                break
            if found is not None and found >= revision.REVISION:
                continue
            _apply(connection, revision, found)
            applied.append(revision.REVISION)
    return applied


def check(store: t.Any) -> None:
    """Make sure that the database is of the newest schema. An empty one is brought there; an older one is refused, as a newer one is.

    An upgrade of a database in use is an operator's decision: it is done by the command `migrate`.
    """
    with store.reading() as connection:
        found = _known(current(connection))
    if found is None:
        _create(store)
    elif found != HEAD:
        raise Refusal(
            503,
            "unavailable",
            f"the database is at schema revision {found} and this version needs {HEAD}: run the command `migrate` first",
        )


def _create(store: t.Any) -> None:
    """Bring an empty database to the newest schema in one transaction: a first start that is killed leaves it as empty as it was."""
    with store.writing() as connection:
        store.alone(connection, "schema")
        _check_encoding(connection)
        found = _known(current(connection))
        for revision in REVISIONS:
            if found is None or found < revision.REVISION:
                _apply(connection, revision, found)
                found = revision.REVISION


def _check_encoding(connection: t.Any) -> None:
    """Make sure that the database takes every text: a reason in Greek must not be what finds out."""
    if connection.dialect.name == "postgresql":
        encoding = connection.execute(libs.sqlalchemy.text("SHOW server_encoding")).scalar()
        if encoding != "UTF8":
            raise Refusal(
                503,
                "unavailable",
                f"the database's encoding is {encoding} and this service needs UTF8: make it with CREATE DATABASE … ENCODING 'UTF8'",
            )


def _known(found: str | None) -> str | None:
    if found is not None and found not in {revision.REVISION for revision in REVISIONS}:
        raise Refusal(
            503,
            "unavailable",
            f"the database is at schema revision {found}, which this version does not know (its newest is {HEAD}):"
            " run the version of baremetal.maintenance that wrote it, or a newer one",
        )
    return found


def _apply(connection: t.Any, revision: t.Any, found: str | None) -> None:
    sa = libs.sqlalchemy
    context = libs.alembic.migration.MigrationContext.configure(connection)
    revision.upgrade(libs.alembic.operations.Operations(context))
    if found is None:
        connection.execute(sa.text(f"CREATE TABLE {VERSION_TABLE} (revision VARCHAR(32) NOT NULL)"))
        connection.execute(sa.text(f"INSERT INTO {VERSION_TABLE} (revision) VALUES (:revision)"), {"revision": revision.REVISION})
    else:
        connection.execute(sa.text(f"UPDATE {VERSION_TABLE} SET revision = :revision"), {"revision": revision.REVISION})
