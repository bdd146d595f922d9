# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The service's own conversation with the Ironic behind it: with its own credential, one call at a time, nothing retried.

Whether a call arrived is part of its outcome: after a lost reply nobody knows, and the caller must look again.
"""

from __future__ import annotations

import dataclasses
import json
import re
import typing as t
import urllib.parse

from .. import libs
from . import seen
from .judging import REASON_MOST
from .seen import Seen

HEADER: t.Final = "X-OpenStack-Ironic-API-Version"
#: Below it an Ironic does not tell a node's lessee (1.65); with it, everything that is asked for here.
LEAST: t.Final = 65
PAGE: t.Final = 1000
_MOST_PAGES: t.Final = 1000
#: Seconds for a page of a list: no node's lease hangs on it, and a busy Ironic takes long for a thousand nodes.
_PAGE_TIMEOUT: t.Final = 30.0
#: In keystoneauth's and urllib3's texts.
_OCCURRENCE: t.Final = re.compile(r" \(Request-ID: [^)]*\)| object at 0x[0-9a-f]+")


class IronicError(Exception):
    """Ironic did not do it. The text is one sentence without a secret. unknown: the call may have arrived or may still."""

    def __init__(self, text: str, *, unknown: bool = False) -> None:
        super().__init__(text)
        self.unknown = unknown


class Gone(IronicError):
    """There is no such node, says an answer to a single request."""


class Locked(IronicError):
    """A conductor holds the node's lock. asked: it refused a call; else the lock was seen, and nothing was sent."""

    def __init__(self, text: str, *, asked: bool = True) -> None:
        super().__init__(text)
        self.asked = asked


class Denied(IronicError):
    """The service's credential is refused: wrong, expired for good, or too weak."""


class Unreachable(IronicError):
    """No answer."""


@dataclasses.dataclass(frozen=True)
class Answer:
    """A status and a JSON body (None where there is none)."""

    status: int
    body: t.Any
    headers: t.Mapping[str, str]


