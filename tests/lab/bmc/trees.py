# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees of Redfish resources: a machine of our own for tests, and recorded ones from folders."""

from __future__ import annotations

import datetime
import json
import pathlib
import typing as t

ROOT = "/redfish/v1"
#: Of a service whose dump has no root.
_USUAL = ("Systems", "Chassis", "Managers")

Json = dict[str, t.Any]
Tree = dict[str, t.Any]


def ref(path: str) -> Json:
    return {"@odata.id": path}


def collection(tree: Tree, path: str, members: t.Iterable[Json]) -> None:
    """Put members, each with its `Id`, and their collection into a tree."""
    refs = []
    for member in members:
        where = f"{path}/{member['Id']}"
        tree[where] = {"@odata.id": where, "Name": member["Id"], **member}
        refs.append(ref(where))
    tree[path] = {"@odata.id": path, "Name": "collection", "Members": refs, "Members@odata.count": len(refs)}


def ok(state: str = "Enabled", health: str = "OK") -> Json:
    return {"State": state, "Health": health}


def now(offset: float = 0) -> str:
    """A time that is `offset` seconds from now, as Redfish writes it."""
    return datetime.datetime.fromtimestamp(datetime.datetime.now().timestamp() + offset, datetime.timezone.utc).isoformat(
        timespec="seconds"
    )


def event(number: int, severity: str | None, message: str, when: str | None = None, **more: t.Any) -> Json:
    """An entry of a log."""
    return {"Id": str(number), "Name": "entry", "Severity": severity, "Message": message, "Created": when or now(-3600), **more}


def machine(serial: str = "SYS1", psus: int = 2, drives: int = 2, dimms: int = 4) -> Tree:
    """A healthy server of ordinary size: both resources for power and for temperatures, drives under Storage, one log."""
    tree: Tree = {}
    tree[ROOT] = {
        "@odata.id": ROOT,
        "Id": "RootService",
        "Name": "Root",
        "RedfishVersion": "1.17.0",
        **{name: ref(f"{ROOT}/{name}") for name in _USUAL},
        "Links": {"Sessions": ref(f"{ROOT}/SessionService/Sessions")},
    }
    system, chassis, manager = f"{ROOT}/Systems/1", f"{ROOT}/Chassis/1", f"{ROOT}/Managers/1"
    collection(
        tree,
        f"{ROOT}/Systems",
        [
            {
                "Id": "1",
                "Manufacturer": "Contoso",
                "Model": "Lab 1U",
                "SerialNumber": serial,
                "PowerState": "On",
                "Status": {**ok(), "HealthRollup": "OK"},
                "MemorySummary": {"TotalSystemMemoryGiB": 16 * dimms},
                "ProcessorSummary": {"Count": 2},
                "Boot": {"BootSourceOverrideEnabled": "Disabled", "BootSourceOverrideTarget": "None"},
                "LocationIndicatorActive": False,
                "Processors": ref(f"{system}/Processors"),
                "Memory": ref(f"{system}/Memory"),
                "Storage": ref(f"{system}/Storage"),
                "LogServices": ref(f"{system}/LogServices"),
                "Links": {"Chassis": [ref(chassis)], "ManagedBy": [ref(manager)]},
            }
        ],
    )
    collection(tree, f"{system}/Processors", [{"Id": f"CPU{n}", "ProcessorType": "CPU", "Model": "C9", "Status": ok()} for n in (1, 2)])
    memory = (
        {"Id": f"D{n}", "DeviceLocator": f"DIMM {n}", "CapacityMiB": 16384, "SerialNumber": f"{serial}-D{n}"} for n in range(1, dimms + 1)
    )
    collection(tree, f"{system}/Memory", [{**one, "Status": ok()} for one in memory])
    disks = [{"Id": f"Bay{n}", "Model": "X4", "SerialNumber": f"{serial}-B{n}", "FailurePredicted": False} for n in range(1, drives + 1)]
    collection(tree, f"{system}/Storage/1/Drives", [{**one, "PredictedMediaLifeLeftPercent": 97, "Status": ok()} for one in disks])
    bays = tree.pop(f"{system}/Storage/1/Drives")["Members"]
    collection(tree, f"{system}/Storage", [{"Id": "1", "Name": "RAID", "Status": ok(), "Drives": bays}])
    collection(
        tree, f"{system}/LogServices", [{"Id": "SEL", "Entries": ref(f"{system}/LogServices/SEL/Entries"), "MaxNumberOfRecords": 500}]
    )
    tree[f"{system}/LogServices/SEL/Entries"] = {"Name": "entries", "Members": [event(1, "OK", "Host started")]}
    _chassis(tree, chassis, serial, psus)
    collection(
        tree,
        f"{ROOT}/Managers",
        [{"Id": "1", "Model": "LabBMC", "FirmwareVersion": "2.5", "Status": ok(), "VirtualMedia": ref(f"{manager}/VirtualMedia")}],
    )
    collection(tree, f"{manager}/VirtualMedia", [{"Id": "Cd", "Inserted": False, "Image": None}])
    tree[manager]["DateTime"] = now()
    return tree


