# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Choosing nodes with a JMESPath query."""

from __future__ import annotations

import typing as t

from ...module_utils.operations import query as jmespath
from .errors import InventoryError
from .snapshot import Node


def select(nodes: t.Sequence[Node], query: str) -> list[Node]:
    """Give the nodes that the query chooses out of the list of nodes, in the query's order.

    The query's result must be a list of nodes, or of objects with the uuid of a node: what is missing from a host's
    variables can't have been meant. Raises InventoryError otherwise, and ClientError if the query itself can't be answered.
    """
    chosen = jmespath.search(query, list(nodes))
    known = {node["uuid"]: node for node in nodes}
    if not isinstance(chosen, list):
        raise InventoryError(f"the query {query!r} does not give a list of nodes")
    uuids = [node.get("uuid") if isinstance(node, t.Mapping) else None for node in chosen]
    if not all(isinstance(uuid, str) and uuid in known for uuid in uuids):
        raise InventoryError(f"the query {query!r} does not give a list of nodes: keep their uuid in what it gives")
    return [known[uuid] for uuid in t.cast("list[str]", uuids)]
