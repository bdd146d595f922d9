# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each rule: what meets it, what violates it, and when the report can't tell."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import checks, report, rules
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc.judge import judge

from .healthy import AFTER, BEFORE, EXPECTED, SINCE, event, failed, finished, ipmi, named, redfish

Whole = dict[str, t.Any]
Spoil = t.Callable[[Whole], t.Any]


def put(path: str, value: t.Any) -> Spoil:
    """Change one member of the report: `power.reads`, or a member of a part, `Disk 1/health`."""

    def spoil(whole: Whole) -> None:
        if "/" in path:
            name, member = path.split("/")
            named(whole, name)[member] = value
        else:
            *sections, member = path.split(".")
            for section in sections:
                whole = whole[section]
            whole[member] = value

    return spoil


def each(*spoils: Spoil) -> Spoil:
    def spoil(whole: Whole) -> None:
        for one in spoils:
            one(whole)

    return spoil


def unread(section: str) -> Spoil:
    return lambda whole: failed(whole, section)


def absent(section: str) -> Spoil:
    return put(f"sections.{section}", "absent")


def log(*events: Whole) -> Spoil:
    return put("events.entries", list(events))


def of_supplies(health: str, state: str) -> Spoil:
    """Add a sensor over IPMI that is about all supplies."""
    return lambda whole: whole["sensors"].append(report.sensor("PS Redundancy", "power supply", state=state, health=health))


def without(*kinds: str) -> Spoil:
    def spoil(whole: Whole) -> None:
        whole["components"] = [part for part in whole["components"] if part["kind"] not in kinds]

    return spoil


def found(whole: Whole, rule: str, **options: t.Any) -> dict[str, list[str]]:
    """Give what a rule says, by the list of the verdict that it says it in; lists in which it says nothing are left out."""
    verdict = judge(finished(whole), **options)
    said = {place: [entry["msg"] for entry in verdict[place] if entry["rule"] == rule] for place in ("blocking", "warnings", "not_checked")}
    return {place: messages for place, messages in said.items() if messages}


@pytest.mark.parametrize("fault", [None, *rules.FAULTS])
def test_a_healthy_machine_over_redfish_is_released_without_a_word(fault: str | None) -> None:
    verdict = judge(redfish(), fault=fault, expected=EXPECTED, since=SINCE, unknown_blocks=True)
    assert verdict == {
        "release": True,
        "blocking": [],
        "warnings": [],
        "not_checked": [{"rule": "R3", "msg": "Redfish has no fault bits of the chassis"}],
        "ignored": [],
    }


@pytest.mark.parametrize("fault", [None, *rules.FAULTS])
def test_a_healthy_machine_over_ipmi_is_released_without_a_warning(fault: str | None) -> None:
    verdict = judge(ipmi(), fault=fault, expected={"power_state": "on", "psus": 2}, since=SINCE, unknown_blocks=True)
    assert (verdict["release"], verdict["blocking"], verdict["warnings"]) == (True, [], [])


def test_without_expectations_and_without_a_time_a_healthy_machine_is_released_and_what_was_not_compared_is_named() -> None:
    verdict = judge(redfish())
    assert verdict["release"] and not verdict["warnings"]
    assert {entry["rule"] for entry in verdict["not_checked"]} == {"R2", "R3", "R6", "R9", "W3"}


def test_a_healthy_machine_that_is_off_is_released() -> None:
    whole = redfish()
    whole["power"]["reads"] = ["off", "off", "off"]
    named(whole, "Fan 1").update(value=0.0, health="critical")
    verdict = judge(finished(whole), expected={**EXPECTED, "power_state": "off"}, since=SINCE)
    assert verdict["release"] and not verdict["warnings"]


#: What a machine says that has lost the redundancy of its supplies, and an event that a cable leaves behind.
REDUNDANCY: t.Final = report.component("other", report.REDUNDANCY, health="warning")
LINK: t.Final = {"about": "Network", "message": "NIC Connectivity status changed to Link Failure for adapter in slot 1, port 1"}


def also(part: t.Mapping[str, t.Any]) -> Spoil:
    return lambda whole: whole["components"].append({**part})


