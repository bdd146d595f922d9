# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Revision 001: nodes and their history, with the boolean only. Landed: never edited."""

from __future__ import annotations

import typing as t

from ... import libs

REVISION = "001"


def upgrade(operations: t.Any) -> None:
    """Create the tables on Alembic's Operations."""
    sa = libs.sqlalchemy
    operations.create_table(
        "nodes",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("uuid", sa.String(36), nullable=False, unique=True),
        sa.Column("name", sa.String(255), unique=True),
        sa.Column("owner", sa.String(255)),
        sa.Column("lessee", sa.String(255)),
        sa.Column("driver", sa.String(255)),
        sa.Column("resource_class", sa.String(80)),
        sa.Column("conductor_group", sa.String(255), nullable=False, server_default=""),
        sa.Column("description", sa.Text),
        sa.Column("properties", sa.Text, nullable=False, server_default="{}"),
        sa.Column("extra", sa.Text, nullable=False, server_default="{}"),
        sa.Column("instance_uuid", sa.String(36), unique=True),
        sa.Column("provision_state", sa.String(32)),
        sa.Column("power_state", sa.String(32)),
        sa.Column("maintenance", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("maintenance_reason", sa.Text),
        sa.Column("fault", sa.String(255)),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("updated_at", sa.DateTime),
        sqlite_autoincrement=True,
    )
    for column in ("owner", "lessee", "maintenance"):
        operations.create_index(f"ix_nodes_{column}", "nodes", [column])
    operations.create_table(
        "node_history",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("uuid", sa.String(36), nullable=False, unique=True),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("node_uuid", sa.String(36), nullable=False),
        sa.Column("node_name", sa.String(255)),
        sa.Column("conductor", sa.String(255)),
        sa.Column("event_type", sa.String(255)),
        sa.Column("severity", sa.String(255)),
        sa.Column("event", sa.Text),
        sa.Column("user", sa.String(255)),
        sa.Column("project", sa.String(255)),
        sqlite_autoincrement=True,
    )
    for column in ("created_at", "node_uuid"):
        operations.create_index(f"ix_node_history_{column}", "node_history", [column])
