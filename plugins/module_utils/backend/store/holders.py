# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who holds a lease: a name in which a process of the same machine sees that the holder is dead, so that nobody waits for its lease.

What cannot be told for certain (another machine, another container, a system without /proc) counts as alive: the lease runs out then.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pathlib
import socket
import typing as t
import uuid

_LONGEST: t.Final = 255
_PROC: t.Final = pathlib.Path("/proc")


def new() -> str:
    """Give a name for one holding by this process; no two are the same."""
    pid = os.getpid()
    return f"{socket.gethostname()[:64]}/{_machine(pid)}/{pid}/{_began(pid)}/{uuid.uuid4()}"[-_LONGEST:]


def is_dead(holder: str) -> bool:
    """Tell whether the process that gave itself this name has certainly ended, every thread of it."""
    parts = holder.split("/")
    if len(parts) != 5 or not parts[1] or parts[1] != _machine(os.getpid()) or not parts[2].isdigit():
        return False
    pid = int(parts[2])
    try:
        # Unlike /proc, which may be mounted so that it hides the processes of others, this tells of every process.
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass
    began = _began(pid)
    if "" not in (began, parts[3]) and began != parts[3]:
        return True
    return _is_remains(pid)


@functools.lru_cache(maxsize=1)
def _machine(pid: int) -> str:
    """Tell this boot of this machine, and the namespaces in which a process id and its time mean something, from all others; "" if unknown.

    Cached for the process that asks, which a fork is not.
    """
    try:
        if os.readlink(_PROC / "self") != str(pid):
            return ""
        boot = (_PROC / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        spaces = [os.readlink(_PROC / "self/ns" / name) for name in ("pid", "time")]
    except OSError:
        return ""
    return hashlib.sha256("\n".join([boot, *spaces]).encode()).hexdigest()[:24]


def _began(pid: int) -> str:
    """Give when a process began, in the kernel's ticks since the boot; "" if that can't be seen."""
    fields = _stat(pid)
    return fields[19] if len(fields) > 19 else ""


def _is_remains(pid: int) -> bool:
    """Tell whether a process has ended and only its parent has not asked how."""
    fields = _stat(pid)
    # The state is that of the first thread, which may have ended before the others.
    try:
        return bool(fields) and fields[0] in ("Z", "X") and len(os.listdir(_PROC / str(pid) / "task")) <= 1
    except OSError:
        return False


def _stat(pid: int) -> list[str]:
    """Give the fields of a process's state from the third on."""
    try:
        # The name, in brackets, may hold anything.
        return (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return []
