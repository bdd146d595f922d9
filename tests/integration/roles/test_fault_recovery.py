# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""fault_recovery: exactly the faults whose BMCs give evidence are released, and every node is told of."""

from __future__ import annotations

import json
import typing as t

import pytest

from tests.integration.playbooks.running import Ran, Site
from tests.lab.bmc import trees
from tests.lab.bmc.fake_ipmi import PASSWORD, USER, FakeBmc, FakeIpmi
from tests.lab.bmc.static_redfish import StaticRedfish
from tests.support.backend import free_port

#: Chassis bits of a main power fault.
SICK: t.Final = [0x08, 0, 0]
#: What makes a run quick, and faults of other tests no part of an outage; a test's own variables come on top.
QUICK: t.Final = {"fault_recovery_attempts": 1, "fault_recovery_retry_delay": 0, "fault_recovery_storm_window": 0}


class Rack:
    """Nodes of a test's own, each with its BMC in the inventory."""

    def __init__(self, site: Site, prefix: str) -> None:
        self.site = site
        self.prefix = prefix
        self.hosts: dict[str, dict[str, t.Any]] = {}

    def node(self, name: str, bmc: FakeBmc | None = None, **variables: t.Any) -> str:
        """Enrol a node. Without a BMC there is one in the inventory that answers nobody."""
        full = f"{self.prefix}-{name}"
        self.site.call("dc", "POST", "/v1/nodes", {"name": full, "owner": "storage-project"})
        self.hosts[full] = {
            "baremetal_node": full,
            "bmc_protocol": "ipmi",
            "bmc_address": bmc.address if bmc else f"127.0.0.1:{free_port()}",
            "bmc_username": USER,
            "bmc_password": PASSWORD,
            "bmc_power_reads": 2,
            "bmc_power_read_interval": 0,
            "bmc_retries": 0,
            # A BMC that answers takes a second or two; one that does not takes all of this.
            "bmc_deadline": 15 if bmc else 3,
            **variables,
        }
        self.site.inventory(self.hosts)
        return full

    def fault(self, node: str, kind: str = "power failure", times: int = 1) -> str:
        """Have a fault asserted on a node, as often as said; give its uuid."""
        for left in range(times, 0, -1):
            uuid = self.site.call("dc", "PUT", f"/v1/nodes/{node}/maintenance/fault", {"fault": kind, "reason": "no answer"})["uuid"]
            if left > 1:
                self.site.call("dc", "DELETE", f"/v1/nodes/{node}/maintenance/{uuid}")
        return uuid

    def hold(self, node: str) -> str:
        body = {"type": "operator_hold", "reason": "not yours"}
        return self.site.call("night", "POST", f"/v1/nodes/{node}/maintenance", body)["uuid"]

    def held(self) -> dict[str, list[str]]:
        """Give the uuids of the entries by node, of held nodes only."""
        found = {name: sorted(entry["uuid"] for entry in self.site.holds(name)) for name in self.hosts}
        return {name: uuids for name, uuids in found.items() if uuids}

    def events(self) -> dict[str, int]:
        return {name: len(self.history(name)) for name in self.hosts}

    def history(self, node: str) -> list[dict[str, t.Any]]:
        return self.site.call("dc", "GET", f"/v1/nodes/{node}/history?detail=true")["history"]

    def recover(self, *arguments: str, who: str = "dc", target: t.Any = None, **variables: t.Any) -> Ran:
        given = {"target": ",".join(self.hosts) if target is None else target, **QUICK, **variables}
        return self.site.play("fault_recovery", *arguments, who=who, variables=given)

    def remove(self) -> None:
        for name in self.hosts:
            self.site.call("dc", "DELETE", f"/v1/nodes/{name}/maintenance")
            self.site.call("dc", "DELETE", f"/v1/nodes/{name}")


@pytest.fixture
def rack(site: Site, request: pytest.FixtureRequest) -> t.Iterator[Rack]:
    made = Rack(site, f"t{abs(hash(request.node.nodeid)) % 10**6}")
    yield made
    made.remove()


@pytest.fixture
def redfish() -> t.Iterator[StaticRedfish]:
    """A healthy machine over Redfish."""
    with StaticRedfish(trees.machine()) as bmc:
        yield bmc


def lines(ran: Ran) -> dict[str, str]:
    """Give the table by node: what stands after its name."""
    found = (line.strip().strip('",').split(None, 1) for line in ran.output.splitlines() if line.startswith("        "))
    return {words[0]: words[1] for words in found if len(words) == 2}


