# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""fault_recovery on a fleet: thirty nodes with BMCs of every kind and state in one run, and hundreds whose BMCs are dead."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import time
import typing as t

import pytest

from tests.lab.bmc import trees
from tests.lab.bmc.fake_ipmi import PASSWORD, FakeBmc, FakeIpmi
from tests.lab.bmc.ipmi_sim import IpmiSim
from tests.lab.bmc.static_redfish import StaticRedfish
from tests.lab.bmc.sushy_emulator import OFF, ON, SushyEmulator

from .rack import PATIENCE, SICK, Rack, lines, nowhere, report, writes

#: Of the deadline for a BMC, in seconds; what a dead one costs at most.
DEADLINE: t.Final = 30.0

FAKES, SERVICES = 12, 10


@dataclasses.dataclass
class Lab:
    """Real and fake BMCs that answer."""

    fakes: FakeIpmi
    sim: IpmiSim
    redfish: list[StaticRedfish]
    emulator: SushyEmulator

    def writes(self) -> list[t.Any]:
        """Give what any of them was asked to change."""
        over_ipmi = [command for bmc in self.fakes.bmcs for command in writes(bmc)]
        changed = [name for name in ("identify", "resets", "boot") if (self.sim.folder / name).exists()]
        return [*over_ipmi, *changed, *(write for bmc in self.redfish for write in bmc.writes())]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Lab]:
    """Healthy machines of both protocols: two real parts, and fakes that can be made sick."""
    folders = {name: tmp_path_factory.mktemp(name) for name in ("fakes", "sim", "emulator")}
    made = Lab(FakeIpmi(folders["fakes"], FAKES), IpmiSim(folders["sim"]), [], SushyEmulator(folders["emulator"]))
    with contextlib.ExitStack() as running:
        for part in (made.fakes, made.sim, made.emulator):
            part.start()
            running.callback(part.stop)
        made.redfish += [running.enter_context(StaticRedfish(trees.machine(f"S{number}"))) for number in range(SERVICES)]
        yield made


@dataclasses.dataclass
class Expected:
    """What is to become of a node: the outcome, words of the reason, and the entries that stay."""

    outcome: str
    words: str = ""
    stays: list[str] = dataclasses.field(default_factory=list)


