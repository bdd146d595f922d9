# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A Redfish service on loopback that serves a tree of resources and can be made to fail.

In a test:      with StaticRedfish(trees.machine()) as bmc: bmc.patch("/redfish/v1/Systems/1", {"PowerState": "Off"})
As a process:   python static_redfish.py [--tree FOLDER] [--port N] [--state FILE] [--user U --password P] [--certificate PEM --key PEM]
                which prints `ready URL` and does at every request what FILE says, if there is one: {"patches": {PATH: {MEMBER: VALUE}},
                "faults": {PATH: FAULT}, "delay": SECONDS}; and appends each request to FILE.log.

A member may be a path such as "Status.Health" or "Members.0.Severity"; the value DELETE removes it. A fault is an object with one of
`status` (number), `hang` (seconds), `drip` (seconds between bytes), `body` (text instead of the resource), `truncate` (bytes left out at
the end), `redirect` (where to), `close` (true: no answer); `times` makes it go away after so many requests.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import copy
import json
import pathlib
import secrets
import ssl
import sys
import threading
import time
import typing as t
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

if __package__:
    from . import trees
else:
    import trees

DELETE = "__delete__"
SESSIONS = "/redfish/v1/SessionService/Sessions"
_OPEN = ("/redfish", "/redfish/v1")

Json = dict[str, t.Any]


