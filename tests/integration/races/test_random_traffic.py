# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two thousand random calls at the same time: afterwards everything agrees, and every answer was true."""

from __future__ import annotations

import collections
import concurrent.futures
import random
import threading
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.support.agreement import disagreements, synthesised

from .talking import Client, Services
from .traffic import Caller, Promises

CALLS = 2000
NODES = 20
CALLERS = 10

pytestmark = pytest.mark.soak


def test_everything_agrees_afterwards(services: Services, rounds: int, seed: str) -> None:
    # A round takes long: a third as many as the others do, so one in an ordinary run.
    for number in range(-(-rounds // 3)):
        one_round(services, f"{seed}:{number}")


def one_round(services: Services, seed: str) -> None:
    """Let everyone call, check, and remove the nodes with what is on them."""
    nodes = [services.enrol() for _number in range(NODES)]

    def run(number: int) -> Promises:
        with services.client(number) as client:
            caller = Caller(client, nodes, random.Random(f"{seed}:{number}"), f"caller {number}")
            for _call in range(CALLS // CALLERS):
                caller.call()
            return caller.promises

    stop = threading.Event()
    with concurrent.futures.ThreadPoolExecutor(CALLERS + 1) as pool:
        reading = pool.submit(read_until, services, nodes, stop)
        try:
            promises = list(pool.map(run, range(CALLERS)))
        finally:
            stop.set()
    assert sum(promise.calls for promise in promises) == CALLS
    assert [wrong for promise in promises for wrong in promise.wrong] == []
    assert reading.result() == []
    assert disagreements(services.database) == []
    assert broken_promises(services, nodes, promises) == []
    assert what_is_shown(services, nodes) == [
        [(entry["uuid"], entry["type"], entry["reason"]) for entry in services.entries(node)] for node in nodes
    ]
    with services.client() as client:
        assert [client.send("admin", "DELETE", f"/nodes/{node}").status for node in nodes] == [204] * NODES
    assert disagreements(services.database) == []


def broken_promises(services: Services, nodes: list[str], promises: list[Promises]) -> list[str]:
    """Say which answers history does not bear out. Every call is in its caller's name, so nothing else can have written an event."""
    events = [event for node in nodes for event in services.events(node)]
    happened = collections.Counter((event["action"], event["entry_uuid"]) for event in events if event["action"] != "update")
    of_run = collections.Counter(event["run"] for event in events if event["action"] == "assert" and event["run"])
    broken = [f"{action} of {uuid} happened {number} times" for (action, uuid), number in happened.items() if number != 1]
    for promise in promises:
        broken += [f"{uuid} was acknowledged and never asserted" for uuid in promise.asserted if ("assert", uuid) not in happened]
        broken += [f"{uuid} was acknowledged and never released" for uuid in promise.released if ("release", uuid) not in happened]
        broken += [
            f"run {run} has {of_run[run]} holds and {number} were acknowledged"
            for run, number in promise.whole.items()
            if of_run[run] != number
        ]
    asserted = {uuid for promise in promises for uuid in promise.asserted}
    released = [uuid for promise in promises for uuid in promise.released]
    # PUT and PATCH of the boolean answer without an entry: only they may have made what no answer tells of.
    broken += [
        f"{event['entry_uuid']} was asserted and nobody was told"
        for event in events
        if event["action"] == "assert" and event["type"] != "legacy" and event["entry_uuid"] not in asserted
    ]
    broken += [f"{uuid} was released for two callers" for uuid, number in collections.Counter(released).items() if number > 1]
    return broken


def read_until(services: Services, nodes: list[str], stop: threading.Event) -> list[str]:
    """Read the fleet again and again while it changes; say where an answer contradicts itself."""
    fields = "uuid,maintenance,maintenance_reason,fault,maintenance_entries"
    wrong: list[str] = []
    with services.client() as client:
        while not stop.wait(0.02):
            shown = client.send("auditor", "GET", f"/nodes?fields={fields}").body["nodes"]
            shown.append(client.send("auditor", "GET", f"/nodes/{nodes[0]}?fields={fields}").body)
            wrong += [sentence for node in shown for sentence in contradictions(node)]
    return wrong


def contradictions(node: t.Mapping[str, t.Any]) -> t.Iterator[str]:
    """Say where what is shown of a node contradicts its entries."""
    entries = node["maintenance_entries"]
    faults = [entry["extra"]["fault"] for entry in entries if entry["type"] == "fault"]
    should = (bool(entries), synthesised([(entry["type"], entry["reason"]) for entry in entries]), faults[0] if faults else None)
    shown = (node["maintenance"], node["maintenance_reason"], node["fault"])
    if shown != should:
        yield f"{node['uuid']} was shown as {shown} with the entries of {should}"


def what_is_shown(services: Services, nodes: list[str]) -> list[list[tuple[str, str, str | None]]]:
    """What the service lists of each node."""
    with services.client() as client:
        return [_listed(client, node) for node in nodes]


def _listed(client: Client, node: str) -> list[tuple[str, str, str | None]]:
    listed = client.send("auditor", "GET", f"/nodes/{node}/maintenance").body["maintenance"]
    return [(entry["uuid"], entry["type"], entry["reason"]) for entry in listed]
