# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The revisions, one after the other, make exactly the tables of tables.py."""

from __future__ import annotations

import pathlib
import re
import typing as t

import alembic.autogenerate
import alembic.migration
import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema import migrate
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema.tables import tables
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.store import Store
from ansible_collections.baremetal.maintenance.tests.lab.postgresql import Postgresql


def test_alembic_finds_no_difference(store: Store) -> None:
    migrate.upgrade(store)
    with store.reading() as connection:
        options = {"compare_type": True, "include_object": _all_but_the_version_table}
        context = alembic.migration.MigrationContext.configure(connection, opts=options)
        assert alembic.autogenerate.compare_metadata(context, tables().metadata) == []


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
def test_sqlite_finds_no_difference_either(store: Store, tmp_path: pathlib.Path) -> None:
    """What Alembic does not compare here: defaults, conditions of partial indexes, ids that are never given again, order in an index."""
    migrate.upgrade(store)
    straight = Store(f"sqlite:///{tmp_path}/straight.sqlite")
    with straight.writing() as connection:
        tables().metadata.create_all(connection)
    with store.reading() as one, straight.reading() as other:
        migrated, created = _description(one), _description(other)
    straight.close()
    del migrated[migrate.VERSION_TABLE]
    assert migrated == created
    assert set(created) == {"nodes", "node_maintenance", "node_history", "leases", "marks", "mirrors", "questions"}


@pytest.mark.parametrize("store_url", ["postgresql"], indirect=True)
def test_postgresql_finds_no_difference_either(store: Store, postgresql: Postgresql) -> None:
    migrate.upgrade(store)
    straight = Store(postgresql.database())
    with straight.writing() as connection:
        tables().metadata.create_all(connection)
    with store.reading() as one, straight.reading() as other:
        migrated, created = _catalogue(one), _catalogue(other)
    straight.close()
    assert migrated == created
    assert created


def _catalogue(connection: t.Any) -> list[tuple[t.Any, ...]]:
    """What PostgreSQL knows of columns, indexes and constraints, but for the order of columns."""
    ours = f"<> '{migrate.VERSION_TABLE}'"
    return [
        tuple(row)
        for query in (
            "SELECT table_name, column_name, data_type, character_maximum_length, is_nullable, column_default"
            f" FROM information_schema.columns WHERE table_schema = 'public' AND table_name {ours}",
            f"SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename {ours}",
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint"
            f" WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text {ours}",
        )
        for row in connection.exec_driver_sql(query + " ORDER BY 1, 2").all()
    ]


def _all_but_the_version_table(_object: t.Any, name: str | None, kind: str, _reflected: bool, _compare_to: t.Any) -> bool:
    return not (kind == "table" and name == migrate.VERSION_TABLE)


def _description(connection: t.Any) -> dict[str, t.Any]:
    """Everything that SQLite knows of each table, but for the order of columns and the text that it was made with."""
    described: dict[str, t.Any] = {}
    made = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all()
    for table, text in made:
        described[table] = {
            "columns": sorted(tuple(row[1:]) for row in connection.exec_driver_sql(f"PRAGMA table_xinfo({table})")),
            "references": sorted(tuple(row[2:]) for row in connection.exec_driver_sql(f"PRAGMA foreign_key_list({table})")),
            "indexes": sorted(_indexes(connection, table)),
            "ids are never given again": "AUTOINCREMENT" in text.upper(),
            "checks": text.upper().count("CHECK"),
        }
    return described


def _indexes(connection: t.Any, table: str) -> t.Iterator[tuple[t.Any, ...]]:
    for _place, name, unique, origin, partial in connection.exec_driver_sql(f"PRAGMA index_list({table})").all():
        columns = [row[2] for row in connection.exec_driver_sql(f"PRAGMA index_info({name})")]
        text = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).scalar()
        given = "" if name.startswith("sqlite_autoindex") else name
        yield given, unique, origin, partial, tuple(columns), re.sub(r"\s+", " ", text or "")
