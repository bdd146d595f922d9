# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measuring: what a command takes, what the processes of a service take, and two ways of doing the same in turn."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import statistics
import subprocess
import time
import typing as t


@dataclasses.dataclass(frozen=True)
class Cost:
    """Seconds: on the clock, and of processors."""

    wall: float
    cpu: float


@dataclasses.dataclass(frozen=True)
class Row:
    """A line of the table: our work and what one would do instead, as medians in one unit, and the ratio that is the goal."""

    work: str
    instead: str
    ours: float
    theirs: float
    unit: str
    goal: float | None = None

    @property
    def ratio(self) -> float:
        """Ours over theirs."""
        return self.ours / self.theirs


def command(arguments: t.Sequence[str], environ: t.Mapping[str, str], folder: pathlib.Path) -> Cost:
    """Run a command that must succeed; give what it and its children took."""
    output = folder / "output"
    with output.open("wb") as stream:
        begun = time.perf_counter()
        process = subprocess.Popen(arguments, env=dict(environ), cwd=folder, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream)
        _pid, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(arguments)} failed:\n{output.read_text(encoding='utf-8', errors='replace')[-3000:]}")
    return Cost(wall, used.ru_utime + used.ru_stime)


def cpu_of(pids: t.Iterable[int]) -> float:
    """Give the processor seconds that processes have taken so far, every thread's to the nanosecond."""
    spent = 0
    for pid in pids:
        for task in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat"):
            try:
                spent += int(task.read_text(encoding="ascii").split()[0])
            except (OSError, IndexError):
                continue
    return spent / 1e9


def in_turn(rounds: int, *ways: t.Callable[[int], Cost]) -> list[list[Cost]]:
    """Do each way once a round, in an order that turns round; give the costs of each."""
    costs: list[list[Cost]] = [[] for _way in ways]
    for number in range(rounds):
        for place in range(len(ways)):
            which = (place + number) % len(ways)
            costs[which].append(ways[which](number))
    return costs


def wall(costs: t.Iterable[Cost]) -> float:
    """Give the median on the clock."""
    return statistics.median(cost.wall for cost in costs)


def cpu(costs: t.Iterable[Cost]) -> float:
    """Give the median of processors."""
    return statistics.median(cost.cpu for cost in costs)
