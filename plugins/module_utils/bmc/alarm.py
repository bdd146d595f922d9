# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The deadline as the process that reads a BMC learns of it: early enough to hand on what it has and to close its session."""

from __future__ import annotations

import signal
import types

from .errors import DeadlineReached

#: How long before the kill the deadline is announced, in seconds.
GRACE = 0.5


def announce(deadline: float) -> None:
    """Have DeadlineReached raised in the main thread GRACE before `deadline` seconds are over, and again until `silence` is called: an
    exception that comes while a callback of a library runs is lost."""

    def reached(signum: int, frame: types.FrameType | None) -> None:
        raise DeadlineReached

    signal.signal(signal.SIGALRM, reached)
    signal.setitimer(signal.ITIMER_REAL, max(deadline - GRACE, deadline / 2), GRACE / 4)


def silence() -> None:
    """The deadline is known, or there is none any more."""
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
