# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is built in is compared by serial number, and what could not be read is no change."""

from __future__ import annotations

import json
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import report, snapshot

from .healthy import failed, ipmi, named, redfish

Spoil = t.Callable[[dict[str, t.Any]], t.Any]


def compared(before: dict[str, t.Any], after: dict[str, t.Any]) -> dict[str, t.Any]:
    """Give the comparison of two reports, whose snapshots were kept as JSON in between."""
    return snapshot.compare(json.loads(json.dumps(snapshot.take(before))), json.loads(json.dumps(snapshot.take(after))))


def changes(after: Spoil, before: Spoil = lambda whole: None) -> dict[str, t.Any]:
    one, other = redfish(), redfish()
    before(one)
    after(other)
    return compared(one, other)


def test_a_snapshot_has_the_parts_that_are_there_with_what_is_known_of_them() -> None:
    taken = snapshot.take(redfish())
    assert taken["system"] == "MACHINE"
    assert taken["unread"] == []
    assert [part["name"] for part in taken["parts"]] == [
        "CPU 1", "CPU 2", "DIMM 1", "Disk 1", "RAID", "PSU 1", "PSU 2", "Chassis", "Manager",
    ]  # fmt: skip
    assert taken["parts"][2] == {"kind": "memory", "name": "DIMM 1", "location": "A1", "serial": "DIMM1", "size_mb": 65536}


def test_nothing_changed_is_said_so() -> None:
    assert compared(redfish(), redfish()) == {
        "changed": False,
        "removed": [],
        "added": [],
        "replaced": [],
        "unsure": [],
        "fewer": [],
        "not_compared": [],
        "same_system": True,
    }


def test_a_part_with_another_serial_in_its_place_is_replaced() -> None:
    result = changes(lambda whole: named(whole, "DIMM 1").update(serial="DIMM9"))
    assert result["changed"]
    assert [(pair["before"]["serial"], pair["after"]["serial"]) for pair in result["replaced"]] == [("DIMM1", "DIMM9")]
    assert not (result["removed"] or result["added"] or result["unsure"])


def test_a_part_in_another_place_is_the_same_part() -> None:
    assert not changes(lambda whole: named(whole, "Disk 1").update(name="Disk 5", location="Bay 5"))["changed"]


def test_two_parts_that_changed_places_are_no_change() -> None:
    def swap(whole: dict[str, t.Any]) -> None:
        one, other = named(whole, "PSU 1"), named(whole, "PSU 2")
        one["serial"], other["serial"] = other["serial"], one["serial"]

    assert not changes(swap)["changed"]


def test_a_part_that_is_gone_is_removed_and_one_that_came_is_added() -> None:
    gone = changes(lambda whole: named(whole, "Disk 1").update(state="absent"))
    assert (gone["changed"], [part["name"] for part in gone["removed"]], gone["added"]) == (True, ["Disk 1"], [])
    come = changes(lambda whole: named(whole, "Disk 2").update(state="enabled", serial="DISK2"))
    assert (come["changed"], [part["name"] for part in come["added"]], come["removed"]) == (True, ["Disk 2"], [])


@pytest.mark.parametrize("blank", [None, "", "N/A", "Unknown"])
def test_a_serial_that_only_one_of_the_two_reads_is_no_proof_of_a_swap(blank: str | None) -> None:
    for result in (
        changes(lambda whole: named(whole, "DIMM 1").update(serial=blank)),
        changes(lambda whole: None, before=lambda whole: named(whole, "DIMM 1").update(serial=blank)),
    ):
        assert not result["changed"]
        assert [pair["before"]["name"] for pair in result["unsure"]] == ["DIMM 1"]


def test_another_size_is_a_replacement_even_without_a_serial() -> None:
    result = changes(lambda whole: named(whole, "DIMM 1").update(serial=None, size_mb=32768))
    assert result["changed"] and result["replaced"] and not result["unsure"]


