# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The backend in front of an Ironic killed with SIGKILL while holds, the boolean and faults move, through it and round it.

What it acknowledged is there after a restart, and Ironic comes to have what the entries say. Both are read round us: Ironic's database
and our own. The nodes are the same in all rounds, so that what a kill leaves behind is there in the next one.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import os
import pathlib
import random
import signal
import sqlite3
import threading
import time
import typing as t

import pytest
import requests
from ansible_collections.baremetal.maintenance.tests.integration.server.processes import children_of, command_of, eventually, is_running
from ansible_collections.baremetal.maintenance.tests.lab.direct import Answer, Direct
from ansible_collections.baremetal.maintenance.tests.lab.fronted import TYPED
from ansible_collections.baremetal.maintenance.tests.lab.ironic import Ironic
from ansible_collections.baremetal.maintenance.tests.support.agreement import disagreements
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend

pytestmark = [pytest.mark.lab, pytest.mark.soak, pytest.mark.timeout(0)]

WRITERS: t.Final = 4
EACH: t.Final = 3
#: Acknowledged requests before a kill, at most, and seconds after the last of them.
LOAD: t.Final = 40
AFTER: t.Final = 0.2
#: Seconds in which everything must agree after a start, on a loaded machine.
SOON: t.Final = 90.0
#: Seconds for which it must then stay so.
STAYS: t.Final = 0.3


class Writer:
    """Somebody who writes to nodes that nobody else writes to, and knows what must be true of them.

    held: acknowledged typed holds that nobody may have released since. legacy: nodes that an acknowledged PUT holds. over: entries
    whose release was acknowledged.
    """

    def __init__(self, through: Direct, ironic: Ironic, nodes: t.Sequence[str]) -> None:
        self._through = through
        self._direct = ironic.direct()
        self._ironic = ironic
        self.nodes = tuple(nodes)
        self.held: dict[str, set[str]] = {node: set() for node in nodes}
        self.legacy: set[str] = set()
        self.over: set[str] = set()
        self.acknowledged = 0
        self._number = 0

    def write(self, dice: random.Random, until: threading.Event) -> None:
        """Write until it is told to stop or no answer comes."""
        with contextlib.suppress(requests.RequestException):
            while not until.is_set():
                self._once(dice)

    def round_us(self, dice: random.Random, node: str) -> None:
        """Do something to a node that the backend hears nothing of. Faults come and go as a conductor makes them, the rest by the API."""
        kind = dice.choice(["fault", "fault", "recover", "recover", "set", "clear"])
        fault = self._ironic.nodes.flags()[node][2]
        if kind == "fault" and fault is None:
            self._ironic.nodes.put_fault([node], reason=f"no answer {self._next()}")
        elif kind == "recover" and fault is not None:
            self._ironic.nodes.put_fault([node], None)
        elif kind == "set":
            self._direct.put(f"/v1/nodes/{node}/maintenance", {"reason": f"round {self._next()}"})
        elif kind == "clear":
            self._direct.delete(f"/v1/nodes/{node}/maintenance")

    def mistakes(self, stored: Stored) -> list[str]:
        """Say what of an acknowledged request the database does not have."""
        found = []
        for node in self.nodes:
            entries = stored.entries.get(node, {})
            found += [f"{node}: hold {uuid} was acknowledged and is lost" for uuid in self.held[node] - entries.keys()]
            found += [f"{node}: entry {uuid} was released and is back" for uuid in self.over & entries.keys()]
            if node in self.legacy and "legacy" not in entries.values():
                found.append(f"{node}: the boolean was set and its entry is lost")
        return found

    def _once(self, dice: random.Random) -> None:
        node = dice.choice(self.nodes)
        path = f"/v1/nodes/{node}/maintenance"
        do = dice.choice(["assert", "assert", "assert", "release", "release", "set", "clear", "round", "round"])
        if do == "assert":
            body = {"type": dice.choice(["operator_hold", "hardware_failure"]), "key": f"k{self._next()}", "reason": f"r{self._number}"}
            answer = self._ask("POST", path, body, TYPED)
            if answer.status == 201:
                self.held[node].add(answer.json["uuid"])
        elif do == "release" and self.held[node]:
            uuid = dice.choice(sorted(self.held[node]))
            # From here on it may be gone.
            self.held[node].discard(uuid)
            if self._ask("DELETE", f"{path}/{uuid}", None, TYPED).status == 204:
                self.over.add(uuid)
        elif do == "set":
            if self._ask("PUT", path, {"reason": f"boolean {self._next()}"}).status == 202:
                self.legacy.add(node)
        elif do == "clear":
            known, self.held[node] = self.held[node], set()
            self.legacy.discard(node)
            if self._ask("DELETE", path).status == 202:
                self.over |= known
        elif do == "round":
            self.round_us(dice, node)

    def _ask(self, method: str, path: str, body: t.Any = None, version: str = "1.115") -> Answer:
        answer = self._through.send(method, path, body, version=version)
        assert answer.status < 500 or answer.status == 503, (method, path, answer.status, answer.content)
        self.acknowledged += answer.status < 300
        return answer

    def _next(self) -> int:
        self._number += 1
        return self._number


class Stored(t.NamedTuple):
    """What our database has: types of entries by uuid, by node; reasons by node; nodes that Ironic has still to be told of."""

    entries: dict[str, dict[str, str]]
    reasons: dict[str, str | None]
    dirty: set[str]


