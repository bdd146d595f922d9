# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which headers reach Ironic: of what a client says, what the allow-list has. A listener stands in for Ironic, to read them."""

from __future__ import annotations

import http.server
import json
import pathlib
import threading
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.fronting.passing import FORWARDED
from ansible_collections.baremetal.maintenance.tests.lab.direct import Direct
from ansible_collections.baremetal.maintenance.tests.lab.fronted import TYPED
from ansible_collections.baremetal.maintenance.tests.lab.fronting.plain import front

NODE: t.Final = "11111111-2222-4333-8444-555555555555"
#: What the service sends by itself.
OWN: t.Final = {"host", "accept-encoding", "x-openstack-ironic-api-version", "content-length", "connection", "user-agent", "accept"}
CLAIMS: t.Final = {
    "OpenStack-System-Scope": "canary",
    "Openstack_System_Scope": "canary",
    "X-Roles": "canary",
    "X_Roles": "canary",
    "X-Role": "canary",
    "X-User-Id": "canary",
    "X-User": "canary",
    "X-Project-Id": "canary",
    "X-Tenant-Id": "canary",
    "X-Is-Admin-Project": "canary",
    "X-Identity-Status": "canary",
    "X-Service-Roles": "canary",
    "X-Forwarded-For": "canary",
    "X-Forwarded-Host": "canary",
    "Forwarded": "host=canary",
    "X-HTTP-Method-Override": "canary",
    "X-Original-Url": "canary",
    "Cookie": "canary=1",
    "Transfer-Canary": "canary",
}


class Listener(http.server.BaseHTTPRequestHandler):
    """Answers every request with the same node, and remembers the headers."""

    protocol_version = "HTTP/1.1"
    heard: t.ClassVar[list[tuple[str, dict[str, str]]]] = []

    def answer(self) -> None:
        """Answer."""
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.heard.append((f"{self.command} {self.path.partition('?')[0]}", dict(self.headers.items())))
        node = {"uuid": NODE, "name": "n1", "owner": None, "lessee": None, "maintenance": False, "maintenance_reason": None, "fault": None}
        body = json.dumps({**node, "nodes": [node], "conductors": []}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("X-OpenStack-Ironic-API-Maximum-Version", "1.115")
        self.send_header("X-OpenStack-Ironic-API-Minimum-Version", "1.1")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    def log_message(self, format: str, *arguments: t.Any) -> None:
        """Say nothing."""


@pytest.fixture
def listening() -> t.Iterator[str]:
    """Listen; give the URL."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listener)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_what_a_client_claims_reaches_nobody(listening: str, tmp_path: pathlib.Path) -> None:
    with front(tmp_path, listening) as backend:
        client = Direct(backend.url, {"X-Auth-Token": "token", "X-Openstack-Request-Id": "req-1", **CLAIMS})
        for method, path, body in (
            ("GET", "/v1/ports", None),
            ("GET", "/v1/nodes", None),
            ("GET", f"/v1/nodes/{NODE}", None),
            ("PATCH", f"/v1/nodes/{NODE}", [{"op": "replace", "path": "/name", "value": "n2"}]),
            ("PUT", f"/v1/nodes/{NODE}/states/provision", {"target": "manage"}),
            ("POST", "/v1/nodes", {"driver": "fake-hardware"}),
            ("GET", f"/v1/nodes/{NODE}/history", None),
            ("GET", f"/v1/nodes/{NODE}/maintenance", None),
            # Only tried: what this Ironic is told it does not keep, which would be waited for.
            ("POST", f"/v1/nodes/{NODE}/maintenance?dry_run=true", {"type": "operator_hold"}),
            ("DELETE", f"/v1/nodes/{NODE}/maintenance?dry_run=true", None),
            ("GET", "/v1/maintenance", None),
        ):
            assert client.send(method, path, body, version=TYPED).status != 401, path
        heard = list(Listener.heard)
    asked = {line for line, _headers in heard}
    assert {"GET /v1/ports", f"GET /v1/nodes/{NODE}", f"PATCH /v1/nodes/{NODE}", f"PUT /v1/nodes/{NODE}/states/provision"} <= asked
    allowed = {name.lower() for name in FORWARDED} | OWN
    for line, headers in heard:
        assert {name.lower() for name in headers} <= allowed, line
        assert "canary" not in json.dumps(headers), line
