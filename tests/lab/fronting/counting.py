# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands at the wire between a backend and its Ironic, passes everything on, and remembers what that was.

with Counting(ironic.url) as wire: Backend(…, ironic={"endpoint": wire.url, …}); wire.writes(node) == [Passed("PUT", …)]
"""

from __future__ import annotations

import contextlib
import dataclasses
import http.client
import http.server
import sys
import threading
import time
import typing as t
import urllib.parse

_HOP: t.Final = frozenset(("connection", "keep-alive", "transfer-encoding", "content-length", "date", "server"))


@dataclasses.dataclass
class Passed:
    """A request, when it came and when its answer did (None: not yet). Seconds of time.monotonic."""

    method: str
    path: str
    began: float
    ended: float | None = None


class Counting:
    """One such place."""

    def __init__(self, url: str) -> None:
        self.passed: list[Passed] = []
        parts = urllib.parse.urlsplit(url)
        there = (parts.hostname or "", parts.port or 80)
        self._server = _Server(("127.0.0.1", 0), _handler(there, self.passed))
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> Counting:
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def writes(self, node: str, since: float = 0.0) -> list[Passed]:
        """Give what was written to a node's maintenance since then, in the order in which it came."""
        path = f"/v1/nodes/{node}/maintenance"
        return [one for one in list(self.passed) if one.path == path and one.method in ("PUT", "DELETE") and one.began >= since]

    def proofs(self, since: float = 0.0) -> list[Passed]:
        """Give the requests with which a reconciler, and nobody else, proves its credential before it acts."""
        return [one for one in list(self.passed) if one.path.startswith("/v1/conductors") and one.began >= since]


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, _request: t.Any, _address: t.Any) -> None:
        """Say nothing of a backend that was killed in the middle of a request."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(_request, _address)


def _handler(there: tuple[str, int], passed: list[Passed]) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 120

        def _pass(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            one = Passed(self.command, self.path, time.monotonic())
            passed.append(one)
            connection = http.client.HTTPConnection(*there, timeout=120)
            headers = {name: value for name, value in self.headers.items() if name.lower() not in _HOP}
            connection.request(self.command, self.path, body or None, headers)
            answer = connection.getresponse()
            content = answer.read()
            connection.close()
            one.ended = time.monotonic()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in _HOP:
                    self.send_header(name, value)
            if answer.status != 204:
                self.send_header("Content-Length", str(len(content)))
            # Whoever asked may have been killed meanwhile, or waits no longer.
            with contextlib.suppress(OSError):
                self.end_headers()
                self.wfile.write(content)

        do_GET = do_PUT = do_POST = do_PATCH = do_DELETE = _pass

        def log_message(self, *_arguments: t.Any) -> None:
            """Keep quiet."""

    return Handler
