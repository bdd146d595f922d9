# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The specification and nothing more: what this backend adds to it is neither listed, taken nor shown (api.md 1, "native").

It is what an Ironic that has the specification would answer, for trying out clients (the setting `extensions: false`).
"""

from __future__ import annotations

import io
import json
import re
import typing as t
import urllib.parse

from .. import libs
from ..errors import Refusal
from . import answers, bodies, holds_in

#: The specification's members of an entry, and of a request for one.
_SHOWN: t.Final = answers.ENTRY_FIELDS[: answers.ENTRY_FIELDS.index("links") + 1]
_TAKEN: t.Final = ("type", "reason", "extra")

#: Under which names a document has a list of rows.
_LISTS: t.Final = ("maintenance", "history")

_ADDED: t.Final = re.compile(r"/v1/maintenance(?:/.*)?|/v1/nodes/[^/]+/maintenance/fault")
_COLLECTION: t.Final = re.compile(r"/v1/nodes/[^/]+/maintenance")
_ENTRY: t.Final = re.compile(r"/v1/nodes/[^/]+/maintenance/[^/]+")


class Native:
    """Falcon middleware, behind the edge."""

    def process_request(self, req: t.Any, _resp: t.Any) -> None:
        """Refuse what the specification does not have, as if nobody had built it."""
        if _ADDED.fullmatch(req.path):
            raise libs.falcon.HTTPRouteNotFound
        if req.method == "PATCH" and _ENTRY.fullmatch(req.path):
            raise libs.falcon.HTTPMethodNotAllowed(["GET", "DELETE"])
        query = urllib.parse.parse_qs(req.query_string, keep_blank_values=True)
        if "dry_run" in query:
            raise Refusal(400, "invalid", "Unexpected arguments: dry_run")
        if "maintenance_entries" in ",".join(query.get("fields", [])).split(","):
            raise Refusal(400, "invalid", "Field(s) maintenance_entries are not valid fields")
        if req.method == "POST" and _COLLECTION.fullmatch(req.path):
            _check_members(req)

    def process_response(self, _req: t.Any, resp: t.Any, _resource: t.Any, _succeeded: bool) -> None:
        """Show what the specification has."""
        if resp.media is not None:
            resp.media = _bare(resp.media)


def _check_members(req: t.Any) -> None:
    """Refusal 400: the body has a member of ours. The body is put back for the resource to read."""
    length = req.content_length
    if length is not None and length > bodies.ONE_MIB:
        return
    data = req.stream.read(bodies.ONE_MIB + 1 if length is None else length)
    req.stream = req.env["wsgi.input"] = io.BytesIO(data)
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        return
    if isinstance(body, dict) and any(name in body for name in holds_in.WISH_MEMBERS if name not in _TAKEN):
        holds_in.members(body, _TAKEN, None)


def _bare(value: t.Any) -> t.Any:
    """Give a document without our additions."""
    if isinstance(value, list):
        return [_bare(member) for member in value]
    if not isinstance(value, dict):
        return value
    if "asserted_by" in value:
        return {name: value[name] for name in _SHOWN}
    ours = {"maintenance_api", "refusal"}
    if "severity" in value:
        ours.add("maintenance")
    # What is inside a node (extra, properties) is its owner's.
    return {name: _bare(member) if name in _LISTS else member for name, member in value.items() if name not in ours}
