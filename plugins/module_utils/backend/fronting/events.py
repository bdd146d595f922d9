# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A node's history: Ironic's own events and ours, as one list, by the policy of Ironic."""

from __future__ import annotations

import datetime
import typing as t

from ..resources import answers, bodies, paging, versions
from ..resources.history import require_history
from ..resources.site import Site
from ..service import history
from .passing import Passing

#: Events that can have one time: a release of all entries of a node is one moment.
_ONE_MOMENT: t.Final = 1000


class NodeHistory:
    """/v1/nodes/{ident}/history."""

    #: Who may see what is for Ironic to say, with the credential that the request carries.
    asks_ironic = True

    def __init__(self, site: Site, passing: Passing) -> None:
        self._site = site
        self._passing = passing

    def on_get(self, req: t.Any, resp: t.Any, ident: str) -> None:
        """List the events of both, oldest first. Whether the caller may is Ironic's answer."""
        version = require_history(req)
        args = bodies.Arguments(req)
        limit, marker, detail = paging.limit(args), args.take("marker"), args.flag("detail")
        args.done()
        response = self._passing.open(req, query="detail=true" if detail else "", plain=True)
        if response.status != 200:
            self._passing.relay(req, resp, response)
            return
        self._passing.head(req, resp, response)
        document = self._passing.links(req, self._passing.document(response))
        theirs = [(_time(row.get("created_at")), row["uuid"], row) for row in document.get("history", [])]
        base = self._passing.base(req)
        acting, parts = req.context.acting, self._site.parts
        node = acting.require_sight(parts.source.find(ident, acting, by_name=version >= versions.NAME), ident)
        after = next(((when, uuid) for when, uuid, _row in theirs if uuid == marker), None)
        ours = history.around(parts, acting, node, after=after, marker=None if after else marker, most=limit + _ONE_MOMENT)
        rows = [
            (past.columns["created_at"], past.columns["uuid"], answers.event(past, version, base=base, detail=detail))
            for past in ours.events
        ]
        merged = sorted((*theirs, *rows), key=lambda item: item[:2])
        position = after or ours.marker
        if position is not None:
            merged = [item for item in merged if item[:2] > position]
        resp.media = {"history": [row for _when, _uuid, row in merged[:limit]]}
        if len(merged) > limit:
            resp.media["next"] = paging.following(req, base, {"limit": limit, "marker": merged[limit - 1][1]})


class OneEvent:
    """/v1/nodes/{ident}/history/{uuid}."""

    #: Who may see what is for Ironic to say, with the credential that the request carries.
    asks_ironic = True

    def __init__(self, site: Site, passing: Passing) -> None:
        self._site = site
        self._passing = passing

    def on_get(self, req: t.Any, resp: t.Any, ident: str, event_uuid: str) -> None:
        """Show one of ours, or what Ironic says. Whether the caller may is Ironic's answer to the list."""
        version = require_history(req)
        bodies.Arguments(req).done()
        response = self._passing.open(req, query="", plain=True)
        if response.status != 404:
            self._passing.relay(req, resp, response)
            return
        response.drain_conn()
        listed = self._passing.look(req, ident, tail="/history")
        if listed.status != 200:
            self._passing.relay(req, resp, listed)
            return
        listed.drain_conn()
        acting, parts = req.context.acting, self._site.parts
        node = acting.require_sight(parts.source.find(ident, acting, by_name=version >= versions.NAME), ident)
        past = history.one(parts, acting, node, event_uuid)
        resp.media = answers.event(past, version, base=self._passing.base(req))


def _time(text: t.Any) -> datetime.datetime:
    try:
        value = datetime.datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError:
        return datetime.datetime.min
    return value.astimezone(datetime.timezone.utc).replace(tzinfo=None) if value.tzinfo else value
