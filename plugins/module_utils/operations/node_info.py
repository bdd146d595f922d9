# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""node_info: read nodes."""

from __future__ import annotations

import typing as t

from ..client.api import Api
from . import query, targets
from .entries import MOST_SINGLE_READS
from .errors import OperationError
from .operation import Operation, Params, Result

#: Query parameters of a listing that say how it is given, not which nodes.
_NOT_FILTERS: t.Final = ("fields", "limit", "marker", "detail")


def node_info(api: Api, params: Params, check_mode: bool, diff: bool) -> Result:
    """Give the nodes that are named, in that order, or those that match `filters`. An unknown node is an error."""
    if params["filters"] is None:
        found = _named(api, targets.several(params))
    else:
        found = _filtered(api, params)
    result: Result = {"changed": False, "nodes": found}
    if params["query"] is not None:
        result["query_result"] = query.search(params["query"], found)
    return result


def _named(api: Api, nodes: t.Sequence[str]) -> list[dict[str, t.Any]]:
    listed: dict[str, dict[str, t.Any]] = {}
    if len(nodes) > MOST_SINGLE_READS:
        for node in api.iter_nodes():
            for ident in (node["uuid"], node.get("name")):
                listed[ident] = node
    return [listed[node] if node in listed else api.get_node(node) for node in nodes]


def _filtered(api: Api, params: Params) -> list[dict[str, t.Any]]:
    if params["node"] is not None or params["nodes"] is not None:
        raise OperationError("`filters` picks from every node that you may see: leave out `node` and `nodes`.")
    wrong = [name for name in _NOT_FILTERS if name in params["filters"]]
    if wrong:
        raise OperationError(f"`filters` says which nodes are meant, and {' and '.join(wrong)} does not: leave it out, or use `query`.")
    return api.iter_nodes(filters=params["filters"])


OPERATION: t.Final = Operation(
    name="node_info",
    run=node_info,
    options={
        **targets.OPTIONS,
        "filters": {"type": "dict"},
        "query": {"type": "str"},
    },
    targets=("node", "nodes", "filters"),
    mutually_exclusive=(("node", "nodes"),),
)
