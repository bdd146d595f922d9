# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes of the registry: read, enrolled, changed, removed, in Ironic's shapes."""

from __future__ import annotations

import typing as t
import uuid as uuids

from . import errors, paging, paths
from .verbs import Verbs, nothing

Node = dict[str, t.Any]

#: What a listing with entries asks for unless told otherwise: the fields of a node that say what it is and in which state.
_FIELDS: t.Final = (
    "uuid",
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
    "maintenance",
    "maintenance_reason",
    "fault",
)


class Nodes(Verbs):
    """Verbs on nodes. They work on every service; dry_run needs that extension."""

    def get_node(self, node: str, fields: t.Sequence[str] | None = None) -> Node:
        """Give a node, or these fields of it."""
        return self._link.call(
            "GET",
            paths.node(node),
            what=f"read node {node}",
            node=node,
            query=paths.query({"fields": fields}),
            read=lambda answer: answer.row(fields or ("uuid",)),
        )

    def iter_nodes(
        self,
        fields: t.Sequence[str] | None = None,
        filters: t.Mapping[str, t.Any] | None = None,
        with_entries: bool = False,
    ) -> list[Node]:
        """Give all nodes that these credentials see: every page, or an error.

        fields: None for all. filters: Ironic's query parameters.
        with_entries: each node with its `maintenance_entries`; needs the extension `node_entries`.
        """
        wanted = list(fields) if fields is not None else list(_FIELDS) if with_entries else None
        if with_entries:
            wanted = [*(name for name in wanted or () if name != "maintenance_entries"), "maintenance_entries"]
        return paging.collect(
            self._link,
            "/v1/nodes/detail" if wanted is None else "/v1/nodes",
            "nodes",
            what="list the nodes",
            query={"fields": wanted, **(filters or {})},
            required=wanted or ("uuid",),
            needs=("node_entries",) if with_entries else (),
        )

    def create_node(self, body: t.Mapping[str, t.Any], dry_run: bool = False) -> Node:
        """Enrol a node and give it.

        Its uuid is chosen here if the body has none, so that after a lost reply it is found, and not made twice.
        """
        chosen = dict(body) if dry_run or body.get("uuid") else {**body, "uuid": str(uuids.uuid4())}
        name = chosen.get("name") or chosen.get("uuid") or "without a name"

        def recover(error: errors.ClientError) -> Node | None:
            if not error.outcome_unknown and error.status != 409:
                return None
            try:
                found = self.get_node(chosen["uuid"])
            except errors.ClientError:
                return None
            return found if all(found.get(member) == value for member, value in chosen.items()) else None

        return self._link.call(
            "POST",
            "/v1/nodes",
            what=f"enrol node {name}",
            node=chosen.get("name") or chosen.get("uuid"),
            body=chosen,
            dry_run=dry_run,
            read=lambda answer: answer.row(("uuid",)),
            recover=recover,
        )

    def patch_node(self, node: str, json_patch: t.Sequence[t.Mapping[str, t.Any]], dry_run: bool = False) -> Node:
        """Change a node by a JSON patch (RFC 6902) and give it.

        Not sent again after a lost reply: a patch done twice may do more than once.
        """
        return self._link.call(
            "PATCH",
            paths.node(node),
            what=f"change node {node}",
            node=node,
            body=[dict(operation) for operation in json_patch],
            dry_run=dry_run,
            read=lambda answer: answer.row(("uuid",)),
            resend_in_doubt=False,
        )

    def delete_node(self, node: str, dry_run: bool = False) -> None:
        """Remove a node. Refused while it has active entries that the caller may not release."""
        self._link.call(
            "DELETE",
            paths.node(node),
            what=f"remove node {node}",
            node=node,
            dry_run=dry_run,
            read=nothing,
            recover=lambda error: True if error.status == 404 else None,
        )
