# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A wire to a real Ironic that is listened on, and that can be cut.

with Tap(ironic.port) as tap:
    …a backend in front of tap.url…
    tap.requests                 ["PUT /v1/nodes/…/maintenance", …]: what went over it
    tap.rewrite = (b"1.115", b"1.117")     what answers say instead; of one length
    tap.cut(2000)                of each answer only so many bytes come, then the connection is closed
    tap.down(); tap.up()         nobody answers there
"""

from __future__ import annotations

import contextlib
import re
import socket
import threading
import typing as t

_LINE: t.Final = re.compile(rb"(?:^|(?<=[\n\r}\]]))(GET|HEAD|PUT|POST|PATCH|DELETE|OPTIONS) (\S+) HTTP/1\.1\r\n")


class Tap:
    """Between a client and a port of this machine."""

    def __init__(self, port: int) -> None:
        self.requests: list[str] = []
        self.rewrite: tuple[bytes, bytes] | None = None
        self._to = port
        self._cut: int | None = None
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._listening: socket.socket | None = None
        self.port = 0
        self.up()
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Tap:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.down()

    @property
    def writes(self) -> list[str]:
        """What went over it and was no GET."""
        return [line for line in self.requests if not line.startswith(("GET ", "HEAD ", "OPTIONS "))]

    def cut(self, size: int | None) -> None:
        """Let only so many bytes of an answer come; None: all."""
        self._cut = size

    def up(self) -> None:
        """Take connections."""
        listening = socket.socket()
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", self.port))
        listening.listen(64)
        self.port = listening.getsockname()[1]
        self._listening = listening
        threading.Thread(target=self._accept, args=(listening,), daemon=True).start()

    def down(self) -> None:
        """Take none, and drop those that there are."""
        listening, self._listening = self._listening, None
        if listening is not None:
            # Closing alone leaves the thread in `accept`, and the port open.
            with contextlib.suppress(OSError):
                listening.shutdown(socket.SHUT_RDWR)
            listening.close()
        with self._lock:
            left = list(self._open)
        for connection in left:
            self._drop(connection)

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                client, _place = listening.accept()
                server = socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                return
            with self._lock:
                self._open |= {client, server}
            for one, other, look in ((client, server, self._asked), (server, client, self._answered)):
                threading.Thread(target=self._carry, args=(one, other, look), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket, look: t.Callable[[bytes], bytes | None]) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                passed = look(data)
                if passed is None:
                    other.sendall(data[: self._cut])
                    break
                other.sendall(passed)
        self._drop(one)
        self._drop(other)

    def _asked(self, data: bytes) -> bytes:
        self.requests += [f"{method.decode()} {target.decode()}" for method, target in _LINE.findall(data)]
        return data

    def _answered(self, data: bytes) -> bytes | None:
        if self.rewrite is not None:
            data = data.replace(*self.rewrite)
        return None if self._cut is not None and len(data) > self._cut else data

    def _drop(self, connection: socket.socket) -> None:
        with self._lock:
            self._open.discard(connection)
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
        connection.close()
