# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a backend's database agrees with itself: every node's flag, reason, fault and generation, its entries, and its history.

    assert disagreements(backend.database) == []

It reads the database on its own, in one transaction, and knows the rules from the spec, not from the code under test. A process may
write at the same time. The database is an SQLite file, or a URL of either kind.
"""

from __future__ import annotations

import collections
import contextlib
import json
import pathlib
import sqlite3
import typing as t

#: What an event says of its entry, and what the entry itself says.
_SAID: t.Final = ("type", "scope", "key", "reason", "ticket", "run")


def disagreements(database: str | pathlib.Path) -> list[str]:
    """Say, a sentence each, what in the database contradicts something else in it."""
    sound, nodes, entries, events = _read(str(database))
    found = [] if sound == "ok" else [f"the file is damaged: {sound}"]
    known = {node["id"]: node for node in nodes}
    found += [f"entry {entry['uuid']} is on no node" for entry in entries if entry["node_id"] not in known]
    by_uuid = {node["uuid"]: node for node in nodes}
    held, past_of = _grouped(entries, "node_id"), _grouped(events, "node_uuid")
    for node_uuid in sorted(by_uuid.keys() | past_of.keys()):
        node = by_uuid.get(node_uuid)
        own = [] if node is None else held[node["id"]]
        past = past_of[node_uuid]
        sentences = [*_of_entries(own), *_of_history(own, past)]
        if node is not None:
            sentences += _of_node(node, own, past)
        found += [f"node {node_uuid}: {sentence}" for sentence in sentences]
    return found


def _read(database: str) -> tuple[str, list[t.Any], list[t.Any], list[t.Any]]:
    """Give whether the database is sound ("ok"), its nodes, its entries, and its events of maintenance, of one moment."""
    queries = (
        "SELECT * FROM nodes ORDER BY id",
        "SELECT * FROM node_maintenance ORDER BY asserted_at, id",
        "SELECT * FROM node_history WHERE event_type = 'maintenance' ORDER BY id",
    )
    if database.startswith("postgresql"):
        # Here, so that tests on files do without the driver.
        import psycopg
        import psycopg.rows

        with psycopg.connect(database.replace("+psycopg", "", 1), row_factory=psycopg.rows.dict_row) as server:
            server.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            nodes, entries, events = (server.execute(query).fetchall() for query in queries)
        return "ok", nodes, entries, events
    path = database.removeprefix("sqlite:///")
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        connection.execute("BEGIN")
        [[sound]] = connection.execute("PRAGMA integrity_check(1)")
        nodes, entries, events = (connection.execute(query).fetchall() for query in queries)
    return sound, nodes, entries, events


def synthesised(entries: t.Sequence[tuple[str, str | None]]) -> str | None:
    """Give `maintenance_reason` as the spec has it, from (type, reason), oldest first."""
    if not entries:
        return None
    if [kind for kind, _reason in entries] == ["legacy"]:
        return entries[0][1]
    return "; ".join(kind if reason in (None, "") else f"{kind}: {reason}" for kind, reason in entries)


def _grouped(rows: list[t.Any], column: str) -> dict[t.Any, list[t.Any]]:
    groups: dict[t.Any, list[t.Any]] = collections.defaultdict(list)
    for row in rows:
        groups[row[column]].append(row)
    return groups


def _of_node(node: t.Any, entries: list[t.Any], events: list[t.Any]) -> t.Iterator[str]:
    if bool(node["maintenance"]) != bool(entries):
        yield f"maintenance is {node['maintenance']} with {len(entries)} entries"
    reason = synthesised([(entry["type"], entry["reason"]) for entry in entries])
    if node["maintenance_reason"] != reason:
        yield f"maintenance_reason is {node['maintenance_reason']!r}, its entries give {reason!r}"
    kinds = [json.loads(entry["extra"])["fault"] for entry in entries if entry["type"] == "fault"]
    # A fault of before typed entries has none; it lasts as long as the maintenance.
    migrated = any(event["source"] == "migration" for event in events) and bool(entries)
    if node["fault"] != (kinds[0] if kinds else None) and (kinds or not migrated):
        yield f"fault is {node['fault']!r}, its entries give {kinds}"
    # Every transaction has its own time, and a folded event counts for each time that it happened.
    told = [event for event in events if event["source"] != "migration" and not _changes_nothing(event)]
    generation = len({event["created_at"] for event in told}) + sum(event["count"] - 1 for event in told)
    if node["generation"] != generation:
        yield f"generation is {node['generation']}, its history has {generation} changes"


def _changes_nothing(event: t.Any) -> bool:
    """Tell whether an event only says that Ironic's flag was cleared behind a hold that stays. A fault ends with its flag."""
    return bool(event["action"] == "external_clear" and event["type"] != "fault")


def _of_entries(entries: list[t.Any]) -> t.Iterator[str]:
    if [entry["id"] for entry in entries] != sorted(entry["id"] for entry in entries):
        yield "entries were asserted in another order than their times say"
    same = [(entry["type"], entry["scope"], entry["asserted_by_project"], entry["key"]) for entry in entries]
    if len(set(same)) != len(same):
        yield f"one hold is active twice: {same}"
    for kind in ("legacy", "fault"):
        if sum(entry["type"] == kind for entry in entries) > 1:
            yield f"{kind} is active twice"


def _of_history(entries: list[t.Any], events: list[t.Any]) -> t.Iterator[str]:
    """Replay the history: what it leaves active must be the entries, as they are."""
    active: dict[str, t.Any] = {}
    ended: set[str] = set()
    for event in events:
        uuid, action = event["entry_uuid"], event["action"]
        if action == "assert":
            if uuid in active or uuid in ended:
                yield f"history asserts {uuid} twice"
            active[uuid] = event
        elif uuid not in active:
            yield f"history has {action} of {uuid}, which was not active then"
        elif action == "release" or (action == "external_clear" and event["type"] == "fault"):
            del active[uuid]
            ended.add(uuid)
        elif action == "update":
            active[uuid] = event
        elif not _changes_nothing(event):
            yield f"history has the unknown action {action}"
    stored = {entry["uuid"]: entry for entry in entries}
    for uuid in sorted(stored.keys() - active.keys()):
        yield f"entry {uuid} is active, its history does not say so"
    for uuid in sorted(active.keys() - stored.keys()):
        yield f"history leaves {uuid} active, there is no such entry"
    for uuid in sorted(active.keys() & stored.keys()):
        for name in _SAID:
            # A folded event is one row for all its occurrences, so it may be older than the entry's latest change.
            if active[uuid][name] != stored[uuid][name] and stored[uuid]["type"] != "fault":
                yield f"{name} of {uuid} is {stored[uuid][name]!r}, its history says {active[uuid][name]!r}"
