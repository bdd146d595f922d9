# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A way to the backend on which its entries look as in front of an Ironic: enforced by it, now or not yet."""

from __future__ import annotations

import http.client
import http.server
import json
import threading
import typing as t
import urllib.parse

_PASSED_ON: t.Final = ("content-type", "x-openstack-ironic-api-maximum-version")


class InFrontOfIronic:
    """Stands before a backend and rewrites two members of every entry. `enforced` may be set at any time."""

    def __init__(self, url: str) -> None:
        self.enforced = False
        self._target = urllib.parse.urlsplit(url)
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def handle_any(self) -> None:
                outer._handle(self)

            do_GET = do_PUT = do_POST = do_PATCH = do_DELETE = handle_any

            def log_message(self, *_arguments: t.Any) -> None:
                """Say nothing."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> InFrontOfIronic:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handle(self, handler: http.server.BaseHTTPRequestHandler) -> None:
        length = int(handler.headers.get("content-length") or 0)
        body = handler.rfile.read(length) if length else None
        connection = http.client.HTTPConnection(self._target.hostname or "", self._target.port, timeout=30)
        try:
            headers = {name: value for name, value in handler.headers.items() if name.lower() not in ("host", "connection")}
            connection.request(handler.command, handler.path, body=body, headers=headers)
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        if content and "json" in (answer.getheader("content-type") or ""):
            content = json.dumps(self._rewritten(json.loads(content))).encode()
        handler.close_connection = True
        handler.send_response(answer.status)
        for name in _PASSED_ON:
            if answer.getheader(name) is not None:
                handler.send_header(name, answer.getheader(name))
        handler.send_header("content-length", str(len(content)))
        handler.send_header("connection", "close")
        handler.end_headers()
        handler.wfile.write(content)

    def _rewritten(self, value: t.Any) -> t.Any:
        if isinstance(value, list):
            return [self._rewritten(one) for one in value]
        if not isinstance(value, dict):
            return value
        kept = {name: self._rewritten(one) for name, one in value.items()}
        return {**kept, "enforced_by": "ironic", "enforced": self.enforced} if "enforced_by" in kept else kept
