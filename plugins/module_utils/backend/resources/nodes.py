# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""/v1/nodes: the registry in Ironic's shapes, so that its clients work (Ironic's API reference; api.md 3 and 7)."""

from __future__ import annotations

import typing as t

from ...rules import faults
from ..errors import Refusal
from ..service import acting as act
from ..service import flag, nodes
from ..store.values import Changes, Entry, Locked, Node
from . import bodies, node_fields, node_patch, paging, versions
from .site import Site, dry_run

FILTERS: t.Final = (
    "fault",
    "owner",
    "lessee",
    "project",
    "driver",
    "resource_class",
    "conductor_group",
    "provision_state",
    "instance_uuid",
)


class Nodes:
    """The nodes that the caller sees."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def on_get(self, req: t.Any, resp: t.Any) -> None:
        """List nodes."""
        self.list(req, resp, detail=False)

    def on_post(self, req: t.Any, resp: t.Any) -> None:
        """Enrol a node."""
        args = bodies.Arguments(req)
        trial = dry_run(args, req.context.version, typed=False)
        args.done()
        body = bodies.json_value(req)
        if not isinstance(body, dict):
            raise Refusal(400, "invalid", "The body must be a JSON object that describes the node.")
        node = nodes.create(self._site.parts, req.context.acting, body, dry_run=trial)
        base = self._site.base(req)
        resp.status = 201
        resp.media = node_fields.show(node, req.context.version, base, None)
        if trial:
            # What was not written has no time, and no uuid unless one was given.
            resp.media.update(created_at=None, **({} if body.get("uuid") else {"uuid": None, "links": []}))
        else:
            resp.location = f"{base}/v1/nodes/{node.uuid}"

    def list(self, req: t.Any, resp: t.Any, *, detail: bool) -> None:
        """Answer with a page of nodes."""
        version, acting, site = req.context.version, req.context.acting, self._site
        args = bodies.Arguments(req)
        limit, marker = paging.limit(args), args.take("marker")
        if not detail:
            names = node_fields.wanted(args.take("fields"), version)
            if args.has("detail"):
                if args.flag("detail"):
                    if names is not None:
                        raise Refusal(400, "invalid", "Can't fetch a subset of fields with 'detail' set")
                    detail = True
        else:
            names = None
        sort_key, sort_dir = args.take("sort_key", "id"), args.take("sort_dir", "asc")
        filters = _filters(args, version)
        args.done()
        if sort_key not in nodes.SORT_KEYS:
            raise Refusal(400, "invalid", f"The sort_key value {sort_key[:80]!r} is an invalid field for sorting")
        if sort_dir not in ("asc", "desc"):
            raise Refusal(400, "invalid", f"Invalid sort direction: {sort_dir[:80]}. Acceptable values are 'asc' or 'desc'")
        with_entries = names is not None and node_fields.ENTRIES in names
        page = nodes.list_nodes(
            site.parts,
            acting,
            filters,
            limit=limit,
            marker=marker,
            sort_key=sort_key,
            descending=sort_dir == "desc",
            with_entries=with_entries,
        )
        base = site.base(req)
        shown = names if names is not None or detail else node_fields.LIST_DEFAULT
        rows = [node_fields.show(node, version, base, shown) for node in page.nodes]
        if with_entries:
            for node, row in zip(page.nodes, rows, strict=False):
                entries = page.entries[node.id]
                row[node_fields.ENTRIES] = None if entries is None else site.entries(req, acting, node, entries)
        resp.media = {"nodes": rows}
        if page.more:
            resp.media["next"] = paging.following(req, base, {"limit": limit, "marker": page.nodes[-1].uuid})


class Detail:
    """/v1/nodes/detail: the list with every field."""

    def __init__(self, listing: Nodes) -> None:
        self._listing = listing

    def on_get(self, req: t.Any, resp: t.Any) -> None:
        """List nodes in full."""
        self._listing.list(req, resp, detail=True)


class OneNode:
    """One node."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def on_get(self, req: t.Any, resp: t.Any, ident: str) -> None:
        """Show the node."""
        version, acting, site = req.context.version, req.context.acting, self._site
        args = bodies.Arguments(req)
        names = node_fields.wanted(args.take("fields"), version)
        args.done()
        by_name = version >= versions.NAME
        if names is None or node_fields.ENTRIES not in names:
            resp.media = node_fields.show(nodes.show(site.parts, acting, ident, by_name=by_name), version, site.base(req), names)
        else:
            node, entries = nodes.show_with_entries(site.parts, acting, ident, by_name=by_name)
            resp.media = node_fields.show(node, version, site.base(req), names)
            resp.media[node_fields.ENTRIES] = site.entries(req, acting, node, entries)

    def on_patch(self, req: t.Any, resp: t.Any, ident: str) -> None:
        """Change members, and through /maintenance the boolean, in one transaction."""
        version, acting, site = req.context.version, req.context.acting, self._site
        args = bodies.Arguments(req)
        trial = dry_run(args, version, typed=False)
        args.done()
        patch = node_patch.read(bodies.json_value(req), ident)

        def hold(node: Node, entries: tuple[Entry, ...], locked: Locked) -> Changes | None:
            patch.test_maintenance(bool(entries))
            if patch.maintenance is None:
                return None
            if patch.maintenance:
                acting.require(act.SET_MAINTENANCE, node, ident, call="patch")
                # Held already: not touched, whoever holds it; PUT would make a legacy entry beside the others.
                return None if entries else flag.hold_legacy(acting, node, entries, None, locked)
            return flag.release_all(acting, node, ident, entries, "patch")

        node = nodes.update(
            site.parts,
            acting,
            ident,
            patch.apply,
            hold,
            by_name=version >= versions.NAME,
            dry_run=trial,
        )
        resp.media = node_fields.show(node, version, site.base(req), None)

    def on_delete(self, req: t.Any, resp: t.Any, ident: str) -> None:
        """Remove the node."""
        version = req.context.version
        args = bodies.Arguments(req)
        bodies.no_members(req)
        trial = dry_run(args, version, typed=False)
        args.done()
        call: act.Call = "bulk" if version >= versions.typed() else "legacy_delete"
        nodes.delete(self._site.parts, req.context.acting, ident, call, by_name=version >= versions.NAME, dry_run=trial)
        resp.status = 204


def _filters(args: bodies.Arguments, version: int) -> nodes.Filters:
    values: dict[str, t.Any] = {name: args.take(name) for name in FILTERS}
    for name in ("maintenance", "associated"):
        if args.has(name):
            values[name] = args.flag(name)
    values["description"] = args.take("description_contains")
    for name, value in values.items():
        since = node_fields.SINCE.get(name, 1)
        if value is not None and since > version:
            raise Refusal(406, "not_supported", f"Request not acceptable. The filter {name} needs API version 1.{since} or newer.")
    if values["fault"] is not None and values["fault"] not in faults.KINDS:
        raise Refusal(400, "invalid", f'Unrecognized fault "{values["fault"][:80]}" is specified, allowed faults are {list(faults.KINDS)}')
    return nodes.Filters(**values)
