# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Revision 003: what is remembered of each node in the Ironic that the backend stands in front of. Landed: never edited."""

from __future__ import annotations

import typing as t

from ... import libs

REVISION = "003"


def upgrade(operations: t.Any) -> None:
    """Create the table on Alembic's Operations. It stays empty where nodes are the backend's own."""
    sa = libs.sqlalchemy
    operations.create_table(
        "mirrors",
        sa.Column("node_id", sa.Integer, sa.ForeignKey("nodes.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
        sa.Column("generation", sa.Integer, nullable=False, server_default="0"),
        sa.Column("flag", sa.Boolean),
        sa.Column("reason", sa.Text),
        sa.Column("told", sa.Text),
        sa.Column("sending_flag", sa.Boolean),
        sa.Column("sending", sa.Text),
        sa.Column("fault", sa.String(255)),
        sa.Column("holder", sa.String(255)),
        sa.Column("held_until", sa.DateTime),
        sa.Column("not_before", sa.DateTime),
        sa.Column("verify_until", sa.DateTime),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        sa.Column("problem", sa.Text),
        sa.Column("lost_count", sa.Integer, nullable=False, server_default="0"),
        sa.Column("lost_since", sa.DateTime),
    )
    operations.create_table(
        "questions",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("asked_at", sa.DateTime, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("accepted_at", sa.DateTime),
    )
