# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes from a file."""

from __future__ import annotations

import sys
import typing as t

from .document import SourceError, nodes_of


def read(path: str) -> list[dict[str, t.Any]]:
    """Give the nodes of the `GET /v1/nodes/detail` document in a file, `-` for standard input.

    Raises SourceError, also for a document that is one page of several: it would be a part taken for the whole.
    """
    name = "standard input" if path == "-" else path
    try:
        if path == "-":
            body = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as stream:
                body = stream.read()
    except OSError as error:
        raise SourceError(f"{name} cannot be read: {(error.strerror or str(error)).lower()}") from None
    nodes, document = nodes_of(body, name)
    if document.get("next"):
        raise SourceError(f"{name} is one page of several (it has a `next` link): give the URL of the Ironic, or all pages in one document")
    return nodes
