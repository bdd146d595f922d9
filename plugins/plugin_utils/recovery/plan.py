# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plan which nodes are to be checked, by which rules, and which can't be."""

from __future__ import annotations

import typing as t

from ...module_utils.bmc.rules import FAULTS
from . import access as accesses
from . import flaps as falls
from .access import Access
from .proposing import proposal
from .row import DONE, DUE, FAULT, LEFT, POWER_FAILURE, REVIEW, Found, Json, Row, updated

#: The members of a node that must be the same when its fault is released as when its BMC was checked.
NODE_STATE: t.Final = ("provision_state", "target_provision_state", "power_state")
#: Those that tell that a conductor is at work on it, or that its power is about to change.
_BUSY: t.Final = ("reservation", "target_power_state")

#: Of a fault that the Ironic behind the service releases by itself, as the table has it.
_IRONICS: t.Final = "Ironic releases a power failure by itself once it reaches the BMC"

_KEPT: t.Final = ("uuid", "type", "reason", "extra", "asserted_at")
_SHOWN: t.Final = ("uuid", "type", "scope", "key", "asserted_by", "asserted_by_name", "ticket", "reason", "own")


def plan(
    nodes: t.Sequence[Found],
    entries: t.Sequence[Found],
    known: t.Mapping[str, Access],
    *,
    watch: bool,
    history: t.Sequence[Found] | None,
    histories: t.Sequence[Found] | None,
    since: str | None,
    flap_threshold: int,
    storm_threshold: int,
    storm_window: float,
    ironic_recovers: bool,
) -> list[Row]:
    """Give the rows, by name of the node.

    nodes: as node_info gives them. entries: the active ones, `node` being the node's UUID. known: see access.found. watch: whether nodes
    that nobody holds are looked at too. history: the maintenance events of the fleet; histories: instead of it, of each node `item`, its
    UUID, and `events`, which is missing where they could not be read. Without both, flaps are not counted. since: from when these events
    are. ironic_recovers: whether an Ironic behind the service releases power failures by itself, so that they are left to it.
    """
    read = None if history is not None else {one["item"] for one in histories or () if "events" in one}
    events = (
        history
        if history is not None
        else [{**event, "node_uuid": one["item"]} for one in histories or () for event in one.get("events", ())]
    )
    counted = falls.counts(events, storm_threshold=storm_threshold, storm_window=storm_window)
    held: dict[str, list[Found]] = {}
    for entry in entries:
        held.setdefault(entry["node"], []).append(entry)
    places = accesses.Places(known)
    told = falls.asserted(events)
    rows = []
    for node in nodes:
        active = held.get(node["uuid"], [])
        access = places.of_node(node)
        faults = [entry for entry in active if _is_releasable(entry)]
        # A node that nobody holds, and whose BMC is not known, is not looked at.
        if not faults and (active or not watch or access.problem):
            continue
        flaps = counted.get(node["uuid"], 0) if read is None or node["uuid"] in read else None
        if not _is_whole(faults, told, since):
            flaps = None
        row = _row(node, active, faults, access, flaps)
        if ironic_recovers and any(_is_ironics(entry) for entry in faults):
            row = updated(row, state=DONE, outcome=LEFT, why=_IRONICS)
        rows.append(updated(row, proposal=proposal(row, flap_threshold)))
    return sorted(rows, key=lambda row: row["node"])


def _is_releasable(entry: Found) -> bool:
    """Tell whether the entry is a fault, or what the service has made of one. A tenant's own hold may have that type, too."""
    return entry["type"] == FAULT or (entry["type"] == REVIEW and entry.get("scope") == "system")


def _is_ironics(entry: Found) -> bool:
    """Tell whether it is a fault that an Ironic watches. A service that does not say who enforces its entries is an Ironic itself."""
    kind = (entry.get("extra") or {}).get("fault")
    return entry["type"] == FAULT and kind == POWER_FAILURE and entry.get("enforced_by", "ironic") == "ironic"


def _is_whole(faults: t.Sequence[Found], told: t.Collection[str], since: str | None) -> bool:
    """Tell whether the assertion of every fault that is new enough is among those told of. Others may be missing if that one is."""
    if since is None:
        return True
    start = falls.moment(since)
    return all(entry["uuid"] in told for entry in faults if entry["type"] == FAULT and falls.moment(entry["asserted_at"]) >= start)


def _row(node: Found, active: t.Sequence[Found], faults: t.Sequence[Found], access: Access, flaps: int | None) -> Row:
    return {
        "node": node.get("name") or node["uuid"],
        "node_uuid": node["uuid"],
        "watch": not faults,
        "fault": _kind(faults),
        "entries": [kept(entry) for entry in faults],
        "since": min((entry["asserted_at"] for entry in faults), key=falls.moment, default=None),
        "others": [{name: entry.get(name) for name in _SHOWN} for entry in active if entry not in faults],
        "expected": {**_recorded(node), **access.expected},
        "ignore": access.ignore,
        "node_state": node_state(node),
        "bmc": access.shown,
        "flaps": flaps,
        "state": DONE if access.problem else DUE,
        "outcome": "skipped" if access.problem else None,
        "why": access.problem or "",
        "attempts": 0,
        "silent": [],
        "verdict": None,
        "evidence": "",
        "proposal": None,
    }


def kept(entry: Found) -> Json:
    """Give what must be the same when the entry is released as it was when it was judged."""
    return {name: entry.get(name) for name in _KEPT}


def node_state(node: Found) -> Json:
    """Give what must be the same of the node."""
    return {name: node.get(name) for name in NODE_STATE}


def is_busy(node: Found) -> bool:
    """Tell whether a conductor is at work on the node."""
    return any(node.get(name) for name in _BUSY)


def _kind(faults: t.Sequence[Found]) -> str | None:
    """Give the kind if all that is to be released is of one known kind; what is not known is judged by every rule."""
    kinds = {(entry.get("extra") or {}).get("fault") for entry in faults}
    kind = kinds.pop() if len(kinds) == 1 else None
    return kind if kind in FAULTS else None


def _recorded(node: Found) -> Json:
    """Give what the service has recorded about the machine. What it does not know, such as a power state of `error`, is not compared."""
    expected: Json = {}
    if node.get("power_state") in ("power on", "power off"):
        expected["power_state"] = node["power_state"].removeprefix("power ")
    memory = str((node.get("properties") or {}).get("memory_mb") or "")
    if memory.isdigit() and int(memory):
        expected["memory_mb"] = int(memory)
    return expected
