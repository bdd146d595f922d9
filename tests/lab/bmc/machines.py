# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees of machines as they are met: healthy ones that look as if they were not, and sick ones that look healthy."""

from __future__ import annotations

import typing as t

from . import trees
from .trees import Tree, ok, ref

SYSTEM: t.Final = f"{trees.ROOT}/Systems/1"
CHASSIS: t.Final = f"{trees.ROOT}/Chassis/1"
MANAGER: t.Final = f"{trees.ROOT}/Managers/1"
LOG: t.Final = f"{SYSTEM}/LogServices/SEL"
SUPPLIES: t.Final = f"{CHASSIS}/PowerSubsystem/PowerSupplies"

Spoil = t.Callable[[Tree], None]


def healthy() -> dict[str, Tree]:
    """Give the machines that are to be released, by what is strange about them."""
    return _made(_HEALTHY)


def sick() -> dict[str, tuple[str, Tree]]:
    """Give the machines that are not to be released: what is wrong, the rule that says so, and the tree."""
    made = _made({name: spoil for name, (_rule, spoil) in _SICK.items()})
    return {name: (rule, made[name]) for name, (rule, _spoil) in _SICK.items()}


def _made(spoils: t.Mapping[str, Spoil]) -> dict[str, Tree]:
    made = {}
    for name, spoil in spoils.items():
        made[name] = trees.machine(serial=name.upper().replace(" ", "-"))
        spoil(made[name])
    return made


def _as_it_is(tree: Tree) -> None:
    """Leave the machine alone."""


def _empty_places(tree: Tree) -> None:
    gone = {"State": "Absent", "Health": "Critical"}
    tree[f"{SYSTEM}/Memory/D4"].update(Status=gone, CapacityMiB=0)
    tree[f"{SYSTEM}/Storage/1/Drives/Bay2"].update(Status=gone, FailurePredicted=True, PredictedMediaLifeLeftPercent=0)
    tree[f"{SUPPLIES}/2"]["Status"] = {"State": "Absent", "Health": "Warning"}
    tree[f"{CHASSIS}/Power"]["PowerSupplies"].pop()
    tree[f"{CHASSIS}/Thermal"]["Fans"][1].update(Reading=0, Status=gone)


def _spinning_disks(tree: Tree) -> None:
    for bay in ("Bay1", "Bay2"):
        tree[f"{SYSTEM}/Storage/1/Drives/{bay}"].update(MediaType="HDD", PredictedMediaLifeLeftPercent=None, FailurePredicted=None)


def _supply_at_warning(tree: Tree) -> None:
    tree[f"{SUPPLIES}/2"]["Status"] = ok(health="Warning")
    tree[f"{CHASSIS}/Power"]["Redundancy"] = [{"Name": "Supplies", "MinNumNeeded": 2, "Status": ok()}]


def _one_supply(tree: Tree) -> None:
    """The other was never bought, and its group is switched off."""
    _empty_places(tree)
    tree[f"{CHASSIS}/Power"]["Redundancy"] = [{"Name": "Supplies", "Status": {"State": "Disabled", "Health": "Warning"}}]


def _cables(tree: Tree) -> None:
    """Somebody worked on a switch, months ago and many times."""
    message = "NIC Connectivity status changed to Link Failure for adapter in slot 1, port 1"
    vendor = {"Hpe": {"Repaired": False, "ClassDescription": "Network"}}
    entries = [trees.event(number, "Critical", message, trees.now(-9_000_000 + number), Oem=vendor) for number in range(2, 12)]
    tree[f"{LOG}/Entries"]["Members"] += entries
    tree[SYSTEM]["Oem"] = {
        "Hpe": {"AggregateHealthStatus": {"Network": {"Status": {"Health": "Warning"}}, "PowerSupplyRedundancy": "Redundant"}}
    }


def _pages(count: int, id_: bool = True) -> Spoil:
    """Every page is the first one."""

    def spoil(tree: Tree) -> None:
        entries = [trees.event(number, "Warning", f"Door {number}", trees.now(-9000)) for number in (1, 2)]
        for entry in entries if not id_ else ():
            del entry["Id"]
        tree[f"{LOG}/Entries"].update(
            {"Members": entries, "Members@odata.count": count, "Members@odata.nextLink": f"{LOG}/Entries?$skip=2"}
        )

    return spoil


def _off(tree: Tree) -> None:
    tree[SYSTEM].update(PowerState="Off", MemorySummary={"TotalSystemMemoryGiB": 0}, Status={"State": "StandbyOffline", "Health": "OK"})
    asleep = {"State": "StandbyOffline", "Health": None}
    for number in (1, 2, 3, 4):
        tree[f"{SYSTEM}/Memory/D{number}"]["Status"] = asleep
    for fan in tree[f"{CHASSIS}/Thermal"]["Fans"]:
        fan.update(Reading=0, Status=asleep)


def _two_lists_of_supplies(tree: Tree) -> None:
    """Two resources tell of one supply with two serial numbers, and one of them of an empty bay."""
    tree[f"{SUPPLIES}/2"]["Status"] = {"State": "Absent"}
    tree[f"{CHASSIS}/Power"]["PowerSupplies"] = [{"Name": "Supply", "SerialNumber": "OTHER", "Status": ok(health="Warning")}]