class StaticRedfish:
    """The service. `requests` has each as (method, path); `logins` counts refused and accepted attempts; `sessions` has the open ones."""

    def __init__(
        self,
        tree: t.Mapping[str, t.Any],
        *,
        port: int = 0,
        address: str = "127.0.0.1",
        user: str = "admin",
        password: str = "secret",
        certificate: str | None = None,
        key: str | None = None,
        state: pathlib.Path | None = None,
    ) -> None:
        self.tree = {key.lower(): value for key, value in copy.deepcopy(dict(tree)).items()}
        self.user, self.password = user, password
        self.faults: dict[str, Json] = {}
        self.patches: dict[str, Json] = {}
        self.delay = 0.0
        #: What the service allows: as many sessions, and whether user and password go with a request.
        self.most_sessions = 1000
        self.basic = True
        #: How connections end after an answer: said, unsaid, or never.
        self.closing = "said"
        self.connections = 0
        #: Of actions and PATCH; a BMC that refuses them all with this status.
        self.refuse_writes: int | None = None
        self.requests: list[tuple[str, str]] = []
        self.logins = 0
        self.refused = 0
        self.sessions: dict[str, str] = {}
        self._state = state
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        service = self

        class Handler(_Handler):
            owner = service

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 512
            if ":" in address:
                import socket

                address_family = socket.AF_INET6

            def handle_error(self, request: t.Any, client_address: t.Any) -> None:
                """A client that went away is no news."""

        self._server = Server((address, port), Handler)
        self.scheme = "https" if certificate else "http"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True, do_handshake_on_connect=False)
        self.port = self._server.server_address[1]
        host = f"[{address}]" if ":" in address else address
        self.address = f"{host}:{self.port}"
        self.url = f"{self.scheme}://{self.address}"

    def __enter__(self) -> StaticRedfish:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._stopped.set()
        self._server.shutdown()
        self._server.server_close()

    def serve(self) -> None:
        """Serve until the process is ended."""
        self._server.serve_forever()

    def patch(self, path: str, members: Json) -> None:
        """Change members of a resource from the next request on."""
        self.patches.setdefault(_key(path), {}).update(members)

    def fault(self, path: str, **fault: t.Any) -> None:
        """Make a resource fail."""
        self.faults[_key(path)] = fault

    def writes(self) -> list[tuple[str, str]]:
        """The requests that change something, apart from sessions."""
        with self._lock:
            return [(method, path) for method, path in self.requests if method != "GET" and not path.startswith(SESSIONS)]

    def target(self, **options: t.Any) -> Json:
        """Options that read this BMC; the power state once, and without a second attempt, unless they say otherwise."""
        usual = {
            "protocol": "redfish",
            "address": self.url,
            "username": self.user,
            "password": self.password,
            "power_reads": 1,
            "retries": 0,
        }
        return {**usual, **options}

    def note(self, method: str, path: str) -> None:
        with self._lock:
            self.requests.append((method, path))
            if self._state:
                with self._state.with_suffix(".log").open("a") as log:
                    log.write(f"{method} {path}\n")

    def connected(self) -> None:
        """A client has come."""
        with self._lock:
            self.connections += 1

    def behaviour(self) -> None:
        """Take over what the state file says."""
        if self._state and self._state.exists():
            with contextlib.suppress(ValueError):
                state = json.loads(self._state.read_text())
                self.patches = {_key(path): members for path, members in state.get("patches", {}).items()}
                self.faults = {_key(path): fault for path, fault in state.get("faults", {}).items()}
                self.delay = state.get("delay", 0.0)

    def fault_of(self, path: str) -> Json:
        """The fault of a resource for this request."""
        with self._lock:
            fault = self.faults.get(_key(path), {})
            if "times" in fault:
                fault["times"] -= 1
                if fault["times"] < 0:
                    return {}
            return fault

    def resource(self, path: str) -> t.Any:
        """A resource as it is now; None if there is none."""
        found = copy.deepcopy(self.tree.get(_key(path)))
        for name, value in self.patches.get(_key(path), {}).items():
            _put(found, name, value)
        return found

    def write(self, path: str, members: Json) -> None:
        """What a PATCH does; it holds against what a test has patched."""
        with self._lock:
            self.tree[_key(path)].update(members)
            for name in members:
                self.patches.get(_key(path), {}).pop(name, None)

    def lets_in(self, headers: t.Any) -> bool:
        """Whether a request may see what is behind the login."""
        token = headers.get("X-Auth-Token")
        if token is not None:
            return token in self.sessions
        given = headers.get("Authorization", "")
        if not given.startswith("Basic "):
            return False
        right = self.basic and base64.b64decode(given[6:]).decode() == f"{self.user}:{self.password}"
        with self._lock:
            self.logins += 1
            self.refused += not right
        return right

    def open_session(self, body: Json) -> tuple[int, str]:
        """A status, and the token of a new session."""
        with self._lock:
            self.logins += 1
            if (body.get("UserName"), body.get("Password")) != (self.user, self.password):
                self.refused += 1
                return 401, ""
            if len(self.sessions) >= self.most_sessions:
                return 503, ""
            token = secrets.token_hex(8)
            self.sessions[token] = f"{SESSIONS}/{len(self.requests)}"
            return 201, token

    def close_session(self, path: str) -> None:
        with self._lock:
            self.sessions = {token: where for token, where in self.sessions.items() if where != path}

    def wait(self, seconds: float) -> bool:
        """Wait; False if the service was stopped meanwhile."""
        return not self._stopped.wait(seconds)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: StaticRedfish
    timeout = 60

    def setup(self) -> None:
        super().setup()
        self.owner.connected()

    def log_message(self, format: str, *args: t.Any) -> None:
        """Nobody reads it."""

    def _handle(self) -> None:
        service = self.owner
        service.behaviour()
        service.note(self.command, self.path)
        path = self.path.split("?")[0]
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if length else b""
        if service.delay:
            time.sleep(service.delay)
        fault = service.fault_of(path)
        if "close" in fault:
            self.close_connection = True
            return
        if "hang" in fault and not service.wait(fault["hang"]):
            return
        if "redirect" in fault:
            self._answer(302, b"", {"Location": fault["redirect"]})
            return
        if "status" in fault:
            self._error(fault["status"], fault.get("message", "injected"))
            return
        if path.rstrip("/") == SESSIONS and self.command == "POST":
            self._log_in(body)
            return
        if path.rstrip("/") not in _OPEN and not service.lets_in(self.headers):
            self._error(401, "Unauthorized")
            return
        if "body" in fault:
            self._answer(200, fault["body"].encode(), {"Content-Type": fault.get("type", "application/json")})
            return
        self._resource(path, body, fault)

    do_GET = do_POST = do_PATCH = do_DELETE = _handle

    def _log_in(self, body: bytes) -> None:
        status, token = self.owner.open_session(json.loads(body or b"{}"))
        if status != 201:
            self._error(status, "session limit exceeded" if status == 503 else "Unauthorized")
            return
        where = self.owner.sessions[token]
        self._answer(201, json.dumps({"@odata.id": where}).encode(), {"X-Auth-Token": token, "Location": where})

    def _resource(self, path: str, body: bytes, fault: Json) -> None:
        if self.command == "DELETE":
            self.owner.close_session(path)
            self._answer(204, b"", {})
            return
        if self.command != "GET" and self.owner.refuse_writes:
            self._error(self.owner.refuse_writes, "refused")
            return
        if self.command == "POST" and "/Actions/" in path:
            kind = json.loads(body or b"{}").get("ResetType", "")
            self.owner.write(path.split("/Actions/")[0], {"PowerState": "Off" if kind in ("ForceOff", "GracefulShutdown") else "On"})
            self._answer(204, b"", {})
            return
        resource = self.owner.resource(path)
        if resource is None and _key(path) not in self.owner.tree:
            self._error(404, f"there is no {path}")
            return
        if self.command == "PATCH":
            self.owner.write(path, json.loads(body))
            self._answer(200, json.dumps(self.owner.resource(path)).encode(), {})
            return
        raw = json.dumps(resource).encode()
        self._answer(200, raw[: len(raw) - fault.get("truncate", 0)], {}, fault.get("drip", 0.0))

    def _error(self, status: int, message: str) -> None:
        extended = [{"MessageId": "Base.1.0.GeneralError", "Message": message}]
        error = {"error": {"code": "Base.1.0.GeneralError", "message": message, "@Message.ExtendedInfo": extended}}
        self._answer(status, json.dumps(error).encode(), {})

    def _answer(self, status: int, body: bytes, headers: dict[str, str], drip: float = 0.0) -> None:
        closing = self.owner.closing
        self.close_connection = closing != "never"
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "OData-Version": "4.0", **headers}.items():
            self.send_header(name, value)
        if closing == "said":
            self.send_header("Connection", "close")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if not drip:
            self.wfile.write(body)
            return
        for byte in body:
            self.wfile.write(bytes([byte]))
            self.wfile.flush()
            if not self.owner.wait(drip):
                return


