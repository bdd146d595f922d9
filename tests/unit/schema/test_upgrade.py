# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Upgrading: again and again, from each revision; and which databases a service accepts."""

from __future__ import annotations

import concurrent.futures
import hashlib
import pathlib
import threading

import pytest
import sqlalchemy as sa
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.errors import Refusal
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema import migrate
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.store import Store
from ansible_collections.baremetal.maintenance.tests.support.agreement import disagreements
from ansible_collections.baremetal.maintenance.tests.support.service import server_dump

from .old_nodes import dump, put_nodes


def test_an_empty_database_gets_every_revision_in_order(store: Store) -> None:
    assert migrate.upgrade(store) == ["001", "002", "003"]
    assert _current(store) == migrate.HEAD == "003"


def test_an_old_database_gets_what_it_lacks(old: Store) -> None:
    assert migrate.upgrade(old) == ["002", "003"]
    assert _current(old) == "003"


def test_upgrading_again_does_nothing(old: Store, store_url: str) -> None:
    put_nodes(old, ["broken fan", None])
    migrate.upgrade(old)
    before, content = dump(old), _digest(old, store_url)
    assert migrate.upgrade(old) == []
    assert dump(old) == before
    assert _digest(old, store_url) == content


def test_a_service_brings_an_empty_database_to_the_newest_revision(store: Store) -> None:
    migrate.check(store)
    assert _current(store) == migrate.HEAD


def test_a_first_start_that_fails_leaves_an_empty_database(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not one of revision 001, which the next start would refuse."""

    def fail(_connection: object) -> int:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(migrate.r002_node_maintenance, "backfill", fail)
        with pytest.raises(ZeroDivisionError):
            migrate.check(store)
    assert _current(store) is None
    migrate.check(store)
    assert _current(store) == migrate.HEAD


def test_a_service_leaves_a_database_of_the_newest_revision_as_it_is(old: Store) -> None:
    put_nodes(old, ["broken fan"])
    migrate.upgrade(old)
    before = dump(old)
    migrate.check(old)
    assert dump(old) == before


def test_a_service_refuses_an_older_database_and_names_the_command(old: Store) -> None:
    put_nodes(old, ["broken fan"])
    before = dump(old)
    with pytest.raises(Refusal) as refused:
        migrate.check(old)
    assert refused.value.text == "the database is at schema revision 001 and this version needs 003: run the command `migrate` first"
    assert (refused.value.status, refused.value.code) == (503, "unavailable")
    assert dump(old) == before


@pytest.mark.parametrize("revision", ["004", "042", "1", "ffe1", ""])
@pytest.mark.parametrize("act", [migrate.check, migrate.upgrade])
def test_a_database_of_a_schema_that_this_version_does_not_know_is_refused_in_one_sentence(store: Store, act, revision: str) -> None:
    migrate.upgrade(store)
    with store.writing() as connection:
        connection.execute(sa.text(f"UPDATE {migrate.VERSION_TABLE} SET revision = :revision"), {"revision": revision})
    before = dump(store)
    with pytest.raises(Refusal) as refused:
        act(store)
    assert refused.value.text == (
        f"the database is at schema revision {revision}, which this version does not know (its newest is 003):"
        " run the version of baremetal.maintenance that wrote it, or a newer one"
    )
    assert dump(store) == before


def test_of_many_that_upgrade_at_once_each_revision_is_applied_by_one(old: Store, store_url: str) -> None:
    put_nodes(old, ["broken fan"] * 500)
    ready = threading.Barrier(4)

    def upgrade(_number: int) -> list[str]:
        own = Store(store_url)
        try:
            ready.wait(10)
            return migrate.upgrade(own)
        finally:
            own.close()

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        applied = list(pool.map(upgrade, range(4)))
    assert sorted(revision for revisions in applied for revision in revisions) == ["002", "003"]
    assert disagreements(store_url) == []


def test_an_upgrade_that_fails_leaves_the_revision_before_it(old: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of a revision is one transaction, its tables and its number included."""
    put_nodes(old, ["broken fan"])
    before = dump(old)

    def fail(_connection: object) -> int:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(migrate.r002_node_maintenance, "backfill", fail)
        with pytest.raises(ZeroDivisionError):
            migrate.upgrade(old)
    assert dump(old) == before
    assert migrate.upgrade(old) == ["002", "003"]


def _current(store: Store) -> str | None:
    with store.reading() as connection:
        return migrate.current(connection)


def _digest(store: Store, store_url: str) -> str:
    if not store.is_sqlite:
        return server_dump(store)
    with store.reading() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(FULL)")
    return hashlib.sha256(pathlib.Path(store_url.removeprefix("sqlite:///")).read_bytes()).hexdigest()