#: Of each rule: how the report is spoiled, and a word of what is said.
VIOLATIONS: t.Final[list[tuple[str, str, Spoil, str]]] = [
    ("R1", "flapping", put("power.reads", ["on", "off", "on"]), "changes between reads: on, off, on"),
    ("R1", "flapping at the end", put("power.reads", ["on", "on", "off"]), "changes between reads"),
    ("R1", "powering on", put("power.reads", ["poweringon"] * 3), "poweringon, neither on nor off"),
    ("R1", "paused", put("power.reads", ["paused"] * 3), "paused, neither on nor off"),
    ("R2", "other power state", put("power.reads", ["off"] * 3), "the machine is off, and expected to be on"),
    ("R4", "critical roll-up", put("health.rollup", "critical"), "health of the system is critical"),
    ("R5", "critical module", put("DIMM 1/health", "critical"), "memory DIMM 1 (A1) is critical"),
    ("R5", "critical processor", put("CPU 2/health", "critical"), "cpu CPU 2 is critical"),
    ("R5", "critical controller", put("RAID/health", "critical"), "controller RAID is critical"),
    ("R5", "critical chassis", put("Chassis/health", "critical"), "chassis Chassis is critical"),
    ("R5", "predicted failure", put("Disk 1/failure_predicted", True), "drive Disk 1 predicts its failure"),
    ("R5", "worn media", put("Disk 1/media_life_left_pct", 10.0), "drive Disk 1 has 10 % of its life left"),
    ("R6", "critical supply", put("PSU 2/health", "critical"), "psu PSU 2 is critical"),
    *[
        ("R6", f"{state} supply", each(put("PSU 2/health", "warning"), put("PSU 2/state", state)), f"psu PSU 2 is warning and {state}")
        for state in ("disabled", "unavailableoffline")
    ],
    ("R6", "redundancy lost", also(REDUNDANCY), "the redundancy of the power supplies is lost"),
    ("R6", "redundancy lost to the last", also({**REDUNDANCY, "health": "critical"}), "the redundancy of the power supplies is lost"),
    ("R6", "supply gone", put("PSU 2/state", "absent"), "there are 1 power supplies, and 2 are expected"),
    ("R7", "hot", put("Inlet/value", 42.0), "sensor Inlet is at 42 C, its critical limit is 42 C"),
    ("R7", "critical sensor", put("Inlet/health", "critical"), "sensor Inlet is critical at 24 C"),
    ("R7", "fan stands still", put("Fan 1/value", 0.0), "fan Fan 1 stands still while the machine is on"),
    ("R7", "fan stands still and nobody knows", each(put("Fan 1/value", 0.0), put("power.reads", ["unknown"])), "fan Fan 1 stands still"),
    ("R8", "critical event", log(event()), f"a critical event was logged since {SINCE}"),
    ("R8", "critical event at that second", log(event(time=SINCE)), "a critical event was logged since"),
    ("R8", "old but not repaired", log(event(time=BEFORE, repaired=False)), "not marked as repaired"),
    ("R8", "link lost since", log(event(repaired=False, **LINK)), "not marked as repaired"),
    ("R8", "link lost at an unknown time", log(event(time=None, repaired=False, **LINK)), "not marked as repaired"),
    *[
        ("R8", f"old: {message}", log(event(time=BEFORE, repaired=False, about=about, message=message)), "not marked as repaired")
        for about, message in (
            ("UEFI", "DIMM Failure - Uncorrectable Memory Error (Processor 2, DIMM 4)"),
            ("CPU", "Uncorrectable Machine Check Exception (Processor 2)"),
            ("Network", "Uncorrectable PCI Express error on the link of the NIC in slot 1"),
            ("Network", "Adapter in slot 1 has failed"),
            ("Power", "Power supply 2 lost its connection to the management network"),
            ("Drive Array", "Link to the drive in bay 3 lost"),
            (None, "SAS link failure, disk in bay 3"),
            (None, "Something failed"),
            ("UEFI", "Network link lost"),
            ("System board", "Network link of the board failed"),
        )
    ],
    ("R8", "without a time, not repaired", log(event(time=None, repaired=False)), "not marked as repaired (log sel at an unknown time"),
    ("R9", "smaller memory", put("system.memory_mb", 61440), "there are 61440 MB of memory, and 65536 are expected"),
    ("R9", "one of 64 modules gone", put("system.memory_mb", 65536 - 1024), "MB of memory"),
    ("R9", "processor gone", put("system.cpus", 1), "there are 1 processors, and 2 are expected"),
    ("R9", "drive gone", put("Disk 1/state", "absent"), "there are 0 drives, and 1 are expected"),
    ("R9", "other part", put("DIMM 1/serial", "DIMM9"), "expected serial numbers DIMM1"),
    ("R9", "part that is absent", put("DIMM 1/state", "absent"), "expected serial numbers DIMM1"),
    ("R9", "other machine", put("system.serial", "OTHER"), "expected serial numbers MACHINE"),
    ("R9", "uncorrectable", log(event("unknown", message="Memory: Uncorrectable ECC")), "an uncorrectable error was logged"),
    ("R9", "uncorrectable and critical", log(event(message="DIMM Failure - Uncorrectable Memory Error")), "an uncorrectable error"),
    ("W1", "clock ahead", put("clock_skew_s", 301), "301 s ahead"),
    ("W1", "clock behind", put("clock_skew_s", -259200), "259200 s behind"),
    ("W2", "starting", put("health.state", "starting"), "the machine is starting: wait"),
    ("W2", "in test", put("health.state", "intest"), "the machine is intest"),
    ("W2", "updating", put("health.state", "updating"), "the machine is updating"),
    ("W2", "BMC starting", put("Manager/state", "starting"), "the BMC is starting"),
    ("W3", "other firmware", put("bmc.firmware", "2.50"), "firmware is 2.50, and 2.78 is expected"),
    ("W4", "boot override", put("system.boot_override", "pxe"), "a boot override is left over: pxe"),
    ("W4", "medium", put("system.virtual_media", ["http://images/rescue.iso"]), "left over: http://images/rescue.iso"),
    ("W6", "task", put("bmc.pending", ["BIOS configuration (Pending)"]), "a task that is not over: BIOS configuration (Pending)"),
    ("W5", "roll-up at warning", put("health.rollup", "warning"), "the health of the system is warning"),
    ("W5", "drive at warning", put("Disk 1/health", "warning"), "drive Disk 1 is warning"),
    ("W5", "supply at warning", put("PSU 1/health", "warning"), "psu PSU 1 is warning"),
    ("W5", "sensor at warning", put("Inlet/health", "warning"), "sensor Inlet is warning at 24 C"),
]


