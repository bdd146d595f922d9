# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A database that is locked, full, read-only or damaged: 503, in words, and nothing half written (api.md 6 and 8)."""

from __future__ import annotations

import contextlib
import pathlib
import sqlite3
import time
import typing as t

import pytest
import sqlalchemy
from ansible_collections.baremetal.maintenance.tests.support.cast import OWNER
from ansible_collections.baremetal.maintenance.tests.support.service import BELOW, Answer, Build, Client, Service

BUSY_TIMEOUT = 0.3

Write = t.Callable[[Client, str, str], Answer]

WRITES: dict[str, Write] = {
    "assert": lambda who, node, _entry: who.post(f"/nodes/{node}/maintenance", {"type": "hardware_failure", "reason": "x" * 4000}),
    "change": lambda who, node, entry: who.patch(f"/nodes/{node}/maintenance/{entry}", {"reason": "y" * 4000, "extra": {"a": "b" * 60000}}),
    "release": lambda who, node, entry: who.delete(f"/nodes/{node}/maintenance/{entry}"),
    "set": lambda who, node, _entry: who.put(f"/nodes/{node}/maintenance", {"reason": "x" * 4096}),
    "set below": lambda who, node, _entry: who.put(f"/nodes/{node}/maintenance", {"reason": "x" * 4096}, version=BELOW),
    "clear": lambda who, node, _entry: who.delete(f"/nodes/{node}/maintenance"),
    "fault": lambda who, node, _entry: who.put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure", "reason": "x" * 4000}),
    "bulk assert": lambda who, node, _entry: who.post("/maintenance", {"nodes": [node], "type": "hardware_failure", "reason": "x" * 4000}),
    "bulk release": lambda who, _node, entry: who.post("/maintenance/release", {"entries": [entry], "comment": "x" * 4000}),
    "patch": lambda who, node, _entry: who.patch(f"/nodes/{node}", [{"op": "add", "path": "/extra/x", "value": "y" * 60000}]),
    "patch false": lambda who, node, _entry: who.patch(f"/nodes/{node}", [{"op": "replace", "path": "/maintenance", "value": False}]),
    "enrol": lambda who, _node, _entry: who.post("/nodes", {"extra": {"x": "y" * 60000}}),
    "remove": lambda who, node, _entry: who.delete(f"/nodes/{node}"),
}
#: Writes that need room in the file; the others may find it in what they free.
GROWING = ("assert", "change", "set", "fault", "bulk assert", "patch", "enrol")


class Stage(t.NamedTuple):
    """A service, its admin, a node and the admin's entry on it."""

    service: Service
    admin: Client
    node: str
    entry: str


def staged(service: Service) -> Stage:
    admin, node = service.by("admin"), service.node()
    entry = admin.post(f"/nodes/{node}/maintenance", {"type": "operator_hold", "reason": "held"}).json["uuid"]
    return Stage(service, admin, node, entry)


def reads_still_work(stage: Stage) -> None:
    assert stage.admin.get(f"/nodes/{stage.node}/maintenance").json["maintenance"][0]["uuid"] == stage.entry
    assert stage.service.flag(stage.node) == (True, "operator_hold: held")
    assert stage.admin.get("/healthz", root="").status == 200


