# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Readings over Redfish: where machines really keep their facts, and what they leave out."""

from __future__ import annotations

import pytest
from ansible_collections.baremetal.maintenance.tests.integration.bmc.asking import kinds, named, read
from ansible_collections.baremetal.maintenance.tests.lab.bmc import trees
from ansible_collections.baremetal.maintenance.tests.lab.bmc.static_redfish import DELETE, StaticRedfish
from ansible_collections.baremetal.maintenance.tests.lab.bmc.trees import ok, ref

SYSTEM, CHASSIS, MANAGER = "/redfish/v1/Systems/1", "/redfish/v1/Chassis/1", "/redfish/v1/Managers/1"
LOG = f"{SYSTEM}/LogServices/SEL/Entries"


def of_kind(report, kind):
    return [part for part in report["components"] if part["kind"] == kind]


def test_a_healthy_machine(redfish):
    report = read(redfish.target())
    assert report["complete"], report["errors"]
    assert report["health"] == {"overall": "ok", "rollup": "ok", "state": "enabled", "unknown": 0}
    assert report["power"] == {"state": "on", "reads": ["on"], "faults": [], "faults_known": False}
    assert report["system"] == {
        "uri": SYSTEM,
        "manufacturer": "Contoso",
        "model": "Lab 1U",
        "serial": "SYS1",
        "memory_mb": 65536,
        "cpus": 2,
        "boot_override": "none",
        "virtual_media": [],
    }
    counts = {kind: len(of_kind(report, kind)) for kind in ("cpu", "memory", "drive", "controller", "psu", "chassis", "bmc")}
    assert counts == {"cpu": 2, "memory": 4, "drive": 2, "controller": 1, "psu": 2, "chassis": 1, "bmc": 1}
    assert report["bmc"] == {"firmware": "2.5", "model": "LabBMC", "cipher": None, "pending": None}
    assert [sensor["type"] for sensor in report["sensors"]] == ["temperature", "fan", "fan"]
    assert report["requests"] == len(redfish.requests)


def test_only_what_is_asked_for_is_read(redfish):
    report = read(redfish.target(), sections=["power"])
    assert (report["sections"], report["complete"]) == ({"power": "ok"}, True)
    assert len(redfish.requests) == 3


def test_power_reads_are_requests_of_their_own(redfish):
    report = read(redfish.target(power_reads=3, power_read_interval=0.1), sections=["power"])
    assert report["power"]["reads"] == ["on"] * 3
    assert redfish.requests.count(("GET", SYSTEM)) == 3


@pytest.mark.parametrize("word, state", [("Off", "off"), ("PoweringOn", "poweringon"), ("Reset", "unknown"), (None, "unknown")])
def test_power_states(redfish, word, state):
    redfish.patch(SYSTEM, {"PowerState": word})
    report = read(redfish.target(), sections=["power"])
    assert report["power"]["state"] == state
    assert report["sections"]["power"] == "ok"


def test_a_roll_up_of_ok_hides_no_part(redfish):
    redfish.patch(f"{CHASSIS}/PowerSubsystem/PowerSupplies/2", {"Status.Health": "Warning"})
    redfish.patch(f"{SYSTEM}/Memory/D3", {"Status.Health": "Critical"})
    report = read(redfish.target())
    assert (report["health"]["rollup"], report["health"]["overall"]) == ("ok", "critical")
    assert named(report["components"])["PSU 2"]["health"] == "warning"
    assert named(report["components"])["DIMM 3"]["health"] == "critical"


@pytest.mark.parametrize("status", [None, {}, {"Health": "", "HealthRollup": ""}, {"State": "Enabled", "Health": "Degraded"}])
def test_a_health_that_says_nothing_is_unknown_and_the_others_are_still_read(redfish, status):
    redfish.patch(f"{SYSTEM}/Memory/D2", {"Status": status})
    redfish.patch(SYSTEM, {"Status": status})
    report = read(redfish.target())
    assert report["complete"], report["errors"]
    assert report["health"]["rollup"] == "unknown"
    assert [part["health"] for part in of_kind(report, "memory")] == ["ok", "unknown", "ok", "ok"]
    assert report["health"]["unknown"] == 1


def test_a_part_without_a_status_member(redfish):
    redfish.patch(f"{SYSTEM}/Memory/D2", {"Status": DELETE})
    assert [part["health"] for part in of_kind(read(redfish.target()), "memory")] == ["ok", "unknown", "ok", "ok"]


