# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests that are sent to Ironic on behalf of a caller, with the caller's own credential; nothing is retried or redirected."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import logging
import time
import typing as t
import urllib.parse

from .. import libs
from ..caller import Caller
from ..errors import Refusal
from ..resources import versions
from .ironic import HEADER, said_by

_log = logging.getLogger(__name__)

#: Seconds to reach Ironic, and to wait for the next bytes of its answer.
CONNECT: t.Final = 5.0
READ: t.Final = 60.0
#: A bound against an answer that never ends, not a limit to meet: 1,000 nodes in full are about 4 MiB.
_LARGEST: t.Final = 64 * 1024 * 1024
#: Seconds for which what an answer said of Ironic's newest version is good, and after which one that failed to tell is asked again.
_TOLD_FOR: t.Final = 60.0
_ASK_AGAIN: t.Final = 5.0


@dataclasses.dataclass(frozen=True)
class Answer:
    """Status, headers and parsed JSON body (None where there is none)."""

    status: int
    headers: t.Mapping[str, str]
    body: t.Any


class Upstream:
    """The Ironic behind us, as callers reach it. Threads may share it."""

    def __init__(self, endpoint: str, *, ca: str | None = None, insecure: bool = False, connections: int = 64, token: bool = False) -> None:
        """endpoint: without /v1. ca: a PEM file. token: a caller's credential is a Keystone token, else an Authorization header."""
        self.endpoint = endpoint.rstrip("/").removesuffix("/v1")
        self._token = token
        urllib3 = libs.urllib3()
        timeout = urllib3.Timeout(connect=CONNECT, read=READ)
        # Of one host: a manager of many would take every URL apart to find out which.
        self._pool = urllib3.PoolManager(
            maxsize=connections,
            block=False,
            retries=False,
            timeout=timeout,
            ca_certs=ca,
            cert_reqs="CERT_NONE" if insecure else "CERT_REQUIRED",
        ).connection_from_url(self.endpoint)
        self._origin = "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(self.endpoint))
        self._ask_at = 0.0

    def credential(self, caller: Caller) -> dict[str, str]:
        """Give the headers that carry the caller's own credential."""
        if caller.credential is None:
            return {}
        return {"X-Auth-Token" if self._token else "Authorization": caller.credential}

    def keep_version(self) -> None:
        """Ask for Ironic's newest version, on which ours depends, if no answer has told it lately. That Ironic is away is no failure."""
        now = time.monotonic()
        if now < self._ask_at:
            return
        self._ask_at = now + _ASK_AGAIN
        with contextlib.suppress(Refusal):
            self.open("GET", f"{self.endpoint}/v1", {"Accept": "application/json"}, None).drain_conn()

    def get(self, caller: Caller, path: str, query: t.Mapping[str, str]) -> Answer:
        """Ask for JSON with the caller's credential. Refusal: 401 Ironic refuses the credential; 503 it does not answer."""
        url = f"{self.endpoint}{path}?{urllib.parse.urlencode(query)}" if query else self.endpoint + path
        # Not `latest`: with it Ironic fails on a name that ends in `.json`.
        headers = {HEADER: f"1.{versions.ironic_newest()}", "Accept": "application/json", **self.credential(caller)}
        response = self.open("GET", url, headers, None)
        try:
            body = _body(response)
        finally:
            response.release_conn()
        if response.status == 401:
            raise Refusal(401, "unauthenticated", f"The Ironic behind this service refuses the credential: {said_by(body) or 'status 401'}")
        if response.status >= 500:
            raise Refusal(503, "unavailable", f"The Ironic behind this service fails: {said_by(body) or f'status {response.status}'}")
        return Answer(response.status, response.headers, body)

    def open(self, method: str, url: str, headers: t.Mapping[str, str], body: t.Any) -> t.Any:
        """Send a request and give urllib3's response, its body unread. Refusal 503: Ironic does not answer."""
        try:
            response = self._pool.urlopen(
                method,
                url.removeprefix(self._origin),
                headers=dict(headers),
                body=body,
                preload_content=False,
                decode_content=False,
                redirect=False,
                retries=False,
            )
        except libs.urllib3().exceptions.HTTPError as error:
            said = type(error).__name__
            raise Refusal(
                503,
                "unavailable",
                f"The Ironic behind this service does not answer ({said}): try again in a moment.",
                headers={"Retry-After": "2"},
            ) from None
        self._learn(response.headers.get(versions.NEWEST_HEADER))
        if method != "HEAD" and response.status not in (204, 304) and not _has_end(response.headers):
            # Broken off among its headers, it looks like an answer that lasts until the connection ends.
            response.close()
            raise Refusal(503, "unavailable", "The Ironic behind this service broke off its answer: try again in a moment.")
        return response

    def _learn(self, text: str | None) -> None:
        """Take over Ironic's newest version from an answer of its own."""
        major, _dot, minor = (text or "").partition(".")
        if major != "1" or not minor.isdigit():
            return
        self._ask_at = time.monotonic() + _TOLD_FOR
        before = versions.typed()
        if versions.learn(int(minor)):
            _log.error(
                "ALERT: the newest version of the Ironic behind this service is 1.%s; the typed API is 1.%d now, not 1.%d",
                minor,
                versions.typed(),
                before,
            )


def _has_end(headers: t.Mapping[str, str]) -> bool:
    return "Content-Length" in headers or "chunked" in headers.get("Transfer-Encoding", "").lower()


def _body(response: t.Any) -> t.Any:
    try:
        raw = response.read(_LARGEST + 1, decode_content=True)
    except libs.urllib3().exceptions.HTTPError:
        raise Refusal(503, "unavailable", "The Ironic behind this service broke off its answer: try again in a moment.") from None
    if len(raw) > _LARGEST:
        raise Refusal(503, "unavailable", "The Ironic behind this service answers without an end.")
    # Reading up to a limit, an answer that breaks off looks complete.
    if response.length_remaining:
        raise Refusal(503, "unavailable", "The Ironic behind this service broke off its answer: try again in a moment.")
    try:
        return json.loads(raw) if raw else None
    except ValueError:
        return None
