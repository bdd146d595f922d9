# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ironic's nodes with our entries laid over them: lists, one node, its answers to POST and PATCH."""

from __future__ import annotations

import dataclasses
import json
import typing as t
import urllib.parse

from ...rules import faults
from ..errors import Refusal
from ..resources import bodies, paging, versions
from ..resources.node_fields import ENTRIES
from ..resources.site import Site
from ..service import acting as act
from ..service import holds
from ..store.values import Node
from . import nodes
from .overlay import Overlay
from .passing import Passing

#: Nodes that one request to Ironic brings while a filter of ours is answered.
_PAGE: t.Final = 1000


@dataclasses.dataclass(frozen=True)
class Shown:
    """What a request wants to see. names: the fields, None for Ironic's choice."""

    names: tuple[str, ...] | None
    with_entries: bool


class Lister:
    """Answers for nodes in documents of Ironic's."""

    def __init__(self, site: Site, passing: Passing, over: Overlay) -> None:
        self._site = site
        self._passing = passing
        self._overlay = over

    @property
    def passing(self) -> Passing:
        """What forwards."""
        return self._passing

    def wanted(self, req: t.Any, query: list[tuple[str, str]]) -> Shown:
        """Take `fields` out of the query's pairs, if it names what is ours, and put in what is needed to find the node again.

        Refusal 406: the typed version is not asked for.
        """
        given = [value for name, value in query if name == "fields"]
        if not given:
            return Shown(None, with_entries=False)
        names = tuple(dict.fromkeys(name.strip() for name in ",".join(given).split(",") if name.strip()))
        with_entries = ENTRIES in names
        if with_entries and req.context.version < versions.typed():
            raise Refusal(
                406,
                "not_supported",
                f"Request not acceptable. The field {ENTRIES} needs API version 1.{versions.typed()} or newer,"
                f" not 1.{req.context.version}.",
            )
        asked = [name for name in names if name != ENTRIES]
        if "uuid" not in asked:
            asked.append("uuid")
        if with_entries:
            asked += [name for name in ("owner", "lessee", "name") if name not in asked]
        if tuple(asked) != names:
            query[:] = [(name, value) for name, value in query if name != "fields"]
            query.append(("fields", ",".join(asked)))
        return Shown(names, with_entries)

    def show(self, req: t.Any, rows: list[dict[str, t.Any]], shown: Shown) -> list[dict[str, t.Any]]:
        """Lay our entries over nodes, add the entries themselves where they are wanted, drop what was not."""
        self._overlay.lay(rows)
        if shown.with_entries:
            self._add_entries(req, rows)
        if shown.names is not None:
            keep = {*shown.names, "links"}
            for row in rows:
                for name in [name for name in row if name not in keep]:
                    del row[name]
        return rows

    def _add_entries(self, req: t.Any, rows: list[dict[str, t.Any]]) -> None:
        acting, parts = req.context.acting, self._site.parts
        # Ironic has just shown these to the caller.
        acting.hide_all(policy_too=parts.source.policy_too)
        acting.show([row["uuid"] for row in rows])
        members = {row["uuid"]: {name: row[name] for name in ("owner", "lessee", "name") if name in row} for row in rows}
        found = nodes.register(parts.store, members, parts.source.registering)
        entries: dict[int, t.Any] = {}
        ids = [node.id for node in found.values() if node.maintenance]
        if ids:
            entries = holds.entries_of(parts, ids)
        enforced = parts.source.enforced(ids)
        for row in rows:
            node = found[row["uuid"]]
            row[ENTRIES] = self._entries_of(req, acting, node, entries.get(node.id, ()), enforced.get(node.id, False))

    def _entries_of(self, req: t.Any, acting: act.Acting, node: Node, entries: t.Any, enforced: bool) -> list[dict[str, t.Any]] | None:
        if not acting.may(act.GET, node):
            return None
        return self._site.shown(req, acting, node, entries, enforced=enforced)