def test_a_part_without_a_serial_is_known_by_its_place() -> None:
    assert not changes(lambda whole: None)["changed"]
    result = changes(
        lambda whole: named(whole, "CPU 2").update(model="another"), before=lambda whole: named(whole, "CPU 2").update(model="one")
    )
    assert [pair["after"]["name"] for pair in result["replaced"]] == ["CPU 2"]


@pytest.mark.parametrize("serial", ["N/A", "0123"])
def test_likes_are_counted(serial: str) -> None:
    def twice(whole: dict[str, t.Any]) -> None:
        named(whole, "PSU 1").update(serial=serial)
        named(whole, "PSU 2").update(serial=serial)

    def once(whole: dict[str, t.Any]) -> None:
        twice(whole)
        named(whole, "PSU 2").update(state="absent")

    result = changes(once, before=twice)
    assert len(result["removed"]) == 1


@pytest.mark.parametrize("spoiled", ["before", "after", "both"])
def test_kinds_that_could_not_be_read_are_not_compared(spoiled: str) -> None:
    def unread(whole: dict[str, t.Any]) -> None:
        failed(whole, "storage")
        whole["components"] = [part for part in whole["components"] if part["kind"] not in ("drive", "controller")]

    def nothing(whole: dict[str, t.Any]) -> None:
        return None

    result = changes(unread if spoiled != "before" else nothing, before=unread if spoiled != "after" else nothing)
    assert not result["changed"]
    assert result["not_compared"] == ["drive", "controller"]


def test_a_change_is_seen_beside_a_kind_that_could_not_be_read() -> None:
    def spoil(whole: dict[str, t.Any]) -> None:
        failed(whole, "psu")
        named(whole, "Disk 1").update(serial="DISK9")

    assert [pair["after"]["serial"] for pair in changes(spoil)["replaced"]] == ["DISK9"]


def test_another_mainboard_or_machine_is_told_and_an_unknown_one_is_not() -> None:
    assert changes(lambda whole: whole["system"].update(serial="OTHER"))["same_system"] is False
    assert changes(lambda whole: None, before=lambda whole: whole["system"].update(serial="N/A"))["same_system"] is None


@pytest.mark.parametrize("blank", [None, "To be filled by O.E.M."])
def test_a_serial_that_is_gone_is_not_the_one_that_was_there(blank: str | None) -> None:
    assert changes(lambda whole: whole["system"].update(serial=blank))["same_system"] is False


def test_less_of_a_kind_than_before_is_told() -> None:
    assert changes(lambda whole: named(whole, "PSU 2").update(state="absent"))["fewer"] == [
        {"kind": "psu", "unit": "parts", "before": 2, "after": 1}
    ]
    smaller = changes(lambda whole: named(whole, "DIMM 1").update(serial="DIMM9", size_mb=32768))
    assert smaller["fewer"] == [{"kind": "memory", "unit": "MB", "before": 65536, "after": 32768}]


def test_a_part_that_went_elsewhere_or_can_not_be_counted_is_not_less() -> None:
    assert not changes(lambda whole: named(whole, "Disk 1").update(name="Disk 5", serial="DISK5"))["fewer"]
    assert not changes(lambda whole: named(whole, "DIMM 1").update(size_mb=None))["fewer"]

    def unread(whole: dict[str, t.Any]) -> None:
        failed(whole, "psu")
        named(whole, "PSU 2").update(state="absent")

    assert not changes(unread)["fewer"]


def test_over_ipmi_nothing_is_compared_without_the_inventory() -> None:
    result = compared(ipmi(), ipmi())
    assert result["not_compared"] == list(report.KINDS)
    assert not result["changed"]


def test_over_ipmi_parts_of_the_inventory_are_compared() -> None:
    one, other = ipmi(), ipmi()
    for whole, serial in ((one, "A"), (other, "B")):
        whole["sections"]["fru"] = "ok"
        whole["components"].append(report.component("memory", "DIMM A1", serial=serial))
    assert [pair["after"]["serial"] for pair in compared(one, other)["replaced"]] == ["B"]
