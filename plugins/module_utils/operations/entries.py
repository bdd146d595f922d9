# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading the active entries of the nodes of a task, and words for them."""

from __future__ import annotations

import typing as t

from ..client.api import Api
from ..client.errors import ClientError
from ..rules import authority
from .errors import OperationError
from .rows import Entry

#: More nodes than this are read with one listing of the fleet instead of one request a node.
MOST_SINGLE_READS: t.Final = 20

#: What a listing of the fleet adds to an entry.
_FLEET_MEMBERS: t.Final = ("node_uuid", "node_name")


def of_nodes(api: Api, nodes: t.Sequence[str]) -> dict[str, list[Entry] | ClientError]:
    """Give the active entries of each node, or why they could not be read (an unknown node, say), keyed as the task named it."""
    listed: dict[str, list[Entry]] = {}
    if len(nodes) > MOST_SINGLE_READS and api.service(nodes[0]).has("node_entries"):
        for node in api.iter_nodes(fields=["uuid", "name"], with_entries=True):
            # Null where policy keeps them from the caller: reading that node by itself says so.
            if node["maintenance_entries"] is not None:
                listed.update(dict.fromkeys((node["uuid"], node["name"]), node["maintenance_entries"]))
    return {node: listed[node] if node in listed else _of_node(api, node) for node in nodes}


def _of_node(api: Api, node: str) -> list[Entry] | ClientError:
    try:
        return api.list_entries(node)
    except ClientError as error:
        return error


def find_own(api: Api, node: str, type: str, key: str) -> Entry | None:
    """Read the caller's own entry of a type and key on a node, None if it has none.

    A native API does not tell what is own: there, the only entry of the type is taken for it, and several raise OperationError.
    """
    same = [entry for entry in api.list_entries(node) if entry["type"] == type and entry.get("key", "") == key]
    same = [entry for entry in same if entry.get("own", True)]
    if len(same) > 1:
        raise untold(node, same)
    return same[0] if same else None


def untold(node: str, same: t.Sequence[Entry]) -> OperationError:
    """Give the error for a service that does not tell which of a node's entries are the caller's own."""
    return OperationError(
        f"Node {node} has {len(same)} active entries of type {same[0]['type']}, and this service does not tell which are yours:"
        " name the one that is meant by its `uuid`.",
        code="not_supported",
        node=node,
        blockers=[blocker(entry, "it may be yours") for entry in same],
    )


def own_of_nodes(api: Api, nodes: t.Sequence[str], type: str, key: str) -> dict[str, Entry]:
    """Give the caller's own entries of a type and key, keyed by those of the nodes that have one. Needs the extension `fleet`."""
    wanted = set(nodes)
    found = {}
    for row in api.fleet_entries({"type": type, "key": key or None}):
        if row.get("own") and row.get("key", "") == key:
            entry = {name: value for name, value in row.items() if name not in _FLEET_MEMBERS}
            found.update((ident, entry) for ident in wanted.intersection(row.get(name) for name in _FLEET_MEMBERS))
    return found


def describe(entry: Entry) -> str:
    """Say in words which entry is meant: uuid, type, who asserted it, and in which run."""
    by = entry.get("asserted_by_name") or entry.get("asserted_by") or "someone whom you may not see"
    run = f" in run {entry['run']}" if entry.get("run") else ""
    return f"{entry['uuid']} (type {entry['type']}, asserted by {by}{run})"


def blocker(entry: Entry, why: str) -> dict[str, t.Any]:
    """Give an entry in the shape of the API's `refusal.blockers`."""
    project = entry.get("asserted_by_project")
    return {
        "uuid": entry.get("uuid"),
        "type": entry["type"],
        "scope": entry["scope"],
        "project": project,
        "why": why,
        "who_can": authority.who_can(type=entry["type"], scope=entry["scope"], asserted_by_project=project or ""),
    }