def test_absent_parts_are_no_fault(redfish):
    redfish.patch(f"{SYSTEM}/Storage/1/Drives/Bay2", {"Status": {"State": "Absent", "Health": "Critical"}, "FailurePredicted": True})
    redfish.patch(f"{CHASSIS}/Power", {"PowerSupplies.1.Status": {"State": "Absent", "Health": "Warning"}})
    redfish.patch(f"{CHASSIS}/PowerSubsystem/PowerSupplies/2", {"Status": {"State": "Absent", "Health": "Warning"}})
    report = read(redfish.target())
    drive, supply = named(report["components"])["Bay2"], named(report["components"])["PSU 2"]
    assert (drive["state"], drive["health"], drive["failure_predicted"]) == ("absent", "unknown", None)
    assert (supply["state"], supply["health"]) == ("absent", "unknown")
    assert report["health"]["overall"] == "ok"


def test_a_drive_that_will_fail(redfish):
    redfish.patch(f"{SYSTEM}/Storage/1/Drives/Bay1", {"FailurePredicted": True, "PredictedMediaLifeLeftPercent": 4})
    drive = named(read(redfish.target())["components"])["Bay1"]
    assert (drive["failure_predicted"], drive["media_life_left_pct"], drive["health"]) == (True, 4, "warning")


def test_drives_that_only_the_chassis_lists():
    tree = trees.machine()
    bays = tree[f"{SYSTEM}/Storage/1"].pop("Drives")
    del tree[f"{SYSTEM}"]["Storage"]
    tree[f"{CHASSIS}/Drives"] = {"@odata.id": f"{CHASSIS}/Drives", "Members": bays}
    tree[CHASSIS]["Drives"] = ref(f"{CHASSIS}/Drives")
    tree[CHASSIS]["Links"]["Drives"] = bays
    with StaticRedfish(tree) as bmc:
        report = read(bmc.target())
    assert [part["serial"] for part in of_kind(report, "drive")] == ["SYS1-B1", "SYS1-B2"]


def test_no_drive_anywhere_is_not_ok_but_absent():
    with StaticRedfish(trees.machine(drives=0)) as bmc:
        report = read(bmc.target())
    assert report["sections"]["storage"] == "absent"
    assert report["complete"]


def test_a_bay_that_one_place_calls_empty_and_another_does_not():
    tree = trees.machine(drives=1)
    place = {"PhysicalLocation": {"PartLocation": {"ServiceLabel": "Slot 0"}}, "SerialNumber": "", "FailurePredicted": True}
    tree[f"{SYSTEM}/Storage/1/Drives/Bay1"].update({**place, "Status": {"State": "Absent"}})
    tree[f"{CHASSIS}/Drives/Bay1"] = {"@odata.id": f"{CHASSIS}/Drives/Bay1", "Id": "Bay1", **place, "Status": {"State": "Enabled"}}
    tree[CHASSIS]["Links"]["Drives"] = [ref(f"{CHASSIS}/Drives/Bay1")]
    with StaticRedfish(tree) as bmc:
        (drive,) = of_kind(read(bmc.target()), "drive")
    assert (drive["state"], drive["failure_predicted"]) == ("absent", None)


def test_drives_of_simple_storage_where_there_is_nothing_else():
    tree = trees.machine(drives=0)
    trees.collection(
        tree,
        f"{SYSTEM}/SimpleStorage",
        [{"Id": "1", "Devices": [{"Name": "SATA Bay 1", "Status": ok()}, {"Name": "SATA Bay 2", "Status": ok(health="Warning")}]}],
    )
    tree[SYSTEM]["SimpleStorage"] = ref(f"{SYSTEM}/SimpleStorage")
    with StaticRedfish(tree) as bmc:
        assert [part["health"] for part in of_kind(read(bmc.target()), "drive")] == ["ok", "warning"]


@pytest.mark.parametrize("serials", [("P1", "P2"), ("", "")], ids=["with serial numbers", "without"])
def test_a_supply_in_both_resources_is_one(redfish, serials):
    for position, serial in enumerate(serials):
        redfish.patch(
            f"{CHASSIS}/Power", {f"PowerSupplies.{position}.SerialNumber": serial, f"PowerSupplies.{position}.Name": "HpeServerPowerSupply"}
        )
        redfish.patch(f"{CHASSIS}/PowerSubsystem/PowerSupplies/{position + 1}", {"SerialNumber": serial})
    redfish.patch(f"{CHASSIS}/Power", {"PowerSupplies.1.Status.Health": "Warning"})
    supplies = of_kind(read(redfish.target()), "psu")
    assert [(part["health"], part["watts"]) for part in supplies] == [("ok", 210), ("warning", 210)]