def stored(backend: Backend) -> Stored:
    """Read our database, at one moment."""
    with contextlib.closing(sqlite3.connect(f"file:{backend.database}?mode=ro", uri=True, timeout=30)) as connection:
        connection.execute("BEGIN")
        query = "SELECT n.uuid, e.uuid, e.type FROM node_maintenance e JOIN nodes n ON n.id = e.node_id"
        entries: dict[str, dict[str, str]] = {}
        for node, uuid, type_ in connection.execute(query):
            entries.setdefault(node, {})[uuid] = type_
        reasons = dict(connection.execute("SELECT uuid, maintenance_reason FROM nodes").fetchall())
        query = "SELECT n.uuid FROM nodes n LEFT JOIN mirrors m ON m.node_id = n.id WHERE n.generation != coalesce(m.generation, 0)"
        return Stored(entries, reasons, {row[0] for row in connection.execute(query)})


def unheld(there: Stored, ironic: Ironic) -> list[str]:
    """Give the nodes that an entry holds and Ironic has out of maintenance."""
    flags = ironic.nodes.flags()
    return [node for node in there.entries if not flags[node][0]]


def differences(there: Stored, ironic: Ironic) -> list[str]:
    """Say what Ironic has otherwise than the entries say."""
    found = [f"{node} has still to be told of" for node in sorted(there.dirty)]
    for node, (maintenance, reason, fault) in ironic.nodes.flags().items():
        types = set(there.entries.get(node, {}).values())
        if maintenance != bool(types):
            found.append(f"{node}: maintenance is {maintenance} with {sorted(types)}")
        elif maintenance and reason != there.reasons[node]:
            found.append(f"{node}: the reason is {reason!r}, not {there.reasons[node]!r}")
        if (fault is not None) != ("fault" in types):
            found.append(f"{node}: the fault is {fault} with {sorted(types)}")
    return found


def agree(backend: Backend, ironic: Ironic) -> tuple[float, float]:
    """Wait until Ironic has what the entries say, and see that it stays so. Give after how many seconds the flags were right, and all."""
    began = time.monotonic()
    last_unheld = last_difference = began
    while True:
        now = time.monotonic()
        there = stored(backend)
        if unheld(there, ironic):
            last_unheld = now
        if differing := differences(there, ironic):
            last_difference = now
        elif now - last_difference > STAYS:
            return last_unheld - began, last_difference - began
        assert now - began < SOON, (differing, backend.log[-3000:])
        time.sleep(0.02)


def kill(backend: Backend, victim: str) -> None:
    """Kill a process of the backend and wait until nothing of it is left; the housekeeper alone comes back by itself."""
    parent = backend.pid
    children = children_of(parent)
    keeper = [pid for pid in children if "housekeeper" in command_of(pid)]
    [chosen] = {"supervisor": [parent], "worker": [pid for pid in children if pid not in keeper], "housekeeper": keeper}[victim]
    os.kill(chosen, signal.SIGKILL)
    if victim == "housekeeper":
        assert eventually(lambda: not is_running(chosen), SOON)
        return
    backend.ended(SOON)
    assert eventually(lambda: not any(is_running(pid) for pid in children) and not backend.answers(), SOON)


def test_killed_at_any_moment(tmp_path: pathlib.Path, real_ironic: Ironic, rounds: int, seed: str) -> None:
    dice = random.Random(seed)
    first = real_ironic.nodes.enrol(state="available")
    nodes = [first, *real_ironic.nodes.copies(first, WRITERS * EACH - 1)]
    settings = {
        "node_source": "ironic",
        "ironic": {"endpoint": real_ironic.url, "auth_type": "none"},
        "hot_interval": 1,
        "reconcile_interval": 2,
    }
    figures: dict[str, list[tuple[float, float]]] = {"supervisor": [], "worker": [], "housekeeper": []}
    with Backend(tmp_path, log_level="warning", **settings) as backend:
        writers = [Writer(Direct(backend.url), real_ironic, nodes[place::WRITERS]) for place in range(WRITERS)]
        for number in range(rounds):
            victim = dice.choices(["supervisor", "worker", "housekeeper"], [6, 2, 2])[0]
            load, after = dice.randrange(LOAD), dice.uniform(0, AFTER)
            where = f"round {number}: {victim} killed {after:.3f} s after {load} requests"
            until = sum(writer.acknowledged for writer in writers) + load
            stop = threading.Event()
            with concurrent.futures.ThreadPoolExecutor(WRITERS) as pool:
                running = [pool.submit(writer.write, random.Random(dice.random()), stop) for writer in writers]
                try:
                    assert eventually(lambda until=until: sum(writer.acknowledged for writer in writers) >= until, SOON), where
                    time.sleep(after)
                    kill(backend, victim)
                finally:
                    stop.set()
            for writer in running:
                writer.result()
            if victim != "housekeeper":
                # Nobody hears of what happens now.
                for writer in writers:
                    for node in writer.nodes:
                        if dice.random() < 0.3:
                            writer.round_us(dice, node)
                backend.start()
            assert [mistake for writer in writers for mistake in writer.mistakes(stored(backend))] == [], where
            took = agree(backend, real_ironic)
            figures[victim].append(took)
            assert [mistake for writer in writers for mistake in writer.mistakes(stored(backend))] == [], where
            assert disagreements(backend.database) == [], where
    for victim, took in figures.items():
        if took:
            flags, everything = (sorted(times) for times in zip(*took, strict=True))
            print(
                f"{victim} killed {len(took)} times; seconds after the start until no held node was out of maintenance:"
                f" median {flags[len(flags) // 2]:.1f}, most {flags[-1]:.1f}; until all agreed:"
                f" median {everything[len(everything) // 2]:.1f}, most {everything[-1]:.1f}"
            )
