# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an Ironic says of a node, as far as maintenance is concerned."""

from __future__ import annotations

import dataclasses
import typing as t

#: What a settling look at one node asks for. Ironic hides nothing of it from the service's own identity. `updated_at` cannot be asked for.
FIELDS: t.Final = (
    "uuid",
    "name",
    "owner",
    "lessee",
    "maintenance",
    "maintenance_reason",
    "fault",
    "reservation",
    "last_error",
    "resource_class",
    "conductor_group",
    "driver",
    "description",
    "properties",
    "extra",
    "instance_uuid",
    "provision_state",
    "power_state",
)

#: The members that our own row of the node keeps (design: filters and listings by them need no Ironic).
KEPT: t.Final = (
    "name",
    "owner",
    "lessee",
    "driver",
    "resource_class",
    "conductor_group",
    "description",
    "properties",
    "extra",
    "instance_uuid",
    "provision_state",
    "power_state",
)


@dataclasses.dataclass(frozen=True)
class Seen:
    """A node at the moment of one GET. reservation: the conductor that holds its lock. members: those of KEPT that the answer had."""

    uuid: str
    maintenance: bool
    reason: str | None
    fault: str | None
    reservation: str | None = None
    last_error: str | None = None
    members: t.Mapping[str, t.Any] = dataclasses.field(default_factory=dict)


def read(document: t.Mapping[str, t.Any]) -> Seen:
    """Read one node of an answer. Raises ValueError: it is not a node, or lacks what must never be guessed."""
    uuid, maintenance = document.get("uuid"), document.get("maintenance")
    if not isinstance(uuid, str) or not isinstance(maintenance, bool):
        raise ValueError("an answer that is no node: it lacks uuid or maintenance")
    for name in ("maintenance_reason", "fault"):
        if name not in document:
            raise ValueError(f"node {uuid} came without {name}")
    return Seen(
        uuid=uuid,
        maintenance=maintenance,
        reason=document["maintenance_reason"],
        fault=document["fault"],
        reservation=document.get("reservation"),
        last_error=document.get("last_error"),
        members={name: document[name] for name in KEPT if name in document},
    )