@pytest.mark.parametrize(("rule", "spoil", "said"), [pytest.param(r, s, m, id=f"{r} {name}") for r, name, s, m in VIOLATIONS])
def test_a_violation_does_what_the_rule_weighs(rule: str, spoil: Spoil, said: str) -> None:
    whole = redfish()
    spoil(whole)
    place = {"block": "blocking", "warn": "warnings"}[rules.BY_NAME[rule].severity]
    messages = found(whole, rule, expected=EXPECTED, since=SINCE)[place]
    assert [message for message in messages if said in message], messages


IPMI_VIOLATIONS: t.Final[list[tuple[str, str, Spoil, str]]] = [
    *[
        ("R3", bit, put("power.faults", [bit]), f"the chassis reports {bit.replace('_', ' ')}")
        for bit in ("overload", "interlock", "main_power_fault", "power_control_fault", "drive_fault", "cooling_fault")
    ],
    ("R4", "critical sensor", put("12V/health", "critical"), "sensors are critical: 12V"),
    ("R6", "supply gone", lambda whole: whole["components"].pop(), "there are 1 power supplies"),
    ("R6", "redundancy lost", of_supplies("warning", "Not redundant"), "the redundancy of"),
    ("R7", "critical sensor", put("12V/health", "critical"), "sensor 12V is critical at 12.1 V"),
]


@pytest.mark.parametrize(("rule", "spoil", "said"), [pytest.param(r, s, m, id=f"{r} {name}") for r, name, s, m in IPMI_VIOLATIONS])
def test_a_violation_over_ipmi_blocks(rule: str, spoil: Spoil, said: str) -> None:
    whole = ipmi()
    spoil(whole)
    messages = found(whole, rule, expected={"psus": 2})["blocking"]
    assert [message for message in messages if said in message], messages


def test_every_rule_is_violated_somewhere_above_and_has_its_check() -> None:
    assert {case[0] for case in [*VIOLATIONS, *IPMI_VIOLATIONS]} == set(rules.BY_NAME) == set(checks.CHECKS)


