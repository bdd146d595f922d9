# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Many Redfish BMCs in one process that costs little: each a port with TLS and basic authentication, and the tests' machine behind it.

usage: redfish_farm.py CERTIFICATE KEY COUNT
Prints the ports as a JSON list once it is ready, and serves until it is ended. Only reads; connections are kept as long as clients want.
"""

from __future__ import annotations

import asyncio
import base64
import json
import socket
import ssl
import sys
import typing as t

from ansible_collections.baremetal.maintenance.tests.lab.bmc import trees

USER, PASSWORD = "admin", "secret"
_ALLOWED = b"Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode())
_OPEN = ("/redfish", "/redfish/v1")


def _answer(status: str, body: t.Any) -> bytes:
    content = json.dumps(body).encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nOData-Version: 4.0\r\nContent-Length: {len(content)}\r\n"
    return head.encode() + b"%s\r\n" + content.replace(b"%", b"%%")


#: Every answer there is, with a place for one more header.
_ANSWERS = {path.lower().encode(): _answer("200 OK", resource) for path, resource in trees.machine().items()}
_NOT_FOUND = _answer("404 Not Found", {"error": {"code": "Base.1.0.ResourceMissing", "message": "there is no such resource"}})
_REFUSED = _answer("401 Unauthorized", {"error": {"code": "Base.1.0.NoValidSession", "message": "log in"}})


class _Connection(asyncio.Protocol):
    def __init__(self) -> None:
        self._heard = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = t.cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._heard += data
        while b"\r\n\r\n" in self._heard:
            head, _blank, self._heard = self._heard.partition(b"\r\n\r\n")
            first, *lines = head.split(b"\r\n")
            headers = {name.strip().lower(): value.strip() for name, _colon, value in (line.partition(b":") for line in lines)}
            path = first.split(b" ")[1].partition(b"?")[0].rstrip(b"/").lower()
            allowed = path.decode() in _OPEN or headers.get(b"authorization") == _ALLOWED
            closes = headers.get(b"connection", b"").lower() == b"close"
            answer = _ANSWERS.get(path, _NOT_FOUND) if allowed else _REFUSED
            self._transport.write(answer % (b"Connection: close\r\n" if closes else b""))
            if closes:
                self._transport.close()


async def _serve(certificate: str, key: str, count: int) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    loop = asyncio.get_running_loop()
    ports = []
    for _number in range(count):
        listening = socket.create_server(("127.0.0.1", 0), backlog=64)
        ports.append(listening.getsockname()[1])
        await loop.create_server(_Connection, sock=listening, ssl=context)
    sys.stdout.write(json.dumps(ports) + "\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1], sys.argv[2], int(sys.argv[3])))
