# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Machines as they are met, read over Redfish and judged: no healthy one is refused, and no sick one is released.

One false refusal, and technicians go round the check.
"""

from __future__ import annotations

import contextlib

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import checking
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc.judge import judge
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc.rules import FAULTS
from ansible_collections.baremetal.maintenance.tests.integration.bmc.asking import AMPLE, named, read
from ansible_collections.baremetal.maintenance.tests.lab.bmc import machines
from ansible_collections.baremetal.maintenance.tests.lab.bmc.static_redfish import StaticRedfish

RESCUE = "rescue abort failure"


def read_all(trees):
    """The reports of many machines, by their names."""
    with contextlib.ExitStack() as stack:
        targets = [stack.enter_context(StaticRedfish(tree)).target() for tree in trees.values()]
        return dict(zip(trees, checking.many(targets, workers=2, deadline=4 * AMPLE), strict=True))


@pytest.fixture(scope="module")
def healthy():
    return read_all(machines.healthy())


@pytest.fixture(scope="module")
def sick():
    return read_all({name: tree for name, (_rule, tree) in machines.sick().items()})


def said(verdict, rule, place="warnings"):
    return [entry["msg"] for entry in verdict[place] if entry["rule"] == rule]


def test_no_healthy_machine_is_refused(healthy):
    refused = {name: verdict["blocking"] for name, one in healthy.items() if not (verdict := judge(one))["release"]}
    assert refused == {}
    assert {name: one["errors"] for name, one in healthy.items() if not one["complete"]} == {}


def test_no_sick_machine_is_released_and_the_rule_is_the_right_one(sick):
    found = {name: {entry["rule"] for entry in judge(one)["blocking"]} for name, one in sick.items()}
    wanted = {name: {rule} for name, (rule, _tree) in machines.sick().items()}
    # A memory error is found in the log, and as what was not expected.
    wanted["module failed once"] |= {"R9"}
    assert found == wanted
    unread = {name for name, one in sick.items() if not one["events"]["complete"]}
    assert unread == {name for name in sick if "log" in name}


def test_what_is_strange_about_the_healthy_ones_is_told(healthy):
    verdicts = {name: judge(one) for name, one in healthy.items()}
    assert verdicts["as it is"]["warnings"] == [] == verdicts["empty places"]["warnings"] == verdicts["spinning disks"]["warnings"]
    assert said(verdicts["supply at warning"], "W5") == ["psu PSU 2 is warning"]
    assert said(verdicts["roll-up at warning"], "W5") == ["the health of the system is warning"]
    assert "10 times" in said(verdicts["cables"], "R8")[0] and said(verdicts["cables"], "W5") == ["other Network as a whole is warning"]
    assert said(verdicts["tasks"], "W6") == ["the BMC has a task that is not over: BIOS configuration (Pending)"]
    assert said(verdicts["many tasks"], "W6", "not_checked") == ["the BMC lists more tasks than are looked at"]
    assert said(verdicts["as it is"], "W6", "not_checked") == ["the BMC tells nothing about tasks"]


def test_a_log_that_repeats_its_pages_makes_no_event_many(healthy):
    for name in ("pages", "pages without ids"):
        assert (healthy[name]["events"]["read"], healthy[name]["events"]["complete"]) == (2, True)
        assert [event["message"] for event in healthy[name]["events"]["entries"]] == ["Door 1", "Door 2"]


def test_a_supply_in_two_lists_is_counted_once_whatever_its_serial_numbers_are(healthy):
    one = healthy["two lists of supplies"]
    assert [part["health"] for part in one["components"] if part["kind"] == "psu" and part["state"] != "absent"] == ["warning"]
    assert said(judge(one, expected={"psus": 2}), "R6", "blocking") == ["there are 1 power supplies, and 2 are expected"]


def test_a_disk_without_a_media_life_has_none_that_is_known(healthy):
    assert named(healthy["spinning disks"]["components"])["Bay1"]["media_life_left_pct"] is None
    assert said(judge(healthy["spinning disks"], unknown_blocks=True), "R5", "blocking") == []


def test_what_boots_from_the_network_is_left_over_by_a_rescue(healthy):
    verdict = judge(healthy["boots from the network"], fault=RESCUE)
    assert verdict["blocking"] == [{"rule": "W4", "msg": "a boot override is left over: pxe"}]


def test_tasks_are_looked_at_to_a_limit(healthy):
    assert healthy["many tasks"]["bmc"]["pending"] is None
    assert (healthy["tasks"]["bmc"]["pending"], healthy["as it is"]["bmc"]["pending"]) == (["BIOS configuration (Pending)"], None)


@pytest.mark.parametrize("which", ["ipmi_sim", "ipmi", "emulator"])
def test_no_healthy_emulator_is_refused_whatever_the_fault(which, request):
    one = read(request.getfixturevalue(which).target())
    refused = {fault: verdict["blocking"] for fault in (None, *FAULTS) if not (verdict := judge(one, fault=fault))["release"]}
    assert refused == {}