#: What must not be taken for a fault.
MET: t.Final[list[tuple[str, str, Spoil]]] = [
    ("R1", "one read", put("power.reads", ["off"])),
    ("R5", "drive with life left", put("Disk 1/media_life_left_pct", 10.1)),
    ("R5", "nothing known of the future", put("Disk 1/failure_predicted", None)),
    ("R5", "spinning disk", put("Disk 1/media_life_left_pct", None)),
    ("R5", "redundancy of supplies, which is R6's", also({**REDUNDANCY, "health": "critical"})),
    ("R5", "BMC without a health", put("Manager/health", "unknown")),
    ("R6", "supply at warning", put("PSU 2/health", "warning")),
    ("R6", "all supplies at warning", each(put("PSU 1/health", "warning"), put("PSU 2/health", "warning"))),
    ("R6", "spare supply", put("PSU 2/state", "standbyspare")),
    ("R6", "more supplies than expected", each(put("PSU 3/state", "enabled"), put("PSU 3/health", "ok"))),
    ("R7", "below the limit", put("Inlet/value", 41.9)),
    ("R7", "no limit", each(put("Inlet/value", 90.0), put("Inlet/critical_high", None))),
    ("R7", "sensor that is switched off", each(put("Fan 1/state", "disabled"), put("Fan 1/health", "critical"))),
    ("R7", "no reading of a fan", put("Fan 1/value", None)),
    ("R8", "old event", log(event(time=BEFORE))),
    ("R8", "repaired", log(event(repaired=True))),
    ("R8", "repaired link", log(event(repaired=True, **LINK))),
    ("R8", "warning", log(event("warning"))),
    ("R8", "cleared before", put("events.cleared_at", BEFORE)),
    ("R9", "memory counted in other units", put("system.memory_mb", 65000)),
    ("R9", "more memory", put("system.memory_mb", 131072)),
    ("R9", "old uncorrectable error", log(event("unknown", time=BEFORE, message="Uncorrectable ECC"))),
    ("R9", "repaired uncorrectable error", log(event(repaired=True, message="Uncorrectable ECC"))),
    ("R9", "correctable error", log(event("warning", message="Correctable ECC"))),
    ("W1", "five minutes", put("clock_skew_s", -300)),
    ("W4", "disk", put("system.boot_override", "hdd")),
    ("W5", "old warning in the log", log(event("warning", time=BEFORE))),
]


@pytest.mark.parametrize(("rule", "spoil"), [pytest.param(rule, spoil, id=f"{rule} {name}") for rule, name, spoil in MET])
def test_what_is_no_fault_is_not_taken_for_one(rule: str, spoil: Spoil) -> None:
    whole = redfish()
    spoil(whole)
    expected = {**EXPECTED, "power_state": None}
    assert found(whole, rule, expected=expected, since=SINCE, unknown_blocks=True) == {}


