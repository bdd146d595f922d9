# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How much a finding weighs: severities given, the fault that is to be released, parts to ignore, and options that make no sense."""

from __future__ import annotations

import copy
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import report, rules
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc.judge import judge, refusals
from ansible_collections.baremetal.maintenance.plugins.module_utils.rules import faults

from .healthy import EXPECTED, SINCE, event, failed, finished, ipmi, named, redfish


def sick() -> dict[str, t.Any]:
    """Give the report of a machine that violates every rule but R3, which Redfish has not."""
    whole = redfish()
    whole["power"]["reads"] = ["off", "poweringon"]
    whole["health"].update(rollup="critical", state="starting")
    whole["system"].update(memory_mb=1024, boot_override="pxe")
    whole["clock_skew_s"] = 4000
    whole["bmc"].update(firmware="1.00", pending=["BIOS configuration (Pending)"])
    named(whole, "Disk 1")["health"] = "critical"
    named(whole, "PSU 1")["health"] = "critical"
    named(whole, "Inlet")["health"] = "critical"
    named(whole, "Fan 1")["health"] = "warning"
    whole["events"]["entries"] = [event()]
    return finished(whole)


def places(verdict: dict[str, t.Any]) -> dict[str, set[str]]:
    return {place: {entry["rule"] for entry in verdict[place]} for place in ("blocking", "warnings")}


ALWAYS: t.Final = {"R1", "R2", "R4"}
WORK: t.Final = {"R5", "R6", "R7", "R8", "R9"}
WARNINGS: t.Final = {"W1", "W2", "W3", "W4", "W5", "W6"}


@pytest.mark.parametrize("fault", [None, rules.CLEAN_FAILURE, rules.SERVICE_FAILURE])
def test_after_work_that_failed_every_rule_blocks(fault: str | None) -> None:
    verdict = judge(sick(), fault=fault, expected=EXPECTED, since=SINCE)
    assert places(verdict) == {"blocking": ALWAYS | WORK, "warnings": WARNINGS}
    assert not verdict["release"]


def test_after_a_power_failure_power_and_the_system_block_and_the_rest_warns() -> None:
    verdict = judge(sick(), fault=rules.POWER_FAILURE, expected=EXPECTED, since=SINCE)
    assert places(verdict) == {"blocking": ALWAYS, "warnings": WORK | WARNINGS}


def test_after_a_rescue_that_was_aborted_what_it_left_over_blocks_too() -> None:
    verdict = judge(sick(), fault=rules.RESCUE_ABORT_FAILURE, expected=EXPECTED, since=SINCE)
    assert places(verdict) == {"blocking": ALWAYS | {"W4"}, "warnings": WORK | WARNINGS - {"W4"}}


@pytest.mark.parametrize("fault", rules.FAULTS)
def test_the_fault_bits_of_the_chassis_block_for_every_fault(fault: str) -> None:
    whole = ipmi()
    whole["power"]["faults"] = ["main_power_fault"]
    assert "R3" in places(judge(finished(whole), fault=fault))["blocking"]


def test_what_the_report_cannot_tell_does_not_weigh_more_than_a_violation() -> None:
    whole = redfish()
    failed(whole, "events")
    verdict = judge(whole, fault=rules.POWER_FAILURE, since=SINCE, unknown_blocks=True)
    assert places(verdict) == {"blocking": set(), "warnings": set()}
    assert "R8" in {entry["rule"] for entry in verdict["not_checked"]}


