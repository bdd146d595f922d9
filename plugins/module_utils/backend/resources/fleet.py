# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""/v1/maintenance: entries over the fleet, assert and release on many nodes, types, the fleet's history (api.md 7)."""

from __future__ import annotations

import collections
import datetime
import typing as t

from ...rules import types
from ..errors import Refusal
from ..service import bulk, fleet, history
from . import answers, bodies, holds_in, paging, versions
from .site import Site, dry_run

#: How many nodes or entries one call takes.
MOST: t.Final = {"stop": 20_000, "continue": 1_000}

ROW_FIELDS: t.Final = ("node_uuid", "node_name", *answers.ENTRY_FIELDS)


class Fleet:
    """The active entries over the fleet that the caller sees."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def on_get(self, req: t.Any, resp: t.Any) -> None:
        """List them."""
        versions.require_typed(req.context.version, "Listing the fleet's maintenance entries")
        args = bodies.Arguments(req)
        limit, marker = paging.limit(args), args.take("marker")
        fields = _fields(args)
        filters = fleet.Filters(
            older_than=args.number("older_than"),
            **{
                name: args.take(name)
                for name in ("type", "scope", "project", "asserted_by", "node", "owner", "lessee", "fault", "key", "ticket", "run")
            },
        )
        args.done()
        acting, site = req.context.acting, self._site
        found, more = fleet.list_entries(site.parts, acting, filters, limit=limit, marker=marker)
        enforced = site.parts.source.enforced({node.id for node, _entry in found})
        rows = []
        for node, entry in found:
            row = answers.entry(
                acting,
                node,
                entry,
                base=site.base(req),
                enforced=enforced[node.id],
                enforced_by=site.parts.source.enforced_by,
            )
            rows.append({"node_uuid": node.uuid, "node_name": node.name, **row})
        following = paging.following(req, site.base(req), {"marker": rows[-1]["uuid"], "limit": limit}) if more else None
        resp.media = {"maintenance": [{name: row[name] for name in fields} for row in rows], "next": following}

    def on_post(self, req: t.Any, resp: t.Any) -> None:
        """Assert one hold on many nodes."""
        versions.require_typed(req.context.version, "Asserting on many nodes")
        args = bodies.Arguments(req)
        trial = dry_run(args, req.context.version, typed=True)
        args.done()
        body = holds_in.members(bodies.json_value(req, bodies.FOUR_MIB), ("nodes", "on_error", *holds_in.WISH_MEMBERS), None)
        on_error = _on_error(body)
        nodes = _names(body, "nodes", on_error)
        wish = holds_in.wish(body, self._site.parts.registry)
        acting = req.context.acting
        results = bulk.assert_many(self._site.parts, acting, nodes, wish, on_error, dry_run=trial)
        resp.media = {"results": _results(self._site, req, results, trial)}


class Release:
    """Releasing many entries."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def on_post(self, req: t.Any, resp: t.Any) -> None:
        """Release what the body selects; nothing is selected because a member was left out."""
        versions.require_typed(req.context.version, "Releasing many entries")
        args = bodies.Arguments(req)
        trial = dry_run(args, req.context.version, typed=True)
        args.done()
        allowed = ("entries", "nodes", "type", "key", "run", "ticket", "on_error", "comment")
        body = holds_in.members(bodies.json_value(req, bodies.FOUR_MIB), allowed, None)
        on_error = _on_error(body)
        selection = _selection(body, on_error)
        comment = holds_in.comment(body.get("comment"))
        acting = req.context.acting
        results = bulk.release_many(self._site.parts, acting, selection, on_error, comment=comment, dry_run=trial)
        resp.media = {"results": _results(self._site, req, results, trial)}


class Types:
    """The types that this deployment knows."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def on_get(self, req: t.Any, resp: t.Any) -> None:
        """List them."""
        versions.require_typed(req.context.version, "Listing maintenance types")
        bodies.Arguments(req).done()
        resp.media = {"types": [{"name": name, "reserved": name in types.RESERVED} for name in self._site.parts.registry.names]}


class FleetHistory:
    """The maintenance events of the whole fleet."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def on_get(self, req: t.Any, resp: t.Any) -> None:
        """List them in the order in which they were committed; `cursor` goes on from the last one."""
        versions.require_typed(req.context.version, "The fleet's history")
        args = bodies.Arguments(req)
        limit, after = paging.limit(args), args.number("after", 0) or 0
        filters = history.Filters(
            since=_time(args, "since"),
            until=_time(args, "until"),
            **{name: args.take(name) for name in ("node", "type", "user", "action", "ticket", "run")},
        )
        args.done()
        base = self._site.base(req)
        found, more = history.of_fleet(self._site.parts, req.context.acting, filters, limit=limit, after=after)
        rows = []
        for past in found:
            rows.append(
                {
                    "node_uuid": past.columns["node_uuid"],
                    "node_name": past.columns["node_name"],
                    **answers.event(past, req.context.version, base=base),
                }
            )
        cursor = found[-1].columns["id"] if found else after
        following = paging.following(req, base, {"after": cursor, "limit": limit}) if more else None
        resp.media = {"history": rows, "cursor": str(cursor), "next": following}


