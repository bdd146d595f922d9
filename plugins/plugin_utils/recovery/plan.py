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
from .row import DONE, DUE, FAULT, REVIEW, Found, Json, Row

#: The members of a node that show that somebody is at work on it, or that its power is about to change.
NODE_STATE: t.Final = ("provision_state", "target_provision_state", "power_state", "target_power_state", "reservation")

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
    storm_threshold: int,
    storm_window: float,
) -> list[Row]:
    """Give the rows, by name of the node.

    nodes: as node_info gives them. entries: the active ones, `node` being the node's UUID. known: see access.found. watch: whether nodes
    that nobody holds are looked at too. history: the maintenance events of the fleet; histories: instead of it, of each node `item`, its
    UUID, and `events`, which is missing where they could not be read. Without both, flaps are not counted.
    """
    read = None if history is not None else {one["item"] for one in histories or () if "events" in one}
    events = history if history is not None else [
        {**event, "node_uuid": one["item"]} for one in histories or () for event in one.get("events", ())
    ]
    counted = falls.counts(events, storm_threshold=storm_threshold, storm_window=storm_window)
    held: dict[str, list[Found]] = {}
    for entry in entries:
        held.setdefault(entry["node"], []).append(entry)
    chosen = []
    for node in nodes:
        active = held.get(node["uuid"], [])
        if any(entry["type"] in (FAULT, REVIEW) for entry in active) or (watch and not active):
            chosen.append((node, active, accesses.of_node(known, node)))
    twice = accesses.shared(access for _node, _active, access in chosen)
    rows = []
    for node, active, access in chosen:
        flaps = counted.get(node["uuid"], 0) if read is None or node["uuid"] in read else None
        problem = access.problem or ("another node of this run has the same BMC in the inventory" if access.place in twice else None)
        if problem and not active:
            continue
        rows.append(_row(node, active, access, flaps, problem))
    return sorted(rows, key=lambda row: row["node"])


def _row(node: Found, active: t.Sequence[Found], access: Access, flaps: int | None, problem: str | None) -> Row:
    faults = [entry for entry in active if entry["type"] in (FAULT, REVIEW)]
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
        "state": DONE if problem else DUE,
        "outcome": "skipped" if problem else None,
        "why": problem or "",
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
