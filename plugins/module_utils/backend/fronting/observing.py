# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`observe`: every request passes through untouched, and the log says what would have been refused. For the first week.

Nothing of ours is written to the Ironic, and no answer is altered. What callers do to the boolean is followed in our own table after
Ironic did it, so that what is said is about the holds that there would be.
"""

from __future__ import annotations

import functools
import io
import itertools
import json
import logging
import re
import typing as t
import urllib.parse

from ..errors import Refusal
from ..identity import headers as identity_headers
from ..service import acting as act
from ..service import decisions, flag
from ..service.acting import Acting
from ..service.holds import entries_of
from ..service.parts import Parts
from ..store.values import Node
from .gate import GATED
from .passing import FORWARDED, Stream, whole

_log = logging.getLogger(__name__)

_PATH = re.compile(r"/v1/nodes/([^/]+)(/maintenance|/states/provision)?/?")
#: What of an answer is between two hops.
_HOP: t.Final = frozenset(("connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"))
#: A longer body is not looked at.
_LOOKED_AT: t.Final = 1024 * 1024
#: Beside what is forwarded otherwise: an observer alters nothing, so versions are as they came.
_MORE: t.Final = ("Accept-Encoding", "Host", "OpenStack-API-Version", "X-OpenStack-Ironic-API-Version")

Judge = t.Callable[[dict[str, t.Any]], Acting]


class Observer:
    """The WSGI application that passes everything through."""

    def __init__(self, parts: Parts, judge: Judge) -> None:
        """judge: tells who makes a request, from its environ; raises Refusal."""
        self._parts = parts
        self._judge = judge

    def __call__(self, environ: dict[str, t.Any], start_response: t.Any) -> t.Iterable[bytes]:
        method, path = environ["REQUEST_METHOD"], environ.get("PATH_INFO", "/")
        if path == "/healthz":
            start_response("200 OK", [("Content-Type", "application/json")])
            return [b'{"status": "ok"}']
        length = int(environ.get("CONTENT_LENGTH") or 0)
        found = _PATH.fullmatch(path) if method in ("PUT", "DELETE", "PATCH") else None
        body: t.Any = None
        small = b""
        read = environ["wsgi.input"].read
        if "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower():
            small = read(_LOOKED_AT) if found else b""
            body = small if found and len(small) < _LOOKED_AT else itertools.chain((small,), iter(lambda: read(_LOOKED_AT), b""))
        elif found and length <= _LOOKED_AT:
            small = read(length) if length else b""
            body = small or None
        elif length:
            body = whole(read, length)
        after = self._before(environ, method, found, small) if found else None
        try:
            response = self._send(environ, method, path, body, length)
        except Refusal as refusal:
            start_response(f"{refusal.status} Service Unavailable", [("Content-Type", "application/json")])
            return [
                json.dumps({"error_message": json.dumps({"faultcode": "Server", "faultstring": refusal.text, "debuginfo": None})}).encode()
            ]
        if after is not None and response.status < 300:
            self._follow(after)
        start_response(
            f"{response.status} {response.reason or ''}".strip(),
            [(name, value) for name, value in response.headers.items() if name.lower() not in _HOP],
        )
        return Stream(response)

    def _send(self, environ: dict[str, t.Any], method: str, path: str, body: t.Any, length: int) -> t.Any:
        names = {name: f"HTTP_{name.upper().replace('-', '_')}" for name in (*FORWARDED, *_MORE)}
        names["Content-Type"] = "CONTENT_TYPE"
        headers = {name: environ[key] for name, key in names.items() if environ.get(key)}
        if length:
            headers["Content-Length"] = str(length)
        query = environ.get("QUERY_STRING", "")
        url = self._parts.fronting.upstream.endpoint + urllib.parse.quote(path, safe="/~:@!$&'()*+,;=") + (f"?{query}" if query else "")
        return self._parts.fronting.upstream.open(method, url, headers, body)

    def _before(self, environ: dict[str, t.Any], method: str, found: re.Match[str], body: bytes) -> t.Callable[[], None] | None:
        """Say what would be refused; give what follows in our table if Ironic does it."""
        ident, tail = found[1], found[2]
        try:
            acting = self._judge(dict(environ, **{"wsgi.input": io.BytesIO()}))
            node = self._parts.source.find(ident, acting)
            if node is None:
                return None
            return self._evaluate(acting, node, method, tail, body)
        except Refusal as refusal:
            # Who is nobody for us is for Ironic to refuse; what fails here must not touch the request.
            _log.info("observe: %s %s is not followed: %s", method, found[0], refusal.text)
        except Exception:
            _log.exception("observe: %s %s is not followed", method, found[0])
        return None

    def _evaluate(self, acting: Acting, node: Node, method: str, tail: str | None, body: bytes) -> t.Callable[[], None] | None:
        parts, ident = self._parts, node.uuid
        if tail == "/maintenance":
            if method == "PUT":
                change = functools.partial(flag.set_flag, parts, acting, ident, _member(body, "reason"))
            else:
                change = functools.partial(flag.clear_flag, parts, acting, ident, "legacy_delete")
        elif tail == "/states/provision":
            if _member(body, "target") in GATED and entries_of(parts, [node.id])[node.id]:
                _log.info("observe: would refuse to provision node %s: it is held", ident)
            return None
        elif method == "PATCH":
            wanted = _patched(body)
            if wanted is None:
                return None
            if wanted:
                change = functools.partial(flag.set_flag, parts, acting, ident, None)
            else:
                change = functools.partial(flag.clear_flag, parts, acting, ident, "patch")
        else:
            entries = entries_of(parts, [node.id])[node.id]
            self._try(lambda: decisions.require_release(acting, node, ident, entries, "legacy_delete"), f"{method} node {ident}")
            return None
        if not self._try(functools.partial(change, dry_run=True), f"{method} of maintenance of node {ident}"):
            return None
        return change

    def _try(self, what: t.Callable[[], None], name: str) -> bool:
        try:
            what()
        except Refusal as refusal:
            _log.info("observe: would refuse %s with %d: %s", name, refusal.status, refusal.text)
            return False
        return True

    def _follow(self, change: t.Callable[[], None]) -> None:
        try:
            change()
        except Refusal as refusal:
            _log.info("observe: not followed: %s", refusal.text)


def judge(authenticator: t.Any, policy: t.Any, *, service_project: str | None, project_admin_is_system: bool) -> Judge:
    """Give what tells who makes a request. service_project, project_admin_is_system: who counts as system."""

    def tell(environ: dict[str, t.Any]) -> Acting:
        identity_headers.strip(environ)
        caller = authenticator.identify(environ)
        session = policy.session(caller)
        return act.Acting(caller, session, service_project=service_project, project_admin_is_system=project_admin_is_system)

    return tell


def _member(body: bytes, name: str) -> str | None:
    try:
        value = json.loads(body).get(name) if body else None
    except (ValueError, AttributeError):
        return None
    return value if isinstance(value, str) else None


def _patched(body: bytes) -> bool | None:
    """Tell what a patch makes of the boolean, None if it leaves it."""
    try:
        operations = json.loads(body)
        values = [one.get("value") for one in operations if one.get("path") == "/maintenance" and one.get("op") in ("add", "replace")]
    except (ValueError, AttributeError, TypeError):
        return None
    return str(values[-1]).lower() in ("true", "1", "yes", "on", "t", "y") if values else None