@pytest.mark.parametrize("strings", [False, True], ids=["native", "strings"])
def test_exactly_the_healthy_are_released_and_a_second_run_changes_nothing(
    rack: Rack, bmcs: FakeIpmi, redfish: StaticRedfish, strings: bool
) -> None:
    healthy, second, sick, flapping, refused, _spare, *_more = bmcs.bmcs
    well = rack.node("well", healthy)
    shared = rack.node("shared", second)
    ill = rack.node("ill", sick)
    often = rack.node("often", flapping)
    locked = rack.node("locked", refused, bmc_password="wrong")
    dead = rack.node("dead")
    lost = rack.node("lost", bmc_address="")
    sound = rack.node("sound", bmcs.bmcs[5])
    sick.set(chassis=SICK)
    over_redfish = rack.node("redfish", bmc_protocol="redfish", bmc_address=redfish.url, bmc_deadline=30)
    faults = {name: rack.fault(name) for name in (well, shared, over_redfish, ill, locked, dead, lost)}
    faults[often] = rack.fault(often, times=3)
    second_hold = rack.hold(shared)
    variables: dict[str, t.Any] = {
        "fault_recovery_attempts": 2,
        "fault_recovery_flap_threshold": 3,
        "fault_recovery_rules": {"W1": "off"},
        "max_nodes": 9,
    }
    if strings:
        variables = {name: value if isinstance(value, str) else json.dumps(value) for name, value in variables.items()}
        variables |= {"fault_recovery_retry_delay": "0", "fault_recovery_unknown_blocks": "no", "fault_recovery_flap_hold": "false"}
    ran = rack.recover(**variables)
    assert ran.status == 0, ran.output
    left = {name: [uuid] for name, uuid in faults.items() if name not in (well, shared, over_redfish)} | {shared: [second_hold]}
    assert rack.held() == left, ran.output
    table = lines(ran)
    outcomes = {**dict.fromkeys((well, over_redfish, shared), "released"), dead: "unreachable", lost: "skipped"}
    outcomes |= dict.fromkeys((ill, locked, often), "not_released")
    assert {name: text.split()[0] for name, text in table.items() if name in rack.hosts} == outcomes, ran.output
    assert "held besides by operator_hold" in table[shared]
    assert "main power fault" in table[ill]
    assert "flapping" in table[often]
    assert sound not in table
    event = rack.history(well)[-1]["maintenance"]
    assert (event["action"], event["entry_uuid"]) == ("release", faults[well])
    assert "power on in 2 reads" in event["comment"]
    assert refused.logins() == 1, "a refused login is never tried again"
    assert sick.logins() > 1, "a sick machine is"
    assert PASSWORD not in ran.output
    again = rack.recover(**variables)
    assert again.status == 0, again.output
    assert "changed=0" in again.output
    assert rack.held() == left
    assert redfish.writes() == []


def test_check_mode_writes_nothing_anywhere(rack: Rack, bmcs: FakeIpmi) -> None:
    well, often = rack.node("well", bmcs.bmcs[0]), rack.node("often", bmcs.bmcs[1])
    silent = rack.node("silent")
    rack.fault(well)
    rack.fault(often, times=4)
    held, events = rack.held(), rack.events()
    ran = rack.recover("--check", fault_recovery_flap_hold=True, fault_recovery_assert_unreachable=True)
    assert ran.status == 0, ran.output
    assert (rack.held(), rack.events()) == (held, events)
    table = lines(ran)
    assert table[well].startswith("would_release")
    assert table[silent].startswith("would_assert")


def test_a_flapping_node_is_held_where_that_is_asked_and_its_release_starts_the_count_again(rack: Rack, bmcs: FakeIpmi) -> None:
    often = rack.node("often", bmcs.bmcs[0])
    fault = rack.fault(often, times=3)
    ran = rack.recover(fault_recovery_flap_hold="true")
    assert ran.status == 0, ran.output
    (hold,) = (entry for entry in rack.site.holds(often) if entry["uuid"] != fault)
    assert (hold["type"], hold["key"]) == ("operator_hold", "fault_recovery")
    assert "3 times" in hold["reason"]
    assert "changed=0" in rack.recover(fault_recovery_flap_hold="true").output
    rack.site.call("dc", "DELETE", f"/v1/nodes/{often}/maintenance/{hold['uuid']}")
    ran = rack.recover(fault_recovery_flap_hold="true")
    assert rack.held() == {}, ran.output


