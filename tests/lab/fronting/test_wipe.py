# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ironic's own recovery of a dead BMC wipes whatever anybody wrote on its node meanwhile. Holds survive it here.

A BMC dies, Ironic finds the fault, an operator asserts through us, the BMC comes back. All orders of this happen at the same time to
nodes that share one BMC. Only the look at hot nodes helps in time: the comparison of all nodes comes once a minute. Then hundreds of
nodes recover at once, as when the network of their BMCs comes back.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import pathlib
import random
import subprocess
import sys
import time
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.lab import ironic_configuration
from ansible_collections.baremetal.maintenance.tests.lab.direct import Flag
from ansible_collections.baremetal.maintenance.tests.lab.fronted import TYPED, Fronted
from ansible_collections.baremetal.maintenance.tests.lab.fronted import backend as fronted_backend
from ansible_collections.baremetal.maintenance.tests.lab.fronting.holding import (
    entries,
    events,
    flag,
    hold,
    release_all,
    said,
    typed,
    until,
)
from ansible_collections.baremetal.maintenance.tests.lab.fronting.watching import Attempts, Flags
from ansible_collections.baremetal.maintenance.tests.lab.ironic import Ironic
from ansible_collections.baremetal.maintenance.tests.lab.ironic_nodes import Bmc
from ansible_collections.baremetal.maintenance.tests.lab.keystone import Keystone
from ansible_collections.baremetal.maintenance.tests.support.backend import own_environment

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]

POWER: t.Final = "power failure"
HOT: t.Final = 5.0
#: Seconds for which Ironic's flag may be false in all.
MOST: t.Final = HOT + 1.0
#: Seconds in which everything else must come about on a loaded machine.
SOON: t.Final = 120.0


@dataclasses.dataclass(frozen=True)
class Scene:
    """A BMC and four nodes that have it: held before the fault or after it, by one or by two."""

    pair: Fronted
    bmc: Bmc
    after: str
    after_twice: str
    before: str
    before_twice: str

    @property
    def faulty(self) -> tuple[str, str]:
        """The nodes that nobody holds when the BMC dies."""
        return self.after, self.after_twice

    @property
    def all(self) -> tuple[str, ...]:
        """All four."""
        return (*self.faulty, self.before, self.before_twice)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory, real_keystone: Keystone) -> t.Iterator[Fronted]:
    """A pair of this file's own, since the backend is restarted and two in front of one Ironic would each adopt the other's flags.

    The intervals of the backend are the usual ones.
    """
    ironic = Ironic(tmp_path_factory.mktemp("ironic"), keystone=real_keystone, settings=(ironic_configuration.power_sync(1, recovery=2),))
    folder = tmp_path_factory.mktemp("wiped")
    with ironic, fronted_backend(folder, real_keystone, ironic, hot_interval=HOT, reconcile_interval=60) as backend:
        yield Fronted(backend, ironic, real_keystone)


@pytest.fixture(scope="module")
def scene(pair: Fronted) -> t.Iterator[Scene]:
    """The BMC, alive, and its nodes, which nobody holds."""
    with Bmc() as bmc:
        nodes = [pair.enrol(f"wiped-{number}", bmc=bmc, state="manageable") for number in range(4)]
        yield Scene(pair, bmc, *nodes)


def window() -> float:
    """Give for how long a run is watched at least: in a soak for a minute."""
    return 60.0 if "SOAK_ROUNDS" in os.environ else 8.0


