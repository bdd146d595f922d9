# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Many clients at the same time: each with a connection of its own, all of them let go at one moment."""

from __future__ import annotations

import concurrent.futures
import contextlib
import dataclasses
import datetime
import http.client
import json
import pathlib
import sqlite3
import threading
import typing as t

import psycopg
import psycopg.rows
from ansible_collections.baremetal.maintenance.tests.support import cast
from ansible_collections.baremetal.maintenance.tests.support.service import BELOW, TYPED, authorization


@dataclasses.dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    body: t.Any


class Client:
    """A connection of its own to one of the services. Not for two threads at once."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def __enter__(self) -> Client:
        self._connection.connect()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._connection.close()

    def send(self, login: str, method: str, path: str, body: t.Any = None, *, typed: bool = True) -> Answer:
        """Send a request as somebody of the cast; path is below /v1."""
        headers = {
            "X-OpenStack-Ironic-API-Version": TYPED if typed else BELOW,
            "Authorization": authorization(login),
            "Content-Type": "application/json",
        }
        self._connection.request(method, f"/v1{path}", None if body is None else json.dumps(body), headers)
        response = self._connection.getresponse()
        content = response.read()
        return Answer(response.status, json.loads(content) if content else None)


@dataclasses.dataclass(frozen=True)
class Services:
    """One or more services on one database."""

    ports: tuple[int, ...]
    database: pathlib.Path | str

    def client(self, number: int = 0) -> Client:
        """Give a client; the numbers go round the services."""
        return Client(self.ports[number % len(self.ports)])

    def enrol(self) -> str:
        """Enrol a node of the owner, leased to the lessee; give its uuid."""
        with self.client() as client:
            answer = client.send("admin", "POST", "/nodes", {"owner": cast.OWNER, "lessee": cast.LESSEE})
        assert answer.status == 201, answer
        return t.cast(str, answer.body["uuid"])

    def at_once(self, number: int, call: t.Callable[[Client, int], Answer]) -> list[Answer]:
        """Let so many clients call at the same moment; give their answers, by number."""
        ready = threading.Barrier(number)

        def run(place: int) -> Answer:
            with self.client(place) as client:
                ready.wait(60)
                return call(client, place)

        with concurrent.futures.ThreadPoolExecutor(number) as pool:
            return list(pool.map(run, range(number)))

    def rows(self, query: str, *values: t.Any) -> list[dict[str, t.Any]]:
        """Read from the database itself."""
        if isinstance(self.database, str):
            return _rows_of_a_server(self.database, query, values)
        with contextlib.closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(query, values)]

    def entries(self, node_uuid: str) -> list[dict[str, t.Any]]:
        """Read a node's entries from the database itself, oldest first."""
        query = "SELECT e.* FROM node_maintenance e JOIN nodes n ON n.id = e.node_id WHERE n.uuid = ? ORDER BY e.id"
        return self.rows(query, node_uuid)

    def events(self, node_uuid: str) -> list[dict[str, t.Any]]:
        """Read a node's history from the database itself."""
        return self.rows("SELECT * FROM node_history WHERE node_uuid = ? ORDER BY id", node_uuid)


def _rows_of_a_server(url: str, query: str, values: tuple[t.Any, ...]) -> list[dict[str, t.Any]]:
    with psycopg.connect(url.replace("+psycopg", "", 1), row_factory=psycopg.rows.dict_row) as connection:
        found = connection.execute(query.replace("?", "%s"), values).fetchall()
    return [{name: value.isoformat(" ") if isinstance(value, datetime.datetime) else value for name, value in row.items()} for row in found]
