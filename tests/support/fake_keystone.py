# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A Keystone at the wire: a real HTTP server on loopback that gives and checks tokens, counts both, and can be made to fail.

    with FakeKeystone() as keystone:
        keystone.user("op", system=["admin"])
        keystone.user("own", projects={"tenant": ["member"]})
        keystone.offer("baremetal", "http://127.0.0.1:6385")
        token = keystone.token("op")

Every password is the login followed by "-password", every user and project is in the domain `Default`, and the id of anything is its name
with "-id" after it. Tests with a real Keystone are in tests/integration; this one brings about what a real one does not do on demand.
"""

from __future__ import annotations

import datetime
import http.server
import json
import socketserver
import ssl
import threading
import typing as t
import uuid

from ansible_collections.baremetal.maintenance.tests.support.backend import free_port

#: The login of the service that checks tokens.
SERVICE: t.Final = "checker"
_IMPLIED: t.Final = {
    "admin": ("admin", "manager", "member", "reader"),
    "manager": ("manager", "member", "reader"),
    "member": ("member", "reader"),
}


class FakeKeystone:
    """One Keystone. tls: certificate file and key file, None for plain HTTP. seconds: how long its tokens are good."""

    def __init__(self, tls: tuple[str, str] | None = None, seconds: float = 3600) -> None:
        self.port = free_port()
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}/v3"
        self.seconds = seconds
        #: (method, path) of every request.
        self.requests: list[tuple[str, str]] = []
        #: Whose token was asked for, of every login that was right.
        self.given: list[str] = []
        #: Set to answer every request with this status and text instead.
        self.broken: tuple[int, str] | None = None
        self.tokens: dict[str, dict[str, t.Any]] = {}
        self._tls = tls
        self._users: dict[str, dict[str, t.Any]] = {}
        self._applications: dict[str, tuple[str, str, dict[str, t.Any]]] = {}
        self._catalog: list[dict[str, t.Any]] = []
        self._server: _Server | None = None
        self._lock = threading.Lock()
        self.user(SERVICE, projects={"service": ["service", "admin"]})
        for interface in ("public", "internal", "admin"):
            self.offer("identity", self.url, interface)

    def __enter__(self) -> FakeKeystone:
        self.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self.stop()

    def start(self) -> None:
        """Serve at the port; tokens given before a stop are still known."""
        self._server = _Server(("127.0.0.1", self.port), _handler(self))
        if self._tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*self._tls)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def stop(self) -> None:
        """Close the port."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def user(self, login: str, *, projects: t.Mapping[str, t.Sequence[str]] | None = None, system: t.Sequence[str] = ()) -> None:
        """Make a user with these roles in projects and on the system; implied roles come with them."""
        self._users[login] = {"projects": {name: _expanded(roles) for name, roles in (projects or {}).items()}, "system": _expanded(system)}

    def application(self, login: str, project: str, access_rules: list[dict[str, str]] | None = None) -> tuple[str, str]:
        """Make an application credential of a user in a project; give its id and its secret."""
        found = f"application-of-{login}", f"secret-of-{login}"
        about: dict[str, t.Any] = {"id": found[0], "name": found[0], "restricted": True}
        if access_rules is not None:
            about["access_rules"] = access_rules
        self._applications[found[0]] = (login, project, {"secret": found[1], "about": about})
        return found

    def offer(self, service_type: str, url: str, interface: str = "public", region: str = "RegionOne") -> None:
        """Add an endpoint to the catalogue."""
        service = next((each for each in self._catalog if each["type"] == service_type), None)
        if service is None:
            service = {"type": service_type, "name": service_type, "id": f"{service_type}-id", "endpoints": []}
            self._catalog.append(service)
        service["endpoints"].append({"id": uuid.uuid4().hex, "interface": interface, "region": region, "region_id": region, "url": url})

    def token(self, login: str, project: str | None = None, *, system: bool = False, seconds: float | None = None) -> str:
        """Give a token without a request. Without a project: on the system if the user has roles there, else in its only project."""
        user = self._users[login]
        if project is None and not system:
            system = bool(user["system"])
            project = None if system else next(iter(user["projects"]))
        return self._issued(login, self._body(login, project, system=system, seconds=seconds))

    def revoke(self, token: str) -> None:
        """Forget a token."""
        self.tokens.pop(token, None)

    def revoke_all(self) -> None:
        """Forget every token."""
        self.tokens.clear()

    @property
    def logins(self) -> int:
        """How many tokens were asked for."""
        return self.requests.count(("POST", "/v3/auth/tokens"))

    @property
    def checks(self) -> int:
        """How many tokens were asked about."""
        return self.requests.count(("GET", "/v3/auth/tokens"))

    def answer(self, method: str, path: str, headers: t.Mapping[str, str], body: bytes) -> tuple[int, dict[str, str], str]:
        """Give status, headers and text of the answer to a request."""
        with self._lock:
            self.requests.append((method, path))
            if self.broken is not None:
                return self.broken[0], {"Content-Type": "text/html"}, self.broken[1]
            if (method, path) == ("POST", "/v3/auth/tokens"):
                return self._login(json.loads(body)["auth"])
            if (method, path) == ("GET", "/v3/auth/tokens"):
                return self._check(headers)
            if method == "GET" and path.rstrip("/") in ("", "/v3"):
                version = {"id": "v3.14", "status": "stable", "links": [{"rel": "self", "href": f"{self.url}/"}], "media-types": []}
                document = {"version": version} if path.rstrip("/") else {"versions": {"values": [version]}}
                return (200 if path.rstrip("/") else 300), {}, json.dumps(document)
            return _error(404, "Not Found", "The resource could not be found.")

    def _login(self, auth: dict[str, t.Any]) -> tuple[int, dict[str, str], str]:
        login, project, application = self._identified(auth["identity"])
        if login is None:
            return _error(401, "Unauthorized", "The request you have made requires authentication.")
        scope = auth.get("scope", {})
        system = "system" in scope
        if "project" in scope:
            wanted = scope["project"]
            project = wanted["name"] if "name" in wanted else wanted["id"].removesuffix("-id")
        roles = self._users[login]["system"] if system else self._users[login]["projects"].get(project, []) if project else []
        if not roles and (system or project):
            return _error(401, "Unauthorized", "The request you have made requires authentication.")
        self.given.append(login)
        token_body = self._body(login, project, system=system)
        if application:
            token_body["token"]["application_credential"] = application
        return 201, {"X-Subject-Token": self._issued(login, token_body)}, json.dumps(token_body)

    def _identified(self, identity: dict[str, t.Any]) -> tuple[str | None, str | None, dict[str, t.Any] | None]:
        method = identity["methods"][0]
        if method == "password":
            user = identity["password"]["user"]
            login = user["name"] if "name" in user else user["id"].removesuffix("-id")
            return (login if login in self._users and user["password"] == f"{login}-password" else None), None, None
        if method == "token":
            known = self.tokens.get(identity["token"]["id"])
            return (known["token"]["user"]["name"] if known else None), None, None
        given = identity["application_credential"]
        login, project, kept = self._applications.get(given.get("id", ""), (None, None, {}))
        return (login if login and kept["secret"] == given["secret"] else None), project, kept.get("about")

    def _check(self, headers: t.Mapping[str, str]) -> tuple[int, dict[str, str], str]:
        checker = self.tokens.get(headers.get("X-Auth-Token", ""))
        if checker is None or "service" not in _names(checker):
            return _error(401, "Unauthorized", "The request you have made requires authentication.")
        subject = headers.get("X-Subject-Token", "")
        known = self.tokens.get(subject)
        if known is None:
            return _error(404, "Not Found", "Failed to validate token")
        return 200, {"X-Subject-Token": subject}, json.dumps(known)

    def _body(self, login: str, project: str | None, *, system: bool, seconds: float | None = None) -> dict[str, t.Any]:
        now = datetime.datetime.now(datetime.timezone.utc)
        ends = now + datetime.timedelta(seconds=self.seconds if seconds is None else seconds)
        user = self._users[login]
        roles = user["system"] if system else user["projects"].get(project, [])
        domain = {"id": "default", "name": "Default"}
        token: dict[str, t.Any] = {
            "methods": ["password"],
            "user": {"id": f"{login}-id", "name": login, "domain": domain, "password_expires_at": None},
            "audit_ids": [uuid.uuid4().hex],
            "issued_at": now.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            "expires_at": ends.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        }
        if system or project:
            token |= {"roles": [{"id": f"{name}-id", "name": name} for name in roles], "catalog": self._catalog}
            token |= {"system": {"all": True}} if system else {"project": {"id": f"{project}-id", "name": project, "domain": domain}}
        return {"token": token}

    def _issued(self, login: str, body: dict[str, t.Any]) -> str:
        name = f"token-of-{login}-{uuid.uuid4().hex}"
        self.tokens[name] = body
        return name


class _Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def handle_error(self, request: t.Any, client_address: t.Any) -> None:
        """Say nothing: clients that break off are part of the tests."""


def _handler(keystone: FakeKeystone) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def _do(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, headers, text = keystone.answer(self.command, self.path.partition("?")[0], self.headers, body)
            content = text.encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_HEAD = _do

        def log_message(self, format: str, *args: t.Any) -> None:
            """Say nothing."""

    return Handler


def _expanded(roles: t.Sequence[str]) -> list[str]:
    return list(dict.fromkeys(name for role in roles for name in _IMPLIED.get(role, (role,))))


def _names(token: t.Mapping[str, t.Any]) -> list[str]:
    return [role["name"] for role in token["token"].get("roles", [])]


def _error(status: int, title: str, message: str) -> tuple[int, dict[str, str], str]:
    return status, {}, json.dumps({"error": {"code": status, "title": title, "message": message}})