@pytest.mark.parametrize("name", WRITES)
def test_locked_by_another_process_it_is_503_within_the_time_out_to_be_tried_again(build: Build, name: str) -> None:
    stage = staged(build(busy_timeout=BUSY_TIMEOUT))
    before = stage.service.dump()
    with contextlib.closing(sqlite3.connect(stage.service.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        start = time.monotonic()
        answer = WRITES[name](stage.admin, stage.node, stage.entry)
        waited = time.monotonic() - start
        assert (answer.status, answer.code) == (503, "unavailable")
        assert answer.said == "The database is busy: nothing was written; try again in a moment."
        assert int(answer.headers["retry-after"]) >= 1
        assert BUSY_TIMEOUT <= waited < BUSY_TIMEOUT + 5
        reads_still_work(stage)
        other.execute("ROLLBACK")
    assert stage.service.dump() == before
    assert WRITES[name](stage.admin, stage.node, stage.entry).status < 300


@contextlib.contextmanager
def no_room(database: pathlib.Path) -> t.Iterator[None]:
    """While this lasts, the database's file may not grow on a connection that is opened: what a full disk looks like."""
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("VACUUM")
        [pages] = connection.execute("PRAGMA page_count").fetchone()

    def limit(connection: t.Any, _record: t.Any) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    sqlalchemy.event.listen(sqlalchemy.Engine, "connect", limit)
    try:
        yield
    finally:
        sqlalchemy.event.remove(sqlalchemy.Engine, "connect", limit)


@pytest.mark.parametrize("name", GROWING)
def test_full_it_is_503_and_says_what_to_do(build: Build, name: str) -> None:
    first = build()
    stage = staged(first)
    first.parts.store.close()
    with no_room(first.database):
        full = build()
        tight = Stage(full, full.by("admin"), stage.node, stage.entry)
        before = full.dump()
        answer = None
        # Pages that are not full take a few writes.
        for _try in range(5):
            answer = WRITES[name](tight.admin, tight.node, tight.entry)
            if answer.status == 503:
                break
            before = full.dump()
        assert answer is not None
        assert (answer.status, answer.code) == (503, "unavailable")
        assert answer.said == "The database's disk is full: nothing was written; free space on the backend's disk."
        assert full.dump() == before
        assert tight.admin.get(f"/nodes/{tight.node}/maintenance").status == 200
    roomy = build()
    assert WRITES[name](roomy.by("admin"), stage.node, stage.entry).status in (200, 201, 202, 204)


@pytest.mark.parametrize("name", WRITES)
def test_read_only_it_is_503_and_says_what_to_do(build: Build, name: str) -> None:
    first = build()
    stage = staged(first)
    before = first.dump()
    service = build(database=f"file:{first.database}?mode=ro&uri=true")
    readable = Stage(service, service.by("admin"), stage.node, stage.entry)
    answer = WRITES[name](readable.admin, readable.node, readable.entry)
    assert (answer.status, answer.code) == (503, "unavailable")
    assert answer.said == "The database is read-only: nothing was written; give the backend write access to its database."
    reads_still_work(readable)
    assert first.dump() == before


@pytest.mark.parametrize("damage", ["garbage", "empty", "gone"])
def test_damaged_or_gone_it_is_503_for_everyone_and_for_the_health_check(tmp_path: pathlib.Path, damage: str) -> None:
    stage = staged(Service(tmp_path))
    stage.service.parts.store.close()
    for path in tmp_path.glob("maintenance.sqlite*"):
        path.unlink()
    if damage == "garbage":
        stage.service.database.write_bytes(b"this is no database, " * 1000)
    elif damage == "empty":
        stage.service.database.touch()
    else:
        # A folder of the name can't be opened, nor made anew.
        stage.service.database.mkdir()
    for answer in (
        stage.admin.get(f"/nodes/{stage.node}"),
        stage.admin.get(f"/nodes/{stage.node}/maintenance"),
        stage.admin.get("/maintenance"),
        stage.admin.get("/healthz", root=""),
        *(write(stage.admin, stage.node, stage.entry) for write in WRITES.values()),
    ):
        assert (answer.status, answer.code) == (503, "unavailable")
        assert "nothing was written" in answer.said


def test_a_write_that_fails_in_the_middle_is_undone_as_a_whole(build: Build) -> None:
    """Entry, flag, reason and history change together or not at all: here the history can't be written."""
    stage = staged(build())
    with contextlib.closing(sqlite3.connect(stage.service.database, isolation_level=None)) as other:
        other.execute("ALTER TABLE node_history RENAME TO elsewhere")
        before = stage.service.dump()
        for name in (
            "assert",
            "change",
            "release",
            "set",
            "set below",
            "clear",
            "fault",
            "bulk assert",
            "bulk release",
            "patch false",
            "remove",
        ):
            answer = WRITES[name](stage.admin, stage.node, stage.entry)
            assert (answer.status, answer.code) == (503, "unavailable"), name
            assert answer.said == "The database does not answer: nothing was written; the backend's log says why."
            assert stage.service.dump() == before, name
        other.execute("ALTER TABLE elsewhere RENAME TO node_history")
    assert (
        stage.service.by("owner").post(f"/nodes/{stage.node}/maintenance", {"type": "operator_hold"}).json["asserted_by_project"] == OWNER
    )
