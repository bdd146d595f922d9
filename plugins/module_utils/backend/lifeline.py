# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ties a process to the one that started it: when that one is gone, however it went, so is this one."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time

_PR_SET_PDEATHSIG = 1
#: Seconds between two looks, where the kernel does not tell.
_INTERVAL = 1.0


def tie_to(parent: int) -> None:
    """End this process, at once and without cleaning up, when the process `parent`, which started it, ends.

    Linux does it by itself, but for a parent that ended before it was asked to, or whose starting thread ended; so, there and
    elsewhere, a thread looks every second as well. The process becomes the leader of its own group: a Ctrl-C at a terminal
    reaches the parent alone, which then ends it in order.
    """
    with contextlib.suppress(OSError):
        os.setpgid(0, 0)
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    threading.Thread(target=_watch, args=(parent,), name="lifeline", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_INTERVAL)
    os._exit(1)
