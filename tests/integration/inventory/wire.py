# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An API on loopback that lists nodes, of each kind met in the field, and that can be made to fail as no real one does on demand."""

from __future__ import annotations

import contextlib
import http.server
import json
import threading
import typing as t
import urllib.parse

Kind = t.Literal["extended", "native", "boolean"]
Spoil = t.Callable[["Exchange"], bool]

_EXTENSIONS = ["dry_run", "fleet", "node_entries", "bulk", "patch", "fault", "types", "fleet_history", "labels"]


class Exchange(http.server.BaseHTTPRequestHandler):
    """One request and its answer."""

    server: Wire
    protocol_version = "HTTP/1.1"

    @property
    def where(self) -> str:
        """The path without its query."""
        return urllib.parse.urlsplit(self.path).path.rstrip("/")

    @property
    def query(self) -> dict[str, str]:
        """The query's parameters."""
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))

    def do_GET(self) -> None:
        """Answer as the service's kind does, unless the test spoils this request."""
        self.server.asked.append(self.path)
        self.server.credentials.add(self.headers.get("Authorization") or self.headers.get("X-Auth-Token"))
        if not self.server.spoil(self):
            self._answer()

    def send(self, status: int, body: t.Any, content_type: str = "application/json", claim: int | None = None) -> None:
        """Send an answer. claim: the length to promise, if that is not the body's."""
        raw = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(raw) if claim is None else claim))
        self.send_header("X-OpenStack-Ironic-API-Minimum-Version", "1.1")
        self.send_header("X-OpenStack-Ironic-API-Maximum-Version", self.server.microversion)
        self.send_header("X-OpenStack-Ironic-API-Version", self.server.microversion)
        self.end_headers()
        self.wfile.write(raw)

    def refuse(self, status: int, text: str) -> None:
        """Send an error in Ironic's shape."""
        self.send(status, {"error_message": json.dumps({"faultcode": "Client", "faultstring": text, "debuginfo": None})})

    def log_message(self, format: str, *args: t.Any) -> None:
        """Say nothing."""

    def _answer(self) -> None:
        service = self.server
        if self.where in ("", "/v1"):
            version = {"id": "v1", "status": "CURRENT", "min_version": "1.1", "version": service.microversion}
            document: dict[str, t.Any] = {"id": "v1", "version": version, "default_version": version, "versions": [version]}
            if service.kind == "extended":
                document["maintenance_api"] = {"microversion": service.microversion, "extensions": _EXTENSIONS}
            self.send(200, document)
        elif self.where == "/v1/nodes":
            self._nodes()
        elif self.where == "/v1/maintenance/types" and service.kind == "extended":
            names = ["legacy", "fault", "hardware_failure", "operator_hold", "x_network"]
            self.send(200, {"types": [{"name": name, "reserved": name in ("legacy", "fault")} for name in names]})
        elif self.where.startswith("/v1/nodes/") and self.where.endswith("/maintenance"):
            self._entries(self.where.split("/")[3])
        else:
            self.refuse(404, "not here")

    def _nodes(self) -> None:
        fields = self.query.get("fields", "").split(",")
        chosen = {key: value for key, value in self.query.items() if key in ("owner", "lessee", "resource_class")}
        wanted = [node for node in self.server.nodes if all(node[key] == value for key, value in chosen.items())]
        start = 0
        if "marker" in self.query:
            start = 1 + [node["uuid"] for node in wanted].index(self.query["marker"])
        page = wanted[start : start + min(int(self.query.get("limit", self.server.page)), self.server.page)]
        body: dict[str, t.Any] = {"nodes": [{key: value for key, value in node.items() if key in fields} for node in page]}
        if page and page[-1] is not wanted[-1]:
            following = {**self.query, "marker": page[-1]["uuid"]}
            body["next"] = f"{self.server.url}/v1/nodes?{urllib.parse.urlencode(following)}"
        self.send(200, body)

    def _entries(self, ident: str) -> None:
        if self.server.kind == "boolean":
            self.send(405, {"error_message": json.dumps({"code": 405, "title": "Method Not Allowed", "description": ""})})
            return
        known = [node for node in self.server.nodes if ident in (node["uuid"], node["name"])]
        if not known:
            self.refuse(404, f"Node {ident} could not be found.")
            return
        self.send(200, {"maintenance": known[0]["maintenance_entries"]})


class Wire(http.server.ThreadingHTTPServer):
    """The service: its nodes, how many it gives in a page, what it was asked with, and what spoils an exchange."""

    daemon_threads = True

    def __init__(self, kind: Kind, nodes: t.Sequence[dict[str, t.Any]], page: int = 1000) -> None:
        super().__init__(("127.0.0.1", 0), Exchange)
        self.kind = kind
        self.nodes = list(nodes)
        self.page = page
        self.microversion = "1.115" if kind == "boolean" else "1.116"
        self.asked: list[str] = []
        self.credentials: set[str | None] = set()
        self.spoil: Spoil = lambda exchange: False

    @property
    def url(self) -> str:
        """Where the service is."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def asked_for(self, part: str) -> list[str]:
        """Give the paths asked for that contain a text."""
        return [path for path in self.asked if part in path]


@contextlib.contextmanager
def serving(kind: Kind, nodes: t.Sequence[dict[str, t.Any]], page: int = 1000) -> t.Iterator[Wire]:
    """Run a service for as long as the block lasts."""
    service = Wire(kind, nodes, page)
    thread = threading.Thread(target=service.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        service.shutdown()
        service.server_close()
        thread.join()
