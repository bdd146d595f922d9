# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Readings over IPMI: fault bits, sensors that cannot be read, parts, serial numbers, events."""

from __future__ import annotations

import time

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import checking, clock, report
from ansible_collections.baremetal.maintenance.tests.integration.bmc.asking import kinds, named, read, read_together
from ansible_collections.baremetal.maintenance.tests.lab.bmc import trees
from ansible_collections.baremetal.maintenance.tests.lab.bmc.fake_ipmi import entry, unset_entry

POWER_SUPPLY, DRIVE, MEMORY, SYSTEM_EVENT = 0x08, 0x0D, 0x0C, 0x12
FAILURE, DRIVE_FAULT, UNCORRECTABLE = 1, 1, 1


def test_a_healthy_machine(ipmi):
    read_report = read(ipmi.target())
    assert read_report["complete"], read_report["errors"]
    assert read_report["health"] == {"overall": "ok", "rollup": None, "state": None, "unknown": 0}
    assert read_report["power"] == {"state": "on", "reads": ["on"], "faults": [], "faults_known": True}
    assert read_report["requests"] > 10
    inlet = named(read_report["sensors"])["Inlet Temp"]
    assert (inlet["type"], inlet["value"], inlet["unit"], inlet["critical_high"]) == ("temperature", 24.0, "C", 45.0)
    assert [part["kind"] for part in read_report["components"]] == ["psu", "drive", "memory", "psu"]
    offered = {name for name, state in read_report["sections"].items() if state == "ok"}
    assert offered == {"power", "system", "sensors", "bmc", "events"}


def test_fault_bits_of_the_chassis(ipmi):
    ipmi.set(chassis=[0b11110, 0, 0b1100])
    faults = ["overload", "interlock", "main_power_fault", "power_control_fault", "drive_fault", "cooling_fault"]
    read_report = read(ipmi.target(), sections=["power"])
    assert (read_report["power"]["faults"], read_report["health"]["overall"]) == (faults, "critical")


#: What a sensor is that answers with a code.
UNREAD = {
    0xCB: "absent",
    0xD5: "unavailable",
    0xCD: "unavailable",
    0xCA: "unreadable 0xca",
    0xC5: "unreadable 0xc5",
    0xC8: "unreadable 0xc8",
}
REFUSALS = (0xC5, 0xC8, 0xCB, 0xD5, 0xCA, 0xFF)
LONGEST_PIECES = (64, 20, 9)


@pytest.fixture(scope="module")
def reports(at_hand):
    """Of a BMC for each code and length, all read at the same time, serial numbers too."""
    ways = {
        **{f"sensor {code:#x}": {"codes": {"4:2d:2": code}} for code in UNREAD},
        **{f"records {code:#x}": {"codes": {"a:23": code}} for code in REFUSALS},
        **{f"inventory {code:#x}": {"codes": {"a:11": code}} for code in REFUSALS},
        **{f"pieces of {longest}": {"longest_piece": longest} for longest in LONGEST_PIECES},
    }
    bmcs = {name: at_hand.popleft() for name in ways}
    for name, way in ways.items():
        bmcs[name].set(**way)
    return {"bmcs": bmcs, **read_together({name: bmc.target() for name, bmc in bmcs.items()}, sections=report.SECTIONS)}


@pytest.mark.parametrize("code", UNREAD)
def test_a_sensor_that_cannot_be_read_loses_no_other(reports, code):
    read_report = reports[f"sensor {code:#x}"]
    sensors = named(read_report["sensors"])
    assert (sensors["Fan1A"]["state"], sensors["Fan1A"]["health"]) == (UNREAD[code], "unknown")
    assert [sensors[name]["health"] for name in sensors if name != "Fan1A"] == ["ok"] * 5
    assert read_report["complete"], read_report["errors"]
    assert read_report["health"]["overall"] == "ok"


@pytest.mark.parametrize("longest", LONGEST_PIECES)
def test_records_and_inventory_data_that_come_in_small_pieces_only(reports, longest):
    read_report = reports[f"pieces of {longest}"]
    assert read_report["complete"], read_report["errors"]
    assert len(read_report["sensors"]) == 6
    assert read_report["system"]["serial"] == f"SN{reports['bmcs'][f'pieces of {longest}'].port}"


@pytest.mark.parametrize("code", REFUSALS)
def test_records_that_are_refused_are_an_error_of_their_section_alone(reports, code):
    read_report = reports[f"records {code:#x}"]
    assert read_report["sections"]["events"] == read_report["sections"]["power"] == "ok"
    assert read_report["sensors"] == []
    if code != 0xCB:
        assert kinds(read_report)[0] in ("bmc_error", "malformed")
        assert read_report["sections"]["sensors"] == "error"


