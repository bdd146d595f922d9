# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The process beside a task that reads BMCs: loads the libraries once, then forks one child for each BMC.

It knows no BMC itself. It keeps at most `workers` children at a time, kills each at its deadline, and says how each ended:
`{"ended": {"killed": bool, "status": WAIT STATUS, "memory_kb": int, "seconds": float}}`. With `probe` a child of its own first asks all
addresses at once whether anything answers there, and a BMC that does not is `{"silent": WHY}`: dead BMCs take no worker.
Its group dies with the task: it asks the kernel for a SIGKILL at its parent's end, and every child does the same.
"""

from __future__ import annotations

import ctypes
import gc
import os
import selectors
import signal
import sys
import time
import typing as t

from . import child, frames, libs, probe
from .errors import BmcError
from .report import Json
from .target import Target

_PR_SET_PDEATHSIG = 1


def main(order: Json, parent: int) -> None:
    """Do the jobs of `order` and end. Messages go to the standard output as `frames`, nothing else does."""
    _die_with(parent)
    output = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    _Keeper(order, output).run()


class _Keeper:
    def __init__(self, order: Json, output: int) -> None:
        self._output = output
        self._jobs: list[Json] = order["jobs"]
        self._workers: int = order["workers"]
        self._window: float | None = order["probe"]
        self._waiting: list[int] = []
        #: Of each child: its job, and when it began.
        self._children: dict[int, tuple[int, float]] = {}
        self._killed: set[int] = set()
        self._prober: int | None = None
        #: Of these nothing was heard from the prober yet.
        self._asked: set[int] = set()
        self._answers = probe.Answers()

    def run(self) -> None:
        missing = self._load()
        # What was loaded stays in pages that all children share.
        gc.collect()
        gc.freeze()
        jobs = range(len(self._jobs))
        for job in jobs:
            if self._jobs[job]["target"]["protocol"] in missing:
                self._send(job, {"problem": missing[self._jobs[job]["target"]["protocol"]].problem("connect")})
                self._send(job, {"ended": {"killed": False, "status": 0, "memory_kb": 0, "seconds": 0.0}})
        ready = [job for job in jobs if self._jobs[job]["target"]["protocol"] not in missing]
        wake_read, wake_write = os.pipe()
        os.set_blocking(wake_write, False)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda signum, frame: None)
        self._events = selectors.DefaultSelector()
        self._events.register(wake_read, selectors.EVENT_READ, lambda: os.read(wake_read, 4096))
        if self._window is None:
            self._waiting = ready
        else:
            self._start_prober(ready, self._window)
        while self._waiting or self._children or self._asked:
            while self._waiting and len(self._children) < self._workers:
                self._start(self._waiting.pop(0))
            for key, _mask in self._events.select(self._until_next_kill()):
                key.data()
            self._kill_the_late()
            self._reap()
        if self._prober is not None:
            # It may still wait for a name to be resolved that nobody asks for any more.
            os.kill(self._prober, signal.SIGKILL)

    def _load(self) -> dict[str, BmcError]:
        """Load the libraries that are needed; what is missing, by protocol."""
        missing = {}
        for protocol in {job["target"]["protocol"] for job in self._jobs}:
            try:
                libs.pyghmi() if protocol == "ipmi" else libs.sushy()
            except BmcError as error:
                missing[protocol] = error
        return missing

    def _start(self, job: int) -> None:
        pid = self._fork(lambda: child.run(self._jobs[job], lambda message: self._send(job, message)))
        self._children[pid] = (job, time.monotonic())

    def _start_prober(self, jobs: t.Sequence[int], window: float) -> None:
        read, write = os.pipe()
        targets = {job: Target(**self._jobs[job]["target"]) for job in jobs}
        self._asked = set(jobs)
        self._prober = self._fork(lambda: probe.run(targets, window, write))
        os.close(write)
        self._events.register(read, selectors.EVENT_READ, lambda: self._hear(read))

    def _hear(self, descriptor: int) -> None:
        data = os.read(descriptor, 65536)
        if not data:
            self._events.unregister(descriptor)
            os.close(descriptor)
            # Normally none; a prober that failed must not keep anyone from being read.
            self._waiting.extend(sorted(self._asked))
            self._asked.clear()
        for job, silence in self._answers.feed(data):
            self._asked.discard(job)
            if silence is None:
                self._waiting.append(job)
            else:
                self._send(job, {"silent": silence})

    def _fork(self, work: t.Callable[[], None]) -> int:
        parent = os.getpid()
        pid = os.fork()
        if pid:
            return pid
        status = 1
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _die_with(parent)
            child.limit()
            work()
            status = 0
        finally:
            child.leave(status)

    def _until_next_kill(self) -> float | None:
        ends = [self._end(pid) for pid in self._children if pid not in self._killed]
        return max(0.0, min(ends) - time.monotonic()) if ends else None

    def _end(self, pid: int) -> float:
        job, begun = self._children[pid]
        return begun + float(self._jobs[job]["deadline"])

    def _kill_the_late(self) -> None:
        now = time.monotonic()
        for pid in self._children:
            if self._end(pid) <= now and pid not in self._killed:
                os.kill(pid, signal.SIGKILL)
                self._killed.add(pid)

    def _reap(self) -> None:
        for pid in [*self._children, *([self._prober] if self._prober is not None else [])]:
            ended, status, usage = os.wait4(pid, os.WNOHANG)
            if not ended:
                continue
            if pid == self._prober:
                self._prober = None
                continue
            job, begun = self._children.pop(pid)
            seconds = time.monotonic() - begun
            self._send(
                job,
                {"ended": {"killed": pid in self._killed, "status": status, "memory_kb": usage.ru_maxrss, "seconds": seconds}},
            )
            self._killed.discard(pid)

    def _send(self, job: int, message: Json) -> None:
        frames.write(self._output, job, message)


def _die_with(parent: int) -> None:
    """Have the kernel kill this process when its parent ends; end now if it has."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit(1)