@pytest.mark.parametrize("member", ["Power", "PowerSubsystem"])
def test_one_of_the_two_resources_is_enough(redfish, member):
    redfish.patch(CHASSIS, {member: DELETE})
    report = read(redfish.target())
    assert len(of_kind(report, "psu")) == 2
    assert report["complete"], report["errors"]


def test_a_chassis_without_power_beside_one_that_has_it():
    tree = trees.machine()
    tree["/redfish/v1/Chassis/2"] = {"@odata.id": "/redfish/v1/Chassis/2", "Id": "2", "Name": "Expander", "Status": ok()}
    tree["/redfish/v1/Chassis"]["Members"].append(ref("/redfish/v1/Chassis/2"))
    with StaticRedfish(tree) as bmc:
        report = read(bmc.target())
    assert (len(of_kind(report, "psu")), len(of_kind(report, "chassis")), report["complete"]) == (2, 2, True)


def test_sensors_of_new_machines():
    tree = trees.machine()
    del tree[CHASSIS]["Thermal"]
    sensors = [
        {
            "Id": "T1",
            "Name": "CPU 1",
            "Reading": 61.5,
            "ReadingType": "Temperature",
            "ReadingUnits": "Cel",
            "Thresholds": {"UpperCritical": {"Reading": 95}},
        },
        {"Id": "F1", "Name": "Fan rear", "Reading": 9800, "ReadingType": "Rotational", "ReadingUnits": "RPM"},
        {"Id": "S1", "Name": "SSD 0", "Reading": None, "ReadingType": "Temperature", "Status": {"State": "Absent", "Health": "Critical"}},
    ]
    trees.collection(tree, f"{CHASSIS}/Sensors", [{"Status": ok(), **sensor} for sensor in sensors])
    tree[CHASSIS]["Sensors"] = ref(f"{CHASSIS}/Sensors")
    tree[f"{CHASSIS}/ThermalSubsystem"] = {"Fans": ref(f"{CHASSIS}/ThermalSubsystem/Fans"), "LeakDetection": ref(f"{CHASSIS}/Leaks")}
    tree[CHASSIS]["ThermalSubsystem"] = ref(f"{CHASSIS}/ThermalSubsystem")
    trees.collection(
        tree,
        f"{CHASSIS}/ThermalSubsystem/Fans",
        [{"Id": "1", "Name": "Fan 1", "SpeedPercent": {"Reading": 40, "SpeedRPM": 2200}, "Status": ok()}],
    )
    tree[f"{CHASSIS}/Leaks"] = {"LeakDetectors": ref(f"{CHASSIS}/Leaks/D")}
    trees.collection(tree, f"{CHASSIS}/Leaks/D", [{"Id": "1", "Name": "Manifold", "DetectorState": "Critical", "Status": ok()}])
    with StaticRedfish(tree) as bmc:
        found = named(read(bmc.target())["sensors"])
    assert {name: (one["type"], one["value"], one["unit"], one["health"]) for name, one in found.items()} == {
        "Fan 1": ("fan", 2200, "RPM", "ok"),
        "Manifold": ("leak", None, None, "critical"),
        "CPU 1": ("temperature", 61.5, "C", "ok"),
        "Fan rear": ("fan", 9800, "RPM", "ok"),
        "SSD 0": ("temperature", None, None, "unknown"),
    }
    assert found["CPU 1"]["critical_high"] == 95


def test_readings_that_are_no_numbers(redfish):
    redfish.patch(f"{CHASSIS}/Thermal", {"Temperatures.0.ReadingCelsius": "N/A", "Fans.0.Reading": None, "Fans.0.MemberId": DELETE})
    redfish.patch(f"{CHASSIS}/Power", {"PowerSupplies.0.LastPowerOutputWatts": "325W"})
    report = read(redfish.target())
    assert report["complete"], report["errors"]
    assert [sensor["value"] for sensor in report["sensors"]] == [None, None, 5400]
    assert of_kind(report, "psu")[0]["watts"] == 325


