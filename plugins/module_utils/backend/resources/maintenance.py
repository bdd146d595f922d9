# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""/v1/nodes/{ident}/maintenance: the boolean of every version, and the collection of typed entries (spec, "REST API impact")."""

from __future__ import annotations

import typing as t

from ..errors import Refusal
from ..service import flag, holds
from ..service.acting import Call
from . import bodies, holds_in, idents, versions
from .site import Site, dry_run

#: A reason beyond this is cut, as Ironic's log_in_db_max_size does.
MOST_LEGACY_REASON: t.Final = 4096


class Collection:
    """The maintenance of one node."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def on_get(self, req: t.Any, resp: t.Any, ident: str) -> None:
        """List the node's active entries, oldest first."""
        versions.require_typed(req.context.version, "Listing maintenance entries")
        args = bodies.Arguments(req)
        args.done()
        acting = req.context.acting
        node, entries = holds.list_entries(self._site.parts, acting, ident)
        resp.media = {"maintenance": self._site.entries(req, acting, node, entries)}

    def on_post(self, req: t.Any, resp: t.Any, ident: str) -> None:
        """Assert a typed entry."""
        versions.require_typed(req.context.version, "Asserting a maintenance entry")
        args = bodies.Arguments(req)
        trial = dry_run(args, req.context.version, typed=True)
        args.done()
        body = holds_in.members(bodies.json_value(req), holds_in.WISH_MEMBERS, ident)
        wish = holds_in.wish(body, self._site.parts.registry, ident)
        acting = req.context.acting
        held = holds.assert_entry(self._site.parts, acting, ident, wish, dry_run=trial)
        resp.status = 201
        resp.media = self._site.held(req, acting, held, dry_run=trial)
        if not trial:
            resp.location = resp.media["links"][0]["href"]

    def on_put(self, req: t.Any, resp: t.Any, ident: str) -> None:
        """Set the boolean: make or update the legacy entry."""
        self.set(req, resp, ident, bodies.Arguments(req, _members(req)))

    def on_delete(self, req: t.Any, resp: t.Any, ident: str) -> None:
        """Clear the boolean: release every active entry, all or nothing."""
        self.clear(req, resp, ident, bodies.Arguments(req, _members(req)))

    def set(self, req: t.Any, resp: t.Any, ident: str, args: bodies.Arguments) -> None:
        """Do what PUT does, for a node named in the path or in an argument."""
        trial = dry_run(args, req.context.version, typed=False)
        reason = args.take("reason")
        args.done()
        if reason is not None and not isinstance(reason, str):
            raise Refusal(400, "invalid", f"Expected string for reason: {_shown(reason)}", node=ident)
        if reason is not None:
            reason = reason[:MOST_LEGACY_REASON]
        flag.set_flag(
            self._site.parts,
            req.context.acting,
            ident,
            reason,
            by_name=req.context.version >= versions.NAME,
            dry_run=trial,
        )
        resp.status = 202

    def clear(self, req: t.Any, resp: t.Any, ident: str, args: bodies.Arguments) -> None:
        """Do what DELETE does, for a node named in the path or in an argument."""
        typed = req.context.version >= versions.typed()
        trial = dry_run(args, req.context.version, typed=False)
        args.done()
        call: Call = "bulk" if typed else "legacy_delete"
        flag.clear_flag(
            self._site.parts,
            req.context.acting,
            ident,
            call,
            by_name=req.context.version >= versions.NAME,
            dry_run=trial,
        )
        resp.status = 204 if typed else 202


class Alias:
    """/v1/nodes/maintenance: PUT and DELETE with the node in the argument node_ident, as Ironic's router takes it."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection

    def on_put(self, req: t.Any, resp: t.Any) -> None:
        """Set the boolean."""
        args = bodies.Arguments(req, _members(req))
        self._collection.set(req, resp, _ident(args), args)

    def on_delete(self, req: t.Any, resp: t.Any) -> None:
        """Clear the boolean."""
        args = bodies.Arguments(req, _members(req))
        self._collection.clear(req, resp, _ident(args), args)


def _ident(args: bodies.Arguments) -> str:
    if not args.has("node_ident"):
        raise Refusal(400, "invalid", "Missing mandatory parameter: node_ident")
    return idents.check(args.take("node_ident"))


def _members(req: t.Any) -> dict[str, t.Any]:
    """Give the body's members, as arguments. A malformed body is refused: Ironic takes it and wipes the reason."""
    if bodies.media_type(req) == bodies.FORM:
        return bodies.form(bodies.raw(req))
    value = bodies.json_value(req)
    if value is bodies.MISSING or value is None:
        return {}
    if not isinstance(value, dict):
        raise Refusal(400, "invalid", "The body must be a JSON object with reason.")
    return value


def _shown(value: t.Any) -> str:
    return repr(value)[:80]