def fleet(rack: Rack, lab: Lab) -> dict[str, Expected]:
    """Enrol the thirty nodes, have their faults and holds asserted, and give what is to become of each that has a fault."""
    expected: dict[str, Expected] = {}
    fakes, services = iter(lab.fakes.bmcs), iter(lab.redfish)

    def ipmi(name: str, **variables: t.Any) -> tuple[str, FakeBmc]:
        bmc = next(fakes)
        return rack.node(name, bmc, bmc_expected={"psus": 2}, **variables), bmc

    def redfish(name: str, **variables: t.Any) -> tuple[str, StaticRedfish]:
        bmc = next(services)
        return rack.node(name, bmc_protocol="redfish", bmc_address=bmc.url, bmc_deadline=60, **variables), bmc

    def faulty(node: str, outcome: str, words: str = "", kind: str = "power failure", times: int = 1) -> None:
        uuid = rack.fault(node, kind, times)
        expected[node] = Expected(outcome, words, [] if outcome == "released" else [uuid])

    kinds = ("power failure", "clean failure", "rescue abort failure", "service failure")
    for number, kind in enumerate(kinds):
        faulty(ipmi(f"ipmi{number}")[0], "released", kind=kind)
    faulty(rack.node("real-ipmi", bmc_address=f"127.0.0.1:{lab.sim.port}", bmc_deadline=60), "released", kind="clean failure")
    secured = {"bmc_protocol": "redfish", "bmc_address": lab.emulator.url, "bmc_deadline": 60}
    faulty(rack.node("real-redfish", **secured, bmc_system=ON, bmc_ca_path=lab.emulator.ca), "released")
    faulty(rack.node("untrusted", **secured, bmc_system=OFF), "not_released", "certificate")
    for number, kind in enumerate(kinds):
        faulty(redfish(f"redfish{number}")[0], "released", kind=kind)

    for node in (ipmi("held-ipmi")[0], redfish("held-redfish")[0]):
        faulty(node, "released", "held besides by operator_hold")
        expected[node].stays.append(rack.hold(node))
    silent_and_held = rack.node("held-dead")
    faulty(silent_and_held, "unreachable", "held besides by operator_hold")
    expected[silent_and_held].stays.append(rack.hold(silent_and_held))

    for name, kind, words, state in (
        ("power", "power failure", "main power fault", {"chassis": SICK}),
        ("drive", "clean failure", "drive", {"chassis": [0, 0, 0x04]}),
        ("supply", "service failure", "R6", {"sensors": {"1": [24, 0, 0], "2": [55, 0, 0], "3": [0, 3, 0], "4": [0, 1, 0]}}),
    ):
        node, bmc = ipmi(f"sick-{name}")
        bmc.set(**state)
        faulty(node, "not_released", words, kind)
    system = "/redfish/v1/Systems/1"
    for name, kind, words, path, members in (
        ("health", "power failure", "R4", system, {"Status.Health": "Critical"}),
        ("disk", "clean failure", "R5", f"{system}/Storage/1/Drives/Bay1", {"FailurePredicted": True}),
        (
            "event",
            "service failure",
            "R8",
            f"{system}/LogServices/SEL/Entries",
            {"Members": [trees.event(2, "Critical", "Uncorrectable memory error", Repaired=False)]},
        ),
    ):
        node, service = redfish(f"sick-{name}")
        service.patch(path, members)
        faulty(node, "not_released", words, kind)

    # Away when all are asked whether they are there, and twice in the first attempt; back in the second.
    node, service = redfish("back-again")
    service.fault("/redfish/v1", status=500, times=3)
    faulty(node, "released")
    faulty(ipmi("flapping-ipmi")[0], "not_released", "flapping", times=3)
    faulty(redfish("flapping-redfish")[0], "not_released", "flapping", times=4)
    faulty(ipmi("locked", bmc_password="wrong")[0], "not_released", "password")
    faulty(rack.node("dead-ipmi"), "unreachable")
    faulty(rack.node("dead-redfish", bmc_protocol="redfish", bmc_address=f"http://{nowhere(999)}:9"), "unreachable")
    faulty(rack.node("lost", bmc_address=""), "skipped", "bmc_address")
    ipmi("sound")
    faulty(ipmi("elsewhere")[0], "released")
    rack.hold(rack.node("only-held"))
    return expected


def variables(rack: Rack) -> dict[str, t.Any]:
    """Give every input of the role that has a type. One node's BMC is named here, not in the inventory."""
    node = f"{rack.prefix}-elsewhere"
    elsewhere = {name: rack.hosts[node].pop(name) for name in ("bmc_address", "bmc_username", "bmc_password")}
    rack.site.inventory(rack.hosts)
    return {
        "target": list(rack.hosts),
        "max_nodes": 30,
        "fault_recovery_bmcs": {node: elsewhere},
        "fault_recovery_rules": {"W1": "off"},
        "fault_recovery_unknown_blocks": False,
        "fault_recovery_workers": 12,
        "fault_recovery_attempts": 2,
        "fault_recovery_retry_delay": 0,
        "fault_recovery_retry_factor": 1,
        "fault_recovery_flap_threshold": 3,
        "fault_recovery_flap_hours": 24,
        "fault_recovery_flap_hold": False,
        "fault_recovery_storm_threshold": 8,
        "fault_recovery_storm_window": 0,
        "fault_recovery_assert_unreachable": False,
        "fault_recovery_fail_unless_released": False,
    }


def as_survey(given: t.Mapping[str, t.Any]) -> dict[str, str]:
    """Give the inputs as AWX sends the answers of a survey: strings, all of them."""
    told = {name: value if isinstance(value, str) else json.dumps(value) for name, value in given.items()}
    return {**told, "fault_recovery_rules": "W1=off", "fault_recovery_flap_hold": "no"}