def test_an_outage_is_one_line_and_nothing_is_asserted(rack: Rack, bmcs: FakeIpmi) -> None:
    well = rack.node("well", bmcs.bmcs[0])
    silent = [rack.node(f"silent{number}") for number in range(3)]
    watched = rack.node("watched")
    faults = {name: [rack.fault(name)] for name in silent}
    rack.fault(well)
    ran = rack.recover(fault_recovery_storm_threshold="2", fault_recovery_assert_unreachable=True)
    assert ran.status == 0, ran.output
    assert "OUTAGE: 4 BMCs" in ran.output
    assert rack.held() == faults
    assert not {*silent, watched} & set(lines(ran))


def test_a_silent_bmc_is_a_power_failure_where_that_is_asked_unless_somebody_holds_the_node(rack: Rack, bmcs: FakeIpmi) -> None:
    silent, watched, held = rack.node("silent"), rack.node("watched", bmcs.bmcs[0]), rack.node("held")
    cleaning = rack.node("cleaning")
    hold, fault = rack.hold(held), rack.fault(cleaning, "clean failure")
    ran = rack.recover(fault_recovery_assert_unreachable="yes")
    assert ran.status == 0, ran.output
    (entry,) = rack.site.holds(silent)
    assert entry["extra"] == {"fault": "power failure"}
    assert "unreachable in 1 attempts" in entry["reason"]
    assert rack.held() == {silent: [entry["uuid"]], held: [hold], cleaning: [fault]}
    assert rack.site.holds(cleaning)[0]["extra"] == {"fault": "clean failure"}, "what was found stays what it is"
    assert watched not in lines(ran)


def test_all_means_every_node_with_a_fault_up_to_the_number_that_is_meant(rack: Rack, bmcs: FakeIpmi) -> None:
    nodes = [rack.node(name, bmcs.bmcs[place]) for place, name in enumerate("abc")]
    for name in nodes[:2]:
        rack.fault(name)
    refused = rack.recover(target="all", max_nodes="1")
    assert refused.status != 0
    assert "fault_recovery_max_nodes=2" in refused.output
    assert len(rack.held()) == 2
    ran = rack.recover(target="all", max_nodes="2")
    assert ran.status == 0, ran.output
    assert rack.held() == {}


def test_no_password_of_a_bmc_is_shown(rack: Rack, bmcs: FakeIpmi) -> None:
    rack.fault(rack.node("well", bmcs.bmcs[0], bmc_password="canary-4711"))
    by_node = rack.node("elsewhere", bmcs.bmcs[1], bmc_address="")
    rack.fault(by_node)
    given = {by_node: {"bmc_address": bmcs.bmcs[1].address, "bmc_kg": "canary-4712", "bmc_password": "canary-4713"}}
    ran = rack.recover("-vvv", fault_recovery_bmcs=json.dumps(given))
    assert ran.status == 0, ran.output
    assert {name: text.split()[0] for name, text in lines(ran).items() if name in rack.hosts} == dict.fromkeys(rack.hosts, "not_released")
    assert "canary" not in ran.output


@pytest.mark.parametrize("target", ["", " , ", "all,t-n1", None])
def test_without_a_clear_target_nothing_is_done(rack: Rack, bmcs: FakeIpmi, target: str | None) -> None:
    fault = rack.fault(rack.node("well", bmcs.bmcs[0]))
    variables = {} if target is None else {"target": target}
    ran = rack.site.play("fault_recovery", variables={**QUICK, **variables})
    assert ran.status != 0, ran.output
    assert list(rack.held().values()) == [[fault]]


def test_whom_the_service_refuses_is_told_and_the_job_fails(rack: Rack, bmcs: FakeIpmi) -> None:
    fault = rack.fault(rack.node("well", bmcs.bmcs[0]))
    ran = rack.recover(who="bo")
    assert ran.status != 0
    assert list(rack.held().values()) == [[fault]]


def test_an_owner_without_the_fleets_history_recovers_by_the_nodes_own(rack: Rack, bmcs: FakeIpmi) -> None:
    well, often = rack.node("well", bmcs.bmcs[0]), rack.node("often", bmcs.bmcs[1])
    rack.fault(well)
    kept = rack.fault(often, times=3)
    ran = rack.recover(who="alice")
    table = lines(ran)
    assert "flapping" in table[often], ran.output
    assert kept in rack.held()[often]
    assert not table[well].startswith("not_released"), ran.output


def test_many_dead_bmcs_take_no_longer_than_one(rack: Rack) -> None:
    for number in range(40):
        rack.fault(rack.node(f"dead{number:02}"))
    ran = rack.recover(fault_recovery_workers="4")
    assert ran.status == 0, ran.output
    assert "OUTAGE: 40 BMCs" in ran.output
