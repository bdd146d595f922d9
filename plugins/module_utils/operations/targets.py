# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which nodes a task means."""

from __future__ import annotations

import typing as t

from .errors import OperationError

#: The options of a verb that works on one node or on several.
OPTIONS: t.Final[dict[str, dict[str, t.Any]]] = {
    "node": {"type": "str"},
    "nodes": {"type": "list", "elements": "str"},
}


def one(params: t.Mapping[str, t.Any]) -> str:
    """Give the node of a verb that works on one. Raise OperationError without one."""
    return _filled(params.get("node"), "node")


def several(params: t.Mapping[str, t.Any]) -> list[str]:
    """Give the nodes as the task named them, each once, in the task's order. An empty `nodes` gives none.

    Raise OperationError if neither `node` nor `nodes` is given, or if a name is empty.
    """
    nodes = params.get("nodes")
    if nodes is None:
        return [one(params)]
    return list(dict.fromkeys(_filled(node, "nodes") for node in nodes))


def _filled(node: str | None, option: str) -> str:
    if node is None:
        raise OperationError("No node is named: give `node` (a name or UUID) or another option that says which nodes are meant.")
    if not node.strip():
        raise OperationError(f"`{option}` holds an empty string: a node's name or UUID is needed. Nothing was done.")
    return node
