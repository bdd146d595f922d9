# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How many children there may be: those that only wait for their BMCs take no worker, as far as there is memory."""

from __future__ import annotations

import pathlib
import time

#: A child that has used no processor for this long waits, in seconds.
IDLE = 0.25
#: How long what was last seen of them holds, in seconds: to look costs about as much as a request.
_LOOK = 0.05
#: Bytes that a child has for itself: it was measured at 6 MB.
_EACH = 8 << 20
#: Of each worker's place.
_MOST_WAITING = 12

_CGROUP = pathlib.Path("/sys/fs/cgroup")


class Crowd:
    """The children that there are."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._most = max(workers, min(workers * _MOST_WAITING, _free() // 2 // _EACH))
        #: Of each: the processor time that it has used, in ticks, and when that was last seen to change.
        self._used: dict[int, tuple[int, float]] = {}
        #: How many compute, as of when.
        self._computing = 0
        self._looked = 0.0

    def add(self, pid: int) -> None:
        """A child was started."""
        self._used[pid] = (-1, time.monotonic())
        self._computing += 1

    def remove(self, pid: int) -> None:
        """A child has ended."""
        self._used.pop(pid, None)
        self._computing = max(0, self._computing - 1)

    def has_room(self) -> bool:
        """Whether one more may be started now."""
        if len(self._used) < self._workers:
            return True
        return len(self._used) < self._most and self._busy() < self._workers

    def _busy(self) -> int:
        now = time.monotonic()
        if now - self._looked < _LOOK:
            return self._computing
        self._looked = now
        for pid, (ticks, _when) in self._used.items():
            used = _ticks(pid)
            if used != ticks:
                self._used[pid] = (used, now)
        self._computing = sum(now - when < IDLE for _ticks_, when in self._used.values())
        return self._computing


def _ticks(pid: int) -> int:
    """The processor time of a process in ticks; 0 if it is gone."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12])


def _free() -> int:
    """Bytes of memory that can be had: of the machine, or of the container if that is less."""
    try:
        lines = pathlib.Path("/proc/meminfo").read_text().splitlines()
        free = next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        return 0
    try:
        limit, used = ((_CGROUP / name).read_text().strip() for name in ("memory.max", "memory.current"))
        return free if limit == "max" else min(free, int(limit) - int(used))
    except (OSError, ValueError):
        return free
