# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Between two writers: the row under its lock decides, constraints back it, and waiting has an end (api.md 4 and 6)."""

from __future__ import annotations

import concurrent.futures
import contextlib
import sqlite3
import time
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.store import Store
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.values import Locked
from ansible_collections.baremetal.maintenance.tests.support.cast import LESSEE, NEXT_LESSEE, OWNER
from ansible_collections.baremetal.maintenance.tests.support.service import Answer, Build, Client, Service

FALSE = [{"op": "replace", "path": "/maintenance", "value": False}]

#: Every write of a lessee on a node that is still its own when the request comes in.
WRITES: dict[str, t.Callable[[Client, str, str], Answer]] = {
    "assert": lambda who, node, _entry: who.post(f"/nodes/{node}/maintenance", {"type": "hardware_failure"}),
    "release": lambda who, node, entry: who.delete(f"/nodes/{node}/maintenance/{entry}"),
    "change": lambda who, node, entry: who.patch(f"/nodes/{node}/maintenance/{entry}", {"reason": "x"}),
    "clear": lambda who, node, _entry: who.delete(f"/nodes/{node}/maintenance"),
    "set": lambda who, node, _entry: who.put(f"/nodes/{node}/maintenance", {"reason": "x"}),
    "patch": lambda who, node, _entry: who.patch(f"/nodes/{node}", FALSE),
    "bulk assert": lambda who, node, _entry: who.post("/maintenance", {"nodes": [node], "type": "hardware_failure"}),
    "bulk release": lambda who, _node, entry: who.post("/maintenance/release", {"entries": [entry]}),
    "bulk release by type": lambda who, node, _entry: who.post("/maintenance/release", {"nodes": [node], "type": "operator_hold"}),
}


def before_the_lock(monkeypatch: pytest.MonkeyPatch, happens: t.Callable[[], None]) -> None:
    """Let something happen once, after the next write was looked at and before it has its lock."""
    real = Store.change

    def change(self: Store, *arguments: t.Any, **more: t.Any) -> t.Any:
        monkeypatch.setattr(Store, "change", real)
        happens()
        return real(self, *arguments, **more)

    monkeypatch.setattr(Store, "change", change)


@pytest.mark.parametrize("name", WRITES)
def test_a_lease_that_ends_before_the_lock_ends_the_lessees_authority(
    service: Service, lessee: Client, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    node = service.node()
    entry = lessee.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json["uuid"]
    change = [{"op": "replace", "path": "/lessee", "value": NEXT_LESSEE}]

    def lease_ends() -> None:
        assert service.by("operator").patch(f"/nodes/{node}", change).status == 200

    before_the_lock(monkeypatch, lease_ends)
    answer = WRITES[name](lessee, node, entry)
    assert (answer.status, answer.code) == (404, "not_found")
    assert service.uuids(node) == [entry]
    assert service.entries(node)[0]["reason"] is None


@pytest.mark.parametrize("name", ["release", "change", "bulk release"])
def test_an_entry_that_is_released_before_the_lock_is_404(
    service: Service, lessee: Client, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    node = service.node()
    entry = lessee.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json["uuid"]
    before_the_lock(monkeypatch, lambda: service.by("operator").delete(f"/nodes/{node}/maintenance/{entry}") and None)
    answer = WRITES[name](lessee, node, entry)
    assert (answer.status, answer.said) == (404, f"Maintenance entry {entry} could not be found.")
    assert [event["maintenance"]["action"] for event in service.events(node)] == ["assert", "release"]


@pytest.mark.parametrize("name", ["clear", "patch"])
def test_a_hold_that_comes_before_the_lock_blocks_a_clear(
    service: Service, lessee: Client, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A script looks, sees its own entry alone, and clears: the operator's that came between must not go with it."""
    node = service.node()
    own = lessee.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json["uuid"]
    came: list[str] = []
    before_the_lock(monkeypatch, lambda: came.append(service.hold(node)))
    answer = WRITES[name](lessee, node, own)
    assert answer.status == 403
    assert [blocker["uuid"] for blocker in answer.blockers] == came
    assert service.uuids(node) == [own, *came]


@pytest.mark.parametrize("name", WRITES)
def test_a_node_that_is_removed_before_the_lock_is_404(
    service: Service, lessee: Client, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    node = service.node()
    entry = lessee.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json["uuid"]
    before_the_lock(monkeypatch, lambda: service.by("admin").delete(f"/nodes/{node}") and None)
    answer = WRITES[name](lessee, node, entry)
    assert (answer.status, answer.code) == (404, "not_found")


def overlooked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the next write not see the entries there are, as on a database that locks rows and shows another's insert late."""
    real = Store._lock

    def lock(self: Store, *arguments: t.Any) -> Locked:
        monkeypatch.setattr(Store, "_lock", real)
        locked = real(self, *arguments)
        return Locked(locked.nodes, dict.fromkeys(locked.entries, ()), locked.now, locked.at)

    monkeypatch.setattr(Store, "_lock", lock)


def test_a_second_legacy_entry_is_an_update_of_the_first(service: Service, owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    node = service.node()
    first = service.hold(node, "legacy", reason="first")
    overlooked_once(monkeypatch)
    assert owner.put(f"/nodes/{node}/maintenance", {"reason": "second"}).status == 202
    assert service.uuids(node) == [first]
    assert service.flag(node) == (True, "second")


def test_a_second_fault_is_an_update_of_the_first(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    node, conductor = service.node(), service.by("conductor")
    first = conductor.put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure"}).json["uuid"]
    overlooked_once(monkeypatch)
    answer = conductor.put(f"/nodes/{node}/maintenance/fault", {"fault": "clean failure"})
    assert (answer.status, answer.json["uuid"]) == (200, first)
    assert service.uuids(node) == [first]


@pytest.mark.parametrize("bulk", [False, True])
def test_a_second_of_the_same_hold_is_409(service: Service, owner: Client, monkeypatch: pytest.MonkeyPatch, bulk: bool) -> None:
    node, free = service.node(), service.node()
    first = service.hold(node, scope="owner", project=OWNER)
    overlooked_once(monkeypatch)
    if bulk:
        answer = owner.post("/maintenance", {"nodes": [free, node], "type": "operator_hold"})
    else:
        answer = owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"})
    assert (answer.status, answer.code, [blocker["uuid"] for blocker in answer.blockers]) == (409, "duplicate", [first])
    assert service.uuids(node) == [first]
    assert service.entries(free) == []


def test_however_many_wait_each_is_answered_within_the_time_out(build: Build) -> None:
    """Those that queue in this process don't wait once for their turn and then again for the other process."""
    patience = 1.5
    service = build(busy_timeout=patience)
    nodes = [service.node() for _number in range(4)]
    with contextlib.closing(sqlite3.connect(service.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")

        def hold(node: str) -> tuple[int, float]:
            start = time.monotonic()
            answer = service.by("lessee").post(f"/nodes/{node}/maintenance", {"type": "operator_hold"})
            return answer.status, time.monotonic() - start

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(hold, nodes))
        other.execute("ROLLBACK")
    assert [status for status, _waited in answers] == [503] * 4
    assert max(waited for _status, waited in answers) < 2 * patience
    assert service.by("lessee").post(f"/nodes/{nodes[0]}/maintenance", {"type": "operator_hold"}).json["asserted_by_project"] == LESSEE
