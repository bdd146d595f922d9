# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A way to the backend that carries every request out, and on which a test decides what the client hears of the answer."""

from __future__ import annotations

import http.client
import http.server
import threading
import typing as t
import urllib.parse

_PASSED_ON: t.Final = ("content-type", "x-openstack-ironic-api-maximum-version", "retry-after")


class Forwarder:
    """Stands before a backend, as a context manager; `url` is where. A subclass says by `heard` what becomes of an answer."""

    def __init__(self, url: str) -> None:
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

    def __enter__(self) -> t.Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def heard(self, method: str, content_type: str, content: bytes) -> bytes | None:
        """Give what the client gets in place of `content`, None for nothing at all."""
        raise NotImplementedError

    def _handle(self, handler: http.server.BaseHTTPRequestHandler) -> None:
        length = int(handler.headers.get("content-length") or 0)
        body = handler.rfile.read(length) if length else None
        connection = http.client.HTTPConnection(self._target.hostname or "", self._target.port, timeout=30)
        try:
            headers = {name: value for name, value in handler.headers.items() if name.lower() not in ("host", "connection")}
            connection.request(handler.command, handler.path, body=body, headers=headers)
            answer = connection.getresponse()
            content = self.heard(handler.command, answer.getheader("content-type") or "", answer.read())
        finally:
            connection.close()
        handler.close_connection = True
        if content is None:
            return
        handler.send_response(answer.status)
        for name in _PASSED_ON:
            if answer.getheader(name) is not None:
                handler.send_header(name, answer.getheader(name))
        handler.send_header("content-length", str(len(content)))
        handler.send_header("connection", "close")
        handler.end_headers()
        handler.wfile.write(content)
