# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""/v1/nodes/{ident}/history in Ironic's shape (api.md 6 and 10)."""

from __future__ import annotations

import typing as t

from ..errors import Refusal
from ..service import history
from . import answers, bodies, paging, versions
from .site import Site


class NodeHistory:
    """The events of one node."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def on_get(self, req: t.Any, resp: t.Any, ident: str) -> None:
        """List them, oldest first."""
        version = require_history(req)
        args = bodies.Arguments(req)
        limit, marker, detail = paging.limit(args), args.take("marker"), args.flag("detail")
        args.done()
        base = self._site.base(req)
        _node, found, more = history.of_node(self._site.parts, req.context.acting, ident, limit=limit, marker=marker)
        rows = [answers.event(past, version, base=base, detail=detail) for past in found]
        resp.media = {"history": rows}
        if more:
            resp.media["next"] = paging.following(req, base, {"limit": limit, "marker": rows[-1]["uuid"]})


class OneEvent:
    """One event of a node."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def on_get(self, req: t.Any, resp: t.Any, ident: str, event_uuid: str) -> None:
        """Show it in full."""
        version = require_history(req)
        bodies.Arguments(req).done()
        _node, past = history.event_of_node(self._site.parts, req.context.acting, ident, event_uuid)
        resp.media = answers.event(past, version, base=self._site.base(req))


def require_history(req: t.Any) -> int:
    """Give the request's version. Refusal 404: there is no history in it."""
    version = req.context.version
    if version < versions.HISTORY:
        raise Refusal(404, "not_found", f"Node history needs API version 1.{versions.HISTORY} or newer; this request asks for 1.{version}.")
    return version