#: What the report can't tell: where the rule says so, and where if `unknown_blocks` is set.
UNKNOWN: t.Final[list[tuple[str, str, Spoil, str, str, str]]] = [
    ("R1", "BMC does not say", put("power.reads", ["unknown"] * 3), "blocking", "blocking", "does not say whether"),
    ("R1", "once it did not say", put("power.reads", ["on", "unknown", "on"]), "blocking", "blocking", "does not say whether"),
    (
        "R1",
        "two of three reads",
        each(put("power.reads", ["on", "on"]), unread("power")),
        "blocking",
        "blocking",
        "every time: HTTP status",
    ),
    ("R1", "no reads", each(put("power.reads", []), unread("power")), "blocking", "blocking", "every time: HTTP status"),
    ("R1", "not reached", lambda whole: whole["sections"].pop("power"), "blocking", "blocking", "could not be read every time"),
    ("R2", "BMC does not say", put("power.reads", ["on", "unknown"]), "blocking", "blocking", "expected to be on"),
    ("R4", "no roll-up", put("health.rollup", "unknown"), "not_checked", "blocking", "no health of the system"),
    ("R4", "no system", each(put("health.rollup", None), unread("system")), "not_checked", "blocking", "system: HTTP status 500"),
    ("R5", "module without a status", put("DIMM 1/health", "unknown"), "not_checked", "blocking", "no health of memory DIMM 1"),
    ("R5", "storage not read", unread("storage"), "not_checked", "blocking", "storage could not be read to the end: HTTP status 500"),
    ("R5", "storage not reached", lambda whole: whole["sections"].pop("storage"), "not_checked", "blocking", "storage could not be"),
    ("R5", "no storage offered", absent("storage"), "not_checked", "blocking", "tells nothing about storage"),
    ("R6", "supply without a status", put("PSU 1/health", "unknown"), "not_checked", "blocking", "no health of psu PSU 1"),
    (
        "R6",
        "not read",
        each(unread("psu"), without("psu")),
        "not_checked",
        "blocking",
        "2 power supplies are expected, and the BMC does not",
    ),
    ("R6", "not offered", each(absent("psu"), without("psu")), "not_checked", "blocking", "2 power supplies are expected, and the BMC"),
    ("R6", "supplies not read", unread("psu"), "not_checked", "blocking", "psu could not be read to the end: HTTP status 500"),
    ("R6", "no supplies offered", absent("psu"), "not_checked", "blocking", "tells nothing about psu"),
    ("R7", "sensor not read", put("Inlet/state", "unreadable 0xff"), "not_checked", "blocking", "sensors could not be read: Inlet"),
    ("R7", "sensors not read", unread("sensors"), "not_checked", "blocking", "sensors could not be read to the end"),
    ("R7", "no sensors offered", absent("sensors"), "not_checked", "blocking", "tells nothing about sensors"),
    ("R8", "log not read", unread("events"), "blocking", "blocking", "events could not be read to the end: HTTP status 500"),
    ("R8", "log overflowed", each(put("events.complete", False), put("events.overflow", True)), "blocking", "blocking", "overflowed"),
    ("R8", "log without its end", put("events.complete", False), "blocking", "blocking", "not read to its end"),
    ("R8", "event without a time", log(event(time=None)), "blocking", "blocking", f"may be from after {SINCE}"),
    ("R8", "no log offered", absent("events"), "not_checked", "blocking", "the BMC"),
    ("R9", "no memory size", put("system.memory_mb", None), "not_checked", "blocking", "does not say how much there is"),
    ("R9", "memory of a machine that is off", put("system.memory_mb", 0), "not_checked", "blocking", "does not say how much there is"),
    ("R9", "no processors", each(put("system.cpus", None), without("cpu"), unread("cpu")), "not_checked", "blocking", "2 processors are"),
    ("R9", "drives not read", each(without("drive"), unread("storage")), "not_checked", "blocking", "1 drives are expected"),
    ("R9", "serial not read", each(without("drive"), unread("storage")), "not_checked", "blocking", "does not list everything"),
    ("W1", "no clock", put("clock_skew_s", None), "not_checked", "not_checked", "clock could not be read"),
    (
        "R5",
        "accelerator without a status",
        also({**REDUNDANCY, "name": "GPU 1", "health": "unknown"}),
        "not_checked",
        "blocking",
        "other GPU 1",
    ),
    ("R7", "neither value nor health", each(put("Inlet/value", None), put("Inlet/health", "unknown")), "not_checked", "blocking", "Inlet"),
    (
        "R9",
        "0 processors of a machine that is off",
        each(put("system.cpus", 0), without("cpu"), absent("cpu")),
        "not_checked",
        "blocking",
        "2 processors are expected, and the BMC does not say",
    ),
    ("W2", "no state", put("health.state", None), "not_checked", "not_checked", "does not say what state the machine is in"),
    ("W4", "no override", put("system.boot_override", None), "not_checked", "not_checked", "does not say what the machine boots next"),
    ("W4", "no media offered", put("system.virtual_media", None), "not_checked", "not_checked", "tells nothing about virtual media"),
    ("W4", "media not read", unread("bmc"), "not_checked", "not_checked", "left over could not be read: HTTP status 500"),
    ("W6", "too many", put("bmc.pending", None), "not_checked", "not_checked", "more tasks than are looked at"),
    ("W6", "not read", unread("tasks"), "not_checked", "not_checked", "tasks could not be read to the end"),
    ("W6", "not offered", absent("tasks"), "not_checked", "not_checked", "tells nothing about tasks"),
    ("W3", "no firmware", put("bmc.firmware", None), "not_checked", "not_checked", "does not say what firmware it has"),
]


@pytest.mark.parametrize(
    ("rule", "spoil", "place", "strict", "said"), [pytest.param(r, s, p, x, m, id=f"{r} {name}") for r, name, s, p, x, m in UNKNOWN]
)
def test_what_the_report_cannot_tell_is_never_taken_for_well(rule: str, spoil: Spoil, place: str, strict: str, said: str) -> None:
    whole = redfish()
    spoil(whole)
    for unknown_blocks, where in ((False, place), (True, strict)):
        messages = found(whole, rule, expected=EXPECTED, since=SINCE, unknown_blocks=unknown_blocks)
        assert [message for message in messages[where] if said in message], messages