def _key(path: str) -> str:
    """Paths are compared as lenient BMCs do."""
    return path.split("#")[0].split("?")[0].rstrip("/").lower()


def _put(resource: t.Any, name: str, value: t.Any) -> None:
    *path, last = name.split(".") if not name.startswith("@") and "@" not in name else [name]
    for step in path:
        resource = resource[int(step)] if isinstance(resource, list) else resource.setdefault(step, {})
    if isinstance(resource, list):
        resource[int(last)] = value
    elif value == DELETE:
        resource.pop(last, None)
    else:
        resource[last] = value


def main() -> None:
    """Serve a tree, or the machine of the tests, until the process is ended."""
    parser = argparse.ArgumentParser(description="Serve a Redfish tree on loopback.")
    parser.add_argument("--tree", type=pathlib.Path)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--address", default="127.0.0.1")
    parser.add_argument("--state", type=pathlib.Path)
    parser.add_argument("--user", default="admin")
    parser.add_argument("--password", default="secret")
    parser.add_argument("--certificate")
    parser.add_argument("--key")
    given = vars(parser.parse_args())
    folder = given.pop("tree")
    service = StaticRedfish(trees.load(folder) if folder else trees.machine(), **given)
    sys.stdout.write(f"ready {service.url}\n")
    sys.stdout.flush()
    service.serve()


if __name__ == "__main__":
    main()