def _chassis(tree: Tree, path: str, serial: str, psus: int) -> None:
    supplies = [{"MemberId": str(n), "Name": f"PSU {n}", "SerialNumber": f"{serial}-P{n}", "Status": ok()} for n in range(1, psus + 1)]
    collection(
        tree,
        f"{ROOT}/Chassis",
        [
            {
                "Id": "1",
                "ChassisType": "RackMount",
                "Status": ok(),
                "Power": ref(f"{path}/Power"),
                "PowerSubsystem": ref(f"{path}/PowerSubsystem"),
                "Thermal": ref(f"{path}/Thermal"),
                "Links": {"ComputerSystems": [ref(f"{ROOT}/Systems/1")]},
            }
        ],
    )
    tree[f"{path}/Power"] = {"Name": "Power", "PowerSupplies": [{**one, "LastPowerOutputWatts": 210} for one in supplies]}
    tree[f"{path}/PowerSubsystem"] = {"Name": "Power", "PowerSupplies": ref(f"{path}/PowerSubsystem/PowerSupplies")}
    collection(tree, f"{path}/PowerSubsystem/PowerSupplies", [{"Id": one["MemberId"], **one} for one in supplies])
    tree[f"{path}/Thermal"] = {
        "Name": "Thermal",
        "Temperatures": [{"Name": "Inlet", "ReadingCelsius": 23, "UpperThresholdCritical": 42, "Status": ok()}],
        "Fans": [{"Name": f"Fan {n}", "Reading": 5400, "ReadingUnits": "RPM", "Status": ok()} for n in (1, 2)],
    }


def load(folder: pathlib.Path) -> Tree:
    """A recorded tree: folders with `index.json` (with or without redfish/v1 before), or flat files that name their resource. A file that
    is no JSON is left out, as is a root that says nothing, for which one is made up."""
    tree = _flat(folder) if any(folder.glob("_redfish_v1*.json")) else _nested(folder)
    if not isinstance(tree.get(ROOT), dict):
        offered = [name for name in _USUAL if f"{ROOT}/{name}" in tree]
        tree[ROOT] = {"@odata.id": ROOT, "Name": "Root", "RedfishVersion": "1.0.0", **{name: ref(f"{ROOT}/{name}") for name in offered}}
    return tree


def _nested(folder: pathlib.Path) -> Tree:
    top = folder / "redfish" / "v1" if (folder / "redfish" / "v1").is_dir() else folder
    tree: Tree = {}
    for file in top.rglob("index.json"):
        place = file.parent.relative_to(top).as_posix()
        tree[ROOT if place == "." else f"{ROOT}/{place}"] = _json(file)
    return tree


def _flat(folder: pathlib.Path) -> Tree:
    tree: Tree = {}
    for file in folder.glob("_redfish_v1*.json"):
        resource = _json(file)
        if isinstance(resource, dict) and isinstance(resource.get("@odata.id"), str):
            tree[resource["@odata.id"].rstrip("/") or ROOT] = resource
    return tree


def _json(file: pathlib.Path) -> t.Any:
    try:
        return json.loads(file.read_text(encoding="utf-8-sig"))
    except (ValueError, UnicodeError):
        return None