@pytest.mark.timeout(3 * PATIENCE)
@pytest.mark.parametrize("strings", [False, True], ids=["native", "strings"])
def test_of_thirty_nodes_exactly_the_healthy_are_released_and_a_second_run_changes_nothing(rack: Rack, lab: Lab, strings: bool) -> None:
    expected = fleet(rack, lab)
    assert len(rack.hosts) == 30
    given = variables(rack)
    if strings:
        given = as_survey(given)
        for one in rack.hosts.values():
            one.update({name: value if isinstance(value, str) else json.dumps(value) for name, value in one.items()})
        rack.site.inventory(rack.hosts)
    only_held = f"{rack.prefix}-only-held"
    stays = {only_held: rack.held()[only_held], **{node: sorted(one.stays) for node, one in expected.items() if one.stays}}

    ran = rack.recover(**given)
    assert ran.status == 0, ran.output
    assert {node: sorted(uuids) for node, uuids in rack.held().items()} == stays, ran.output
    told = report(ran)
    outcomes = {one["node"]: one["outcome"] for one in told["nodes"]}
    assert outcomes == {node: one.outcome for node, one in expected.items()}, ran.output
    counts = {outcome: number for outcome, number in told["counts"].items() if number}
    assert counts == {"released": 14, "not_released": 10, "unreachable": 3, "skipped": 1}
    assert (told["outage"], told["check_mode"]) == (None, False)
    assert {one["attempts"] for one in told["nodes"] if "back-again" in one["node"]} == {2}
    table = lines(ran)
    for node, one in expected.items():
        assert table[node].split()[0] == one.outcome
        assert one.words in table[node], table[node]
    assert f"{rack.prefix}-sound" not in table and only_held not in table
    assert {one["proposal"] for one in told["nodes"] if "flapping" in one["node"]} == {"operator_hold"}
    assert lab.writes() == []
    assert PASSWORD not in ran.output

    before = rack.stored()
    again = rack.recover(**given)
    assert again.status == 0, again.output
    assert "changed=0" in again.output
    assert rack.stored() == before
    left = {one["node"]: one["outcome"] for one in report(again)["nodes"]}
    assert left == {node: outcome for node, outcome in outcomes.items() if outcome != "released"}
    assert lab.writes() == []


@pytest.mark.soak
@pytest.mark.timeout(3 * PATIENCE)
def test_many_dead_bmcs_take_less_than_two_deadlines(rack: Rack, capsys: pytest.CaptureFixture[str]) -> None:
    count, retries = (300, 2) if "SOAK_ROUNDS" in os.environ else (40, 0)
    for number in range(count):
        # Half of them say nothing, half refuse.
        over_redfish = {"bmc_protocol": "redfish", "bmc_address": f"http://{nowhere(number)}:9"} if number % 2 else {}
        rack.fault(rack.node(f"dead{number:03}", bmc_deadline=DEADLINE, bmc_retries=retries, **over_redfish))
    begun = time.monotonic()
    assert report(rack.recover(target=next(iter(rack.hosts))))["counts"]["unreachable"] == 1
    one = time.monotonic() - begun
    begun = time.monotonic()
    ran = rack.recover(fault_recovery_workers="4", max_nodes=str(count))
    many = time.monotonic() - begun
    with capsys.disabled():
        print(f"\na run with 1 dead BMC took {one:.1f} s, with {count} {many:.1f} s")
    assert ran.status == 0, ran.output
    assert f"OUTAGE: {count} BMCs" in ran.output
    assert report(ran)["counts"]["unreachable"] == count
    assert len(rack.held()) == count
    # On a machine that is busy with other things one takes longer than its deadline, too.
    assert many < 2 * max(DEADLINE, one), f"{count} took {many:.1f} s, one {one:.1f} s; its deadline is {DEADLINE:g} s"
