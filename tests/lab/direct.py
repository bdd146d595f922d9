# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A small client of the bare metal API that knows nothing of this project: what it reads is what the service itself says.

direct = ironic.direct(keystone.token("system-admin"))
direct.put("/v1/nodes/n1/maintenance", {"reason": "disk"}).status == 202
direct.flag("n1") == Flag(True, "disk", None)
"""

from __future__ import annotations

import dataclasses
import json
import time
import typing as t

import requests

#: The newest version of an Ironic without typed entries.
NEWEST: t.Final = "1.115"


@dataclasses.dataclass(frozen=True)
class Flag:
    """What an Ironic says of a node's maintenance."""

    maintenance: bool
    reason: str | None
    fault: str | None


@dataclasses.dataclass(frozen=True)
class Answer:
    """What came back. The names of headers may be asked for in any case."""

    status: int
    headers: t.Mapping[str, str]
    content: bytes
    json: t.Any

    @property
    def said(self) -> str:
        """The text of an error, in whichever of Ironic's shapes; "" if there is none."""
        document = self.json if isinstance(self.json, dict) else {}
        found = document.get("error_message", document.get("error", ""))
        if isinstance(found, str):
            try:
                found = json.loads(found)
            except ValueError:
                return found
        return str(found.get("faultstring") or found.get("description") or found.get("message") or "") if isinstance(found, dict) else ""


class Direct:
    """One identity at one service. Not for several threads at once: give each its own."""

    def __init__(self, url: str, headers: t.Mapping[str, str] | None = None, *, login: tuple[str, str] | None = None) -> None:
        self.url = url
        self._session = requests.Session()
        self._session.trust_env = False
        self._session.headers.update(headers or {})
        self._session.auth = login

    def send(
        self,
        method: str,
        path: str,
        body: t.Any = None,
        *,
        raw: bytes | None = None,
        version: str | None = NEWEST,
        headers: t.Mapping[str, str] | None = None,
        seconds: float = 60.0,
    ) -> Answer:
        """Send a request; path with its query, as from /v1. body: sent as JSON, None for none. version: None sends no version header."""
        lines = {**({"X-OpenStack-Ironic-API-Version": version} if version else {}), **(headers or {})}
        more: dict[str, t.Any] = {"data": raw} if body is None else {"json": body}
        answer = self._session.request(method, self.url + path, headers=lines, timeout=seconds, allow_redirects=False, **more)
        try:
            document = answer.json() if answer.content else None
        except ValueError:
            document = None
        return Answer(answer.status_code, answer.headers, answer.content, document)

    def get(self, path: str, **more: t.Any) -> Answer:
        """Send GET."""
        return self.send("GET", path, **more)

    def post(self, path: str, body: t.Any = None, **more: t.Any) -> Answer:
        """Send POST."""
        return self.send("POST", path, body, **more)

    def put(self, path: str, body: t.Any = None, **more: t.Any) -> Answer:
        """Send PUT."""
        return self.send("PUT", path, body, **more)

    def patch(self, path: str, body: t.Any = None, **more: t.Any) -> Answer:
        """Send PATCH."""
        return self.send("PATCH", path, body, **more)

    def delete(self, path: str, body: t.Any = None, **more: t.Any) -> Answer:
        """Send DELETE."""
        return self.send("DELETE", path, body, **more)

    def node(self, ident: str, *fields: str) -> dict[str, t.Any]:
        """Give a node, or these fields of it. Raises AssertionError if the answer is not 200."""
        answer = self.get(f"/v1/nodes/{ident}" + (f"?fields={','.join(fields)}" if fields else ""))
        assert answer.status == 200, (answer.status, answer.content)
        return t.cast("dict[str, t.Any]", answer.json)

    def flag(self, ident: str) -> Flag:
        """Give a node's flag, its reason and the kind of its fault."""
        node = self.node(ident, "maintenance", "maintenance_reason", "fault")
        return Flag(node["maintenance"], node["maintenance_reason"], node["fault"])

    def until(self, ident: str, wanted: t.Callable[[dict[str, t.Any]], bool], *fields: str, seconds: float = 90.0) -> dict[str, t.Any]:
        """Wait until a node is as wanted and give it. Raises AssertionError with the node as it is when the time is over."""
        end = time.monotonic() + seconds
        while not wanted(node := self.node(ident, *fields)):
            assert time.monotonic() < end, node
            time.sleep(0.1)
        return node
