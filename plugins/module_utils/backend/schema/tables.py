# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables as they are after the newest revision. All times are UTC without a zone, with microseconds; JSON is text.

The revisions build the same tables step by step; a test compares the two.
"""

from __future__ import annotations

import functools
import threading
import typing as t

from .. import libs


class Tables(t.NamedTuple):
    """The tables, as SQLAlchemy Table objects on one MetaData."""

    metadata: t.Any
    nodes: t.Any
    node_maintenance: t.Any
    node_history: t.Any
    leases: t.Any
    marks: t.Any
    mirrors: t.Any
    questions: t.Any


#: Two threads that began together would each build tables, and a statement with some of each selects a product of both.
_building = threading.Lock()


def tables() -> Tables:
    """Build the tables, once in a process: SQLAlchemy is not touched before the first call."""
    with _building:
        return _build()


@functools.cache
def _build() -> Tables:
    sa = libs.sqlalchemy
    metadata = sa.MetaData()
    nodes = sa.Table(
        "nodes",
        metadata,
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("uuid", sa.String(36), nullable=False, unique=True),
        sa.Column("name", sa.String(255), unique=True),
        sa.Column("owner", sa.String(255), index=True),
        sa.Column("lessee", sa.String(255), index=True),
        sa.Column("driver", sa.String(255)),
        sa.Column("resource_class", sa.String(80)),
        sa.Column("conductor_group", sa.String(255), nullable=False, server_default=""),
        sa.Column("description", sa.Text),
        sa.Column("properties", sa.Text, nullable=False, server_default="{}"),
        sa.Column("extra", sa.Text, nullable=False, server_default="{}"),
        sa.Column("instance_uuid", sa.String(36), unique=True),
        sa.Column("provision_state", sa.String(32)),
        sa.Column("power_state", sa.String(32)),
        # A cache of "any entry exists", its synthesised reason and its fault's kind: written in the transaction that
        # changes the entries, by the store alone.
        sa.Column("maintenance", sa.Boolean, nullable=False, server_default=sa.false(), index=True),
        sa.Column("maintenance_reason", sa.Text),
        sa.Column("fault", sa.String(255)),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("updated_at", sa.DateTime),
        # Grows with every change of the node's entries.
        sa.Column("generation", sa.Integer, nullable=False, server_default="0"),
        sqlite_autoincrement=True,
    )
    node_maintenance = sa.Table(
        "node_maintenance",
        metadata,
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("uuid", sa.String(36), nullable=False, unique=True),
        sa.Column("node_id", sa.Integer, sa.ForeignKey("nodes.id", ondelete="CASCADE"), nullable=False, index=True),
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
        sa.Column("ticket", sa.String(255), index=True),
        sa.Column("run", sa.String(255), index=True),
        sa.Column("version", sa.String(15)),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("updated_at", sa.DateTime),
        sa.UniqueConstraint("node_id", "type", "scope", "asserted_by_project", "key", name="uniq_node_maintenance_hold"),
        sa.Index(
            "uniq_node_maintenance_reserved",
            "node_id",
            "type",
            unique=True,
            sqlite_where=sa.text("type IN ('legacy', 'fault')"),
            postgresql_where=sa.text("type IN ('legacy', 'fault')"),
        ),
        sqlite_autoincrement=True,
    )
    node_history = sa.Table(
        "node_history",
        metadata,
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("uuid", sa.String(36), nullable=False, unique=True),
        sa.Column("created_at", sa.DateTime, nullable=False, index=True),
        # No foreign key: the events of a deleted node stay until retention takes them.
        sa.Column("node_uuid", sa.String(36), nullable=False, index=True),
        sa.Column("node_name", sa.String(255)),
        sa.Column("conductor", sa.String(255)),
        sa.Column("event_type", sa.String(255)),
        sa.Column("severity", sa.String(255)),
        sa.Column("event", sa.Text),
        sa.Column("user", sa.String(255)),
        sa.Column("project", sa.String(255)),
        sa.Column("user_name", sa.String(255)),
        sa.Column("project_name", sa.String(255)),
        sa.Column("actor_scope", sa.String(64)),
        sa.Column("action", sa.String(32)),
        sa.Column("entry_uuid", sa.String(36), index=True),
        sa.Column("type", sa.String(64)),
        sa.Column("scope", sa.String(64)),
        sa.Column("key", sa.String(64)),
        sa.Column("ticket", sa.String(255)),
        sa.Column("run", sa.String(255)),
        sa.Column("reason", sa.Text),
        sa.Column("comment", sa.Text),
        sa.Column("source", sa.String(32)),
        sa.Column("data", sa.Text),
        # How often the same happened: a fault asserted again while its entry is active is folded into one row.
        sa.Column("count", sa.Integer, nullable=False, server_default="1"),
        sa.Column("updated_at", sa.DateTime),
        # An id is a cursor: SQLite must not give one again after retention took the newest rows.
        sqlite_autoincrement=True,
    )
    leases = sa.Table(
        "leases",
        metadata,
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("holder", sa.String(255), nullable=False),
        sa.Column("expires_at", sa.DateTime, nullable=False),
    )
    marks = sa.Table(
        "marks",
        metadata,
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("value", sa.Integer, nullable=False),
    )
    # What is remembered of a node in the Ironic behind us. A node is dirty, that is its entries are not known to be in that
    # Ironic, where its generation is not the one here (0 without a row).
    mirrors = sa.Table(
        "mirrors",
        metadata,
        sa.Column("node_id", sa.Integer, sa.ForeignKey("nodes.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
        sa.Column("generation", sa.Integer, nullable=False, server_default="0"),
        # Flag, reason and kind of fault as last read; null: never looked at.
        sa.Column("flag", sa.Boolean),
        sa.Column("reason", sa.Text),
        # What Ironic was told when it came to keep that reason; null: it was not told by us.
        sa.Column("told", sa.Text),
        # What the call under way makes of them; null: none is, or its outcome is known.
        sa.Column("sending_flag", sa.Boolean),
        sa.Column("sending", sa.Text),
        sa.Column("fault", sa.String(255)),
        # The lease: who may talk to the Ironic about this node, and until when.
        sa.Column("holder", sa.String(255)),
        sa.Column("held_until", sa.DateTime),
        # After a failure: when it is tried again, how often it was, and what stands in the way.
        sa.Column("not_before", sa.DateTime),
        sa.Column("verify_until", sa.DateTime),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        sa.Column("problem", sa.Text),
        # How often the flag was cleared behind our back, counted from then on.
        sa.Column("lost_count", sa.Integer, nullable=False, server_default="0"),
        sa.Column("lost_since", sa.DateTime),
    )
    # What the reconciler does not do without an operator's word.
    questions = sa.Table(
        "questions",
        metadata,
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("asked_at", sa.DateTime, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("accepted_at", sa.DateTime),
    )
    return Tables(metadata, nodes, node_maintenance, node_history, leases, marks, mirrors, questions)
