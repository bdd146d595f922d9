# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The address on which the backend listens, claimed before anything is started on it."""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import socket
import sys


class AddressTaken(Exception):
    """The address cannot be had; the text is one sentence."""


class Claim:
    """An address and port that no second backend gets while this object lives.

    The web workers listen with SO_REUSEPORT, with which the kernel would let two backends share one port and split the requests
    between them. So a claim is a bound socket that never listens, and on Linux a name in the network namespace beside it: the
    first finds every foreign listener, the second two backends that start at the same moment.
    """

    def __init__(self, host: str, port: int) -> None:
        """host: an address or a name. port: 0 for a free one. Raises AddressTaken."""
        family, address = _resolve(host, port)
        self.address: str = str(address[0])
        self._socket = socket.socket(family, socket.SOCK_STREAM)
        self._name: socket.socket | None = None
        try:
            # Without it, connections of an earlier run that are still being forgotten would block the port for a minute.
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                self._socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            self._socket.bind(address)
            self.port: int = self._socket.getsockname()[1]
            if sys.platform == "linux":
                self._name = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                self._name.bind(f"\0baremetal-maintenance-backend:{self.authority}")
                # From here on the workers, which ask for it too, may bind the same port.
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            else:
                self._socket.close()
        except OSError as error:
            self.release()
            raise AddressTaken(_sentence(host, port, error)) from None

    def release(self) -> None:
        """Give the address up."""
        for held in (self._socket, self._name):
            if held is not None:
                with contextlib.suppress(OSError):
                    held.close()

    @property
    def authority(self) -> str:
        """The address and port as in a URL."""
        return _authority(self.address, self.port)

    @property
    def reachable(self) -> tuple[str, int]:
        """An address and port at which this machine itself reaches the server."""
        ip = ipaddress.ip_address(self.address)
        if ip.is_unspecified:
            return ("::1" if ip.version == 6 else "127.0.0.1", self.port)
        return (self.address, self.port)


def _resolve(host: str, port: int) -> tuple[int, tuple[str | int, ...]]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise AddressTaken(f"cannot listen on {host}: this machine does not know that address") from None
    family, _type, _protocol, _name, address = found[0]
    return family, address


def _sentence(host: str, port: int, error: OSError) -> str:
    where = _authority(host, port)
    if error.errno == errno.EADDRINUSE:
        return f"cannot listen on {where}: another program does already; stop it or choose another port"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"cannot listen on {where}: this machine does not have that address"
    if error.errno == errno.EACCES:
        return f"cannot listen on {where}: this user may not use that port; choose one above 1023"
    return f"cannot listen on {where}: {(error.strerror or str(error)).lower()}"


def _authority(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