@pytest.mark.parametrize("rule", sorted(rules.BY_NAME))
@pytest.mark.parametrize("fault", [None, rules.POWER_FAILURE])
@pytest.mark.parametrize("severity", rules.SEVERITIES)
def test_a_severity_that_is_given_counts_whatever_the_fault(rule: str, fault: str | None, severity: str) -> None:
    whole = ipmi() if rule == "R3" else sick()
    if rule == "R3":
        whole["power"]["faults"] = ["overload"]
    others = dict.fromkeys(rules.BY_NAME, "off")
    verdict = judge(finished(whole), fault=fault, expected=EXPECTED, since=SINCE, rules={**others, rule: severity})
    assert places(verdict) == {
        "blocking": {rule} if severity == "block" else set(),
        "warnings": {rule} if severity == "warn" else set(),
    }
    assert verdict["release"] is (severity != "block")
    switched_off = {entry["rule"] for entry in verdict["not_checked"] if entry["msg"] == "switched off"}
    assert switched_off == {name for name in rules.BY_NAME if {**others, rule: severity}[name] == "off"}


def unreachable() -> dict[str, t.Any]:
    whole: t.Any = report.empty("ipmi", "bmc.example.org:623")
    whole["errors"] = [{"section": "connect", "kind": "unreachable", "msg": "no IPMI answer", "hint": None}]
    return finished(whole)


@pytest.mark.parametrize("severity", rules.SEVERITIES)
def test_a_bmc_that_cannot_be_read_is_never_released(severity: str) -> None:
    verdict = judge(unreachable(), rules=dict.fromkeys(rules.BY_NAME, severity))
    assert verdict["release"] is False
    assert verdict["blocking"] == [{"rule": "R1", "msg": "the BMC can't be read: no IPMI answer"}]


@pytest.mark.parametrize("make", [redfish, ipmi])
def test_a_reading_that_ended_right_after_the_login_is_not_released_whatever_the_fault(make: t.Callable[[], dict[str, t.Any]]) -> None:
    whole: t.Any = report.empty(make()["protocol"], "bmc")
    whole.update(reachable=True, errors=[{"section": "check", "kind": "deadline", "msg": "Not everything was read.", "hint": None}])
    for fault in (None, *rules.FAULTS):
        verdict = judge(finished(copy.deepcopy(whole)), fault=fault)
        assert not verdict["release"]
        assert any("Not everything was read" in entry["msg"] for entry in verdict["blocking"])


def test_an_ignored_part_does_not_count_and_is_recorded() -> None:
    whole = redfish()
    named(whole, "Disk 1")["health"] = "critical"
    verdict = judge(finished(whole), expected=EXPECTED, since=SINCE, ignore=[{"kind": "drive", "name": "Disk 1", "serial": "DISK1"}])
    assert verdict["release"]
    assert verdict["ignored"] == [{"kind": "drive", "name": "Disk 1", "serial": "DISK1"}]


@pytest.mark.parametrize(
    "pattern",
    [{"name": "Disk 1"}, {"serial": "DISK1"}, {"kind": "drive", "name": "Disk 1", "serial": None}, {"name": "Disk 1", "serial": ""}],
)
def test_a_part_is_ignored_by_what_is_given(pattern: dict[str, t.Any]) -> None:
    whole = redfish()
    named(whole, "Disk 1")["failure_predicted"] = True
    assert judge(whole, ignore=[pattern])["release"]


@pytest.mark.parametrize("pattern", [{"name": "Disk 1", "serial": "DISK9"}, {"kind": "memory", "name": "Disk 1"}, {"name": "Disk"}])
def test_a_part_that_is_not_all_that_is_given_counts(pattern: dict[str, t.Any]) -> None:
    whole = redfish()
    named(whole, "Disk 1")["failure_predicted"] = True
    verdict = judge(whole, ignore=[pattern])
    assert not verdict["release"]
    assert verdict["ignored"] == []


def test_an_ignored_sensor_does_not_count_over_ipmi_in_any_rule() -> None:
    whole = ipmi()
    named(whole, "12V")["health"] = "critical"
    verdict = judge(finished(whole), ignore=[{"kind": "sensor", "name": "12V"}])
    assert verdict["release"]
    assert verdict["ignored"] == [{"kind": "sensor", "name": "12V", "serial": None}]


def test_an_ignored_part_still_weighs_in_the_systems_own_health() -> None:
    whole = redfish()
    named(whole, "Disk 1")["health"] = "critical"
    whole["health"]["rollup"] = "critical"
    verdict = judge(finished(whole), ignore=[{"name": "Disk 1"}])
    assert places(verdict)["blocking"] == {"R4"}


