# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes of a database of revision 001, written as that revision's release wrote them: with SQL of their own, not with today's store."""

from __future__ import annotations

import datetime
import typing as t
import uuid

import sqlalchemy as sa
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema import migrate
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.store import Store
from ansible_collections.baremetal.maintenance.tests.support.service import server_dump

#: Stands for a node that is not in maintenance.
FREE: t.Final = object()


def put_nodes(store: Store, reasons: t.Sequence[t.Any], *, fault: str | None = None) -> list[str]:
    """Add a node for each reason: in maintenance with it, or FREE. Give their uuids."""
    uuids = [str(uuid.uuid4()) for _reason in reasons]
    with store.writing() as connection:
        connection.execute(
            sa.text(
                "INSERT INTO nodes (uuid, name, owner, maintenance, maintenance_reason, fault, created_at)"
                " VALUES (:uuid, :name, 'p-owner', :maintenance, :reason, :fault, '2026-01-02 03:04:05.678901')"
            ),
            [
                {
                    "uuid": node_uuid,
                    "name": f"n-{node_uuid[:8]}",
                    "maintenance": reason is not FREE,
                    "reason": None if reason is FREE else reason,
                    "fault": fault,
                }
                for node_uuid, reason in zip(uuids, reasons, strict=True)
            ],
        )
    return uuids


def dump(store: Store) -> dict[str, list[tuple[t.Any, ...]]]:
    """Everything in the database, by table, and the tables' own definitions."""
    if not store.is_sqlite:
        return {"all": [(server_dump(store),)]}
    with store.reading() as connection:
        made = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master ORDER BY name").all()
        names = [row.name for row in connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        return {"sqlite_master": [tuple(row) for row in made]} | {
            name: [tuple(row) for row in connection.exec_driver_sql(f"SELECT * FROM {name} ORDER BY 1")] for name in names
        }


def rows(store: Store, query: str, **values: t.Any) -> list[dict[str, t.Any]]:
    """The rows of a query, as dictionaries of what is in the columns."""
    with store.reading() as connection:
        return [{name: _text(value) for name, value in row._mapping.items()} for row in connection.execute(sa.text(query), values)]


def _text(value: t.Any) -> t.Any:
    """Give a time as SQLite has it, any other value as it is."""
    return value.isoformat(" ", "microseconds") if isinstance(value, datetime.datetime) else value


def backfill_again(store: Store) -> int:
    """Run the backfill of revision 002 by itself on a database that has it."""
    with store.writing() as connection:
        return migrate.r002_node_maintenance.backfill(connection)
