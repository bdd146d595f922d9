# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Typed maintenance over HTTP, through an adapter of keystoneauth1 that somebody else has authenticated.

Every request is sent once. The clients of OpenStack send again on 409, where a node may be locked; here 409 says that the same hold is
active, which no waiting changes.
"""

from __future__ import annotations

import re
import typing as t
import urllib.parse

from keystoneauth1 import exceptions

from . import errors, service

Entry = dict[str, t.Any]

VERSION_HEADER: t.Final = "X-OpenStack-Ironic-API-Version"

#: Seconds until a request is given up, where the session has no time-out of its own.
TIMEOUT: t.Final = 60.0

#: What every entry has on every typed service.
_ENTRY: t.Final = ("uuid", "type", "scope")
_PAGE: t.Final = 1000


def base_url(adapter: t.Any) -> str:
    """Give the address of the bare-metal service that an adapter speaks to, without /v1. Raises MaintenanceError if it has none."""
    endpoint = adapter.get_endpoint()
    if not endpoint:
        raise errors.MaintenanceError("Cannot find the bare-metal service: its address is neither given nor in the service catalogue")
    return re.sub(r"/+(v1)?/*$", "", endpoint)


class TypedApi:
    """Verbs on typed holds. Each raises MaintenanceError, and gives plain dicts and lists as the service gave them."""

    def __init__(self, adapter: t.Any) -> None:
        self._adapter = adapter
        self._url = base_url(adapter)
        self._described: service.Service | None = None

    def service(self) -> service.Service:
        """Give the service as it describes itself at /v1; asked once."""
        if self._described is None:
            what = "learn what the service offers"
            self._described = service.from_version_document(self._json(what, self._send(what, "GET", "/v1", service.LATEST)))
        return self._described

    def list_entries(self, node: str) -> list[Entry]:
        """Give the active entries of a node, oldest first."""
        what = f"list the holds of node {node}"
        return self._rows(what, self._typed(what, node, "GET", _maintenance(node)), "maintenance", _ENTRY)

    def assert_entry(self, node: str, body: t.Mapping[str, t.Any]) -> Entry:
        """Assert a hold and give its entry. body: type, and reason, extra, key, ticket, run where they are wanted."""
        what = f"assert a hold of type {body['type']} on node {node}"
        needs = ("labels",) if {"key", "ticket", "run"} & set(body) else ()
        return self._object(what, self._typed(what, node, "POST", _maintenance(node), needs=needs, body=body), _ENTRY)

    def release_entry(self, node: str, uuid: str, comment: str | None = None) -> None:
        """Release one hold of a node. comment: why."""
        what = f"release hold {uuid} of node {node}"
        if comment is None:
            self._typed(what, node, "DELETE", f"{_maintenance(node)}/{_segment(uuid, 'hold')}")
            return
        self.require(what, node, "bulk")
        # The request that takes a comment does not name the node, and a hold of another node must not be released by a mistaken uuid.
        if uuid not in [entry["uuid"] for entry in self.list_entries(node)]:
            raise errors.MaintenanceError(f"Cannot {what}: the node has no hold of this uuid", status=404, code="not_found")
        self._release(what, node, [uuid], comment)

    def release_all(self, node: str, comment: str | None = None) -> None:
        """Release every hold of a node, or none: the refusal names each one in the way. With a comment: every hold that is there now."""
        what = f"release every hold of node {node}"
        if comment is None:
            self._typed(what, node, "DELETE", _maintenance(node))
            return
        self.require(what, node, "bulk")
        uuids = [entry["uuid"] for entry in self.list_entries(node)]
        if uuids:
            self._release(what, node, uuids, comment)

    def releasable(self, node: str, uuids: t.Sequence[str]) -> dict[str, bool]:
        """Tell of each of these entries of a node whether these credentials may release it; {} where that cannot be asked."""
        if not uuids or not {"bulk", "dry_run"} <= self.service().extensions:
            return {}
        what = f"learn which holds of node {node} may be released"
        body = {"entries": list(uuids), "on_error": "continue"}
        answer = self._typed(what, node, "POST", "/v1/maintenance/release", query={"dry_run": "true"}, body=body)
        results = self._rows(what, answer, "results", ("status",))
        return {uuid: result["status"] < 300 for uuid, result in zip(uuids, results, strict=False)}

    def fleet_entries(self, filters: t.Mapping[str, t.Any]) -> list[Entry]:
        """Give the active entries of all visible nodes, each with node_uuid and node_name. filters: the API's; None is left out."""
        what = "list the holds of all nodes"
        self.require(what, None, "fleet")
        return self._pages(what, "/v1/maintenance", "maintenance", (*_ENTRY, "node_uuid"), filters)

    def node_history(self, node: str) -> list[Entry]:
        """Give the events in a node's history, oldest first."""
        what = f"read the history of node {node}"
        self.require(what, node)
        return self._pages(what, f"/v1/nodes/{_node(node)}/history", "history", ("uuid", "event"), {"detail": "true"})

    def _release(self, what: str, node: str, uuids: t.Sequence[str], comment: str) -> None:
        body = {"entries": list(uuids), "comment": comment, "on_error": "stop"}
        self._typed(what, node, "POST", "/v1/maintenance/release", body=body)

    def require(self, what: str, node: str | None, *extensions: str) -> service.Service:
        """Give the service, which has typed entries and these extensions, or raise NotSupported."""
        found = self.service()
        probed = node if node is not None or found.kind != "unknown" else self._some_node(what)
        if found.kind == "unknown" and probed is not None:
            response = self._send(what, "GET", _maintenance(probed), service.LATEST)
            found = service.from_probe(response.status_code)
            if found.kind == "unknown":
                raise errors.refused(what, response.status_code, response.content)
            self._described = found
        found.require(what, self._url, *extensions)
        return found

    def _some_node(self, what: str) -> str | None:
        """Give the uuid of a visible node to learn from what the service is, None if there is none."""
        response = self._send(what, "GET", "/v1/nodes", service.LATEST, {"limit": "1", "fields": "uuid"})
        nodes = self._rows(what, response, "nodes", ("uuid",))
        return nodes[0]["uuid"] if nodes else None

    def _typed(
        self,
        what: str,
        node: str | None,
        method: str,
        path: str,
        *,
        needs: t.Sequence[str] = (),
        query: t.Mapping[str, str] | None = None,
        body: t.Any = None,
    ) -> t.Any:
        """Send a typed request and give its answer, which is a success."""
        offered = self.require(what, node, *needs)
        response = self._send(what, method, path, offered.microversion, query, body)
        if not 200 <= response.status_code < 300:
            raise errors.refused(what, response.status_code, response.content)
        return response

    def _send(
        self, what: str, method: str, path: str, microversion: str, query: t.Mapping[str, str] | None = None, body: t.Any = None
    ) -> t.Any:
        """Send a request once and give its answer, of whatever status."""
        given = {} if body is None else {"json": body}
        try:
            return self._adapter.request(
                self._url + path,
                method,
                headers={VERSION_HEADER: microversion, "Accept": "application/json"},
                params=dict(query or {}),
                raise_exc=False,
                redirect=False,
                connect_retries=0,
                status_code_retries=0,
                timeout=getattr(self._adapter.session, "timeout", None) or TIMEOUT,
                **given,
            )
        except exceptions.ConnectionError as error:
            lost = "; it is not known whether this was done, so list the node's holds before going on" if method != "GET" else ""
            raise errors.MaintenanceError(f"Cannot {what}: no answer from {self._url} ({_root(error)}){lost}") from error
        except exceptions.ClientException as error:
            raise errors.MaintenanceError(f"Cannot {what}: {' '.join(str(error).split())}") from error

    def _pages(self, what: str, path: str, name: str, required: t.Collection[str], filters: t.Mapping[str, t.Any]) -> list[Entry]:
        """Give all rows of a listing. Of an absolute `next` only the query is taken, so that no request goes to another address."""
        query: dict[str, str] | None = {"limit": str(_PAGE), **{key: str(value) for key, value in filters.items() if value is not None}}
        rows: list[Entry] = []
        seen: list[dict[str, str]] = []
        while query is not None:
            if query in seen:
                raise errors.MaintenanceError(f"Cannot {what}: the pages of {path} lead in a circle")
            seen.append(query)
            document = self._json(what, self._typed(what, None, "GET", path, query=query))
            rows += self._listed(what, document, name, required)
            following = document.get("next")
            query = {**query, **dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(following).query))} if following else None
        return rows

    def _rows(self, what: str, response: t.Any, name: str, required: t.Collection[str]) -> list[Entry]:
        return self._listed(what, self._json(what, response), name, required)

    def _listed(self, what: str, document: t.Any, name: str, required: t.Collection[str]) -> list[Entry]:
        rows = document.get(name)
        if not isinstance(rows, list) or not all(isinstance(row, dict) and set(required) <= set(row) for row in rows):
            raise self._bad(what, f"JSON without a list of complete objects called {name!r}")
        return rows

    def _object(self, what: str, response: t.Any, required: t.Collection[str]) -> Entry:
        document = self._json(what, response)
        if not set(required) <= set(document):
            raise self._bad(what, "JSON that is no entry")
        return document

    def _json(self, what: str, response: t.Any) -> dict[str, t.Any]:
        if response.status_code != 200 and response.status_code != 201:
            raise errors.refused(what, response.status_code, response.content)
        try:
            document = response.json()
        except ValueError:
            document = None
        if not isinstance(document, dict):
            raise self._bad(what, "something else than a JSON object")
        return document

    def _bad(self, what: str, got: str) -> errors.MaintenanceError:
        return errors.MaintenanceError(f"Cannot {what}: the service at {self._url} answered with {got}; check its address")


def _root(error: BaseException) -> str:
    """Say in one line what lies under an error: requests and urllib3 wrap it several times, as cause, reason or argument."""
    for _level in range(20):
        inner = [error.__cause__, getattr(error, "reason", None), *error.args, error.__context__]
        below = next((cause for cause in inner if isinstance(cause, BaseException) and cause is not error), None)
        if below is None:
            break
        error = below
    return " ".join(str(error).split()).rstrip(".")


def _node(ident: str) -> str:
    return _segment(ident, "node")


def _maintenance(node: str) -> str:
    return f"/v1/nodes/{_node(node)}/maintenance"


def _segment(value: str, what: str) -> str:
    """Give a name as exactly one segment of a path: an empty uuid would turn the release of one hold into the release of all."""
    reserved = (".", "..", "detail", "maintenance") if what == "node" else (".", "..")
    if not value.strip() or value in reserved or "/" in value or "\\" in value:
        raise errors.MaintenanceError(f"{value!r} cannot be a {what}: it is empty or would address something else")
    try:
        return urllib.parse.quote(value, safe="")
    except UnicodeEncodeError as error:
        raise errors.MaintenanceError(f"{value!r} cannot be a {what}: it is not valid text") from error
