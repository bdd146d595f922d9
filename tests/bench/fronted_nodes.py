# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests through the service to a real Ironic behind it: beside the same requests to that Ironic itself."""

from __future__ import annotations

import contextlib
import http.client
import json
import pathlib
import statistics
import time
import typing as t
import urllib.parse

from ansible_collections.baremetal.maintenance.tests.integration.server.processes import children_of
from ansible_collections.baremetal.maintenance.tests.lab.ironic import Ironic
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend
from measuring import Cost, Row, cpu, cpu_of, in_turn, wall

NODES: t.Final = 1000
#: Every so many-th node is held.
HELD: t.Final = 20
#: How often each request is made in a round.
SINGLE: t.Final = 20
LISTS: t.Final = 3
WRITES: t.Final = 10


class Caller:
    """One kept connection. Everyone is an administrator."""

    def __init__(self, url: str, version: str) -> None:
        parts = urllib.parse.urlsplit(url)
        self._there = (parts.hostname or "", parts.port or 80)
        self._headers = {"X-OpenStack-Ironic-API-Version": version, "Content-Type": "application/json", "Accept": "application/json"}
        self._connection = http.client.HTTPConnection(*self._there, timeout=300)
        self._used = time.monotonic()

    def call(self, method: str, path: str, body: t.Any = None, status: int = 200) -> t.Any:
        """Send a request; give the decoded body."""
        content = self.raw(method, path, body, status)
        return json.loads(content) if content else None

    def raw(self, method: str, path: str, body: t.Any = None, status: int = 200) -> bytes:
        """Send a request; give the body."""
        # Ironic closes a connection that is idle for ten seconds.
        if time.monotonic() - self._used > 5:
            self._connection.close()
        self._connection.request(method, path, None if body is None else json.dumps(body), self._headers)
        response = self._connection.getresponse()
        content = response.read()
        self._used = time.monotonic()
        if response.status != status:
            raise SystemExit(f"{method} {path} was answered {response.status}: {content[:500]!r}")
        return content


def rows(folder: pathlib.Path, rounds: int) -> list[Row]:
    """Measure."""
    for name in ("ironic", "backend"):
        (folder / name).mkdir(parents=True)
    with contextlib.ExitStack() as stack:
        ironic = stack.enter_context(Ironic(folder / "ironic"))
        first = ironic.nodes.enrol(state="available")
        nodes = [first, *ironic.nodes.copies(first, NODES - 1)]
        settings = {"ironic": {"endpoint": ironic.url, "auth_type": "none"}, "reconcile_interval": 3600, "log_level": "warning"}
        backend = stack.enter_context(Backend(folder / "backend", node_source="ironic", **settings))
        processes = [*_tree(backend.pid), *_tree(ironic.pid)]
        through, direct = Caller(backend.url, "1.116"), Caller(ironic.url, "1.115")
        for node in nodes[::HELD]:
            through.call("POST", f"/v1/nodes/{node}/maintenance", {"type": "operator_hold", "reason": "the rack is moved"}, 201)
        measured = []
        for work, path, times, goal in (
            ("GET a node", f"/v1/nodes/{nodes[1]}", SINGLE, 1.3),
            ("GET a held node", f"/v1/nodes/{nodes[HELD]}", SINGLE, 1.3),
            (f"list {NODES:,} nodes", "/v1/nodes", LISTS, 1.15),
            (f"list {NODES:,} nodes in full", "/v1/nodes/detail", LISTS, 1.15),
        ):
            if len(through.raw("GET", path)) < len(direct.raw("GET", path)) // 2:
                raise SystemExit(f"{path} is not the same through the service")
            ways = [
                lambda _number, caller=caller, path=path: _measured(processes, lambda: caller.raw("GET", path))
                for caller in (through, direct)
            ]
            measured += _rows(work, "to Ironic itself", goal, *in_turn(rounds * times, *ways))

        def hold(number: int) -> Cost:
            path = f"/v1/nodes/{nodes[1 + number % (HELD - 1)]}/maintenance"
            body = {"type": "operator_hold", "reason": "the rack is moved", "key": str(number)}
            entry: dict[str, t.Any] = {}
            cost = _measured(processes, lambda: entry.update(through.call("POST", path, body, 201)))
            through.call("DELETE", f"{path}/{entry['uuid']}", None, 204)
            return cost

        def put(number: int) -> Cost:
            path = f"/v1/nodes/{nodes[HELD + 1 + number % (HELD - 1)]}/maintenance"
            cost = _measured(processes, lambda: direct.raw("PUT", path, {"reason": "the rack is moved"}, 202))
            direct.call("DELETE", path, None, 202)
            return cost

        measured += _rows("assert an entry, enforced", "PUT the boolean to Ironic itself", None, *in_turn(rounds * WRITES, hold, put))
    return measured


def _rows(work: str, instead: str, goal: float | None, ours: list[Cost], theirs: list[Cost]) -> list[Row]:
    return [
        Row(f"{work}, through us", instead, 1000 * wall(ours), 1000 * wall(theirs), "ms", goal),
        Row(f"{work}, 95th percentile", instead, 1000 * _high(ours), 1000 * _high(theirs), "ms"),
        Row(f"{work}, processor of both", instead, 1000 * cpu(ours), 1000 * cpu(theirs), "ms"),
    ]


def _measured(processes: list[int], work: t.Callable[[], t.Any]) -> Cost:
    before, begun = cpu_of(processes), time.perf_counter()
    work()
    return Cost(time.perf_counter() - begun, cpu_of(processes) - before)


def _high(costs: list[Cost]) -> float:
    return statistics.quantiles([cost.wall for cost in costs], n=20, method="inclusive")[-1]


def _tree(pid: int) -> list[int]:
    return [pid, *(process for child in children_of(pid) for process in _tree(child))]
