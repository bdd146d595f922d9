# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Readings of Debian's ipmi_sim agree with what ipmitool, asked independently, says."""

from __future__ import annotations

from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import checking
from ansible_collections.baremetal.maintenance.tests.integration.bmc.asking import kinds, named, read
from ansible_collections.baremetal.maintenance.tests.lab.bmc.ipmi_sim import OPERATOR, OPERATOR_PASSWORD

#: Of the simulator's log.
PLACES = 64


def test_power_sensors_and_events_agree_with_ipmitool(ipmi_sim):
    ipmi_sim.ipmitool("sel", "time", "set", "now")
    ipmi_sim.console("sensor_set_bit 0x20 0 4 1 1 1")
    report = read(ipmi_sim.target())
    assert report["complete"], report["errors"]

    assert f"Chassis Power is {report['power']['state']}" in ipmi_sim.ipmitool("chassis", "power", "status")
    theirs, ours = ipmi_sim.sensors(), named(report["sensors"])
    assert set(ours) == set(theirs)
    assert theirs["Inlet Temp"][-1] == f"{ours['Inlet Temp']['value']:g} degrees C"
    assert theirs["Fan1A"][-1] == f"{ours['Fan1A']['value']:g} {ours['Fan1A']['unit']}"
    assert theirs["Drive 1"][-1] == "Drive Present, Drive Fault" and ours["Drive 1"]["health"] == "critical"
    assert theirs["PS1 Status"][-1] == "Presence detected" and ours["PS1 Status"]["health"] == "ok"

    (event,) = report["events"]["entries"]
    assert "Drive 1 | Drive Fault | Asserted" in ipmi_sim.ipmitool("sel", "elist")
    assert (event["message"], event["severity"]) == ("Drive 1: Drive fault", "critical")
    assert event["time"] is not None
    assert abs(report["clock_skew_s"]) <= 2
    assert report["bmc"] == {"firmware": "9.08", "model": None, "cipher": 3, "pending": None}


def test_a_log_that_runs_over_is_said_as_ipmitool_says_it(ipmi_sim):
    ipmi_sim.console(*(f"sensor_set_bit 0x20 0 4 1 {state} 1" for state in (1, 0) * PLACES))
    assert "true" in overflow(ipmi_sim)
    events = read(ipmi_sim.target(), sections=["events"])["events"]
    assert (events["overflow"], events["complete"]) == (True, False)
    ipmi_sim.ipmitool("sel", "clear")
    assert "false" in overflow(ipmi_sim)
    assert read(ipmi_sim.target(), sections=["events"])["events"]["overflow"] is False


def overflow(ipmi_sim):
    (line,) = [line for line in ipmi_sim.ipmitool("sel", "info").splitlines() if line.startswith("Overflow")]
    return line


def test_the_power_state_is_followed(ipmi_sim):
    ipmi_sim.ipmitool("chassis", "power", "off")
    assert read(ipmi_sim.target(), sections=["power"])["power"]["state"] == "off"
    ipmi_sim.ipmitool("chassis", "power", "on")
    assert read(ipmi_sim.target(), sections=["power"])["power"]["state"] == "on"


def test_a_power_state_that_cannot_be_read_is_unknown_and_the_rest_is_read(ipmi_sim):
    ipmi_sim.write("power.fail", "1")
    report = read(ipmi_sim.target())
    assert (report["power"]["state"], report["power"]["faults_known"]) == ("unknown", False)
    assert (report["sections"]["power"], report["sections"]["sensors"]) == ("error", "ok")
    assert kinds(report) == ["bmc_error"]
    assert not report["complete"]


def test_names_on_which_the_library_never_ends_are_read(packed_ipmi_sim):
    report = read(packed_ipmi_sim.target())
    assert report["complete"], report["errors"]
    assert list(named(report["sensors"])) == ["Inlet Temp", "Fan1A", "PS1 Status", "Drive 1", "DIMM A1"]


def test_serial_numbers_that_the_library_cannot_read(ipmi_sim):
    assert "SIM-1" in ipmi_sim.ipmitool("fru", "print", "0")
    report = read(ipmi_sim.target(), sections=["fru"])
    assert report["complete"], report["errors"]
    assert (report["system"]["manufacturer"], report["system"]["serial"]) == ("Contoso", "SIM-1")


def test_an_operator_is_enough(ipmi_sim):
    report = read(ipmi_sim.target(username=OPERATOR, password=OPERATOR_PASSWORD))
    assert report["complete"], report["errors"]


def test_a_wrong_password_and_an_unknown_user_are_told_apart_from_a_bmc_that_is_away(ipmi_sim):
    wrong = read(ipmi_sim.target(password="not-it", retries=2))
    unknown = read(ipmi_sim.target(username="nobody", retries=2))
    assert kinds(wrong) == kinds(unknown) == ["auth_failed"]
    assert "password" in wrong["errors"][0]["msg"] and "user" in unknown["errors"][0]["msg"]
    assert not wrong["reachable"]


def test_the_led_is_set_although_the_reply_says_that_it_is_not(ipmi_sim):
    on = checking.identify(ipmi_sim.target(), "on")
    for_a_while = checking.identify(ipmi_sim.target(), "on", seconds=20)
    off = checking.identify(ipmi_sim.target(), "off")
    told = (ipmi_sim.folder / "identify").read_text().splitlines()
    assert [line.strip() for line in told] == ["0 1", "20 0", "0 0"]
    assert [one["errors"] for one in (on, for_a_while, off)] == [[], [], []]
    assert [one["changed"] for one in (on, for_a_while, off)] == [True, True, True]
    assert on["after"] == "unknown"
