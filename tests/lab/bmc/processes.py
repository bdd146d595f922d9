# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Start a part of the lab as a process, wait until it is ready, end it by its number."""

from __future__ import annotations

import pathlib
import shutil
import socket
import subprocess
import time
import typing as t

#: The Debian package of each program.
_PACKAGES = {"ipmi_sim": "openipmi", "sdrcomp": "openipmi", "ipmitool": "ipmitool"}
_PATIENCE = 30.0


class NotInstalled(Exception):
    """A program is missing; the text says what to do."""


def program(name: str) -> str:
    """The path of a program. Raises NotInstalled."""
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if not path:
        raise NotInstalled(f"{name} is missing: run 'apt-get install {_PACKAGES[name]}' as root, or make deps.")
    return path


def free_ports(count: int, kind: socket.SocketKind = socket.SOCK_DGRAM, address: str = "127.0.0.1") -> list[int]:
    """Ports that nobody uses just now."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    taken = [socket.socket(family, kind) for _port in range(count)]
    try:
        for one in taken:
            one.bind((address, 0))
        return [one.getsockname()[1] for one in taken]
    finally:
        for one in taken:
            one.close()


def wait_until(ready: t.Callable[[], bool], process: subprocess.Popen[bytes], log: pathlib.Path) -> None:
    """Wait for a process to be ready. Fails with its log if it ends or takes too long."""
    until = time.monotonic() + _PATIENCE
    while not ready():
        if process.poll() is not None or time.monotonic() > until:
            end(process)
            raise RuntimeError(f"{process.args!r} is not ready:\n{log.read_text(errors='replace')}")
        time.sleep(0.02)


def end(process: subprocess.Popen[bytes] | None) -> None:
    """End a process and wait for that."""
    if process is None:
        return
    if process.poll() is None:
        process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
