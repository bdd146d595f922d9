# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshot: a fleet and its holds as read from the API at one moment, verified to be whole."""

from __future__ import annotations

import dataclasses
import typing as t

from ...module_utils.rules import types
from .errors import InventoryError

#: The member that holds a node's entries, in a page of our backend and in a snapshot.
ENTRIES = "maintenance_entries"
#: The node fields that host variables are made of.
FIELDS: t.Final = (
    "uuid",
    "name",
    "owner",
    "lessee",
    "resource_class",
    "provision_state",
    "power_state",
    "maintenance",
    "maintenance_reason",
    "fault",
)
_TEXTS = tuple(field for field in FIELDS if field not in ("uuid", "maintenance"))

Node = t.Mapping[str, t.Any]


@dataclasses.dataclass(frozen=True)
class Snapshot:
    """What the API told, in its own order.

    typed: False for a service that knows the maintenance flag and the fault only (every entry list is empty then).
    types: the maintenance types that the service lists. nodes: each with FIELDS, further fields asked for, and ENTRIES.
    """

    typed: bool
    types: tuple[str, ...]
    nodes: tuple[Node, ...]

    def to_plain(self) -> dict[str, t.Any]:
        """Give the snapshot as JSON-serialisable data, for a cache."""
        return {"typed": self.typed, "types": list(self.types), "nodes": list(self.nodes)}


def from_plain(plain: t.Any, fields: t.Sequence[str]) -> Snapshot:
    """Give the snapshot that `to_plain` wrote, verified again. Raise InventoryError if it is anything else."""
    if not isinstance(plain, t.Mapping) or set(plain) != {"typed", "types", "nodes"}:
        raise InventoryError("the cached inventory is not one that this version wrote")
    return verified(typed=plain["typed"], types=plain["types"], nodes=plain["nodes"], fields=fields)


def verified(*, typed: bool, types: t.Iterable[str], nodes: t.Iterable[t.Any], fields: t.Sequence[str]) -> Snapshot:
    """Give a snapshot of what was read, or raise InventoryError naming the first thing that is not as a node listing must be.

    A node without an answer to "is it in maintenance?" must not become a host: it would pass for one that nobody holds.
    """
    checked = tuple(nodes)
    seen: set[str] = set()
    for node in checked:
        _check_node(node, fields)
        if node["uuid"] in seen:
            raise InventoryError(f"the API listed node {node['uuid']} twice: the fleet changed while it was read, run again")
        seen.add(node["uuid"])
    return Snapshot(typed=bool(typed), types=tuple(types), nodes=checked)


def _check_node(node: t.Any, fields: t.Sequence[str]) -> None:
    if not isinstance(node, t.Mapping):
        raise InventoryError(f"the API listed {type(node).__name__} where a node was expected")
    uuid = node.get("uuid")
    if not isinstance(uuid, str) or not uuid:
        raise InventoryError("the API listed a node without a uuid")
    missing = [field for field in (*fields, ENTRIES) if field not in node]
    if missing:
        raise InventoryError(f"the API listed node {uuid} without {', '.join(missing)}")
    if not isinstance(node["maintenance"], bool):
        raise InventoryError(f"the API listed node {uuid} with a maintenance of {node['maintenance']!r}, which is neither true nor false")
    for field in _TEXTS:
        if not (node[field] is None or isinstance(node[field], str)):
            raise InventoryError(f"the API listed node {uuid} with a {field} that is not a string")
    if not isinstance(node[ENTRIES], list):
        raise InventoryError(f"the API listed node {uuid} with maintenance entries that are not a list")
    for entry in node[ENTRIES]:
        _check_entry(entry, uuid)


def _check_entry(entry: t.Any, node_uuid: str) -> None:
    if not isinstance(entry, t.Mapping):
        raise InventoryError(f"the API listed {type(entry).__name__} where a maintenance entry of node {node_uuid} was expected")
    for member in ("uuid", "type", "scope"):
        if not isinstance(entry.get(member), str) or not entry[member]:
            raise InventoryError(f"the API listed a maintenance entry of node {node_uuid} without a {member}")


def is_held(node: Node) -> bool:
    """Tell whether anything holds the node. Whichever of flag, entries and fault says so is believed."""
    return bool(node["maintenance"] or node[ENTRIES] or node["fault"])


def hold_types(node: Node) -> list[str]:
    """Give the types of the node's entries, each once, oldest first."""
    return list(dict.fromkeys(entry["type"] for entry in node[ENTRIES]))


def hold_scopes(node: Node) -> list[str]:
    """Give the scopes of the node's entries, each once, oldest first."""
    return list(dict.fromkeys(entry["scope"] for entry in node[ENTRIES]))


def faults(node: Node) -> list[str]:
    """Give the kinds of fault on the node, each once: the node's own field, and those in its fault entries."""
    kinds = [node["fault"]]
    for entry in node[ENTRIES]:
        extra = entry.get("extra")
        if entry["type"] == types.FAULT and isinstance(extra, t.Mapping):
            kinds.append(extra.get("fault"))
    return list(dict.fromkeys(kind for kind in kinds if isinstance(kind, str) and kind))
