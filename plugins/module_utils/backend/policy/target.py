# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What policy rules may ask about: the attributes of the node and of the entry, as flat dotted keys.

Every key is always present and every value is text. A null is NULL, a value that no identity can equal: with None, oslo.policy
would find a caller without a project to be the owner of a node without one. The values are the true ones, never masked.
"""

from __future__ import annotations

import typing as t

#: Stands for null. Identities never hold a NUL, so nothing compares equal to it.
NULL = "\0null"

#: Ironic's reserved attribute, which its `service_role` rule asks for; filled from the configuration.
SERVICE_PROJECT = "config.service_project_name"

NODE_ATTRIBUTES: t.Final = (
    "node.uuid",
    "node.name",
    "node.owner",
    "node.lessee",
    "node.driver",
    "node.resource_class",
    "node.conductor_group",
)
ENTRY_ATTRIBUTES: t.Final = (
    "maintenance.type",
    "maintenance.scope",
    "maintenance.asserted_by",
    "maintenance.asserted_by_project",
    "maintenance.call",
)

#: How an entry is reached: one entry's own endpoint; a bulk call or, from the typed microversion on, DELETE of a node's
#: collection; that DELETE below the typed microversion; PATCH of the node's `maintenance`.
Call = t.Literal["single", "bulk", "legacy_delete", "patch"]
CALLS: t.Final = t.get_args(Call)


def node_target(
    *,
    uuid: str | None,
    name: str | None,
    owner: str | None,
    lessee: str | None,
    driver: str | None,
    resource_class: str | None,
    conductor_group: str | None,
) -> dict[str, str]:
    """Give the target of a rule about a node (for create: about the node to be)."""
    values = (uuid, name, owner, lessee, driver, resource_class, conductor_group)
    return dict(zip(NODE_ATTRIBUTES, map(_text, values), strict=True))


def entry_target(
    node: t.Mapping[str, str],
    *,
    type: str | None,
    scope: str | None,
    asserted_by: str | None,
    asserted_by_project: str | None,
    call: Call,
) -> dict[str, str]:
    """Give the target of a rule about an entry on a node; for add and fault: about the entry to be, asserted by the caller."""
    values = (type, scope, asserted_by, asserted_by_project, call)
    return {**node, **dict(zip(ENTRY_ATTRIBUTES, map(_text, values), strict=True))}


def fleet_target() -> dict[str, str]:
    """Give the target of a rule that is about no node in particular."""
    return {}


def _text(value: str | None) -> str:
    return NULL if value is None else str(value)