@pytest.mark.parametrize("status, state", [(404, "absent"), (501, "absent"), (500, "error"), (403, "error")])
def test_a_resource_that_is_missing_or_fails_is_a_matter_of_its_section(redfish, status, state):
    redfish.fault(f"{SYSTEM}/Memory", status=status)
    report = read(redfish.target())
    assert report["sections"]["memory"] == state
    assert {name: one for name, one in report["sections"].items() if one != "ok" and name != "memory"} == {"tasks": "absent"}
    assert report["complete"] == (state == "absent")


def test_a_member_that_fails_is_an_error_and_loses_no_other(redfish):
    redfish.fault(f"{SYSTEM}/Memory/D2", status=500)
    report = read(redfish.target())
    assert [part["name"] for part in of_kind(report, "memory")] == ["DIMM 1", "DIMM 3", "DIMM 4"]
    assert (report["sections"]["memory"], kinds(report)) == ("error", ["bmc_error"])


def test_storage_that_is_not_ready_is_an_error_of_its_section_and_no_fault_of_a_drive(redfish):
    redfish.fault(f"{SYSTEM}/Storage", status=503, message="ResourceNotReadyRetry")
    report = read(redfish.target())
    assert of_kind(report, "drive") == []
    assert (report["sections"]["storage"], report["health"]["overall"]) == ("error", "ok")


def test_a_get_that_fails_once_is_repeated(redfish):
    redfish.fault(f"{SYSTEM}/Memory", status=503, times=1)
    redfish.fault(f"{SYSTEM}/Processors", close=True, times=1)
    report = read(redfish.target())
    assert report["complete"], report["errors"]


def two_systems():
    tree = trees.machine()
    tree["/redfish/v1/Systems/Baseboard"] = {
        "@odata.id": "/redfish/v1/Systems/Baseboard",
        "Id": "Baseboard",
        "PowerState": "Off",
        "Status": ok(),
    }
    tree["/redfish/v1/Systems"]["Members"].append(ref("/redfish/v1/Systems/Baseboard"))
    tree["/redfish/v1/Chassis/B"] = {
        "@odata.id": "/redfish/v1/Chassis/B",
        "Id": "B",
        "Status": ok(),
        "Links": {"ComputerSystems": [ref("/redfish/v1/Systems/Baseboard")]},
    }
    tree["/redfish/v1/Chassis"]["Members"].append(ref("/redfish/v1/Chassis/B"))
    return tree


def test_several_systems_are_listed_and_one_has_to_be_named():
    with StaticRedfish(two_systems()) as bmc:
        unclear = read(bmc.target())
        first = read(bmc.target(system="1"))
        second = read(bmc.target(system="/redfish/v1/Systems/Baseboard/"))
        wrong = read(bmc.target(system="3"))
    assert kinds(unclear) == ["several_systems"] and "1, Baseboard" in unclear["errors"][0]["msg"]
    assert unclear["reachable"] and not unclear["complete"]
    assert [part["name"] for part in of_kind(first, "chassis")] == ["1"] and first["power"]["state"] == "on"
    assert [part["name"] for part in of_kind(second, "chassis")] == ["B"] and second["power"]["state"] == "off"
    assert kinds(wrong) == ["system_not_found"] and "1, Baseboard" in wrong["errors"][0]["msg"]


def test_a_root_that_says_nothing(redfish):
    redfish.tree["/redfish/v1"] = None
    report = read(redfish.target())
    assert report["complete"], report["errors"]


def test_a_boot_override_and_virtual_media_that_are_left_over(redfish):
    redfish.patch(SYSTEM, {"Boot": {"BootSourceOverrideEnabled": "Once", "BootSourceOverrideTarget": "Pxe"}})
    redfish.patch(f"{MANAGER}/VirtualMedia/Cd", {"Inserted": True, "Image": "http://images/rescue.iso"})
    system = read(redfish.target())["system"]
    assert (system["boot_override"], system["virtual_media"]) == ("pxe", ["http://images/rescue.iso"])


def log_of(*entries, **service):
    tree = trees.machine()
    tree[LOG]["Members"] = list(entries)
    tree[f"{SYSTEM}/LogServices/SEL"].update(service)
    return tree


def events_of(tree, **how):
    with StaticRedfish(tree) as bmc:
        return read(bmc.target(), **how)["events"]


