# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Joining an Ironic that has been running for years, being pinned, and leaving it again: no hold is lost on the way."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import re
import time
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.lab.direct import Flag
from ansible_collections.baremetal.maintenance.tests.lab.fronted import TYPED
from ansible_collections.baremetal.maintenance.tests.lab.fronting.plain import Plain, front
from ansible_collections.baremetal.maintenance.tests.lab.fronting.tap import Tap
from ansible_collections.baremetal.maintenance.tests.lab.ironic import Ironic
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend

pytestmark = [pytest.mark.lab, pytest.mark.timeout(900)]

#: Seconds between two comparisons, and in which something must come about on a loaded machine.
OFTEN: t.Final = 2
SOON: t.Final = 120.0


@dataclasses.dataclass(frozen=True)
class Joined:
    """The pair, the wire between the two, and the nodes as they were when we came."""

    pair: Plain
    tap: Tap
    nodes: list[str]
    set_by_hand: list[str]
    faulty: list[str]


@pytest.fixture(scope="module")
def joined(tmp_path_factory: pytest.TempPathFactory, real_ironic: Ironic) -> t.Iterator[Joined]:
    """Forty nodes, of which eight were set by hand and three by a fault, and then a backend that starts for the first time."""
    first = real_ironic.nodes.enrol("old-1")
    nodes = [first, *real_ironic.nodes.copies(first, 39)]
    by_hand, faulty = nodes[:8], nodes[8:11]
    direct = real_ironic.direct()
    for number, node in enumerate(by_hand):
        assert direct.put(f"/v1/nodes/{node}/maintenance", {"reason": f"ticket {number}"} if number else {}).status == 202
    real_ironic.nodes.put_fault(faulty, "clean failure", "no step")
    with Tap(real_ironic.port) as tap:
        folder = tmp_path_factory.mktemp("joined")
        with front(folder, tap.url, reconcile_interval=OFTEN) as backend:
            yield Joined(Plain(backend, real_ironic), tap, nodes, by_hand, faulty)


def known(backend: Backend) -> dict[str, list[dict[str, t.Any]]]:
    """Give all that the database knows, as `export` writes it: by kind."""
    done = backend.run("export", "-")
    assert done.returncode == 0, done.stderr
    found: dict[str, list[dict[str, t.Any]]] = {"node": [], "entry": [], "event": [], "format": []}
    for line in done.stdout.splitlines():
        ((kind, value),) = json.loads(line).items()
        found[kind].append(value)
    return found


def entries(backend: Backend) -> dict[str, list[tuple[str, str | None]]]:
    """Give type and reason of every active entry, by node."""
    found: dict[str, list[tuple[str, str | None]]] = {}
    for entry in known(backend)["entry"]:
        found.setdefault(entry["node_uuid"], []).append((entry["type"], entry["reason"]))
    return found


def events(backend: Backend, node: str) -> list[tuple[str, str]]:
    """Give action and type of a node's events."""
    return [(event["action"], event["type"]) for event in known(backend)["event"] if event["node_uuid"] == node]


def until(true: t.Callable[[], t.Any], what: str) -> t.Any:
    """Wait until it is true and give it."""
    end = time.monotonic() + SOON
    while not (value := true()):
        assert time.monotonic() < end, what
        time.sleep(0.3)
    return value


