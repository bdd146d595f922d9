# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Our backend in front of a real Ironic that asks nobody who he is: for what passes through, whoever asks.

Nothing is compared by itself here: what a test does round us in Ironic stays as it is until something through us looks at that node.
Fixture: `plain` (session). It is shared: make nodes of your own.
"""

from __future__ import annotations

import contextlib
import dataclasses
import pathlib
import socket
import sqlite3
import typing as t
import urllib.parse

from ansible_collections.baremetal.maintenance.tests.lab.direct import Direct, Flag
from ansible_collections.baremetal.maintenance.tests.lab.fronted import TYPED
from ansible_collections.baremetal.maintenance.tests.lab.ironic import Ironic
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend

#: Seconds between two looks of the reconciler: longer than any test.
NEVER: t.Final = 86400


@dataclasses.dataclass(frozen=True)
class Plain:
    """The pair."""

    backend: Backend
    ironic: Ironic

    @property
    def through(self) -> Direct:
        """Ask through us."""
        return Direct(self.backend.url)

    @property
    def direct(self) -> Direct:
        """Ask Ironic itself."""
        return self.ironic.direct()

    def hold(self, node: str, type: str = "operator_hold", reason: str | None = "moving") -> dict[str, t.Any]:
        """Assert an entry; give it."""
        answer = self.through.post(f"/v1/nodes/{node}/maintenance", {"type": type, "reason": reason}, version=TYPED)
        assert answer.status == 201, answer.content
        return t.cast("dict[str, t.Any]", answer.json)

    def entries(self, node: str) -> list[tuple[str, str | None]]:
        """Give type and reason of a node's active entries, oldest first."""
        answer = self.through.get(f"/v1/nodes/{node}/maintenance", version=TYPED)
        assert answer.status == 200, answer.content
        return [(entry["type"], entry["reason"]) for entry in answer.json["maintenance"]]

    def held(self, node: str) -> list[tuple[str, str | None]]:
        """Give the same straight from our database, where nothing else follows from the question."""
        query = "SELECT e.type, e.reason FROM node_maintenance e JOIN nodes n ON n.id = e.node_id WHERE n.uuid = ? ORDER BY e.id"
        with contextlib.closing(sqlite3.connect(self.backend.database, timeout=30)) as rows:
            return list(rows.execute(query, (node,)))

    def flag(self, node: str) -> Flag:
        """Give what Ironic itself has, from its database."""
        return Flag(*self.ironic.nodes.flags()[node])

    def gap(self, nodes: t.Collection[str]) -> None:
        """Let Ironic have cleared these nodes' flags behind our back, so that it and the entries differ."""
        self.ironic.nodes.put_fault(list(nodes), None, None)


def front(folder: pathlib.Path, url: str, **more: t.Any) -> Backend:
    """Give a backend, not yet started, in front of an Ironic without authentication, that compares nothing by itself."""
    settings = {"reconcile_interval": NEVER, "hot_interval": 300, **more}
    return Backend(folder, node_source="ironic", ironic={"endpoint": url, "auth_type": "none"}, **settings)


def raw(
    url: str, method: str, target: str, body: bytes = b"", *headers: str, version: str | None = "1.115", seconds: float = 60.0
) -> tuple[int, bytes]:
    """Send a request whose every byte is the caller's own; give status and body of the answer. target: as it stands in the first line."""
    place = urllib.parse.urlsplit(url).netloc
    lines = [f"{method} {target} HTTP/1.1", f"Host: {place}", "Connection: close", *headers]
    lines += [f"X-OpenStack-Ironic-API-Version: {version}"] if version else []
    if not any(line.lower().startswith(("content-length:", "transfer-encoding:")) for line in headers):
        lines.append(f"Content-Length: {len(body)}")
    host, _colon, port = place.partition(":")
    with socket.create_connection((host, int(port)), timeout=seconds) as connection:
        connection.sendall("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)
        answer = b""
        while part := connection.recv(65536):
            answer += part
    head, _blank, rest = answer.partition(b"\r\n\r\n")
    return int(head.split(b" ", 2)[1]), rest