@pytest.mark.parametrize("code", REFUSALS)
def test_inventory_data_that_is_refused_ends(reports, code):
    read_report = reports[f"inventory {code:#x}"]
    assert read_report["power"]["state"] == "on"
    assert read_report["system"]["serial"] is None
    assert "deadline" not in kinds(read_report)


def test_presence_and_faults_of_parts(ipmi):
    ipmi.set(sensors={"1": [24, 0, 0], "2": [55, 0, 0], "3": [0, 0b11, 0], "4": [0, 0b101, 0], "5": [0, 64 | 2, 0], "6": [0, 0, 0]})
    parts = named(read(ipmi.target())["components"])
    assert (parts["PS1 Status"]["state"], parts["PS1 Status"]["health"]) == ("enabled", "critical")
    assert (parts["PS2 Status"]["state"], parts["PS2 Status"]["health"]) == ("absent", "unknown")
    assert (parts["Drive 1"]["failure_predicted"], parts["Drive 1"]["health"]) == (True, "warning")
    assert parts["DIMM A1"]["health"] == "critical"


def test_one_record_may_stand_for_several_sensors_and_those_of_other_controllers_are_not_asked_of_the_bmc(ipmi):
    ipmi.set(records=[0, 7, 8], sensors={"1": [24, 0, 0], "32": [0, 1, 0], "33": [0, 3, 0], "34": [0, 0, 0], "48": [0, 1, 0]})
    read_report = read(ipmi.target(), sections=["sensors"])
    sensors = named(read_report["sensors"])
    assert [sensors[f"Slot{number}"]["health"] for number in (1, 2)] == ["ok", "critical"]
    assert named(read_report["components"])["Slot3"]["state"] == "absent"
    assert (sensors["ME Temp"]["state"], sensors["ME Temp"]["health"]) == ("of another controller", "unknown")
    assert "4:2d 30" not in ipmi.asked()


def test_serial_numbers_on_request(ipmi):
    read_report = read(ipmi.target(), sections=report.SECTIONS)
    assert read_report["complete"], read_report["errors"]
    assert (read_report["system"]["manufacturer"], read_report["system"]["serial"]) == ("Contoso", f"SN{ipmi.port}")
    supplies = [part for part in read_report["components"] if part["kind"] == "psu"]
    assert [part["serial"] for part in supplies] == [f"PSU{ipmi.port}", None]


def test_a_key_of_the_bmc_itself(ipmi):
    ipmi.set(kg="kg-of-20-characters!")
    assert read(ipmi.target(kg="kg-of-20-characters!"), sections=["power"])["complete"]
    wrong = read(ipmi.target(kg="not-it"), sections=["power"])
    assert kinds(wrong) == ["auth_failed"]
    assert "Kg" in wrong["errors"][0]["msg"]


def test_two_bmcs_of_one_model_show_their_own_sensors(at_hand):
    first, second = at_hand.popleft(), at_hand.popleft()
    first.set(records=[0, 1], sdr_time=1700000000)
    second.set(
        sdr_time=1700000000, sensors={"1": [24, 0, 0], "2": [55, 0, 0], "3": [0, 3, 0], "4": [0, 1, 0], "5": [0, 64, 0], "6": [0, 1, 0]}
    )
    reports = checking.many([first.target(), second.target()])
    assert list(named(reports[0]["sensors"])) == ["Inlet Temp", "Fan1A"]
    assert list(named(reports[1]["sensors"])) == ["Inlet Temp", "Fan1A", "PS1 Status", "Drive 1", "DIMM A1", "PS2 Status"]
    assert [one["health"]["overall"] for one in reports] == ["ok", "critical"]


def test_as_many_power_reads_as_asked_for_each_a_command_of_its_own(ipmi):
    read_report = read(ipmi.target(power_reads=4, power_read_interval=0.2), sections=["power"])
    assert read_report["power"]["reads"] == ["on"] * 4
    assert ipmi.asked().count("0:1") == 4
    assert read_report["seconds"] >= 0.6


def test_other_sections_are_read_between_the_power_reads(ipmi):
    read_report = read(ipmi.target(power_reads=3, power_read_interval=0.05))
    asked = [line.split()[0] for line in ipmi.asked()]
    last = len(asked) - 1 - asked[::-1].index("0:1")
    assert read_report["power"]["reads"] == ["on"] * 3
    assert "4:2d" in asked[asked.index("0:1") : last]