class Ironic:
    """An Ironic, asked by the service itself. Threads may share it."""

    def __init__(self, session: t.Any, auth: t.Any, endpoint: str, *, timeout: float) -> None:
        """session, auth: keystoneauth1's. endpoint: without /v1. timeout: seconds for one call about one node."""
        self._session = session
        self._auth = auth
        self._endpoint = endpoint.rstrip("/").removesuffix("/v1")
        self._timeout = timeout

    def node(self, uuid: str) -> Seen:
        """Look at one node. Raises Gone on this request's own 404 only."""
        answer = self._ask("GET", f"/v1/nodes/{uuid}", query={"fields": ",".join(seen.FIELDS)})
        if answer.status != 200:
            raise _error(answer, f"GET node {uuid}", uuid)
        return _read(answer.body, uuid)

    def set_flag(self, uuid: str, reason: str | None) -> None:
        """Put the node in maintenance."""
        body = {} if reason is None else {"reason": reason[:REASON_MOST]}
        answer = self._ask("PUT", f"/v1/nodes/{uuid}/maintenance", body=body)
        if answer.status not in (200, 202, 204):
            raise _error(answer, f"set maintenance of node {uuid}", uuid)

    def clear_flag(self, uuid: str) -> None:
        """Take the node, and a fault with it, out of maintenance."""
        answer = self._ask("DELETE", f"/v1/nodes/{uuid}/maintenance")
        if answer.status not in (200, 202, 204):
            raise _error(answer, f"clear maintenance of node {uuid}", uuid)

    def nodes(self, fields: t.Sequence[str], **filters: str) -> list[dict[str, t.Any]]:
        """Give all nodes that the filters pass, every page, or an error: never a short list."""
        rows: list[dict[str, t.Any]] = []
        names: set[str] = set()
        marker = None
        for _page in range(_MOST_PAGES):
            query = {"fields": ",".join(fields), "limit": str(PAGE), **filters, **({"marker": marker} if marker else {})}
            answer = self._ask("GET", "/v1/nodes", query=query, timeout=max(self._timeout, _PAGE_TIMEOUT))
            if answer.status != 200:
                raise _error(answer, "list nodes", None)
            page = answer.body.get("nodes") if isinstance(answer.body, dict) else None
            if not isinstance(page, list) or not all(isinstance(row, dict) and isinstance(row.get("uuid"), str) for row in page):
                raise IronicError("the Ironic behind us answers a list of nodes with something else")
            fresh = {row["uuid"] for row in page}
            if fresh & names:
                raise IronicError("the Ironic behind us gave a node twice while its pages were read")
            names |= fresh
            rows += page
            if not answer.body.get("next"):
                return rows
            if not page:
                break
            marker = page[-1]["uuid"]
        raise IronicError("the Ironic behind us goes on giving pages without an end")

    def count(self) -> int:
        """Give the number of all nodes."""
        return len(self.nodes(("uuid",)))

    def prove(self) -> None:
        """Ask something that only a credential of the whole system may: Denied if it does not let us.

        A weakened credential gets an empty list of nodes with status 200, which looks like an empty fleet; the list of conductors
        it gets refused.
        """
        answer = self._ask("GET", "/v1/conductors", query={"limit": "1"})
        if answer.status != 200:
            raise _error(answer, "prove the service's credential (GET /v1/conductors)", None)
        if not isinstance(answer.body, dict) or not isinstance(answer.body.get("conductors"), list):
            raise IronicError("the Ironic behind us answers /v1/conductors with something else")

    def newest(self) -> int:
        """Give the minor number of Ironic's newest API version."""
        answer = self._ask("GET", "/v1")
        text = answer.headers.get("X-OpenStack-Ironic-API-Maximum-Version", "")
        major, _dot, minor = text.partition(".")
        if major != "1" or not minor.isdigit():
            raise IronicError(f"what answers at {self._endpoint} is no Ironic: /v1 names no version")
        return int(minor)

    def _ask(
        self,
        method: str,
        path: str,
        *,
        query: t.Mapping[str, str] | None = None,
        body: t.Any = None,
        timeout: float | None = None,
    ) -> Answer:
        url = self._endpoint + path + ("?" + urllib.parse.urlencode(query) if query else "")
        exceptions = libs.keystoneauth1().exceptions
        try:
            response = self._session.request(
                url,
                method,
                auth=self._auth,
                json=body,
                headers={HEADER: "latest", "Accept": "application/json"},
                raise_exc=False,
                redirect=False,
                connect_retries=0,
                status_code_retries=0,
                timeout=timeout or self._timeout,
                log=False,
            )
        except (exceptions.Unauthorized, exceptions.AuthorizationFailure) as error:
            raise Denied(f"the service's credential is refused by Keystone: {_plain(error)}") from None
        except exceptions.ClientException as error:
            # Also after a connection that broke: the request may have been read before it did.
            raise Unreachable(f"the Ironic behind us, or its Keystone, does not answer: {_plain(error)}", unknown=method != "GET") from None
        try:
            body = response.json() if response.content else None
        except ValueError:
            body = None
        return Answer(response.status_code, body, response.headers)


def _read(body: t.Any, uuid: str) -> Seen:
    try:
        found = seen.read(body if isinstance(body, dict) else {})
    except ValueError as error:
        raise IronicError(f"the Ironic behind us gave {error}") from None
    if found.uuid != uuid:
        raise IronicError(f"the Ironic behind us gave node {found.uuid} where {uuid} was asked for")
    return found


def _error(answer: Answer, what: str, uuid: str | None) -> IronicError:
    said = said_by(answer.body)
    text = f"Ironic refused to {what} with {answer.status}{': ' + said if said else ''}"
    if answer.status == 404 and uuid is not None:
        # A proxy's or another service's 404 is no proof that the node is gone; Ironic's own names it.
        if uuid in said and "could not be found" in said:
            return Gone(text)
        return IronicError(text)
    if answer.status in (401, 403):
        return Denied(text)
    if answer.status == 409:
        return Locked(text)
    return IronicError(text, unknown=answer.status >= 500)


def said_by(body: t.Any) -> str:
    """Give the sentence of one of Ironic's error bodies (research: four shapes are met), "" if there is none."""
    if not isinstance(body, dict):
        return ""
    value = body.get("error_message", body)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return value[:300]
    if isinstance(value, dict):
        inner = value.get("error")
        if isinstance(inner, dict):
            value = inner
        for name in ("faultstring", "description", "message", "title"):
            if isinstance(value.get(name), str) and value[name]:
                return t.cast("str", value[name])[:300]
    return ""


def _plain(error: Exception) -> str:
    """Give one line without what is another at each occurrence: an alert of the same trouble is known by its text."""
    return _OCCURRENCE.sub("", str(error).partition("\n")[0])[:300].strip() or type(error).__name__