def _fields(args: bodies.Arguments) -> t.Sequence[str]:
    text = args.take("fields")
    if text is None:
        return ROW_FIELDS
    wanted: list[str] = text.split(",")
    for name in wanted:
        if name not in ROW_FIELDS:
            raise Refusal(400, "invalid", f"Field {name[:80]} is not a valid field.")
    return wanted


def _on_error(body: t.Mapping[str, t.Any]) -> bulk.OnError:
    value = body.get("on_error", "stop")
    if not isinstance(value, str) or value not in MOST:
        raise Refusal(400, "invalid", "The member 'on_error' is stop or continue.")
    return t.cast("bulk.OnError", value)


def _names(body: t.Mapping[str, t.Any], member: str, on_error: str) -> list[str]:
    value = body.get(member)
    if not isinstance(value, list) or not all(isinstance(name, str) and name for name in value):
        raise Refusal(400, "invalid", f"The member {member!r} is a list of texts, none of them empty.")
    if len(value) > MOST[on_error]:
        raise Refusal(
            400,
            "invalid",
            f"The member {member!r} names {len(value)}; with on_error {on_error} it takes {MOST[on_error]} at most.",
        )
    if len(set(value)) != len(value):
        twice = max(value, key=collections.Counter(value).__getitem__)
        raise Refusal(400, "invalid", f"The member {member!r} names {twice[:80]} twice; name each once.")
    return value


def _selection(body: t.Mapping[str, t.Any], on_error: str) -> bulk.Selection:
    labels = {name: holds_in.label(body.get(name), name, holds_in.MOST_LABEL, None) for name in ("run", "ticket")}
    for name in ("run", "ticket"):
        if name in body and labels[name] is None:
            raise Refusal(400, "invalid", f"The member {name!r} is empty: give it, or leave it out.")
    type_name = holds_in.label(body.get("type"), "type", 64, None)
    if "type" in body and type_name is None:
        raise Refusal(400, "invalid", "The member 'type' is empty: give it, or leave it out.")
    if "key" in body and type_name is None:
        raise Refusal(400, "invalid", "The member 'key' narrows a type: give type too, or leave it out.")
    if "entries" in body:
        others = sorted({"nodes", "type", "key", "run", "ticket"} & set(body))
        if others:
            raise Refusal(400, "invalid", f"Give either entries or {', '.join(others)}, not both.")
        return bulk.Selection(entries=tuple(_names(body, "entries", on_error)))
    if type_name is not None and "nodes" not in body:
        raise Refusal(400, "invalid", "A type is released on named nodes only: give nodes too.")
    if type_name is None and not any(labels.values()):
        raise Refusal(400, "invalid", "Say what to release: entries, or nodes with type, or run or ticket; nothing is released by default.")
    nodes = tuple(_names(body, "nodes", on_error)) if "nodes" in body else None
    key = holds_in.label(body.get("key"), "key", holds_in.MOST_KEY, None) or ""
    return bulk.Selection(nodes=nodes, type=type_name, key=key, **labels)


def _results(site: Site, req: t.Any, results: list[bulk.Result], trial: bool) -> list[dict[str, t.Any]]:
    acting = req.context.acting
    shown = []
    for result in results:
        row: dict[str, t.Any] = {"node": result.ident, "status": result.status}
        if result.refusal is not None:
            row["error"] = answers.error(result.refusal)
        else:
            row["entry"] = None if result.held is None else site.held(req, acting, result.held, dry_run=trial)
        shown.append(row)
    return shown


def _time(args: bodies.Arguments, name: str) -> datetime.datetime | None:
    text = args.take(name)
    if text is None:
        return None
    try:
        value = datetime.datetime.fromisoformat(text.replace(" ", "+"))
        return value.astimezone(datetime.timezone.utc).replace(tzinfo=None) if value.tzinfo else value
    except (ValueError, OverflowError):
        raise Refusal(400, "invalid", f"The argument {name} is a time such as 2026-06-10T10:30:00+00:00, not {text[:80]!r}.") from None