def test_fault_bits_that_could_not_be_read_block() -> None:
    whole = ipmi()
    whole["power"]["faults_known"] = False
    failed(whole, "power", "completion code 0xFF")
    assert found(whole, "R3")["blocking"] == ["the chassis' fault bits could not be read: completion code 0xFF"]


def test_a_machine_of_which_no_health_is_known_is_not_healthy_and_the_remedy_is_named() -> None:
    whole = redfish()
    whole["health"]["rollup"] = "unknown"
    for part in (*whole["components"], *whole["sensors"]):
        part["health"] = "unknown"
    assert "restart the BMC" in found(whole, "R4", fault=rules.POWER_FAILURE)["blocking"][0]


def test_where_no_health_is_known_because_it_was_not_read_the_reason_is_named() -> None:
    whole = redfish()
    whole.update(components=[], sensors=[], sections={"power": "ok"})
    whole["health"]["rollup"] = None
    failed(whole, "system", "HTTP status 503")
    assert found(whole, "R4")["blocking"] == ["the BMC reports no health at all: HTTP status 503"]


def test_over_ipmi_a_minimal_bmc_with_a_clean_chassis_status_is_no_unknown_machine() -> None:
    whole = ipmi()
    whole.update(components=[], sensors=[])
    assert found(whole, "R4") == {}


def test_over_ipmi_a_supply_is_counted_by_its_sensor_and_without_one_nobody_knows() -> None:
    whole = ipmi()
    whole["components"] = []
    said = found(whole, "R6", expected={"psus": 2})
    assert set(said) == {"not_checked"} and "2 power supplies are expected" in said["not_checked"][-1]
    said = found(whole, "R9", expected={"drives": 4})
    assert set(said) == {"not_checked"} and "4 drives are expected" in " ".join(said["not_checked"])


def test_over_ipmi_serial_numbers_are_compared_once_the_inventory_was_read() -> None:
    whole = ipmi()
    assert "does not list everything" in found(whole, "R9", expected={"serials": ["DISK1"]})["not_checked"][-1]
    whole["sections"]["fru"] = "ok"
    assert "nothing is there" in found(whole, "R9", expected={"serials": ["DISK1"]})["blocking"][0]


def test_over_ipmi_an_inventory_without_healths_is_no_unknown() -> None:
    whole = ipmi()
    whole["components"].append({**whole["components"][0], "kind": "memory", "name": "DIMM", "health": "unknown", "serial": "X"})
    assert set(found(whole, "R5", unknown_blocks=True)) == {"not_checked"}


@pytest.mark.parametrize(("name", "value"), [("12V", 0.0), ("Fan 1", 0.0)])
def test_a_value_of_nothing_on_a_machine_that_is_off_is_no_fault(name: str, value: float) -> None:
    whole = ipmi()
    whole["power"]["reads"] = ["off"]
    named(whole, name).update(value=value, health="critical")
    assert judge(finished(whole))["release"]


@pytest.mark.parametrize("name", ["Inlet", "PSU 1"])
def test_a_temperature_or_the_state_of_a_part_counts_on_a_machine_that_is_off(name: str) -> None:
    whole = ipmi()
    whole["power"]["reads"] = ["off"]
    next(sensor for sensor in whole["sensors"] if sensor["name"] == name)["health"] = "critical"
    assert found(whole, "R7")["blocking"]


def test_without_a_time_an_old_critical_event_warns_and_an_unrepaired_one_blocks() -> None:
    whole = redfish()
    log(event(time=BEFORE), event(time=AFTER, repaired=False))(whole)
    said = found(whole, "R8")
    assert "a critical event is in the log" in said["warnings"][0]
    assert "not marked as repaired" in said["blocking"][0]


@pytest.mark.parametrize("since", [None, SINCE])
def test_an_old_event_of_a_link_that_nobody_marked_as_repaired_warns_once(since: str | None) -> None:
    whole = redfish()
    log(event(time=BEFORE, repaired=False, **LINK), event(time=BEFORE, repaired=False, about=None, message="Ethernet link lost"))(whole)
    said = found(whole, "R8", since=since, unknown_blocks=True)
    assert set(said) == {"warnings"}
    assert [message.partition(" (")[0] for message in said["warnings"]] == [
        "an old critical event of a network link is not marked as repaired"
    ] * 2


