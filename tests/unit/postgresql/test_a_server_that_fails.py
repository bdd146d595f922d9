# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A PostgreSQL that is down, busy, read-only or out of connections: 503, in words, nothing half written, and right again by itself."""

from __future__ import annotations

import contextlib
import pathlib
import signal
import typing as t

import psycopg
import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.errors import Refusal
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema import migrate
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.store import Store
from ansible_collections.baremetal.maintenance.tests.lab.postgresql import Postgresql
from ansible_collections.baremetal.maintenance.tests.support.agreement import disagreements
from ansible_collections.baremetal.maintenance.tests.support.service import Answer, Service

HOLD = {"type": "operator_hold", "reason": "held"}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, postgresql: Postgresql) -> t.Iterator[Service]:
    """A service that waits half a second for a lock."""
    service = Service(tmp_path_factory.mktemp("backend"), database=postgresql.database())
    yield service
    assert disagreements(service.database) == []
    service.parts.store.close()


@contextlib.contextmanager
def other(service: Service, **more: t.Any) -> t.Iterator[psycopg.Connection[t.Any]]:
    """Another client of the same database."""
    with psycopg.connect(str(service.database).replace("+psycopg", "", 1), **more) as connection:
        yield connection
        connection.rollback()


def hold(service: Service, node: str, **members: t.Any) -> Answer:
    return service.by("operator").post(f"/nodes/{node}/maintenance", {**HOLD, **members})


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["stopped", "crashed"])
def test_while_it_is_down_all_is_503_and_afterwards_the_first_request_is_answered(
    service: Service, postgresql: Postgresql, how: signal.Signals
) -> None:
    node, free = service.node(), service.node()
    assert hold(service, node).status == 201
    postgresql.stop(how)
    try:
        for answer in (hold(service, free), service.by("operator").get(f"/nodes/{node}"), service.by(None).get("/healthz", root="")):
            assert (answer.status, answer.code) == (503, "unavailable")
            assert answer.said == "The database does not answer: nothing was written; the backend's log says why."
            assert int(answer.headers["retry-after"]) >= 1
    finally:
        postgresql.start()
    assert service.flag(node) == (True, "operator_hold: held")
    assert hold(service, free).status == 201


def test_a_node_that_another_transaction_holds_is_503_within_the_time_out_and_others_go_on(service: Service) -> None:
    node, free = service.node(), service.node()
    with other(service) as rival:
        rival.execute("SELECT * FROM nodes WHERE name = %s FOR UPDATE", (node,))
        refused = hold(service, node)
        assert (refused.status, refused.code) == (503, "unavailable")
        assert refused.said == "The database is busy: nothing was written; try again in a moment."
        assert hold(service, free).status == 201
        assert service.entries(node) == []
    assert hold(service, node).status == 201


def test_a_deadlock_is_done_again(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database ends one of two that wait for each other; nobody sees it."""
    node = service.node()
    real, ended = Store._lock, []

    def lock(self: Store, connection: t.Any, *arguments: t.Any) -> t.Any:
        if not ended:
            ended.append(True)
            connection.exec_driver_sql("DO $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = 'deadlock_detected'; END $$")
        return real(self, connection, *arguments)

    monkeypatch.setattr(Store, "_lock", lock)
    assert hold(service, node).status == 201
    assert len(service.entries(node)) == 1


def test_where_the_connection_breaks_in_a_commit_nobody_knows_what_was_written(service: Service) -> None:
    """And the answer does not say that nothing was."""
    node = service.node()
    with other(service, autocommit=True) as rival:
        rival.execute(
            "CREATE FUNCTION vanish() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(5); RETURN NULL; END $$"
        )
        rival.execute(
            "CREATE CONSTRAINT TRIGGER vanish AFTER INSERT ON node_maintenance DEFERRABLE INITIALLY DEFERRED"
            " FOR EACH ROW EXECUTE FUNCTION vanish()"
        )
        try:
            answer = hold(service, node)
        finally:
            rival.execute("DROP TRIGGER vanish ON node_maintenance")
            rival.execute("DROP FUNCTION vanish")
    assert answer.status == 503
    assert "whether it was written is not known" in answer.said
    assert hold(service, node).status == 201


def test_a_server_that_only_reads_says_so(service: Service, postgresql: Postgresql) -> None:
    """As a standby does."""
    node = service.node()
    name = str(service.database).rpartition("/")[2]
    with other(service, autocommit=True) as rival:
        rival.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    try:
        service.parts.store.close()
        answer = hold(service, node)
        assert answer.status == 503
        assert answer.said == "The database is read-only: nothing was written; give the backend write access to its database."
        assert service.by("operator").get(f"/nodes/{node}").status == 200
    finally:
        with psycopg.connect(postgresql.conninfo("postgres"), autocommit=True) as connection:
            connection.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
        service.parts.store.close()
    assert hold(service, node).status == 201


def test_a_server_without_a_connection_left_says_so(service: Service, postgresql: Postgresql) -> None:
    node = service.node()
    name = str(service.database).rpartition("/")[2]
    with psycopg.connect(postgresql.conninfo("postgres"), autocommit=True) as connection:
        connection.execute("CREATE ROLE narrow LOGIN CONNECTION LIMIT 0")
        try:
            store = Store(f"postgresql+psycopg://narrow@127.0.0.1:{postgresql.port}/{name}")
            with pytest.raises(Refusal) as refused, store.reading():
                pass
        finally:
            connection.execute("DROP ROLE narrow")
    assert refused.value.text.startswith("The database takes no more connections: nothing was written")
    assert hold(service, node).status == 201


def test_nothing_is_written_in_an_encoding_that_lacks_letters(postgresql: Postgresql, tmp_path: pathlib.Path) -> None:
    with psycopg.connect(postgresql.conninfo("postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    store = Store(f"postgresql+psycopg://lab@127.0.0.1:{postgresql.port}/latin")
    with pytest.raises(Refusal) as refused:
        migrate.check(store)
    store.close()
    assert refused.value.text == (
        "the database's encoding is LATIN1 and this service needs UTF8: make it with CREATE DATABASE … ENCODING 'UTF8'"
    )
