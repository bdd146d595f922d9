# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""/v1/nodes/{ident}/maintenance/{entry_uuid} and …/maintenance/fault (spec, "REST API impact"; api.md 2 and 5)."""

from __future__ import annotations

import typing as t

from ..service import faults, holds
from . import bodies, holds_in, versions
from .site import Site, dry_run


class Single:
    """One active entry."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def on_get(self, req: t.Any, resp: t.Any, ident: str, entry_uuid: str) -> None:
        """Show the entry."""
        versions.require_typed(req.context.version, "A maintenance entry")
        bodies.Arguments(req).done()
        acting = req.context.acting
        resp.media = self._site.held(req, acting, holds.get_entry(self._site.parts, acting, ident, entry_uuid))

    def on_patch(self, req: t.Any, resp: t.Any, ident: str, entry_uuid: str) -> None:
        """Change the caller's own entry."""
        versions.require_typed(req.context.version, "Changing a maintenance entry")
        args = bodies.Arguments(req)
        trial = dry_run(args, req.context.version, typed=True)
        args.done()
        body = holds_in.members(bodies.json_value(req), holds_in.CHANGE_MEMBERS, ident)
        acting = req.context.acting
        held = holds.update_entry(self._site.parts, acting, ident, entry_uuid, holds_in.changes(body, ident), dry_run=trial)
        resp.media = self._site.held(req, acting, held, dry_run=trial)

    def on_delete(self, req: t.Any, resp: t.Any, ident: str, entry_uuid: str) -> None:
        """Release the entry."""
        versions.require_typed(req.context.version, "Releasing a maintenance entry")
        args = bodies.Arguments(req)
        bodies.no_members(req)
        trial = dry_run(args, req.context.version, typed=True)
        args.done()
        holds.release_entry(self._site.parts, req.context.acting, ident, entry_uuid, dry_run=trial)
        resp.status = 204


class Fault:
    """The fault of a local node; it is released as an entry, by its uuid."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def on_put(self, req: t.Any, resp: t.Any, ident: str) -> None:
        """Assert the fault, or update it in place."""
        versions.require_typed(req.context.version, "Asserting a fault")
        args = bodies.Arguments(req)
        trial = dry_run(args, req.context.version, typed=True)
        args.done()
        body = holds_in.members(bodies.json_value(req), ("fault", "reason"), ident)
        kind = holds_in.fault(body.get("fault"), ident)
        reason = holds_in.reason(body.get("reason"), ident)
        acting = req.context.acting
        held = faults.put_fault(self._site.parts, acting, ident, kind, reason, dry_run=trial)
        resp.status = 201 if held.created else 200
        resp.media = self._site.held(req, acting, held, dry_run=trial)
