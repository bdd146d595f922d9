# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""PATCH and DELETE of a node in Ironic: the ways in which they end or make a hold are decided here, the rest by Ironic."""

from __future__ import annotations

import typing as t
import urllib.parse

from ..errors import Refusal
from ..resources import bodies, node_patch, versions
from ..resources.site import Site, dry_run
from ..service import acting as act
from ..service import decisions, flag, nodes
from ..service.holds import locked_node
from ..store import values
from ..store.values import Changes, Entry, Locked
from .showing import Lister, OneNode, Shown, answer, dump

#: The members of a node's patch that are decided here.
_OURS: t.Final = frozenset(("maintenance", "maintenance_reason", "fault"))


class Node(OneNode):
    """/v1/nodes/{ident}."""

    def __init__(self, lister: Lister, site: Site) -> None:
        super().__init__(lister)
        self._lister = lister
        self._site = site

    def on_patch(self, req: t.Any, resp: t.Any, ident: str) -> None:
        """Change members in Ironic, and through /maintenance the boolean here: authority first, then the rest, then ours."""
        passing = self._lister.passing
        args = bodies.Arguments(req)
        trial = dry_run(args, req.context.version, typed=False)
        args.take("reset_interfaces")
        args.done()
        body = bodies.json_value(req, bodies.FOUR_MIB)
        if not isinstance(body, list) or not all(isinstance(operation, dict) for operation in body):
            raise Refusal(400, "invalid", "The body must be a JSON Patch: a list of operations.", node=ident)
        ours = [operation for operation in body if _is_ours(operation)]
        rest = [operation for operation in body if not _is_ours(operation)]
        query = urllib.parse.urlencode([pair for pair in urllib.parse.parse_qsl(req.query_string) if pair[0] != "dry_run"])
        if trial and rest:
            raise Refusal(
                400,
                "not_supported",
                f"Cannot try a change of node {ident} without making it: its members are Ironic's, which has no dry_run;"
                " only /maintenance can be tried.",
                node=ident,
            )
        if not ours:
            response = passing.open(req, query=query, body=dump(rest), own=True, plain=True)
            answer(self._lister, req, resp, response, Shown(None, with_entries=False))
            return
        change = self._boolean(req, ident, node_patch.read(ours, ident))
        change(True)
        if rest:
            response = passing.open(req, query=query, body=dump(rest), own=True, plain=True)
            if response.status != 200:
                passing.relay(req, resp, response)
                return
            passing.document(response)
        if not trial:
            change(False)
        answer(self._lister, req, resp, passing.look(req, ident, full=True), Shown(None, with_entries=False))

    def on_delete(self, req: t.Any, resp: t.Any, ident: str) -> None:
        """Remove the node from Ironic if the caller may release each of its entries; they end with it."""
        passing, site, acting, version = self._lister.passing, self._site, req.context.acting, req.context.version
        args = bodies.Arguments(req)
        bodies.no_members(req)
        trial = dry_run(args, version, typed=False)
        args.done()
        call: act.Call = "bulk" if version >= versions.typed() else "legacy_delete"
        found = acting.require_sight(site.parts.source.find(ident, acting, by_name=version >= versions.NAME), ident)

        def decide(locked: Locked) -> Changes:
            node, entries = locked_node(locked, ident)
            acting.require_sight(node, ident)
            decisions.require_release(acting, node, ident, entries, call)
            return Changes(
                delete=list(entries),
                events=[decisions.event(acting, node, entry, "release") for entry in entries],
                delete_nodes=[node],
            )

        if site.parts.source.policy_too and not acting.may(nodes.DELETE, found) and not acting.may(nodes.DELETE_OWN, found):
            acting.require(nodes.DELETE, found, ident)
        site.parts.store.change([found.id], decide, dry_run=True)
        if trial:
            resp.status = 204
            return
        response = passing.open(req, query="", body=None, own=True)
        if response.status in (200, 202, 204):
            # If this process ends here, the reconciler finds the node gone.
            site.parts.store.change([found.id], lambda locked: decide(locked) if locked.nodes else Changes())
        passing.relay(req, resp, response)

    def _boolean(self, req: t.Any, ident: str, patch: node_patch.NodePatch) -> t.Callable[[bool], None]:
        """Give what does, or with True only tries, the boolean's part of the patch."""
        parts, acting, version = self._site.parts, req.context.acting, req.context.version

        def hold(node: values.Node, entries: tuple[Entry, ...], locked: Locked) -> Changes | None:
            patch.test_maintenance(bool(entries))
            if patch.maintenance is None:
                return None
            if patch.maintenance:
                acting.require(act.SET_MAINTENANCE, node, ident, call="patch")
                return None if entries else flag.hold_legacy(acting, node, entries, None, locked)
            return flag.release_all(acting, node, ident, entries, "patch")

        def change(trial: bool) -> None:
            nodes.update(parts, acting, ident, lambda _node: {}, hold, by_name=version >= versions.NAME, dry_run=trial)

        return change


def _is_ours(operation: t.Mapping[str, t.Any]) -> bool:
    """Tell whether an operation touches what is decided here. Refusal 400: it moves or copies it."""
    names = {name: _member(operation.get(name)) for name in ("path", "from")}
    if names["from"] in _OURS or (names["path"] in _OURS and operation.get("op") in ("move", "copy")):
        raise Refusal(
            400, "invalid", "Cannot move or copy /maintenance, /maintenance_reason or /fault; replace /maintenance with true or false."
        )
    return names["path"] in _OURS


def _member(pointer: t.Any) -> str:
    if not isinstance(pointer, str):
        return ""
    return pointer.lstrip("/").partition("/")[0].replace("~1", "/").replace("~0", "~").strip()
