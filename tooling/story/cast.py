# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who plays: the fleet of an export, and in it a node with an owner and a lessee that nobody holds."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import typing as t

#: For a fleet in which no free node is owned and leased.
OWN_NODE = {"name": "demo-n01", "owner": "demo-owner-team", "lessee": "demo-lessee-team"}


class NotAnExport(Exception):
    """The file is not what GET /v1/nodes/detail gives. Its text is one sentence."""


@dataclasses.dataclass(frozen=True)
class Cast:
    """The story's node, the projects of its owner and lessee, and what the export says of the others.

    enrol: the fleet has no fitting node, so the story begins with one of its own. held: nodes in maintenance. faulted: those by a fault.
    """

    node: str
    owner: str
    lessee: str
    enrol: bool
    nodes: int
    held: frozenset[str]
    faulted: frozenset[str]


def cast(export: pathlib.Path) -> Cast:
    """Choose from an export. Raises NotAnExport."""
    nodes = _nodes(export)
    fitting = [node for node in nodes if not node.get("maintenance") and _leased(node)]
    chosen = min(fitting, key=_ident, default=OWN_NODE)
    held = [node for node in nodes if node.get("maintenance")]
    return Cast(
        node=_ident(chosen),
        owner=chosen["owner"],
        lessee=chosen["lessee"],
        enrol=not fitting,
        nodes=len(nodes),
        held=frozenset(_ident(node) for node in held),
        faulted=frozenset(_ident(node) for node in held if node.get("fault")),
    )


def _nodes(export: pathlib.Path) -> list[dict[str, t.Any]]:
    try:
        document = json.loads(export.read_text(encoding="utf-8"))
    except OSError as error:
        raise NotAnExport(f"{export} can't be read: {error.strerror}") from error
    except ValueError as error:
        raise NotAnExport(f"{export} is not JSON: {error}") from error
    nodes = document.get("nodes") if isinstance(document, dict) else None
    if not isinstance(nodes, list) or not all(isinstance(node, dict) and node.get("uuid") for node in nodes):
        raise NotAnExport(f'{export} is not what GET /v1/nodes/detail gives: an object whose "nodes" is a list of nodes with their uuid')
    return nodes


def _leased(node: t.Mapping[str, t.Any]) -> bool:
    return bool(node.get("owner") and node.get("lessee") and node["owner"] != node["lessee"])


def _ident(node: t.Mapping[str, t.Any]) -> str:
    return str(node.get("name") or node["uuid"])
