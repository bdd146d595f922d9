# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Revision 002 gives every maintained node its legacy entry (spec, "Data model impact")."""

from __future__ import annotations

import datetime
import json

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema import migrate
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.store import Store
from ansible_collections.baremetal.maintenance.tests.support.agreement import disagreements

from .old_nodes import FREE, backfill_again, dump, put_nodes, rows

REASONS = [
    None,
    "",
    " ",
    "broken fan",
    "x" * 70_000,
    "Lüfter kaputt 🔧 — 送風機",
    "e\u0301 is not \u00e9",
    "line one\nline two\r\n\ttabbed ",
    "operator_hold: not a typed hold; fault: neither",
    'it\'s "quoted" :reason %(reason)s {{ reason }} \\ --',
]


@pytest.mark.parametrize("reason", REASONS, ids=[ascii(reason)[:30] for reason in REASONS])
def test_a_maintained_node_gets_one_legacy_entry_with_its_reason(old: Store, reason: str | None) -> None:
    [node_uuid] = put_nodes(old, [reason])
    before = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)
    migrate.upgrade(old)
    [entry] = rows(old, "SELECT e.*, n.uuid AS node_uuid FROM node_maintenance e JOIN nodes n ON n.id = e.node_id")
    assert {name: entry[name] for name in ("node_uuid", "type", "scope", "key", "reason", "asserted_by", "asserted_by_project")} == {
        "node_uuid": node_uuid,
        "type": "legacy",
        "scope": "system",
        "key": "",
        "reason": reason,
        "asserted_by": "migration",
        "asserted_by_project": "",
    }
    assert (entry["ticket"], entry["run"], entry["asserted_by_name"], json.loads(entry["extra"])) == (None, None, None, {})
    asserted = datetime.datetime.fromisoformat(entry["asserted_at"])
    assert before <= asserted <= datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)


@pytest.mark.parametrize("reason", REASONS, ids=[ascii(reason)[:30] for reason in REASONS])
def test_the_node_itself_stays_as_it_was(old: Store, reason: str | None) -> None:
    put_nodes(old, [reason, FREE])
    before = rows(old, "SELECT * FROM nodes ORDER BY id")
    migrate.upgrade(old)
    assert rows(old, "SELECT * FROM nodes ORDER BY id") == [{**row, "generation": 0} for row in before]


def test_a_node_that_is_not_maintained_gets_nothing(old: Store) -> None:
    put_nodes(old, [FREE, FREE])
    migrate.upgrade(old)
    assert rows(old, "SELECT * FROM node_maintenance") == []
    assert rows(old, "SELECT * FROM node_history") == []


def test_history_says_who_asserted_the_entry_and_from_where(old: Store) -> None:
    [node_uuid] = put_nodes(old, ["broken fan"])
    migrate.upgrade(old)
    [entry] = rows(old, "SELECT * FROM node_maintenance")
    [event] = rows(old, "SELECT * FROM node_history")
    expected = {
        "node_uuid": node_uuid,
        "node_name": f"n-{node_uuid[:8]}",
        "event_type": "maintenance",
        "severity": "INFO",
        "action": "assert",
        "entry_uuid": entry["uuid"],
        "type": "legacy",
        "scope": "system",
        "key": "",
        "reason": "broken fan",
        "user": "migration",
        "project": "",
        "actor_scope": "system",
        "source": "migration",
        "count": 1,
        "created_at": entry["asserted_at"],
    }
    assert {name: event[name] for name in expected} == expected
    assert "migration" not in event["event"]


def test_events_of_before_stay(old: Store) -> None:
    with old.writing() as connection:
        connection.exec_driver_sql(
            'INSERT INTO node_history (uuid, created_at, node_uuid, event_type, severity, event, "user")'
            " VALUES ('u', '2026-01-01 00:00:00.000000', 'n', 'provisioning', 'ERROR', 'Deploy failed', 'someone')"
        )
    before = rows(old, "SELECT * FROM node_history")[0]
    put_nodes(old, ["broken fan"])
    migrate.upgrade(old)
    after = rows(old, "SELECT * FROM node_history ORDER BY id")[0]
    assert {name: after[name] for name in before} == before
    assert {name for name, value in after.items() if value is not None} == {name for name, value in before.items() if value is not None} | {
        "count"
    }


def test_a_fault_stays_on_its_node_and_its_entry_is_legacy(old: Store) -> None:
    """The spec backfills legacy entries only: who asserted the fault, and that it was a service, is not known any more."""
    put_nodes(old, ["clean step failed"], fault="clean failure")
    migrate.upgrade(old)
    assert [entry["type"] for entry in rows(old, "SELECT type FROM node_maintenance")] == ["legacy"]
    assert [node["fault"] for node in rows(old, "SELECT fault FROM nodes")] == ["clean failure"]


def test_every_maintained_node_of_many_gets_exactly_one_entry(old: Store, store_url: str) -> None:
    """More nodes than one batch, with free ones in between."""
    reasons = [FREE if number % 3 == 0 else f"reason {number}" for number in range(2 * migrate.r002_node_maintenance.BATCH + 7)]
    uuids = put_nodes(old, reasons)
    migrate.upgrade(old)
    found = rows(old, "SELECT n.uuid, e.reason FROM node_maintenance e JOIN nodes n ON n.id = e.node_id ORDER BY e.id")
    assert [(row["uuid"], row["reason"]) for row in found] == [
        (node_uuid, reason) for node_uuid, reason in zip(uuids, reasons, strict=True) if reason is not FREE
    ]
    assert disagreements(store_url) == []


def test_running_the_backfill_again_changes_nothing(old: Store) -> None:
    put_nodes(old, [*REASONS, FREE], fault=None)
    put_nodes(old, ["broken"], fault="power failure")
    migrate.upgrade(old)
    before = dump(old)
    assert backfill_again(old) == 0
    assert dump(old) == before


def test_the_backfill_completes_what_is_missing_and_leaves_the_rest(old: Store) -> None:
    put_nodes(old, ["first"])
    migrate.upgrade(old)
    [first] = rows(old, "SELECT * FROM node_maintenance")
    put_nodes(old, ["second"])
    assert backfill_again(old) == 1
    entries = rows(old, "SELECT * FROM node_maintenance ORDER BY id")
    assert entries[0] == first
    assert [entry["reason"] for entry in entries] == ["first", "second"]
