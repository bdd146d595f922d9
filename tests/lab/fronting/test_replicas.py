# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two backends on one PostgreSQL in front of one Ironic: they are one to whoever asks, and one of them reconciles.

What reaches Ironic is counted at the wire of each. The one that leads is killed, or stopped as a machine that hangs is.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import dataclasses
import os
import random
import signal
import threading
import time
import typing as t

import psycopg
import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.fronting.keeping import LEASE, LEASE_NAME
from ansible_collections.baremetal.maintenance.tests.integration.server.processes import children_of, command_of, eventually, is_running
from ansible_collections.baremetal.maintenance.tests.lab.direct import Answer, Direct
from ansible_collections.baremetal.maintenance.tests.lab.fronted import TYPED
from ansible_collections.baremetal.maintenance.tests.lab.fronting.counting import Counting, Passed
from ansible_collections.baremetal.maintenance.tests.lab.fronting.holding import until
from ansible_collections.baremetal.maintenance.tests.lab.fronting.watching import Watcher
from ansible_collections.baremetal.maintenance.tests.lab.ironic import Ironic
from ansible_collections.baremetal.maintenance.tests.lab.postgresql import Postgresql
from ansible_collections.baremetal.maintenance.tests.support.agreement import disagreements
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]

#: What a loaded machine adds to anything.
SOON: t.Final = 60.0
NODES: t.Final = 16


@dataclasses.dataclass(frozen=True)
class Replica:
    """One of the two, and the wire between it and Ironic."""

    backend: Backend
    wire: Counting

    @property
    def housekeeper(self) -> int | None:
        """The process that may reconcile."""
        return next((pid for pid in children_of(self.backend.pid) if "housekeeper" in command_of(pid)), None)

    @property
    def processes(self) -> list[int]:
        """All of its processes, the supervisor first."""
        return [self.backend.pid, *children_of(self.backend.pid)]

    def ask(self, method: str, path: str, body: t.Any = None) -> Answer:
        """Ask it, on a connection of one's own."""
        return Direct(self.backend.url).send(method, path, body, version=TYPED)

    def hold(self, node: str, key: str = "") -> Answer:
        """Assert an operator hold."""
        return self.ask("POST", f"/v1/nodes/{node}/maintenance", {"type": "operator_hold", "reason": "moving", "key": key})


@dataclasses.dataclass(frozen=True)
class Pair:
    """Both, their Ironic and their database."""

    replicas: tuple[Replica, Replica]
    ironic: Ironic
    database: str

    def holder(self) -> int | None:
        """Give the process that has the lease, as the database has it."""
        with psycopg.connect(self.database.replace("+psycopg", "", 1)) as connection:
            query = "SELECT holder FROM leases WHERE name = %s AND expires_at > clock_timestamp() AT TIME ZONE 'UTC'"
            found = connection.execute(query, (LEASE_NAME,)).fetchone()
        return None if found is None else int(found[0].split("/")[2])

    def led(self) -> tuple[Replica, Replica]:
        """Give the one that leads and the other."""
        until(lambda: self.holder() in [one.housekeeper for one in self.replicas], SOON, "nobody leads")
        first, second = self.replicas
        return (first, second) if first.housekeeper == self.holder() else (second, first)

    def writes(self, node: str, since: float = 0.0) -> list[Passed]:
        """Give what both wrote to a node."""
        return sorted((one for replica in self.replicas for one in replica.wire.writes(node, since)), key=lambda one: one.began)

    def all_flags(self, nodes: t.Sequence[str], value: bool) -> bool:
        """Tell whether Ironic has all their flags so."""
        flags = self.ironic.nodes.flags()
        return all(flags[node][0] is value for node in nodes)


class Holders(Watcher):
    """Who had the lease, in order, without repetitions."""

    def __init__(self, pair: Pair) -> None:
        super().__init__(0.1)
        self._pair = pair
        self.seen: list[int] = []

    def once(self) -> None:
        """Look."""
        holder = self._pair.holder()
        if holder is not None and self.seen[-1:] != [holder]:
            self.seen.append(holder)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory, real_ironic: Ironic, postgresql: Postgresql) -> t.Iterator[Pair]:
    """Two backends that run."""
    database = postgresql.database()
    with contextlib.ExitStack() as stack:
        replicas = []
        for _number in range(2):
            wire = stack.enter_context(Counting(real_ironic.url))
            settings = {"ironic": {"endpoint": wire.url, "auth_type": "none"}, "hot_interval": 1, "reconcile_interval": 2}
            backend = Backend(tmp_path_factory.mktemp("replica"), database=database, node_source="ironic", log_level="warning", **settings)
            stack.enter_context(backend)
            replicas.append(Replica(backend, wire))
        yield Pair((replicas[0], replicas[1]), real_ironic, database)


@pytest.fixture
def nodes(pair: Pair) -> list[str]:
    """Nodes of a test's own."""
    first = pair.ironic.nodes.enrol()
    return [first, *pair.ironic.nodes.copies(first, NODES - 1)]


def test_what_one_is_told_the_other_says_at_once(pair: Pair, nodes: list[str]) -> None:
    for place, node in enumerate(nodes):
        here, there = pair.replicas[place % 2], pair.replicas[1 - place % 2]
        answer = here.hold(node)
        assert answer.status == 201 and answer.json["enforced"] is True and answer.json["enforced_by"] == "ironic", answer.content
        assert pair.ironic.nodes.flags()[node][:2] == (True, "operator_hold: moving")
        [entry] = there.ask("GET", f"/v1/nodes/{node}/maintenance").json["maintenance"]
        assert entry["uuid"] == answer.json["uuid"] and entry["enforced"] is True
        shown = there.ask("GET", f"/v1/nodes/{node}").json
        assert (shown["maintenance"], shown["maintenance_reason"]) == (True, "operator_hold: moving")
        assert there.hold(node).status == 409
        assert there.ask("DELETE", f"/v1/nodes/{node}/maintenance/{entry['uuid']}").status == 204
        assert pair.ironic.nodes.flags()[node][0] is False
        assert here.ask("GET", f"/v1/nodes/{node}/maintenance").json["maintenance"] == []
        assert [one.method for one in pair.writes(node)] == ["PUT", "DELETE"]