def test_events_with_what_was_taken_back_and_since_when(ipmi):
    ipmi.set(
        log=[
            entry(DRIVE, 4, DRIVE_FAULT, ago=7200),
            entry(POWER_SUPPLY, 3, FAILURE, ago=600),
            entry(POWER_SUPPLY, 3, FAILURE, ago=300, deasserted=True),
            entry(MEMORY, 5, UNCORRECTABLE, ago=60),
        ]
    )
    everything = read(ipmi.target(), sections=["sensors", "events"])["events"]
    assert [(event["message"], event["repaired"]) for event in everything["entries"]] == [
        ("Drive 1: Drive fault", None),
        ("PS1 Status: Failure", True),
        ("DIMM A1: Uncorrectable error", None),
    ]
    assert (everything["read"], everything["complete"], everything["overflow"], everything["since"]) == (4, True, False, None)
    late = read(ipmi.target(), sections=["events"], since=trees.now(-1000))["events"]
    assert [event["about"] for event in late["entries"]] == ["Power Supply", "Memory"]
    assert (late["read"], late["complete"]) == (4, True)


@pytest.mark.parametrize("days", [-3, 3])
def test_a_clock_that_is_days_off_hides_no_event(ipmi, days):
    ahead = days * 86400
    ipmi.set(
        clock_ahead=ahead, log=[entry(DRIVE, 4, DRIVE_FAULT, ago=7200, ahead=ahead), entry(MEMORY, 5, UNCORRECTABLE, ago=60, ahead=ahead)]
    )
    read_report = read(ipmi.target(), since=trees.now(-600))
    assert abs(read_report["clock_skew_s"] - ahead) <= 2
    assert [event["message"] for event in read_report["events"]["entries"]] == ["DIMM A1: Uncorrectable error"]
    assert read_report["complete"]


def test_an_event_from_before_the_clock_was_set_counts_as_late(ipmi):
    ipmi.set(log=[unset_entry(MEMORY, 5, UNCORRECTABLE)])
    events = read(ipmi.target(), sections=["events"], since=trees.now(-600))["events"]
    assert [(event["time"], event["severity"]) for event in events["entries"]] == [(None, "critical")]


def test_a_clock_that_was_set_while_the_log_grew(ipmi):
    ahead = 4 * 86400
    ipmi.set(
        log=[
            entry(MEMORY, 5, UNCORRECTABLE, ago=60, ahead=-ahead),
            entry(SYSTEM_EVENT, 0x10, 5, ago=30, ahead=-ahead, data=b"\x00"),
            entry(SYSTEM_EVENT, 0x10, 5, ago=30, data=b"\x80"),
        ]
    )
    events = read(ipmi.target(), sections=["events"], since=trees.now(-600))["events"]
    assert [event["about"] for event in events["entries"]] == ["Memory"]


def test_a_log_that_has_lost_entries_is_not_complete(ipmi):
    ipmi.set(log=[entry(DRIVE, 4, DRIVE_FAULT, ago=60)], log_overflow=True, log_erased=0)
    read_report = read(ipmi.target())
    assert (read_report["events"]["overflow"], read_report["events"]["complete"]) == (True, False)
    assert len(read_report["events"]["entries"]) == 1


def test_a_log_that_was_cleared_says_when(ipmi):
    erased = int(time.time()) - 500
    ipmi.set(log_erased=erased + 7200, clock_ahead=7200)
    cleared = read(ipmi.target(), sections=["bmc", "events"])["events"]["cleared_at"]
    assert abs(clock.parse(cleared) - erased) <= 2


def test_records_of_a_vendor_are_unknown_and_not_ok(ipmi):
    ipmi.set(log=["0000c0" + "10203040" + "570100" + "112233445566"])
    (event,) = read(ipmi.target(), sections=["events"])["events"]["entries"]
    assert event["severity"] == "unknown"


def test_an_override_of_the_boot_device_that_is_still_set(ipmi):
    ipmi.set(boot=[0x80, 0x04, 0, 0, 0])
    assert read(ipmi.target(), sections=["system"])["system"]["boot_override"] == "pxe"


def test_the_led(ipmi):
    ipmi.set(identify=False)
    planned = checking.identify(ipmi.target(), "on", check=True)
    assert (planned["before"], planned["after"], planned["changed"]) == ("off", "on", True)
    assert not any(line.startswith("0:4") for line in ipmi.asked())
    on, again, off = (checking.identify(ipmi.target(), state) for state in ("on", "on", "off"))
    assert [(one["before"], one["after"], one["changed"]) for one in (on, again, off)] == [
        ("off", "on", True),
        ("on", "on", False),
        ("on", "off", True),
    ]
    assert [line for line in ipmi.asked() if line.startswith("0:4")] == ["0:4 0001", "0:4 00"]
    assert on["method"] == "chassis_identify" and on["errors"] == []


def test_a_led_that_the_bmc_refuses_is_an_error(ipmi):
    ipmi.set(identify=False, codes={"0:4": 0xC1})
    refused = checking.identify(ipmi.target(), "on")
    assert (refused["changed"], kinds(refused)) == (False, ["bmc_error"])
