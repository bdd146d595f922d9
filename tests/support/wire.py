# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A service that plays a script: a real HTTP server on loopback that knows which requests come, in which order, and what it answers.

    with Wire() as wire:
        wire.expect("GET", "/v1").json(EXTENDED)
        wire.expect("POST", "/v1/nodes/n1/maintenance", body={"type": "operator_hold"}).json(ENTRY, status=201)
        api = Api(Settings(url=wire.url))
        api.assert_entry("n1", type="operator_hold")

Everything above the socket is real. A request that is not the next one of the script is answered with 418 and fails the test at the end
of the block, and so does a step that nobody asked for. `query`, `headers` and `body` of a step are checked where they are given: query and
body must be equal, headers must be among those sent, and a header given as None must be absent. `Wire(ordered=False)` takes the steps in
any order, for clients that ask from several threads.

A step answers with one of: `json`, `empty`, `text`, `raw` (bytes as they are), `close` (no answer at all), `hang` (none within `seconds`),
`drip` (an answer that never gets ready). `wire.requests` has what came and `wire.connections` on how many connections, for a test that
looks closer. `extended(wire)` and `ironic(wire)`
script the version document of a service with and without our extensions; `fault` and `refusal` give error bodies.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import re
import socketserver
import ssl
import threading
import time
import typing as t
import urllib.parse

EXTENSIONS: t.Final = ("dry_run", "fleet", "node_entries", "bulk", "patch", "fault", "types", "fleet_history", "labels")


@dataclasses.dataclass(frozen=True)
class Seen:
    """A request as it came. headers are in lower case; body is decoded JSON, None for an empty one."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: t.Any


class Step:
    """One expected request and what to do with it."""

    def __init__(self, method: str, path: str | re.Pattern[str], query: t.Any, headers: t.Any, body: t.Any, checks_body: bool) -> None:
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.checks_body = checks_body
        self.play: t.Callable[[t.Any], None] = lambda out: _answer(out, 200, b"", {})

    def json(self, document: t.Any, status: int = 200, headers: t.Mapping[str, str] | None = None) -> None:
        """Answer with JSON."""
        self.raw(json.dumps(document).encode(), status, {"Content-Type": "application/json", **(headers or {})})

    def text(self, text: str, status: int = 200, headers: t.Mapping[str, str] | None = None) -> None:
        """Answer with text that is no JSON; it is HTML unless a Content-Type is given."""
        self.raw(text.encode(), status, {"Content-Type": "text/html", **(headers or {})})

    def raw(self, body: bytes, status: int = 200, headers: t.Mapping[str, str] | None = None) -> None:
        """Answer with these bytes. A Content-Length among the headers replaces the true one: a longer one breaks off the answer."""
        self.play = lambda out: _answer(out, status, body, dict(headers or {}))

    def empty(self, status: int = 204, headers: t.Mapping[str, str] | None = None) -> None:
        """Answer without a body."""
        self.raw(b"", status, headers)

    def close(self) -> None:
        """Close the connection without a byte."""
        self.play = lambda out: out.hang_up()

    def hang(self, seconds: float) -> None:
        """Say nothing for so long, then close."""

        def play(out: t.Any) -> None:
            out.server.wire.stopped.wait(seconds)
            out.hang_up()

        self.play = play

    def drip(self, seconds: float) -> None:
        """Begin an answer, and send a byte of it ten times a second for so long."""

        def play(out: t.Any) -> None:
            out.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n")
            until = time.monotonic() + seconds
            with contextlib.suppress(OSError):
                while time.monotonic() < until and not out.server.wire.stopped.wait(0.1):
                    out.wfile.write(b" ")
                    out.wfile.flush()
            out.hang_up()

        self.play = play

    def mismatch(self, seen: Seen) -> str | None:
        """Say how a request differs from this step, None if it does not."""
        matches = self.path.fullmatch(seen.path) if isinstance(self.path, re.Pattern) else self.path == seen.path
        if seen.method != self.method or not matches:
            return f"{seen.method} {seen.path} came, {self} was expected"
        if self.query is not None and seen.query != dict(self.query):
            return f"{seen.method} {seen.path} came with the query {seen.query}, {dict(self.query)} was expected"
        if self.checks_body and seen.body != self.body:
            return f"{seen.method} {seen.path} came with the body {seen.body!r}, {self.body!r} was expected"
        for name, value in dict(self.headers or {}).items():
            if seen.headers.get(name.lower()) != value:
                return f"{seen.method} {seen.path} came with {name}: {seen.headers.get(name.lower())!r}, {value!r} was expected"
        return None

    def __str__(self) -> str:
        return f"{self.method} {self.path.pattern if isinstance(self.path, re.Pattern) else self.path}"


_ANY: t.Final = object()


class Wire:
    """The server of one test. tls: (certificate file, key file), None for plain HTTP."""

    def __init__(self, ordered: bool = True, tls: tuple[str, str] | None = None) -> None:
        self.requests: list[Seen] = []
        self.connections = 0
        self.stopped = threading.Event()
        self._ordered = ordered
        self._steps: list[Step] = []
        self._wrong: list[str] = []
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.wire = self
        scheme = "http"
        if tls is not None:
            scheme = "https"
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*tls)
            self._server.tls = context
        self.port: int = self._server.server_address[1]
        self.url = f"{scheme}://127.0.0.1:{self.port}"

    def expect(self, method: str, path: str | re.Pattern[str], *, query: t.Any = None, headers: t.Any = None, body: t.Any = _ANY) -> Step:
        """Add the next step; path is compared as it is sent, without its query. Say on what this gives how it answers."""
        step = Step(method, path, query, headers, None if body is _ANY else body, body is not _ANY)
        with self._lock:
            self._steps.append(step)
        return step

    def verify(self) -> None:
        """Raise AssertionError if something came that was not expected, or did not come; the end of the block does it by itself."""
        with self._lock:
            wrong = [*self._wrong, *(f"{step} was expected and did not come" for step in self._steps)]
        if wrong:
            raise AssertionError("; ".join(wrong))

    def take(self, seen: Seen) -> Step | None:
        """Give the step that a request plays, None if it is not in the script."""
        with self._lock:
            self.requests.append(seen)
            candidates = self._steps[:1] if self._ordered else self._steps
            for step in candidates:
                if step.mismatch(seen) is None:
                    self._steps.remove(step)
                    return step
            reasons = [step.mismatch(seen) for step in candidates] or [f"{seen.method} {seen.path} came, nothing was expected"]
            self._wrong.append(" or ".join(str(reason) for reason in reasons))
            return None

    def __enter__(self) -> Wire:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, kind: t.Any, error: t.Any, trace: t.Any) -> None:
        self.stopped.set()
        self._server.shutdown()
        self._server.server_close()
        if kind is None or issubclass(kind, AssertionError):
            # What the client made of a step that was not in the script explains nothing; the script does.
            if self._wrong or kind is None:
                self.verify()


def extended(
    wire: Wire,
    extensions: t.Collection[str] = EXTENSIONS,
    microversion: str = "1.116",
    times: int = 1,
) -> None:
    """Script the version document of a service with typed entries and these extensions."""
    for _turn in range(times):
        wire.expect("GET", "/v1").json(
            {"id": "v1", "maintenance_api": {"microversion": microversion, "extensions": list(extensions)}},
            headers={"X-OpenStack-Ironic-API-Maximum-Version": microversion},
        )


def ironic(wire: Wire, maximum: str = "1.115") -> None:
    """Script the version document of an Ironic, which says nothing of typed entries."""
    wire.expect("GET", "/v1").json(
        {"id": "v1", "version": {"id": "v1", "min_version": "1.1", "version": maximum}},
        headers={"X-OpenStack-Ironic-API-Maximum-Version": maximum},
    )


def fault(text: str) -> dict[str, str]:
    """Give an error body in Ironic's ordinary shape."""
    return {"error_message": json.dumps({"faultcode": "Client", "faultstring": text, "debuginfo": None})}


