# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Revision 002: typed maintenance entries, with one legacy entry for every node in maintenance. Landed: never edited.

Spec, "Data model impact". The backfill asserts by `migration` at system scope with an empty project and copies the reason;
it looks for maintained nodes that have no entry, so that running it again changes nothing.
"""

from __future__ import annotations

import datetime
import typing as t
import uuid

from ... import libs

REVISION = "002"
BATCH = 1000


def upgrade(operations: t.Any) -> None:
    """Create the tables and columns on Alembic's Operations, then backfill."""
    sa = libs.sqlalchemy
    operations.create_table(
        "node_maintenance",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("uuid", sa.String(36), nullable=False, unique=True),
        sa.Column("node_id", sa.Integer, sa.ForeignKey("nodes.id", ondelete="CASCADE"), nullable=False),
        sa.Column("type", sa.String(64), nullable=False),
        sa.Column("key", sa.String(64), nullable=False, server_default=""),
        sa.Column("reason", sa.Text),
        sa.Column("scope", sa.String(64), nullable=False),
        sa.Column("asserted_by", sa.String(255), nullable=False),
        sa.Column("asserted_by_name", sa.String(255)),
        sa.Column("asserted_by_project", sa.String(255), nullable=False, server_default=""),
        sa.Column("asserted_by_project_name", sa.String(255)),
        sa.Column("asserted_at", sa.DateTime, nullable=False),
        sa.Column("extra", sa.Text),
        sa.Column("ticket", sa.String(255)),
        sa.Column("run", sa.String(255)),
        sa.Column("version", sa.String(15)),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("updated_at", sa.DateTime),
        sa.UniqueConstraint("node_id", "type", "scope", "asserted_by_project", "key", name="uniq_node_maintenance_hold"),
        sqlite_autoincrement=True,
    )
    for column in ("node_id", "ticket", "run"):
        operations.create_index(f"ix_node_maintenance_{column}", "node_maintenance", [column])
    operations.create_index(
        "uniq_node_maintenance_reserved",
        "node_maintenance",
        ["node_id", "type"],
        unique=True,
        sqlite_where=sa.text("type IN ('legacy', 'fault')"),
        postgresql_where=sa.text("type IN ('legacy', 'fault')"),
    )
    operations.add_column("nodes", sa.Column("generation", sa.Integer, nullable=False, server_default="0"))
    for column in (
        sa.Column("user_name", sa.String(255)),
        sa.Column("project_name", sa.String(255)),
        sa.Column("actor_scope", sa.String(64)),
        sa.Column("action", sa.String(32)),
        sa.Column("entry_uuid", sa.String(36)),
        sa.Column("type", sa.String(64)),
        sa.Column("scope", sa.String(64)),
        sa.Column("key", sa.String(64)),
        sa.Column("ticket", sa.String(255)),
        sa.Column("run", sa.String(255)),
        sa.Column("reason", sa.Text),
        sa.Column("comment", sa.Text),
        sa.Column("source", sa.String(32)),
        sa.Column("data", sa.Text),
        sa.Column("count", sa.Integer, nullable=False, server_default="1"),
        sa.Column("updated_at", sa.DateTime),
    ):
        operations.add_column("node_history", column)
    operations.create_index("ix_node_history_entry_uuid", "node_history", ["entry_uuid"])
    operations.create_table(
        "leases",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("holder", sa.String(255), nullable=False),
        sa.Column("expires_at", sa.DateTime, nullable=False),
    )
    operations.create_table(
        "marks",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("value", sa.Integer, nullable=False),
    )
    backfill(operations.get_bind())


def backfill(connection: t.Any) -> int:
    """Give every maintained node without an entry its legacy entry and its history event; return their number."""
    sa = libs.sqlalchemy
    missing = connection.execute(
        sa.text(
            "SELECT id, uuid, name, maintenance_reason FROM nodes WHERE maintenance"
            " AND NOT EXISTS (SELECT 1 FROM node_maintenance WHERE node_maintenance.node_id = nodes.id) ORDER BY id"
        )
    ).all()
    now = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)
    when = sa.bindparam("now", type_=sa.DateTime)
    insert_entry = sa.text(
        "INSERT INTO node_maintenance (uuid, node_id, type, key, reason, scope, asserted_by, asserted_by_project,"
        " asserted_at, extra, version, created_at) VALUES"
        " (:entry, :node_id, 'legacy', '', :reason, 'system', 'migration', '', :now, '{}', '1.0', :now)"
    ).bindparams(when)
    insert_event = sa.text(
        'INSERT INTO node_history (uuid, created_at, node_uuid, node_name, event_type, severity, event, "user", project,'
        " actor_scope, action, entry_uuid, type, scope, key, reason, source) VALUES"
        " (:event, :now, :node_uuid, :node_name, 'maintenance', 'INFO', 'maintenance assert: type legacy, scope system',"
        " 'migration', '', 'system', 'assert', :entry, 'legacy', 'system', '', :reason, 'migration')"
    ).bindparams(when)
    for start in range(0, len(missing), BATCH):
        batch = missing[start : start + BATCH]
        entries = [str(uuid.uuid4()) for _row in batch]
        connection.execute(
            insert_entry,
            [
                {"entry": entry, "node_id": row.id, "reason": row.maintenance_reason, "now": now}
                for entry, row in zip(entries, batch, strict=False)
            ],
        )
        connection.execute(
            insert_event,
            [
                {
                    "event": str(uuid.uuid4()),
                    "now": now,
                    "node_uuid": row.uuid,
                    "node_name": row.name,
                    "entry": entry,
                    "reason": row.maintenance_reason,
                }
                for entry, row in zip(entries, batch, strict=False)
            ],
        )
    return len(missing)
