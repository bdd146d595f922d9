# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of many BMCs answer at all: all are asked at once in one process, without a password.

IPMI is asked for its authentication capabilities, which is the first packet of every session; Redfish for its root, which needs no login,
and any byte in reply counts, a TLS alert too: what it means is for the child to find out that reads the BMC.
"""

from __future__ import annotations

import asyncio
import functools
import json
import os
import socket
import ssl
import typing as t

from .target import Target

#: RMCP header; IPMI 1.5 without a session; Get Channel Authentication Capabilities for this channel, IPMI 2.0, administrator.
_ASK_IPMI = bytes.fromhex("0600ff07 00 00000000 00000000 09 2018c8 8100388e04b5".replace(" ", ""))
_AGAIN = 1.0
_PAUSE = 2.0


class Answers:
    """Puts together what `run` writes."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[tuple[int, str | None]]:
        """Of each BMC that is decided: its number, and None if it answers or in what way it does not."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [tuple(json.loads(line)) for line in lines]  # type: ignore[misc]


def run(targets: t.Mapping[int, Target], window: float, descriptor: int) -> None:
    """Ask all targets for up to `window` seconds each and write to `descriptor` what comes of it, as it comes."""
    asyncio.run(_ask_all(targets, window, descriptor))


async def _ask_all(targets: t.Mapping[int, Target], window: float, descriptor: int) -> None:
    async def ask(number: int, target: Target) -> None:
        silence = await _silence(target, window)
        os.write(descriptor, json.dumps([number, silence]).encode() + b"\n")

    await asyncio.gather(*(ask(number, target) for number, target in targets.items()))


async def _silence(target: Target, window: float) -> str | None:
    ask = _ask_ipmi if target.protocol == "ipmi" else _ask_redfish
    why = [f"no answer within {window:g} s"]
    try:
        await asyncio.wait_for(_until_answered(ask, target, why), window)
    except asyncio.TimeoutError:
        return why[-1]
    return None


async def _until_answered(ask: t.Callable[[Target], t.Awaitable[None]], target: Target, why: list[str]) -> None:
    while True:
        try:
            return await ask(target)
        except OSError as error:
            why.append(str(error.strerror or error) or type(error).__name__)
        await asyncio.sleep(_PAUSE)


class _Heard(asyncio.DatagramProtocol):
    def __init__(self) -> None:
        self.answered = asyncio.Event()

    def datagram_received(self, data: bytes, addr: t.Any) -> None:
        self.answered.set()


async def _ask_ipmi(target: Target) -> None:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(target.host, target.port, type=socket.SOCK_DGRAM)
    transport, heard = await loop.create_datagram_endpoint(_Heard, remote_addr=found[0][4][:2], family=found[0][0])
    try:
        while not heard.answered.is_set():
            transport.sendto(_ASK_IPMI)
            try:
                await asyncio.wait_for(heard.answered.wait(), _AGAIN)
            except asyncio.TimeoutError:
                continue
    finally:
        transport.close()


async def _ask_redfish(target: Target) -> None:
    try:
        reader, writer = await asyncio.open_connection(target.host, target.port, ssl=_any_tls() if target.scheme == "https" else None)
    except ssl.SSLError:
        return
    except ConnectionResetError:
        # What is no TLS server often ends a connection like this; that is an answer, too.
        return
    try:
        writer.write(f"GET /redfish/v1/ HTTP/1.1\r\nHost: {target.address}\r\nConnection: close\r\n\r\n".encode("ascii", "ignore"))
        await reader.read(1)
    except (ssl.SSLError, ConnectionResetError):
        return
    finally:
        writer.transport.abort()


@functools.cache
def _any_tls() -> ssl.SSLContext:
    """No certificate is looked at: no secret is sent, and nothing that is read is believed."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