def test_events_that_are_not_ok_with_what_is_repaired():
    events = events_of(
        log_of(
            trees.event(1, "OK", "Host started"),
            trees.event(2, "Critical", "DIMM failed", trees.now(-9000), Oem={"Hpe": {"Repaired": False, "ClassDescription": "UEFI"}}),
            trees.event(3, "Warning", "Fan slow", Resolved=True),
            trees.event(4, None, "Something", "0000-00-00T00:00:00Z"),
        )
    )
    assert [(one["id"], one["severity"], one["repaired"], one["about"]) for one in events["entries"]] == [
        ("2", "critical", False, "UEFI"),
        ("3", "warning", True, None),
        ("4", "unknown", None, None),
    ]
    assert (events["read"], events["complete"], events["entries"][2]["time"]) == (4, True, None)


def test_since_keeps_what_is_late_has_no_time_or_is_critical_and_not_repaired():
    events = events_of(
        log_of(
            trees.event(1, "Critical", "old", trees.now(-9000)),
            trees.event(2, "Critical", "old and still there", trees.now(-9000), Oem={"Hpe": {"Repaired": False}}),
            trees.event(3, "Warning", "old, not repaired", trees.now(-9000), Oem={"Hpe": {"Repaired": False}}),
            trees.event(4, "Critical", "old, but seen again", trees.now(-9000), Oem={"Hpe": {"Updated": trees.now(-60)}}),
            trees.event(5, "Warning", "late", trees.now(-60)),
            trees.event(6, "Warning", "never", "0000-00-00T00:00:00Z"),
        ),
        since=trees.now(-600),
    )
    assert [one["id"] for one in events["entries"]] == ["2", "4", "5", "6"]


def test_a_clock_that_is_three_days_off_hides_no_event():
    tree = log_of(
        trees.event(1, "Critical", "late", trees.now(-60 - 3 * 86400)), trees.event(2, "Critical", "old", trees.now(-9000 - 3 * 86400))
    )
    tree[MANAGER]["DateTime"] = trees.now(-3 * 86400)
    with StaticRedfish(tree) as bmc:
        report = read(bmc.target(), since=trees.now(-600))
    assert [one["message"] for one in report["events"]["entries"]] == ["late"]
    assert abs(report["clock_skew_s"] + 3 * 86400) < 30


@pytest.mark.parametrize(
    "policy, since, complete",
    [("WrapsWhenFull", None, True), ("WrapsWhenFull", -600, True), ("WrapsWhenFull", -9000, False), ("NeverOverWrites", None, False)],
)
def test_a_log_that_is_full(policy, since, complete):
    events = events_of(
        log_of(trees.event(1, "OK", "a", trees.now(-3600)), trees.event(2, "OK", "b"), MaxNumberOfRecords=2, OverWritePolicy=policy),
        since=None if since is None else trees.now(since),
    )
    assert (events["overflow"], events["complete"]) == (True, complete)


def test_pages_of_a_log_whose_newest_entries_come_first_are_read_back_to_the_time_that_counts():
    tree = log_of(trees.event(9, "Warning", "late", trees.now(-60)), trees.event(8, "Warning", "old", trees.now(-9000)))
    tree[LOG]["Members@odata.nextLink"] = f"{LOG}/page2"
    tree[f"{LOG}/page2"] = {"Members": [trees.event(7, "Critical", "older", trees.now(-9900))]}
    with StaticRedfish(tree) as bmc:
        since = read(bmc.target(), since=trees.now(-600))["events"]
        pages = [path for _method, path in bmc.requests if "page2" in path]
        everything = read(bmc.target())["events"]
    assert ([one["id"] for one in since["entries"]], since["complete"], pages) == (["9"], True, [])
    assert ([one["id"] for one in everything["entries"]], everything["complete"]) == (["9", "8", "7"], True)


def test_many_members_come_in_one_answer_where_the_service_can_do_that():
    tree = trees.machine(dimms=24)
    tree["/redfish/v1"]["ProtocolFeaturesSupported"] = {"ExpandQuery": {"Levels": True, "NoLinks": True}}
    whole = [tree[link["@odata.id"]] for link in tree[f"{SYSTEM}/Memory"]["Members"]]
    with StaticRedfish(tree) as bmc:
        without = read(bmc.target(), sections=["memory"])
        plain = len(bmc.requests)
        bmc.tree[f"{SYSTEM}/Memory".lower()]["Members"] = whole
        expanded = read(bmc.target(), sections=["memory"])
        asked = len(bmc.requests) - plain
    # A service that ignores the query, and one that does not: the same result.
    assert len(of_kind(without, "memory")) == len(of_kind(expanded, "memory")) == 24
    assert (plain, asked) == (3 + 1 + 1 + 24, 4)
