# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""fault_recovery: exactly the faults whose BMCs give evidence are released, and every node is told of."""

from __future__ import annotations

import json
import re
import typing as t

import pytest

from tests.lab.bmc import trees
from tests.lab.bmc.fake_ipmi import FakeIpmi
from tests.lab.bmc.static_redfish import StaticRedfish

from .rack import QUICK, SICK, Rack, lines, report, writes


@pytest.fixture
def redfish() -> t.Iterator[StaticRedfish]:
    """A healthy machine over Redfish."""
    with StaticRedfish(trees.machine()) as bmc:
        yield bmc


def test_check_mode_writes_nothing_anywhere(rack: Rack, bmcs: FakeIpmi, redfish: StaticRedfish) -> None:
    well, often, sick = (rack.node(name, bmcs.bmcs[place]) for place, name in enumerate(("well", "often", "sick")))
    bmcs.bmcs[2].set(chassis=SICK)
    over_redfish = rack.node("redfish", bmc_protocol="redfish", bmc_address=redfish.url, bmc_deadline=60)
    silent = rack.node("silent")
    for node in (well, sick, over_redfish):
        rack.fault(node, "clean failure")
    rack.fault(often, times=4)
    stored = rack.stored()
    asserting: dict[str, t.Any] = {"fault_recovery_flap_hold": True, "fault_recovery_assert_unreachable": True}
    ran = rack.recover("--check", **asserting)
    assert ran.status == 0, ran.output
    assert rack.stored() == stored
    assert [command for bmc in bmcs.bmcs for command in writes(bmc)] == redfish.writes() == []
    told = report(ran)
    outcomes = {one["node"]: one["outcome"] for one in told["nodes"]}
    predicted = {well: "would_release", over_redfish: "would_release", silent: "would_assert"}
    assert outcomes == {**predicted, often: "not_released", sick: "not_released"}
    assert told["check_mode"] is True
    # What was predicted is what happens.
    happened = report(rack.recover(**asserting))
    outcomes = {one["node"]: one["outcome"] for one in happened["nodes"]}
    assert outcomes == {well: "released", over_redfish: "released", silent: "asserted", often: "not_released", sick: "not_released"}
    assert [command for bmc in bmcs.bmcs for command in writes(bmc)] == redfish.writes() == []


def test_a_role_that_is_only_checked_in_a_run_that_is_none_releases_nothing_and_says_so(rack: Rack, bmcs: FakeIpmi) -> None:
    rack.fault(rack.node("well", bmcs.bmcs[0]))
    stored = rack.stored()
    play = {
        "name": "Check only",
        "hosts": "localhost",
        "gather_facts": False,
        "tasks": [
            {
                "name": "Check only",
                "ansible.builtin.include_role": {"name": "baremetal.maintenance.fault_recovery", "apply": {"check_mode": True}},
                "vars": {**QUICK, "fault_recovery_nodes": list(rack.hosts)},
            }
        ],
    }
    path = rack.site.folder / "check_only.yml"
    path.write_text(json.dumps([play]), encoding="utf-8")
    ran = rack.site.play(str(path))
    assert ran.status == 0, ran.output
    assert rack.stored() == stored
    assert [one["outcome"] for one in report(ran)["nodes"]] == ["would_release"]


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


def test_who_is_not_clean_is_checked_again_after_longer_and_longer_waits(rack: Rack, redfish: StaticRedfish) -> None:
    redfish.fault("/redfish/v1", status=500)
    node = rack.node("starting", bmc_protocol="redfish", bmc_address=redfish.url, bmc_deadline=60)
    rack.fault(node)
    given = {"fault_recovery_attempts": "3", "fault_recovery_retry_delay": "1", "fault_recovery_retry_factor": "3"}
    ran = rack.recover("-v", **given)
    assert ran.status == 0, ran.output
    (one,) = report(ran)["nodes"]
    assert (one["outcome"], one["attempts"]) == ("not_released", 3), ran.output
    assert [int(seconds) for seconds in re.findall(r'"elapsed": (\d+)', ran.output)] == [1, 3]


def test_faults_that_came_together_are_no_flaps(rack: Rack, bmcs: FakeIpmi) -> None:
    names = [rack.node(f"n{number}", bmcs.bmcs[number]) for number in range(3)]
    for _time in range(3):
        uuids = {name: rack.fault(name) for name in names}
        if _time < 2:
            for name, uuid in uuids.items():
                rack.site.call("dc", "DELETE", f"/v1/nodes/{name}/maintenance/{uuid}")
    few = rack.recover("--check", fault_recovery_storm_threshold="1000", fault_recovery_storm_window="3600")
    assert {one["flaps"] for one in report(few)["nodes"]} == {3}
    ran = rack.recover(fault_recovery_storm_threshold="2", fault_recovery_storm_window="3600", fault_recovery_flap_hold="yes")
    assert rack.held() == {}, ran.output
    assert {(one["outcome"], one["flaps"]) for one in report(ran)["nodes"]} == {("released", 0)}


@pytest.mark.parametrize(
    "blank",
    [
        {"fault_recovery_flap_threshold": ""},
        {"fault_recovery_flap_threshold": "three"},
        {"fault_recovery_flap_hours": "0"},
        {"fault_recovery_unknown_blocks": "maybe"},
        {"fault_recovery_rules": "R1"},
        {"fault_recovery_rules": {"R1": False}},
        {"fault_recovery_bmcs": "[]x"},
        {"max_nodes": ""},
    ],
    ids=str,
)
def test_an_input_that_says_nothing_releases_nothing(rack: Rack, bmcs: FakeIpmi, blank: dict[str, t.Any]) -> None:
    fault = rack.fault(rack.node("well", bmcs.bmcs[0]))
    ran = rack.recover(**blank)
    assert ran.status != 0, ran.output
    ((name, value),) = blank.items()
    assert ("R1" if isinstance(value, dict) else name.removeprefix("fault_recovery_")) in ran.output, ran.output
    assert list(rack.held().values()) == [[fault]]


def test_one_host_with_a_wrong_variable_is_skipped_and_the_others_are_recovered(rack: Rack, bmcs: FakeIpmi) -> None:
    well = rack.node("well", bmcs.bmcs[0])
    wrong = rack.node("wrong", bmcs.bmcs[1], bmc_expected={"psu": 2})
    rack.fault(well)
    fault = rack.fault(wrong)
    ran = rack.recover()
    assert rack.held() == {wrong: [fault]}, ran.output
    assert lines(ran)[wrong].startswith("skipped")


def test_nodes_may_be_lines_of_a_text(rack: Rack, bmcs: FakeIpmi) -> None:
    well, spare = rack.node("well", bmcs.bmcs[0]), rack.node("spare", bmcs.bmcs[1])
    rack.fault(well)
    ran = rack.recover("--check", target=f"{well}\n {spare}\n")
    assert [one["outcome"] for one in report(ran)["nodes"]] == ["would_release"], ran.output
