# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The service killed with SIGKILL while it writes: what it acknowledged is there after a restart, and nothing else is there by half."""

from __future__ import annotations

import concurrent.futures
import contextlib
import http.client
import json
import os
import pathlib
import random
import signal
import sqlite3
import time
import typing as t
import uuid

import pytest
from ansible_collections.baremetal.maintenance.tests.integration.races.people import ADMIN, CONDUCTOR
from ansible_collections.baremetal.maintenance.tests.integration.server.processes import children_of, command_of, eventually, is_running
from ansible_collections.baremetal.maintenance.tests.support import cast
from ansible_collections.baremetal.maintenance.tests.support.agreement import disagreements
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend
from ansible_collections.baremetal.maintenance.tests.support.service import TYPED

from .writer import Counter, Writer

WRITES = 500


@pytest.mark.soak
@pytest.mark.parametrize("victim", ["parent", "worker"])
def test_killed_at_a_random_point_of_many_writes(tmp_path: pathlib.Path, victim: str, rounds: int, seed: str) -> None:
    chosen = random.Random(seed)
    with Backend(tmp_path, users=cast.CAST, service_project=cast.SERVICE_NAME) as backend:
        for number in range(rounds):
            writers = [
                Writer(backend, who, (f"{who.login}-{number}-{place}-a", f"{who.login}-{number}-{place}-b"), random.Random(chosen.random()))
                for who in (ADMIN, CONDUCTOR)
                for place in range(2)
            ]
            for writer in writers:
                writer.enrol()
            counter = Counter()
            at = chosen.randrange(1, WRITES)
            with everyone_writes(writers, counter, WRITES):
                counter.wait_for(at)
                time.sleep(chosen.uniform(0, 0.005))
                kill(backend, victim)
            backend.start()
            where = f"killed after {counter.number} writes"
            assert [mistake for writer in writers for mistake in writer.mistakes()] == [], where
            assert disagreements(backend.database) == [], where
            # And it goes on as if nothing had been.
            with everyone_writes(writers, counter, WRITES):
                pass
            assert counter.number >= WRITES
            assert [mistake for writer in writers for mistake in writer.mistakes()] == []
        assert disagreements(backend.database) == []


@pytest.mark.soak
def test_a_hold_on_many_nodes_is_on_all_or_on_none(tmp_path: pathlib.Path, rounds: int, seed: str) -> None:
    """Killed somewhere between the first byte of the request and the last of the answer."""
    chosen = random.Random(seed)
    with Backend(tmp_path) as backend:
        nodes = enrolled(backend, 1000)
        took = hold(backend, nodes, "undisturbed")
        for number in range(rounds):
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                asked = pool.submit(hold, backend, nodes, f"run {number}")
                time.sleep(chosen.uniform(0, took))
                kill(backend, "worker")
                with contextlib.suppress(OSError, http.client.HTTPException):
                    asked.result()
                    assert held(backend, f"run {number}") == len(nodes), "it was acknowledged"
            backend.start()
            assert held(backend, f"run {number}") in (0, len(nodes))
        assert disagreements(backend.database) == []


@contextlib.contextmanager
def everyone_writes(writers: list[Writer], counter: Counter, most: int) -> t.Iterator[None]:
    """Let all write at the same time until there are so many writes, or no answer comes any more; wait for them at the end."""
    with concurrent.futures.ThreadPoolExecutor(len(writers)) as pool:
        running = [pool.submit(writer.write, counter, most) for writer in writers]
        yield
    for writer in running:
        writer.result()


def kill(backend: Backend, victim: str) -> None:
    """Kill the supervisor or its web worker; see to it that afterwards nothing of the service is left and nothing answers."""
    parent = backend.pid
    children = children_of(parent)
    [worker] = [pid for pid in children if "housekeeper" not in command_of(pid)]
    os.kill(parent if victim == "parent" else worker, signal.SIGKILL)
    status = backend.ended()
    assert status == -signal.SIGKILL if victim == "parent" else status > 0, backend.log
    assert eventually(lambda: not any(is_running(pid) for pid in children))
    # A process counts as ended when its first thread has; the last one closes the port, moments later.
    assert eventually(lambda: not backend.answers())
    time.sleep(0.3)
    assert not backend.answers()


def enrolled(backend: Backend, number: int) -> list[str]:
    """Import so many nodes; give their names."""
    names = [f"n{place}" for place in range(number)]
    document = backend.folder / "nodes.json"
    nodes = [{"uuid": str(uuid.uuid4()), "name": name, "maintenance": False} for name in names]
    document.write_text(json.dumps({"nodes": nodes}), encoding="utf-8")
    assert backend.run("import", str(document)).returncode == 0
    return names


def hold(backend: Backend, nodes: list[str], run: str) -> float:
    """Hold all nodes by one request; give the seconds that it took. Raises what a connection raises."""
    connection = http.client.HTTPConnection("127.0.0.1", backend.port, timeout=60)
    begun = time.monotonic()
    with contextlib.closing(connection):
        body = {"nodes": nodes, "type": "operator_hold", "key": run, "run": run}
        headers = {"X-OpenStack-Ironic-API-Version": TYPED, "Content-Type": "application/json"}
        connection.request("POST", "/v1/maintenance", json.dumps(body), headers)
        response = connection.getresponse()
        response.read()
        assert response.status == 200
    return time.monotonic() - begun


def held(backend: Backend, run: str) -> int:
    """How many nodes a run holds, as the database has it."""
    with contextlib.closing(sqlite3.connect(f"file:{backend.database}?mode=ro", uri=True)) as connection:
        return t.cast(int, connection.execute("SELECT count(*) FROM node_maintenance WHERE run = ?", (run,)).fetchone()[0])