def wipe(scene: Scene, dice: random.Random, restart: str) -> float:
    """Let it all happen; give the longest time for which a flag was false. restart: the backend's, `never`, `before` or `after`."""
    pair = scene.pair
    twice = {"type": "hardware_failure", "reason": "disk 3", "user": "system-admin"}
    held = {node: [hold(pair, node, reason="moving")] for node in (scene.before, scene.before_twice)}
    held[scene.before_twice].append(hold(pair, scene.before_twice, **twice))
    scene.bmc.die()
    until(lambda: all(flag(pair, node).fault == POWER for node in scene.faulty), SOON, "Ironic finds no fault")
    why = flag(pair, scene.after).reason
    for node in scene.faulty:
        held[node] = [hold(pair, node, reason="moving")]
    held[scene.after_twice].append(hold(pair, scene.after_twice, **twice))
    # Which of them is older depends on when the backend looked at the node.
    there = entries(pair, scene.after)
    assert {(entry["type"], entry["reason"]) for entry in there} == {("fault", why), ("operator_hold", "moving")}
    assert [entry["extra"] for entry in there if entry["type"] == "fault"] == [{"fault": POWER}]
    assert flag(pair, scene.after) == Flag(True, "; ".join(f"{entry['type']}: {entry['reason']}" for entry in there), POWER)
    trying = Attempts(pair.through("system-admin"), scene.all)
    with trying, Flags(pair.ironic, scene.all) as flags:
        began = time.monotonic()
        # Whenever: what matters is when in the interval between two looks Ironic recovers.
        time.sleep(dice.uniform(0, HOT) if restart == "never" else 0)
        if restart == "before":
            pair.backend.stop()
        scene.bmc.come_back()
        if restart == "before":
            pair.backend.start()
        elif restart == "after":
            until(lambda: flags.lost() >= set(scene.faulty), SOON, "Ironic does not recover")
            pair.backend.stop()
            pair.backend.start()
        back = {scene.after: "operator_hold: moving", scene.after_twice: "operator_hold: moving; hardware_failure: disk 3"}
        until(
            lambda: all(flags.lost() >= {node} and flag(pair, node) == Flag(True, reason, None) for node, reason in back.items()),
            SOON,
            "a flag that Ironic's recovery took away is not set again",
        )
        time.sleep(max(0.0, began + window() - time.monotonic()))
    for node, made in held.items():
        left = entries(pair, node)
        assert [(entry["uuid"], entry["reason"], entry["enforced"]) for entry in left] == [
            (entry["uuid"], entry["reason"], True) for entry in made
        ]
    for node in (scene.before, scene.before_twice):
        assert flags.unset[node] == 0 and not flags.faults[node]
    for node in scene.faulty:
        assert ("release", "fault", "Ironic reads the power state again") in events(pair, node)
        assert not [event for event in events(pair, node) if event[0] == "external_clear"]
    assert trying.answers and trying.refused, [answer.content for answer in trying.answers if answer.status != 400]
    assert restart != "never" or not trying.silent
    release_all(pair, scene.all)
    return max(flags.unset.values())


@pytest.mark.soak
def test_a_hold_outlives_ironic_s_recovery(scene: Scene, rounds: int, seed: str, capsys: pytest.CaptureFixture[str]) -> None:
    dice = random.Random(seed)
    longest = [wipe(scene, dice, "never") for _round in range(rounds)]
    _say(capsys, f"flag false after a recovery, of two nodes in each of {rounds} runs: at most {max(longest):.2f} s, {_listed(longest)}")
    assert max(longest) <= MOST