class NodeList:
    """/v1/nodes and /v1/nodes/detail."""

    #: Who may see what is for Ironic to say, with the credential that the request carries.
    asks_ironic = True

    def __init__(self, lister: Lister) -> None:
        self._lister = lister

    def on_get(self, req: t.Any, resp: t.Any) -> None:
        """List nodes; the filters `maintenance` and `fault` are answered by what is shown, not by what Ironic has in a gap."""
        query = _pairs(req)
        shown = self._lister.wanted(req, query)
        keep = _Keep.of(query, req.context.version)
        if keep is None:
            self._page(req, resp, query, shown)
            return
        query = [(name, value) for name, value in query if name not in ("maintenance", "fault")]
        if shown.names is not None:
            query = _with_fields(query, ("maintenance", "fault") if req.context.version >= versions.FAULT else ("maintenance",))
        elif keep.fault is not None and not _is_detailed(req, query):
            # The short list has no fault; it is what is left of the detailed one.
            query = _with_fields(query, ("uuid", "instance_uuid", "maintenance", "power_state", "provision_state", "name", "fault"))
            shown = Shown(("uuid", "instance_uuid", "maintenance", "power_state", "provision_state", "name"), with_entries=False)
        self._filtered(req, resp, query, shown, keep)

    def on_post(self, req: t.Any, resp: t.Any) -> None:
        """Enrol a node in Ironic."""
        body = bodies.json_value(req, bodies.FOUR_MIB)
        passing = self._lister.passing
        response = passing.open(req, body=None if body is bodies.MISSING else dump(body), own=True, plain=True)
        answer(self._lister, req, resp, response, Shown(None, with_entries=False))

    def _page(self, req: t.Any, resp: t.Any, query: list[tuple[str, str]], shown: Shown) -> None:
        passing = self._lister.passing
        response = passing.open(req, query=urllib.parse.urlencode(query), plain=True)
        if response.status != 200:
            passing.relay(req, resp, response)
            return
        passing.head(req, resp, response)
        document = passing.links(req, passing.document(response))
        rows = document.get("nodes") if isinstance(document, dict) else None
        if not isinstance(rows, list):
            raise Refusal(503, "unavailable", "The Ironic behind this service answers a list of nodes with something else.")
        self._lister.show(req, rows, shown)
        if isinstance(document.get("next"), str):
            document["next"] = _own_next(req, passing.base(req), document["next"])
        resp.media = document

    def _filtered(self, req: t.Any, resp: t.Any, query: list[tuple[str, str]], shown: Shown, keep: _Keep) -> None:
        """Read Ironic's pages until a page of ours is full."""
        passing = self._lister.passing
        limit = _limit(query)
        marker = next((value for name, value in query if name == "marker"), None)
        rest = [(name, value) for name, value in query if name not in ("limit", "marker")]
        found: list[dict[str, t.Any]] = []
        first = None
        while len(found) <= limit:
            page_query = [*rest, ("limit", str(_PAGE)), *([("marker", marker)] if marker else [])]
            response = passing.open(req, query=urllib.parse.urlencode(page_query), plain=True)
            if response.status != 200:
                passing.relay(req, resp, response)
                return
            first = first or response
            document = passing.links(req, passing.document(response))
            rows = document["nodes"]
            marker = rows[-1]["uuid"] if rows else None
            # Before members are dropped: what is filtered by need not be shown.
            full = self._lister.show(req, [dict(row) for row in rows], Shown(None, with_entries=False))
            kept = [row for row, over in zip(rows, full, strict=False) if keep.keeps(over)]
            found += kept
            if not document.get("next") or not marker:
                break
        passing.head(req, resp, first)
        # Before members are dropped: the last one's uuid may not be shown.
        last = found[limit - 1]["uuid"] if len(found) > limit else None
        resp.media = {"nodes": self._lister.show(req, found[:limit], shown)}
        if last is not None:
            resp.media["next"] = paging.following(req, passing.base(req), {"limit": limit, "marker": last})


