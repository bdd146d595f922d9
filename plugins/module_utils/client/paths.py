# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Addresses of the API's resources. What a caller names becomes exactly one path segment, or is refused before anything is sent.

The refusals matter: an empty entry uuid would turn the release of one entry into the release of all, `..` would leave the node's path, and
many servers split a path after decoding it, so a `/` in a name would address another resource.
"""

from __future__ import annotations

import typing as t
import urllib.parse

from . import errors

#: Segments that follow /v1/nodes/ and are not nodes; Ironic forbids them as names.
_RESERVED_NODES: t.Final = frozenset({"detail", "maintenance"})

_MAINTENANCE: t.Final = "maintenance"


def node(ident: str) -> str:
    """Give the path of a node. Raises BadOption, and so do all functions here, if the ident cannot be a node's name or uuid."""
    segment = _segment(ident, "node", ident if isinstance(ident, str) else None)
    if ident in _RESERVED_NODES:
        raise errors.BadOption(f"{ident!r} cannot be a node: the API uses this word for itself", node=ident)
    return f"/v1/nodes/{segment}"


def maintenance(ident: str) -> str:
    """Give the path of a node's entries, which is also that of its maintenance flag."""
    return f"{node(ident)}/{_MAINTENANCE}"


def entry(ident: str, uuid: str) -> str:
    """Give the path of one entry of a node."""
    return f"{maintenance(ident)}/{_segment(uuid, 'uuid of a hold', ident)}"


def _segment(value: t.Any, what: str, ident: str | None) -> str:
    if not isinstance(value, str) or not value.strip():
        raise errors.BadOption(f"the {what} is empty: name one", node=ident)
    if value in (".", "..") or "/" in value or "\\" in value:
        raise errors.BadOption(f"{value!r} cannot be the {what}: it would address something else", node=ident)
    try:
        return urllib.parse.quote(value, safe="")
    except UnicodeEncodeError as error:
        raise errors.BadOption(f"{value!r} cannot be the {what}: it is not valid text", node=ident) from error


def query(parameters: t.Mapping[str, t.Any]) -> dict[str, str]:
    """Give query parameters as text: None is left out, a boolean is `true` or `false`, and `fields` is a list of names.

    Raises BadOption for a list anywhere else: the API's filters take one value each, and would quietly find nothing.
    """
    return {name: _text(name, value) for name, value in parameters.items() if value is not None}


def _text(name: str, value: t.Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        if name == "fields":
            return ",".join(str(item) for item in value)
        raise errors.BadOption(f"the filter {name} takes one value, not several")
    return str(value)
