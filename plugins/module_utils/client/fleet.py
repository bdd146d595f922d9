# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known over all nodes and over time: entries of the fleet, history, types."""

from __future__ import annotations

import typing as t

from . import paging, paths
from .entries import ENTRY
from .verbs import Verbs

Row = dict[str, t.Any]


class Fleet(Verbs):
    """Listings. Filters are the API's query parameters; None is left out."""

    def fleet_entries(self, filters: t.Mapping[str, t.Any] | None = None) -> list[Row]:
        """Give the active entries of all nodes that these credentials see, each with node_uuid and node_name. Needs `fleet`."""
        return paging.collect(
            self._link,
            "/v1/maintenance",
            "maintenance",
            what="list the holds of the fleet",
            query=filters or {},
            required=(*ENTRY, "node_uuid"),
            needs=("fleet",),
        )

    def node_history(self, node: str, filters: t.Mapping[str, t.Any] | None = None) -> list[Row]:
        """Give the events in a node's history; works on every service that keeps one."""
        return paging.collect(
            self._link,
            f"{paths.node(node)}/history",
            "history",
            what=f"read the history of node {node}",
            node=node,
            query={"detail": True, **(filters or {})},
            required=("uuid",),
        )

    def fleet_history(self, filters: t.Mapping[str, t.Any] | None = None) -> list[Row]:
        """Give the maintenance events of all nodes. Needs `fleet_history`."""
        return paging.collect(
            self._link,
            "/v1/maintenance/history",
            "history",
            what="read the history of the fleet",
            query=filters or {},
            required=("uuid",),
            needs=("fleet_history",),
        )

    def types(self) -> list[Row]:
        """Give the types that the service knows, each with `name` and `reserved`. Needs `types`."""
        return self._link.call(
            "GET",
            "/v1/maintenance/types",
            what="list the maintenance types",
            needs=("types",),
            read=lambda answer: answer.rows("types", ("name", "reserved")),
        )