def test_what_an_event_is_about_may_be_said_beside_its_message() -> None:
    whole = redfish()
    log(event(time=BEFORE, repaired=False, about="Network", message="Port 1: cable was pulled"))(whole)
    assert set(found(whole, "R8", since=SINCE)) == {"warnings"}


@pytest.mark.parametrize("health", ["ok", "unknown"])
def test_redundancy_that_is_not_lost_over_ipmi(health: str) -> None:
    whole = ipmi()
    of_supplies(health, "Redundant")(whole)
    assert set(found(whole, "R6")) == {"not_checked"}


def test_what_is_left_over_blocks_the_release_of_a_rescue_that_was_aborted_and_of_nothing_else() -> None:
    for spoil in (put("system.boot_override", "pxe"), put("system.virtual_media", ["http://images/rescue.iso"])):
        whole = redfish()
        spoil(whole)
        places = {fault: set(found(whole, "W4", fault=fault)) for fault in (None, *rules.FAULTS)}
        assert places.pop(rules.RESCUE_ABORT_FAILURE) == {"blocking"}
        assert set(map(frozenset, places.values())) == {frozenset({"warnings"})}


def test_what_may_be_left_over_but_was_not_read_blocks_that_release_only_if_what_is_unknown_is_to_block() -> None:
    whole = redfish()
    failed(whole, "bmc")
    whole["system"]["virtual_media"] = None
    how = {"fault": rules.RESCUE_ABORT_FAILURE}
    assert set(found(whole, "W4", **how)) == {"not_checked"}
    assert set(found(whole, "W4", **how, unknown_blocks=True)) == {"blocking"}


def test_tasks_that_could_not_be_read_are_told_of_once() -> None:
    whole = redfish()
    failed(whole, "tasks")
    whole["bmc"]["pending"] = None
    assert found(whole, "W6") == {"not_checked": ["tasks could not be read to the end: HTTP status 500"]}


def test_what_ipmi_does_not_know_never_blocks() -> None:
    for rule in ("W2", "W4", "W6"):
        options = {"fault": rules.RESCUE_ABORT_FAILURE, "rules": {rule: "block"}, "unknown_blocks": True}
        assert set(found(ipmi(), rule, **options)) == {"not_checked"}


def test_a_log_that_could_not_be_read_blocks_only_where_it_is_needed_and_is_named_elsewhere() -> None:
    whole = redfish()
    failed(whole, "events", "The BMC has no log")
    for fault in (None, *rules.FAULTS):
        needed = fault in (None, rules.CLEAN_FAILURE, rules.SERVICE_FAILURE)
        assert set(found(whole, "R8", fault=fault, since=SINCE)) == {"blocking" if needed else "not_checked"}
        assert judge(finished(whole), fault=fault, since=SINCE)["release"] is not needed


def test_events_of_unknown_severity_are_told_and_do_not_block() -> None:
    whole = redfish()
    log(event("unknown", message="OEM record"), event("unknown", message="OEM record"), event("unknown", time=BEFORE))(whole)
    assert found(whole, "R8", since=SINCE) == {"warnings": [f"2 events since {SINCE} say nothing about how severe they are"]}


def test_a_log_that_was_cleared_after_the_hold_began_is_told() -> None:
    whole = redfish()
    whole["events"]["cleared_at"] = AFTER
    assert "was cleared at" in found(whole, "R8", since=SINCE)["warnings"][0]
    whole["events"]["cleared_at"] = SINCE
    assert "was cleared at" in found(whole, "R8", since=SINCE)["warnings"][0]
    assert found(whole, "R8") == {}


def test_a_message_that_names_many_parts_stays_short() -> None:
    whole = redfish()
    whole["components"] += [{**whole["components"][2], "name": f"DIMM {number}", "health": "unknown"} for number in range(3, 15)]
    assert found(whole, "R5")["not_checked"][0].endswith("and 7 more")


def test_events_that_say_the_same_are_told_once_with_the_last_of_them() -> None:
    whole = redfish()
    log(*(event(time=time, repaired=False, message="Link down") for time in (BEFORE, AFTER, SINCE)), event(repaired=False))(whole)
    assert found(whole, "R8")["blocking"] == [
        f"a critical event is not marked as repaired (log sel, 3 times, the last {AFTER}: Link down)",
        f"a critical event is not marked as repaired (log sel {AFTER}: Fan failed)",
    ]