class OneNode:
    """GET of /v1/nodes/{ident}."""

    #: Who may see what is for Ironic to say, with the credential that the request carries.
    asks_ironic = True

    def __init__(self, lister: Lister) -> None:
        self._lister = lister

    def on_get(self, req: t.Any, resp: t.Any, ident: str) -> None:
        """Show the node."""
        query = _pairs(req)
        shown = self._lister.wanted(req, query)
        response = self._lister.passing.open(req, query=urllib.parse.urlencode(query), plain=True)
        answer(self._lister, req, resp, response, shown)


def answer(lister: Lister, req: t.Any, resp: t.Any, response: t.Any, shown: Shown) -> None:
    """Answer with one node of Ironic's, overlaid; anything else as it is."""
    passing = lister.passing
    if response.status not in (200, 201):
        passing.relay(req, resp, response)
        return
    passing.head(req, resp, response)
    document = passing.links(req, passing.document(response))
    if not isinstance(document, dict) or not isinstance(document.get("uuid"), str):
        raise Refusal(503, "unavailable", "The Ironic behind this service answers for a node with something else.")
    resp.media = lister.show(req, [document], shown)[0]


@dataclasses.dataclass(frozen=True)
class _Keep:
    """The filters that are answered here."""

    maintenance: bool | None
    fault: str | None

    @classmethod
    def of(cls, query: t.Iterable[tuple[str, str]], version: int) -> _Keep | None:
        values = dict(query)
        maintenance, fault = values.get("maintenance"), values.get("fault")
        if maintenance is None and fault is None:
            return None
        # What Ironic refuses is left to it to refuse.
        known = {"true": True, "t": True, "1": True, "yes": True, "y": True, "on": True}
        known |= {"false": False, "f": False, "0": False, "no": False, "n": False, "off": False}
        if maintenance is not None and maintenance.lower() not in known:
            return None
        if fault is not None and (version < versions.FAULT or fault not in faults.KINDS):
            return None
        return cls(None if maintenance is None else known[maintenance.lower()], fault)

    def keeps(self, row: t.Mapping[str, t.Any]) -> bool:
        return (self.maintenance is None or row.get("maintenance") is self.maintenance) and (
            self.fault is None or row.get("fault") == self.fault
        )


def _pairs(req: t.Any) -> list[tuple[str, str]]:
    return urllib.parse.parse_qsl(req.query_string, keep_blank_values=True)


def _with_fields(query: list[tuple[str, str]], names: t.Iterable[str]) -> list[tuple[str, str]]:
    asked = [name for key, value in query if key == "fields" for name in value.split(",")]
    asked += [name for name in names if name not in asked]
    return [pair for pair in query if pair[0] != "fields"] + [("fields", ",".join(asked))]


def _is_detailed(req: t.Any, query: t.Iterable[tuple[str, str]]) -> bool:
    return req.path == "/v1/nodes/detail" or any(
        name == "detail" and value.lower() in ("true", "1", "yes", "on", "t", "y") for name, value in query
    )


def _limit(query: t.Iterable[tuple[str, str]]) -> int:
    text = next((value for name, value in query if name == "limit"), None)
    if text is None:
        return paging.MOST
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise Refusal(400, "invalid", f"Expected an integer for limit: {text[:80]}")
    if digits != text or not int(digits):
        raise Refusal(400, "invalid", "Limit must be positive")
    return min(int(text), paging.MOST)


def _own_next(req: t.Any, base: str, following: str) -> str:
    """Give Ironic's `next` as the caller asked: with its own fields and filters, from Ironic's marker on."""
    theirs = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(following).query))
    return paging.following(req, base, {name: theirs[name] for name in ("limit", "marker") if name in theirs})


def dump(value: t.Any) -> bytes:
    """Give a body that was read and looked at, as it is sent on: never the original bytes."""
    return json.dumps(value).encode()