@pytest.mark.parametrize("value", [True, "on", "On", "power on", "True", "yes"])
def test_a_power_state_is_understood_as_yaml_surveys_ironic_and_redfish_give_it(value: t.Any) -> None:
    assert judge(redfish(), expected={"power_state": value})["release"]


@pytest.mark.parametrize("value", [False, "off", "power off", "Off"])
def test_another_power_state_blocks_however_it_is_spelled(value: t.Any) -> None:
    verdict = judge(redfish(), expected={"power_state": value})
    assert verdict["blocking"] == [{"rule": "R2", "msg": "the machine is on, and expected to be off"}]


def test_numbers_may_be_strings() -> None:
    expected = {name: str(value) if isinstance(value, int) else value for name, value in EXPECTED.items()}
    assert judge(redfish(), expected=expected)["release"]
    assert not judge(redfish(), expected={"psus": "3"})["release"]


def test_an_expectation_of_null_is_none() -> None:
    assert judge(redfish(), expected=dict.fromkeys(EXPECTED)) == judge(redfish())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"fault": "power"}, "fault: 'power' is not known"),
        ({"rules": {"R10": "off"}}, "rules: 'R10' is not a rule"),
        ({"rules": {"R1": "ignore"}}, "rules: R1 is block or warn or off, not 'ignore'"),
        ({"expected": {"ram": 1}}, "expected: 'ram' is not known; known are power_state, memory_mb"),
        ({"expected": {"power_state": "error"}}, "expected: power_state is on or off, not 'error'"),
        ({"expected": {"cpus": "two"}}, "expected: cpus is a whole number, not 'two'"),
        ({"expected": {"cpus": -1}}, "expected: cpus is a whole number, not -1"),
        ({"expected": {"serials": "DISK1"}}, "expected: serials is a list"),
        ({"since": "yesterday"}, "since: 'yesterday' is no time"),
        ({"ignore": [{"kind": "drive"}]}, "ignore: a part needs a name or a serial"),
        ({"ignore": [{}]}, "ignore: a part needs a name or a serial"),
        ({"ignore": [{"name": "x", "slot": "1"}]}, "ignore: slot is not known"),
    ],
)
@pytest.mark.parametrize("make", [redfish, unreachable])
def test_what_makes_no_sense_is_an_error_even_if_the_bmc_cannot_be_read(
    make: t.Callable[[], dict[str, t.Any]], options: dict[str, t.Any], said: str
) -> None:
    with pytest.raises(ValueError, match="^" + said.replace("(", r"\(")):
        judge(make(), **options)


@pytest.mark.parametrize("fault", [None, *rules.FAULTS])
@pytest.mark.parametrize("make", [redfish, ipmi, sick, unreachable])
def test_refusals_are_what_blocks_by_the_defaults(make: t.Callable[[], dict[str, t.Any]], fault: str | None) -> None:
    found = [{"rule": rule, "msg": finding.msg} for rule, finding in refusals(make(), fault)]
    assert found == judge(make(), fault=fault)["blocking"]


def test_a_refusal_tells_what_is_reported_from_what_is_not_known() -> None:
    whole = redfish()
    failed(whole, "events")
    named(whole, "Disk 1")["health"] = "critical"
    assert {(rule, finding.level) for rule, finding in refusals(finished(whole))} == {("R5", "bad"), ("R8", "unknown")}
    assert [(rule, finding.level) for rule, finding in refusals(unreachable())] == [("R1", "unknown")]


def test_a_report_is_not_changed_by_judging_it() -> None:
    whole = sick()
    before = copy.deepcopy(whole)
    judge(whole, expected=EXPECTED, since=SINCE, ignore=[{"name": "Disk 1"}])
    assert whole == before


def test_the_faults_are_those_that_a_node_can_have() -> None:
    assert rules.FAULTS == faults.KINDS
