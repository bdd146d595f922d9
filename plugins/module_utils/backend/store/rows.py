# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of the database to values and back. This is the only place that knows how a value is laid out in columns."""

from __future__ import annotations

import datetime
import json
import typing as t
import uuid

from .values import Entry, Event, Node

JSON_NODE_COLUMNS: t.Final = ("properties", "extra")


def dump(value: t.Any) -> str:
    """Give JSON text that reads back as the same value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def node(row: t.Any) -> Node:
    """Read a row of `nodes`."""
    columns = dict(row._mapping)
    for name in JSON_NODE_COLUMNS:
        columns[name] = json.loads(columns[name]) if columns[name] else {}
    columns["maintenance"] = bool(columns["maintenance"])
    return Node(**columns)


def node_columns(columns: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Give columns of `nodes` as they are stored."""
    return {name: dump(value or {}) if name in JSON_NODE_COLUMNS else value for name, value in columns.items()}


def entry(row: t.Any) -> Entry:
    """Read a row of `node_maintenance`."""
    return Entry(
        id=row.id,
        uuid=row.uuid,
        node_id=row.node_id,
        type=row.type,
        key=row.key,
        reason=row.reason,
        scope=row.scope,
        asserted_by=row.asserted_by,
        asserted_by_name=row.asserted_by_name,
        asserted_by_project=row.asserted_by_project,
        asserted_by_project_name=row.asserted_by_project_name,
        asserted_at=row.asserted_at,
        extra=json.loads(row.extra) if row.extra else {},
        ticket=row.ticket,
        run=row.run,
    )


def new_entry(value: Entry) -> dict[str, t.Any]:
    """Give the columns of an entry to insert."""
    return {
        "uuid": value.uuid,
        "node_id": value.node_id,
        "type": value.type,
        "key": value.key,
        "reason": value.reason,
        "scope": value.scope,
        "asserted_by": value.asserted_by,
        "asserted_by_name": value.asserted_by_name,
        "asserted_by_project": value.asserted_by_project,
        "asserted_by_project_name": value.asserted_by_project_name,
        "asserted_at": value.asserted_at,
        "extra": dump(value.extra),
        "ticket": value.ticket,
        "run": value.run,
        "version": "1.0",
        "created_at": value.asserted_at,
        "updated_at": None,
    }


def changed_entry(value: Entry, now: datetime.datetime) -> dict[str, t.Any]:
    """Give what an update of an entry may write: never who asserted it, nor when, nor its identity."""
    return {
        "entry_id": value.id,
        "reason": value.reason,
        "extra": dump(value.extra),
        "ticket": value.ticket,
        "run": value.run,
        "updated_at": now,
    }


def new_event(value: Event, now: datetime.datetime) -> dict[str, t.Any]:
    """Give the columns of an event to insert."""
    return {
        "uuid": str(uuid.uuid4()),
        "created_at": now,
        "node_uuid": value.node_uuid,
        "node_name": value.node_name,
        "conductor": None,
        "event_type": "maintenance",
        "severity": "INFO",
        "event": value.text,
        "user": value.user,
        "project": value.project,
        "user_name": value.user_name,
        "project_name": value.project_name,
        "actor_scope": value.actor_scope,
        "action": value.action,
        "entry_uuid": value.entry_uuid,
        "type": value.type,
        "scope": value.scope,
        "key": value.key,
        "ticket": value.ticket,
        "run": value.run,
        "reason": value.reason,
        "comment": value.comment,
        "source": value.source,
        "data": None if value.data is None else dump(value.data),
        "count": 1,
        "updated_at": None,
    }