def test_of_two_same_asserts_at_once_one_is_told_so(pair: Pair, nodes: list[str]) -> None:
    ready = threading.Barrier(2)

    def hold(replica: Replica, node: str) -> Answer:
        ready.wait(SOON)
        return replica.hold(node)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for node in nodes:
            answers = list(pool.map(hold, pair.replicas, [node, node]))
            assert sorted(answer.status for answer in answers) == [201, 409], [answer.content for answer in answers]
            [made] = [answer.json for answer in answers if answer.status == 201]
            assert made["enforced"] is True
            for replica in pair.replicas:
                [entry] = replica.ask("GET", f"/v1/nodes/{node}/maintenance").json["maintenance"]
                assert entry["uuid"] == made["uuid"]
            assert [one.method for one in pair.writes(node)] == ["PUT"]
    assert disagreements(pair.database) == []


@pytest.mark.soak
def test_the_leading_one_is_killed(pair: Pair, nodes: list[str], rounds: int, seed: str) -> None:
    dice = random.Random(seed)
    hold_all(pair, nodes)
    slowest = 0.0
    for _number in range(rounds):
        leading, other = pair.led()
        leader, follower = leading.housekeeper, other.housekeeper
        with Holders(pair) as holders:
            began = clear(pair, nodes)
            until(lambda: pair.all_flags(nodes, True), SOON, "the flags are not set again")
            assert {node: len(pair.writes(node, began)) for node in nodes} == dict.fromkeys(nodes, 1)
            assert not other.wire.proofs(began), "both reconcile"
            began = clear(pair, nodes)
            time.sleep(dice.uniform(0, 2.5))
            killed = time.monotonic()
            kill(leading)
            took = until(lambda follower=follower: pair.holder() == follower, LEASE + SOON, "nobody takes over")
            slowest = max(slowest, took)
            until(lambda: pair.all_flags(nodes, True), SOON, "the flags are not set again by the other")
            until(lambda other=other, killed=killed: bool(other.wire.proofs(killed)), SOON, "the other does not reconcile")
        assert holders.seen == [leader, follower]
        for node in nodes:
            first, *more = pair.writes(node, began)
            # A call of the dead one that nobody saw the end of may be made once more, and no other.
            unseen = first.ended is None or first.ended > killed
            assert first.method == "PUT" and [one.method for one in more] in ([], ["PUT"] if unseen else []), (first, more, killed)
        leading.backend.start()
        until(lambda leading=leading: leading.housekeeper is not None, SOON, "no housekeeper")
        assert pair.led()[0] is other, "who comes back follows"
    print(f"the leading one killed {rounds} times: the other led after {slowest:.1f} s at most")
    release(pair, nodes)


def test_the_leading_one_hangs(pair: Pair, nodes: list[str]) -> None:
    """Nobody can tell that it will not go on: its lease must run out. When it goes on it must see that it no longer leads."""
    hold_all(pair, nodes)
    leading, other = pair.led()
    follower = other.housekeeper
    stopped = leading.processes
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    try:
        began = clear(pair, nodes)
        took = until(lambda: pair.holder() == follower, LEASE + SOON, "nobody takes over")
        until(lambda: pair.all_flags(nodes, True), 2 * LEASE + SOON, "the flags are not set again by the other")
    finally:
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
    time.sleep(3)
    assert pair.holder() == follower
    assert all(1 <= len(pair.writes(node, began)) <= 2 for node in nodes)
    answer = leading.ask("GET", f"/v1/nodes/{nodes[0]}/maintenance")
    assert [entry["enforced"] for entry in answer.json["maintenance"]] == [True]
    print(f"the leading one stopped: the other led after {took:.1f} s")
    release(pair, nodes)


def hold_all(pair: Pair, nodes: list[str]) -> None:
    """Hold each node, through both, and wait until Ironic has all flags."""
    for place, node in enumerate(nodes):
        assert pair.replicas[place % 2].hold(node).status == 201
    until(lambda: pair.all_flags(nodes, True), SOON, "the flags are not set")


def clear(pair: Pair, nodes: list[str]) -> float:
    """Let their flags be cleared round us, all at one moment; give it."""
    began = time.monotonic()
    pair.ironic.nodes.put_fault(nodes, None)
    return began


def release(pair: Pair, nodes: list[str]) -> None:
    """Release everything, through both; each flag is cleared by one call."""
    began = time.monotonic()
    for place, node in enumerate(nodes):
        assert pair.replicas[place % 2].ask("DELETE", f"/v1/nodes/{node}/maintenance").status == 204
    until(lambda: pair.all_flags(nodes, False), SOON, "the flags are not cleared")
    assert {tuple(one.method for one in pair.writes(node, began)) for node in nodes} == {("DELETE",)}


def kill(replica: Replica) -> None:
    """Kill its supervisor; the rest of it ends with that."""
    pids = replica.processes
    os.kill(pids[0], signal.SIGKILL)
    replica.backend.ended(SOON)
    assert eventually(lambda: not any(is_running(pid) for pid in pids) and not replica.backend.answers(), SOON)