@pytest.mark.soak
def test_also_where_the_backend_is_restarted_meanwhile(scene: Scene, rounds: int, seed: str, capsys: pytest.CaptureFixture[str]) -> None:
    dice = random.Random(seed)
    for restart in ("before", "after"):
        longest = [wipe(scene, dice, restart) for _round in range(max(1, rounds // 3))]
        _say(capsys, f"flag false, the backend restarted {restart} the recovery: at most {max(longest):.2f} s, {_listed(longest)}")


def test_a_hold_put_on_a_faulty_node_while_it_recovers_stays(scene: Scene) -> None:
    """The hold and the recovery meet: whichever is first, the node is held in the end."""
    pair = scene.pair
    scene.bmc.die()
    until(lambda: all(flag(pair, node).fault == POWER for node in scene.faulty), SOON, "Ironic finds no fault")
    scene.bmc.come_back()
    for node in scene.all:
        hold(pair, node, reason="now")
    reached = {node: Flag(True, "operator_hold: now", None) for node in scene.all}
    until(lambda: {node: flag(pair, node) for node in scene.all} == reached, SOON, "Ironic and the entries differ")
    time.sleep(2 * HOT if "SOAK_ROUNDS" in os.environ else 0)
    assert [said(pair, node) for node in scene.all] == [[("operator_hold", "now")]] * 4
    release_all(pair, scene.all)


@pytest.mark.soak
def test_many_holds_outlive_a_recovery_of_all_at_once(pair: Fronted, capsys: pytest.CaptureFixture[str]) -> None:
    """The faults are set in Ironic's database, since finding hundreds of them takes minutes; the recovery is Ironic's own."""
    number = 300 if "SOAK_ROUNDS" in os.environ else 30
    ironic = pair.ironic
    nodes = ironic.nodes.copies(pair.enrol("many", state="manageable"), number)
    # A node whose power is being changed is left out of the recovery.
    _power_is_changed(ironic, nodes, "power on")
    ironic.nodes.put_fault(nodes)
    began = time.monotonic()
    body = {"nodes": nodes, "type": "operator_hold", "reason": "moving", "on_error": "stop"}
    answer = pair.through("system-admin").post("/v1/maintenance", body, version=TYPED, seconds=300)
    assert answer.status == 200, answer.content
    held = {result["node"]: result["entry"]["uuid"] for result in answer.json["results"]}
    assert held.keys() == set(nodes)
    told = {"operator_hold: moving; fault: no answer", "fault: no answer; operator_hold: moving"}
    until(
        lambda: all(flags[node][1] in told for flags in [ironic.nodes.flags()] for node in nodes),
        5 * SOON,
        "Ironic is not told",
    )
    untold = time.monotonic() - began
    with Flags(ironic, nodes) as flags:
        _power_is_changed(ironic, nodes, None)
        began = time.monotonic()
        until(lambda: flags.lost() == set(nodes), 5 * SOON, "Ironic does not recover all")
        recovered = time.monotonic() - began
        free = (True, "operator_hold: moving", None)
        until(lambda: all(now[node] == free for now in [ironic.nodes.flags()] for node in nodes), 5 * SOON, "not every flag is set again")
        again = time.monotonic() - began
    listed = pair.through("system-admin").get("/v1/maintenance?limit=1000", version=TYPED).json["maintenance"]
    assert {entry["node_uuid"]: entry["uuid"] for entry in listed} == held
    unset = sorted(flags.unset.values())
    _say(
        capsys,
        f"{number} nodes recovered at once: flag false for at most {unset[-1]:.2f} s, 99th percentile {_percentile(unset, 99):.2f} s,"
        f" median {_percentile(unset, 50):.2f} s ({flags.samples} samples); all recovered in {recovered:.1f} s, all set again in"
        f" {again:.1f} s"
        f" (to set them at first took {untold:.1f} s)",
    )
    # One interval, and what it takes this machine to set so many flags.
    assert unset[-1] <= HOT + 2 * max(untold, 10.0)


@pytest.fixture
def reviewing(pair: Fronted, tmp_path: pathlib.Path) -> t.Iterator[Fronted]:
    """Another backend in place of the first, which leaves a hold where Ironic recovers a power failure."""
    pair.backend.stop()
    more = {"hot_interval": HOT, "reconcile_interval": 2, "recovered_power_fault": "review"}
    with fronted_backend(tmp_path, pair.keystone, pair.ironic, **more) as backend:
        yield dataclasses.replace(pair, backend=backend)
    pair.backend.start()


def test_faults_are_released_on_evidence(reviewing: Fronted, tmp_path: pathlib.Path) -> None:
    """What Ironic recovers leaves a hold, what it does not recover stays: the role releases both, and nothing else."""
    pair = reviewing
    names = ("recovered", "recovered-held", "cleaned-held", "serviced")
    with contextlib.ExitStack() as stack:
        bmcs = [stack.enter_context(Bmc()) for _name in names]
        nodes = [pair.enrol(name, bmc=bmc, state="manageable") for name, bmc in zip(names, bmcs, strict=True)]
        recovered, recovered_held, cleaned, serviced = nodes
        for bmc in bmcs[:2]:
            bmc.die()
        until(lambda: all(flag(pair, node).fault == POWER for node in nodes[:2]), SOON, "Ironic finds no fault")
        why = {node: flag(pair, node).reason for node in nodes[:2]}
        until(lambda: said(pair, recovered) == [("fault", why[recovered])], SOON, "the fault has no entry")
        hold(pair, recovered_held, reason="moving")
        for bmc in bmcs:
            bmc.come_back()
        until(lambda: said(pair, recovered) == [("x_fault_review", why[recovered])], SOON, "the recovery leaves no hold")
        left = {("operator_hold", "moving"), ("x_fault_review", why[recovered_held])}
        until(lambda: set(said(pair, recovered_held)) == left, SOON, "the recovery leaves no hold")
        until(lambda: all(flag(pair, node).maintenance for node in nodes[:2]), SOON, "the flag is not set again")
        [review] = entries(pair, recovered)
        assert (review["scope"], review["extra"]["fault"]) == ("system", POWER)
        kinds = typed(pair, "system-reader", "GET", "/v1/maintenance/types").json["types"]
        assert {"name": "x_fault_review", "reserved": False} in kinds
        hold(pair, cleaned, reason="moving")
        pair.ironic.nodes.put_fault([cleaned], "clean failure", "step erase_devices failed")
        pair.ironic.nodes.put_fault([serviced], "service failure", "step update failed")
        until(lambda: [len(said(pair, node)) for node in (cleaned, serviced)] == [2, 1], SOON, "the faults have no entries")
        said_by_it = _recover(pair, tmp_path, dict(zip(names, bmcs, strict=True)))
        ends = {recovered: None, recovered_held: "operator_hold: moving", cleaned: "operator_hold: moving", serviced: None}
        assert {node: flag(pair, node) for node in nodes} == {node: Flag(bool(end), end, None) for node, end in ends.items()}, said_by_it
        assert [said(pair, node) for node in nodes] == [[("operator_hold", "moving")] if end else [] for end in ends.values()]
        for node, type_ in zip(nodes, ("x_fault_review", "x_fault_review", "fault", "fault"), strict=True):
            assert [event for event in events(pair, node) if event[:2] == ("release", type_) and event[2]], events(pair, node)


def _recover(pair: Fronted, folder: pathlib.Path, bmcs: t.Mapping[str, Bmc]) -> str:
    """Run the shipped playbook on these nodes as a system administrator; give what it printed."""
    hosts = {
        name: {
            "baremetal_node": name,
            "bmc_protocol": "redfish",
            "bmc_address": bmc.url,
            "bmc_username": bmc.user,
            "bmc_password": bmc.password,
            "bmc_deadline": 60,
        }
        for name, bmc in bmcs.items()
    }
    local = {"ansible_connection": "local", "ansible_python_interpreter": "{{ ansible_playbook_python }}"}
    inventory = {"all": {"hosts": {"localhost": local}, "children": {"fleet": {"hosts": hosts}}}}
    variables = {
        "target": ",".join(bmcs),
        "fault_recovery_attempts": 1,
        "fault_recovery_flap_threshold": 0,
        "fault_recovery_storm_window": 0,
    }
    for name, document in (("inventory.json", inventory), ("variables.json", variables)):
        (folder / name).write_text(json.dumps(document), encoding="utf-8")
    (folder / "ansible.cfg").write_text("[defaults]\n", encoding="utf-8")
    command = ["baremetal.maintenance.fault_recovery", "-i", "inventory.json", "-e", "@variables.json"]
    done = subprocess.run(
        [str(pathlib.Path(sys.executable).with_name("ansible-playbook")), *command],
        env={
            **{name: value for name, value in own_environment().items() if not name.startswith("ANSIBLE_")},
            "ANSIBLE_CONFIG": str(folder / "ansible.cfg"),
            "ANSIBLE_HOME": str(folder / "ansible"),
            "ANSIBLE_NOCOLOR": "1",
            "BAREMETAL_MAINTENANCE_URL": pair.backend.url,
            "BAREMETAL_MAINTENANCE_AUTH_TYPE": "keystone",
            **pair.keystone.environ("system-admin"),
        },
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _power_is_changed(ironic: Ironic, nodes: t.Sequence[str], target: str | None) -> None:
    with ironic.rows() as rows:
        rows.executemany("UPDATE nodes SET target_power_state = ? WHERE uuid = ?", [(target, node) for node in nodes])


def _percentile(ordered: t.Sequence[float], percent: int) -> float:
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def _listed(seconds: t.Iterable[float]) -> str:
    return "/".join(f"{one:.2f}" for one in seconds)


def _say(capsys: pytest.CaptureFixture[str], text: str) -> None:
    with contextlib.ExitStack() as stack:
        stack.enter_context(capsys.disabled())
        print(f"\n{text}")