def ran(backend: Backend, *command: str) -> str:
    """Run a command; give what it says."""
    done = backend.run(*command)
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def test_the_first_start(joined: Joined) -> None:
    """Each maintained node has its entry, and nothing at all was written for those that nobody holds."""
    backend, before = joined.pair.backend, joined.pair.ironic.nodes.flags()
    held = until(lambda: len(found := entries(backend)) == 11 and found, "not every maintained node has an entry")
    assert {node: held[node] for node in joined.set_by_hand} == {
        node: [("legacy", f"ticket {number}" if number else None)] for number, node in enumerate(joined.set_by_hand)
    }
    assert [held[node] for node in joined.faulty] == [[("fault", "no step")]] * 3
    assert len(known(backend)["node"]) == 40
    time.sleep(2 * OFTEN)
    assert not [line for line in joined.tap.writes if not any(node in line for node in held)], joined.tap.writes
    after = joined.pair.ironic.nodes.flags()
    assert {node: flag[0] for node, flag in after.items()} == {node: flag[0] for node, flag in before.items()}
    assert {node: after[node][1] for node in joined.set_by_hand} == {node: before[node][1] for node in joined.set_by_hand}
    assert joined.pair.through.get("/v1/nodes?maintenance=true&fields=uuid").json["nodes"][10:11]


def test_pinned_and_unpinned(joined: Joined) -> None:
    """What an old client does meanwhile is learned at the end; what it took away is set again."""
    pair, backend = joined.pair, joined.pair.backend
    direct = pair.direct
    lost, changed, new, kept, trusted = (pair.ironic.nodes.enrol(f"pinned-{number}") for number in range(5))
    for node in (lost, changed, kept, trusted):
        assert pair.through.put(f"/v1/nodes/{node}/maintenance", {"reason": "before"}).status == 202
    pair.hold(lost)
    assert "pinned" in ran(backend, "pin") and "already" in ran(backend, "pin")
    time.sleep(1.5)
    assert pair.through.get("/v1/nodes", version=TYPED).status == 406
    assert "maintenance_api" not in pair.through.get("/v1").json
    assert direct.delete(f"/v1/nodes/{lost}/maintenance").status == 202
    assert direct.put(f"/v1/nodes/{changed}/maintenance", {"reason": "after"}).status == 202
    assert direct.put(f"/v1/nodes/{new}/maintenance", {"reason": "new"}).status == 202
    assert pair.through.put(f"/v1/nodes/{kept}/maintenance", {"reason": "through us"}).status == 202
    assert "pinned" in ran(backend, "reconcile", "--show")
    time.sleep(3 * OFTEN)
    found = entries(backend)
    assert found[lost] == [("legacy", "before"), ("operator_hold", "moving")] and found[changed] == [("legacy", "before")]
    assert new not in found and found[kept] == [("legacy", "through us")]
    assert pair.flag(lost) == Flag(False, None, None)
    assert ran(backend, "unpin").startswith("unpinned:")
    found = until(lambda: new in (seen := entries(backend)) and seen, "what was set while pinned is not adopted")
    assert (found[new], found[changed]) == ([("legacy", "new")], [("legacy", "after")])
    until(lambda: pair.flag(lost).maintenance, "what was lost while pinned is not set again")
    assert found[lost] == [("legacy", "before"), ("operator_hold", "moving")]
    ran(backend, "pin")
    assert direct.delete(f"/v1/nodes/{trusted}/maintenance").status == 202
    assert "1 held nodes were released" in ran(backend, "unpin", "--trust-ironic")
    assert trusted not in entries(backend) and not pair.flag(trusted).maintenance
    assert events(backend, trusted) == [("assert", "legacy"), ("release", "legacy")]
    until(lambda: pair.through.get("/v1/nodes", version=TYPED).status == 200, "the typed version does not come back")


