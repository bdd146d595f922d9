# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A way to a service on loopback that loses what a test wants lost: requests, answers, or the end of answers.

with Lossy(backend.url) as way:
    way.spoil = lambda number, method, path: "answer" if method == "DELETE" else None
    …a client of way.url…
"""

from __future__ import annotations

import threading
import typing as t
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import requests

#: What may be lost: the request before it comes to the service, the whole answer, its last half, or its sense.
KINDS: t.Final = ("request", "answer", "half", "sense")

_HOP: t.Final = ("connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding", "host")


class Lossy:
    """The way. `seen` has each request as (method, path with its query), in the order in which they came."""

    def __init__(self, url: str) -> None:
        self.seen: list[tuple[str, str]] = []
        #: Given the number, method and path of a request it says which of KINDS is lost, None for nothing.
        self.spoil: t.Callable[[int, str, str], str | None] = lambda number, method, path: None
        self._lock = threading.Lock()
        way = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: t.Any) -> None:
                """Nobody reads it."""

            def do_GET(self) -> None:
                with way._lock:
                    number = len(way.seen)
                    way.seen.append((self.command, self.path))
                lost = way.spoil(number, self.command, self.path)
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                self.close_connection = True
                if lost == "request":
                    return
                headers = {name: value for name, value in self.headers.items() if name.lower() not in _HOP}
                answer = requests.request(self.command, url + self.path, data=body, headers=headers, timeout=30)
                if lost == "answer":
                    return
                status, content = (502, b"<html>Bad gateway</html>") if lost == "sense" else (answer.status_code, answer.content)
                self.send_response(status)
                for name, value in answer.headers.items():
                    if name.lower() not in _HOP:
                        self.send_header(name, value)
                if status != 204:
                    self.send_header("Content-Length", str(len(content)))
                self.send_header("Connection", "close")
                self.end_headers()
                self.wfile.write(content[: len(content) // 2] if lost == "half" else content)

            do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: t.Any, client_address: t.Any) -> None:
                """A client that went away is no news."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Lossy:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._server.shutdown()
        self._server.server_close()