def _tasks(tree: Tree) -> None:
    """One thing is over, one runs for ever, one waits: the last only warns."""
    _put_tasks(tree, [{"Id": "1", "TaskState": "Completed"}, {"Id": "2", "TaskState": "Service"}])
    tree[trees.ROOT]["JobService"] = ref(f"{trees.ROOT}/JobService")
    tree[f"{trees.ROOT}/JobService"] = {"Name": "Jobs", "Jobs": ref(f"{trees.ROOT}/JobService/Jobs")}
    trees.collection(tree, f"{trees.ROOT}/JobService/Jobs", [{"Id": "J7", "Name": "BIOS configuration", "JobState": "Pending"}])


def _many_tasks(tree: Tree) -> None:
    _put_tasks(tree, [{"Id": str(number), "TaskState": "Running" if number == 1 else "Completed"} for number in range(1, 13)])


def _put_tasks(tree: Tree, tasks: t.Sequence[trees.Json]) -> None:
    tree[trees.ROOT]["Tasks"] = ref(f"{trees.ROOT}/TaskService")
    tree[f"{trees.ROOT}/TaskService"] = {"Name": "Tasks", "Tasks": ref(f"{trees.ROOT}/TaskService/Tasks")}
    trees.collection(tree, f"{trees.ROOT}/TaskService/Tasks", tasks)


def _logged(message: str, about: str = "UEFI") -> Spoil:
    def spoil(tree: Tree) -> None:
        vendor = {"Hpe": {"Repaired": False, "ClassDescription": about}}
        tree[f"{LOG}/Entries"]["Members"].append(trees.event(2, "Critical", message, trees.now(-9_000_000), Oem=vendor))

    return spoil


def _with(path: str, **members: t.Any) -> Spoil:
    return lambda tree: tree[path].update(members)


def _without(path: str) -> Spoil:
    """Have a resource be linked to and not be there."""
    return lambda tree: tree.pop(path)


def _redundancy(resource: str, member: str, **status: str) -> Spoil:
    return lambda tree: tree[f"{CHASSIS}/{resource}"].update({member: [{"Name": "Supplies", "Status": status}]})


_HEALTHY: t.Final[dict[str, Spoil]] = {
    "as it is": _as_it_is,
    "empty places": _empty_places,
    "spinning disks": _spinning_disks,
    "supply at warning": _supply_at_warning,
    "one supply": _one_supply,
    "cables": _cables,
    "empty log": _with(f"{LOG}/Entries", **{"Members": [], "Members@odata.count": 0}),
    "empty log of few words": lambda tree: tree.update({f"{LOG}/Entries": {"Members@odata.count": 0}}),
    "pages": _pages(2),
    "pages without ids": _pages(2, id_=False),
    "off": _off,
    "two lists of supplies": _two_lists_of_supplies,
    "tasks": _tasks,
    "many tasks": _many_tasks,
    "boots from the network": _with(SYSTEM, Boot={"BootSourceOverrideEnabled": "Once", "BootSourceOverrideTarget": "Pxe"}),
    "roll-up at warning": _with(SYSTEM, Status={"State": "Enabled", "Health": "OK", "HealthRollup": "Warning"}),
}

_SICK: t.Final[dict[str, tuple[str, Spoil]]] = {
    "powering on": ("R1", _with(SYSTEM, PowerState="PoweringOn")),
    "says nothing of power": ("R1", _with(SYSTEM, PowerState=None)),
    "roll-up critical": ("R4", _with(SYSTEM, Status={"State": "Enabled", "Health": "OK", "HealthRollup": "Critical"})),
    "drive will fail": ("R5", _with(f"{SYSTEM}/Storage/1/Drives/Bay1", FailurePredicted=True)),
    "worn out": ("R5", _with(f"{SYSTEM}/Storage/1/Drives/Bay1", PredictedMediaLifeLeftPercent=3)),
    "supply critical": ("R6", _with(f"{SUPPLIES}/2", Status=ok(health="Critical"))),
    "supply off": ("R6", _with(f"{SUPPLIES}/2", Status=ok("UnavailableOffline", "Warning"))),
    "redundancy lost, old": ("R6", _redundancy("Power", "Redundancy", State="Enabled", Health="Warning")),
    "redundancy lost, new": ("R6", _redundancy("PowerSubsystem", "PowerSupplyRedundancy", State="Enabled", Health="Critical")),
    "redundancy lost, summary": (
        "R6",
        _with(SYSTEM, Oem={"Hpe": {"AggregateHealthStatus": {"PowerSupplyRedundancy": "FailedRedundant"}}}),
    ),
    "fan stands still": ("R7", lambda tree: tree[f"{CHASSIS}/Thermal"]["Fans"][0].update(Reading=0)),
    "hot": ("R7", lambda tree: tree[f"{CHASSIS}/Thermal"]["Temperatures"][0].update(ReadingCelsius=42)),
    "module failed once": ("R8", _logged("DIMM Failure - Uncorrectable Memory Error (Processor 2, DIMM 4)")),
    "adapter failed once": ("R8", _logged("Adapter in slot 1 has failed", about="Network")),
    "no log": ("R8", _without(f"{LOG}/Entries")),
    "log of nothing": ("R8", lambda tree: tree.update({f"{LOG}/Entries": None})),
    "log of nothing that counts": ("R8", _with(f"{LOG}/Entries", **{"Members": None, "Members@odata.count": 3})),
    "log of texts": ("R8", lambda tree: tree[f"{LOG}/Entries"]["Members"].append("Critical: DIMM 3 failed")),
    "log entry gone": ("R8", lambda tree: tree[f"{LOG}/Entries"]["Members"].append(ref(f"{LOG}/Entries/9"))),
    "pages of a longer log": ("R8", _pages(7)),
}