def refusal(text: str, code: str, node: str | None = None, blockers: t.Sequence[t.Mapping[str, t.Any]] = ()) -> dict[str, t.Any]:
    """Give an error body of our backend."""
    return {**fault(text), "refusal": {"code": code, "node": node, "blockers": [dict(blocker) for blocker in blockers]}}


class _Server(socketserver.ThreadingMixIn, socketserver.TCPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True
    request_queue_size = 64
    wire: Wire
    tls: ssl.SSLContext | None = None

    def handle_error(self, request: t.Any, client_address: t.Any) -> None:
        """Say nothing: clients that break off are part of the tests."""


class _Handler(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True
    server: _Server

    def setup(self) -> None:
        if self.server.tls is not None:
            self.request = self.server.tls.wrap_socket(self.request, server_side=True)
        super().setup()
        self._open = True
        self.server.wire.connections += 1

    def finish(self) -> None:
        super().finish()
        if self.server.tls is not None:
            self.request.close()

    def handle(self) -> None:
        while self._open:
            seen = self._read()
            if seen is None:
                return
            step = self.server.wire.take(seen)
            if step is None:
                _answer(self, 418, b"not in the script", {"Content-Type": "text/plain"})
            else:
                step.play(self)

    def hang_up(self) -> None:
        self._open = False

    def _read(self) -> Seen | None:
        line = self.rfile.readline(65536).decode("latin-1").split()
        if len(line) != 3:
            return None
        headers: dict[str, str] = {}
        while (header := self.rfile.readline(65536).decode("latin-1").rstrip("\r\n")) != "":
            name, _colon, value = header.partition(":")
            headers[name.strip().lower()] = value.strip()
        body = self.rfile.read(int(headers.get("content-length", "0")))
        path, _mark, query = line[1].partition("?")
        return Seen(
            method=line[0],
            path=path,
            query=dict(urllib.parse.parse_qsl(query, keep_blank_values=True)),
            headers=headers,
            body=json.loads(body) if body else None,
        )


def _answer(out: t.Any, status: int, body: bytes, headers: dict[str, str]) -> None:
    lengths = {"Content-Length": str(len(body)), **{name: value for name, value in headers.items() if name.lower() == "content-length"}}
    lines = [f"HTTP/1.1 {status} Scripted", *(f"{name}: {value}" for name, value in {**headers, **lengths}.items())]
    with contextlib.suppress(OSError):
        out.wfile.write("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)
        out.wfile.flush()
    if int(lengths["Content-Length"]) != len(body):
        out.hang_up()
