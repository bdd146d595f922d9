# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The verbs of `conn.baremetal` on typed holds; they mirror the commands `baremetal node maintenance add`, `list` and `remove`."""

from __future__ import annotations

import typing as t

from openstack import exceptions, resource
from openstack.baremetal.v1 import _proxy
from openstack.baremetal.v1 import node as _node

from .node_maintenance_entry import NodeMaintenanceEntry, microversion_of


class Proxy(_proxy.Proxy):
    """The SDK's own proxy of the bare metal service, and the verbs on typed holds."""

    def node_maintenance_entries(self, node: str | _node.Node) -> t.Iterator[NodeMaintenanceEntry]:
        """Give the active entries of a node, oldest first. node: its name, its UUID or itself, as for all verbs here."""
        return self._list(NodeMaintenanceEntry, node_id=_ident(node), paginated=False)

    def add_node_maintenance_entry(self, node: str | _node.Node, *, type: str, **attrs: t.Any) -> NodeMaintenanceEntry:
        """Hold a node. attrs: reason and extra, and as extensions key, ticket and run.

        Raises ConflictException if the same hold is active, after one request.
        """
        return self._create(NodeMaintenanceEntry, node_id=_ident(node), type=type, **attrs)

    def remove_node_maintenance_entry(self, node: str | _node.Node, entry: str | NodeMaintenanceEntry, ignore_missing: bool = True) -> None:
        """Release one hold of a node. Raises ForbiddenException, which says who can, if it may not be released."""
        self._delete(NodeMaintenanceEntry, entry, ignore_missing=ignore_missing, node_id=_ident(node))

    def remove_all_node_maintenance_entries(self, node: str | _node.Node) -> None:
        """Release every hold of a node, or none: the ForbiddenException names each one in the way."""
        address = f"/nodes/{_ident(node)}/maintenance"
        response = self.delete(address, microversion=microversion_of(self), status_code_retries=0)
        exceptions.raise_from_response(response)


def _ident(node: str | _node.Node) -> str:
    ident = resource.Resource._get_id(node)
    if not ident or "/" in ident:
        raise exceptions.InvalidRequest(f"{ident!r} is no name or UUID of a node")
    return ident
