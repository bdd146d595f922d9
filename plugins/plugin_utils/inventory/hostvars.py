# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The variables of a host: always all of them, empty rather than missing."""

from __future__ import annotations

import typing as t

from . import snapshot

#: Node field → variable, for the fields whose value is text; a null becomes "".
_TEXT: t.Final = {
    "uuid": "baremetal_node_uuid",
    "name": "baremetal_node_name",
    "owner": "baremetal_owner",
    "lessee": "baremetal_lessee",
    "resource_class": "baremetal_resource_class",
    "provision_state": "baremetal_provision_state",
    "power_state": "baremetal_power_state",
    "maintenance_reason": "baremetal_maintenance_reason",
    "fault": "baremetal_fault",
}
_COMPUTED: t.Final = ("baremetal_maintenance", "baremetal_holds", "baremetal_hold_types", "baremetal_enabled")

#: The variables that every host has.
NAMES: t.Final = frozenset({*_TEXT.values(), *_COMPUTED})


def variable_of(field: str) -> str:
    """Give the variable of a node field that was asked for beyond the usual ones."""
    return f"baremetal_{field}"


def host_vars(node: snapshot.Node, further: t.Iterable[str] = ()) -> dict[str, t.Any]:
    """Give the variables of the node's host. `further` are node fields passed on as they are.

    `baremetal_enabled` is true while nothing holds the node, for AWX's "enabled variable".
    """
    variables: dict[str, t.Any] = {variable: node[field] or "" for field, variable in _TEXT.items()}
    variables["baremetal_maintenance"] = node["maintenance"]
    variables["baremetal_holds"] = [
        {member: value for member, value in entry.items() if member != "links"} for entry in node[snapshot.ENTRIES]
    ]
    variables["baremetal_hold_types"] = snapshot.hold_types(node)
    variables["baremetal_enabled"] = not snapshot.is_held(node)
    for field in further:
        variables[variable_of(field)] = node[field]
    return variables