def test_many_nodes_that_are_gone_are_asked_about(joined: Joined) -> None:
    """More than five at once: nothing is forgotten until somebody says so. Fewer: they are, into history."""
    pair, backend = joined.pair, joined.pair.backend
    first = pair.ironic.nodes.enrol("gone-0")
    gone = [first, *pair.ironic.nodes.copies(first, 7)]
    few = pair.ironic.nodes.copies(first, 2)
    answer = pair.through.post("/v1/maintenance", {"nodes": [*gone[:4], *few], "type": "operator_hold", "reason": "rack"}, version=TYPED)
    assert answer.status == 200 and len(answer.json["results"]) == 6
    until(lambda: {*gone, *few} <= {node["uuid"] for node in known(backend)["node"]}, "they are not known")
    _remove(pair.ironic, few)
    until(lambda: not {*few} & {node["uuid"] for node in known(backend)["node"]}, "two nodes that are gone are not forgotten")
    for node in few:
        assert events(backend, node) == [("assert", "operator_hold"), ("release", "operator_hold")]
    _remove(pair.ironic, gone)
    shown = until(lambda: "gone from Ironic at once" in (said := ran(backend, "reconcile", "--show")) and said, "nobody is asked")
    assert {*gone} <= {node["uuid"] for node in known(backend)["node"]} and {*gone[:4]} <= set(entries(backend))
    [question] = re.findall(r"^  ([0-9a-f]{12}) ", shown, re.MULTILINE)
    assert backend.log.count(f"reconcile --accept {question}") == 1
    assert backend.run("reconcile", "--accept", "000000000000").returncode != 0
    assert question in ran(backend, "reconcile", "--accept", question)
    until(lambda: not {*gone} & {node["uuid"] for node in known(backend)["node"]}, "they are not forgotten")
    assert not {*gone} & set(entries(backend))
    assert events(backend, gone[0]) == [("assert", "operator_hold"), ("release", "operator_hold")]
    assert "0 questions" in ran(backend, "reconcile", "--show")


def test_leaving_and_coming_back(joined: Joined, tmp_path: pathlib.Path) -> None:
    """The endpoint is put back to Ironic, which holds every node with its reason; what is done there is found when we are back."""
    pair, backend = joined.pair, joined.pair.backend
    cleared, held, set_there = (pair.ironic.nodes.enrol(f"left-{number}") for number in range(3))
    for node in (cleared, held):
        pair.hold(node)
        pair.hold(node, "hardware_failure", "disk")
    before = entries(backend)
    backend.stop()
    for node in (cleared, held):
        assert pair.flag(node) == Flag(True, "operator_hold: moving; hardware_failure: disk", None)
    assert {node for node, flag in pair.ironic.nodes.flags().items() if flag[0]} == set(before)
    file, other = tmp_path / "all.jsonl", front(tmp_path, joined.tap.url)
    assert "exported" in ran(backend, "export", str(file))
    assert backend.run("export", str(file)).returncode != 0, "a file that is there is not overwritten"
    assert file.stat().st_mode & 0o777 == 0o600
    assert "restored" in ran(other, "restore", str(file))
    assert "restored 0 nodes, 0 entries and 0 events" in ran(other, "restore", str(file))
    assert entries(other) == before and len(known(other)["event"]) == len(known(backend)["event"])
    assert "restored 0 nodes, 0 entries and 0 events" in ran(backend, "restore", str(file))
    assert pair.direct.delete(f"/v1/nodes/{cleared}/maintenance").status == 202
    assert pair.direct.put(f"/v1/nodes/{set_there}/maintenance", {"reason": "meanwhile"}).status == 202
    with other:
        until(lambda: pair.flag(cleared).maintenance, "the flag is not set again from what was restored")
        assert Plain(other, pair.ironic).entries(held) == [("operator_hold", "moving"), ("hardware_failure", "disk")]
    assert pair.direct.delete(f"/v1/nodes/{cleared}/maintenance").status == 202
    backend.start()
    until(lambda: pair.flag(cleared).maintenance, "the flag is not set again")
    after = until(lambda: set_there in (found := entries(backend)) and found, "what was set meanwhile is not adopted")
    assert after == {**before, set_there: [("legacy", "meanwhile")]}
    assert ("external_clear", "operator_hold") in events(backend, cleared) or ("external_clear", "hardware_failure") in events(
        backend, cleared
    )
    assert pair.flag(held) == Flag(True, "operator_hold: moving; hardware_failure: disk", None)


def _remove(ironic: Ironic, nodes: t.Sequence[str]) -> None:
    with ironic.rows() as rows:
        rows.executemany("DELETE FROM nodes WHERE uuid = ?", [(node,) for node in nodes])
