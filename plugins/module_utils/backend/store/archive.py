# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes, entries and history as JSON lines, and back (`export`, `restore`)."""

from __future__ import annotations

import datetime
import json
import typing as t

from .. import libs
from ..errors import Refusal
from ..schema.tables import tables
from . import rows
from .store import CHUNK, Store
from .values import Changes, Entry, Locked

FORMAT: t.Final = "baremetal.maintenance 1"
#: What of a node another database gives it anew, or derives.
_NOT_KEPT: t.Final = frozenset(("id", "maintenance", "maintenance_reason", "fault", "created_at", "updated_at", "generation"))


def dump(store: Store) -> t.Iterator[str]:
    """Give one line for the format, each node, each active entry and each event, all of one moment."""
    sa, table = libs.sqlalchemy, tables()
    yield json.dumps({"format": FORMAT})
    with store.reading() as connection:
        uuids: dict[int, str] = {}
        for row in connection.execute(sa.select(table.nodes).order_by(table.nodes.c.id)):
            node = rows.node(row)
            uuids[node.id] = node.uuid
            yield _line("node", {name: value for name, value in row._mapping.items() if name not in _NOT_KEPT})
        for row in connection.execute(sa.select(table.node_maintenance).order_by(table.node_maintenance.c.id)):
            yield _line("entry", {**_without_id(row), "node_uuid": uuids[row.node_id]})
        for row in connection.execute(sa.select(table.node_history).order_by(table.node_history.c.id)):
            yield _line("event", _without_id(row))


def load(store: Store, lines: t.Iterable[str]) -> dict[str, int]:
    """Bring in what is not there yet, in one order that can be repeated; give how many of each kind were new.

    Nothing that is there is changed or released. Refusal 400: a line that is not of this format, by its number; nothing is brought in.
    """
    nodes, entries, events = _read(lines)
    new = {"node": 0, "entry": 0, "event": 0}
    known = _known(store, tables().nodes, list(nodes))
    ids = list(known.values())
    there = _known(store, tables().node_maintenance, [entry["uuid"] for entry in entries])

    def decide(locked: Locked) -> Changes:
        changes = Changes()
        by_uuid = {node.uuid: node for node in locked.nodes}
        held = {entry.identity for found in locked.entries.values() for entry in found}
        changes.create_nodes = [columns for uuid, columns in nodes.items() if uuid not in by_uuid]
        for raw in entries:
            node = by_uuid.get(raw["node_uuid"])
            entry = _entry(raw, 0 if node is None else node.id)
            if raw["uuid"] in there or entry.identity in held:
                continue
            if node is None:
                changes.insert_on_new.append((raw["node_uuid"], entry))
            else:
                changes.insert.append(entry)
        new["node"], new["entry"] = len(changes.create_nodes), len(changes.insert) + len(changes.insert_on_new)
        return changes

    store.change(ids, decide)
    new["event"] = _bring_events(store, events)
    return new


def _read(lines: t.Iterable[str]) -> tuple[dict[str, dict[str, t.Any]], list[dict[str, t.Any]], list[dict[str, t.Any]]]:
    nodes: dict[str, dict[str, t.Any]] = {}
    entries: list[dict[str, t.Any]] = []
    events: list[dict[str, t.Any]] = []
    wanted = {"node": tables().nodes, "entry": tables().node_maintenance, "event": tables().node_history}
    for number, line in enumerate(lines, 1):
        try:
            document = json.loads(line)
            if number == 1:
                if document != {"format": FORMAT}:
                    raise ValueError
                continue
            ((kind, raw),) = document.items()
            columns = {column.name: column for column in wanted[kind].columns}
            values = {name: _value(columns[name], value) for name, value in raw.items() if name != "node_uuid" or kind == "event"}
            if kind == "node":
                nodes[values["uuid"]] = {**values, "properties": json.loads(values["properties"]), "extra": json.loads(values["extra"])}
            elif kind == "entry":
                entries.append({**values, "node_uuid": raw["node_uuid"]})
            else:
                events.append(values)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise Refusal(400, "invalid", f"nothing was restored: line {number} is not of the format {FORMAT!r}") from None
    unknown = sorted({entry["node_uuid"] for entry in entries} - nodes.keys())
    if unknown:
        raise Refusal(400, "invalid", f"nothing was restored: an entry is of node {unknown[0]}, which is not in the file")
    return nodes, entries, events


def _value(column: t.Any, value: t.Any) -> t.Any:
    is_time = value is not None and isinstance(column.type, libs.sqlalchemy.DateTime)
    return datetime.datetime.fromisoformat(value) if is_time else value


def _entry(raw: dict[str, t.Any], node_id: int) -> Entry:
    names = Entry.__dataclass_fields__
    values = {name: raw.get(name) for name in names if name not in ("id", "node_id", "extra")}
    return Entry(id=None, node_id=node_id, extra=json.loads(raw["extra"]) if raw.get("extra") else {}, **values)  # type: ignore[arg-type]


def _bring_events(store: Store, events: list[dict[str, t.Any]]) -> int:
    sa, history = libs.sqlalchemy, tables().node_history
    brought = 0
    for start in range(0, len(events), CHUNK):
        chunk = events[start : start + CHUNK]
        known = _known(store, history, [event["uuid"] for event in chunk])
        fresh = [event for event in chunk if event["uuid"] not in known]
        if fresh:
            with store.writing() as connection:
                store.alone(connection, "history")
                connection.execute(sa.insert(history), fresh)
        brought += len(fresh)
    return brought


def _known(store: Store, table: t.Any, uuids: list[str]) -> dict[str, int]:
    sa = libs.sqlalchemy
    found: dict[str, int] = {}
    with store.reading() as connection:
        for start in range(0, len(uuids), CHUNK):
            query = sa.select(table.c.uuid, table.c.id).where(table.c.uuid.in_(uuids[start : start + CHUNK]))
            found |= {row.uuid: row.id for row in connection.execute(query)}
    return found


def _without_id(row: t.Any) -> dict[str, t.Any]:
    return {name: value for name, value in row._mapping.items() if name not in ("id", "node_id")}


def _line(kind: str, columns: t.Mapping[str, t.Any]) -> str:
    plain = {name: value.isoformat() if isinstance(value, datetime.datetime) else value for name, value in columns.items()}
    return json.dumps({kind: plain}, ensure_ascii=False)
