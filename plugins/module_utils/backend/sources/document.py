# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where nodes are imported from: what all sources have in common."""

from __future__ import annotations

import json
import typing as t


class SourceError(Exception):
    """A source cannot be read, or not to its end; the text is one sentence."""


def nodes_of(body: bytes, name: str) -> tuple[list[dict[str, t.Any]], dict[str, t.Any]]:
    """Give the nodes of a `GET /v1/nodes/detail` document, and the document. name: what the source is called in errors.

    Raises SourceError if it is not such a document.
    """
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        raise SourceError(f"{name} is not JSON; a GET /v1/nodes/detail document is expected") from None
    nodes = document.get("nodes") if isinstance(document, dict) else None
    if not isinstance(nodes, list) or not all(isinstance(node, dict) for node in nodes):
        raise SourceError(f'{name} has no list "nodes"; a GET /v1/nodes/detail document is expected')
    for number, node in enumerate(nodes, 1):
        if not isinstance(node.get("uuid"), str):
            raise SourceError(f"{name}: node number {number} has no uuid; nothing is imported")
    return nodes, document
