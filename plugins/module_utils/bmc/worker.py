# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The process beside a task that reads BMCs: loads the libraries once, then forks one child for each BMC.

It knows no BMC itself. It lets at most `workers` children compute at a time, kills each at its deadline, and says how each ended:
`{"ended": {"killed": bool, "status": WAIT STATUS, "memory_kb": int, "seconds": float}}`. With `probe` a child of its own first asks all
addresses at once whether anything answers there, and a BMC that does not is `{"silent": WHY}`: dead BMCs take no worker. A job whose BMC
was unreachable is done again, `retries` times within its deadline, by a child of its own; what was said about it before is void:
`{"again": true}`.
It ends with the task: it asks the kernel for a SIGTERM at its parent's end, on which every child gets a moment to close its session, and
every child asks for a SIGKILL at its end.
"""

from __future__ import annotations

import ctypes
import gc
import os
import resource
import selectors
import signal
import time
import types
import typing as t

from . import child, crowd, frames
from .crowd import Crowd
from .errors import BmcError
from .report import Json
from .target import Target

_PR_SET_PDEATHSIG = 1
#: Before an unreachable BMC is asked again, in seconds.
_PAUSE = 2.0
#: What children have to close their sessions when the task is gone, in seconds.
_FAREWELL = 1.5
#: What a child has of its deadline at least, in seconds: enough to say that it came.
_LEAST = 0.1


def main(order: Json, parent: int) -> None:
    """Do the jobs of `order` and end. Messages go to the standard output as `frames`, nothing else does."""
    _at_the_end_of(parent, signal.SIGTERM)
    # A core file would hold passwords.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    output = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    _Keeper(order, output).run()


class _Keeper:
    def __init__(self, order: Json, output: int) -> None:
        self._output = output
        self._jobs: list[Json] = order["jobs"]
        self._crowd = Crowd(order["workers"])
        self._window: float | None = order["probe"]
        self._waiting: list[int] = []
        #: When each job was begun, how often it is done again yet, and when.
        self._begun: dict[int, float] = {}
        self._left: dict[int, int] = {}
        self._again: dict[int, float] = {}
        self._alone = False
        #: The job of each child.
        self._children: dict[int, int] = {}
        self._killed: set[int] = set()
        self._prober: int | None = None
        #: Of these nothing was heard from the prober yet.
        self._asked: set[int] = set()

    def run(self) -> None:
        # What is loaded stays, in pages that all children share; to look through it for garbage takes a tenth of the time to load it.
        gc.disable()
        missing = self._load()
        gc.freeze()
        gc.enable()
        jobs = range(len(self._jobs))
        for job in jobs:
            problem = missing.get(self._jobs[job]["target"]["protocol"])
            if problem:
                self._send(job, {"problem": problem.problem("connect")})
                self._send(job, {"done": False})
                self._send(job, {"ended": {"killed": False, "status": 0, "memory_kb": 0, "seconds": 0.0}})
        ready = [job for job in jobs if self._jobs[job]["target"]["protocol"] not in missing]
        wake_read, wake_write = os.pipe()
        os.set_blocking(wake_write, False)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda signum, frame: None)
        signal.signal(signal.SIGTERM, self._task_is_gone)
        self._events = selectors.DefaultSelector()
        self._events.register(wake_read, selectors.EVENT_READ, lambda: os.read(wake_read, 4096))
        if self._window is None:
            self._waiting = ready
        else:
            self._start_prober(ready, self._window)
        while not self._alone and (self._waiting or self._children or self._asked or self._again):
            self._wait_for_those_to_do_again()
            while self._waiting and self._crowd.has_room():
                self._start(self._waiting.pop(0))
            for key, _mask in self._events.select(self._until_next_turn()):
                key.data()
            self._kill_the_late()
            self._reap()
        if self._alone:
            self._say_farewell()
        if self._prober is not None:
            # It may still wait for a name to be resolved that nobody asks for any more.
            os.kill(self._prober, signal.SIGKILL)

    def _task_is_gone(self, signum: int, frame: types.FrameType | None) -> None:
        self._alone = True

    def _say_farewell(self) -> None:
        """Have each child end in order, as at its deadline; who does not is killed."""
        for pid in self._children:
            os.kill(pid, signal.SIGALRM)
        until = time.monotonic() + _FAREWELL
        while self._children and time.monotonic() < until:
            self._events.select(until - time.monotonic())
            self._reap()
        for pid in self._children:
            os.kill(pid, signal.SIGKILL)

    def _load(self) -> dict[str, BmcError]:
        """Load the libraries that are needed; what is missing, by protocol."""
        missing = {}
        for protocol in {job["target"]["protocol"] for job in self._jobs}:
            try:
                child.load(protocol)
            except BmcError as error:
                missing[protocol] = error
        return missing

    def _start(self, job: int) -> None:
        begun = self._begun.setdefault(job, time.monotonic())
        # One that is done again may have had to wait for its turn until there is hardly any time left.
        left = max(_LEAST, begun + float(self._jobs[job]["deadline"]) - time.monotonic())
        order = {**self._jobs[job], "left": left}
        pid = self._fork(lambda: child.run(order, lambda message: self._send(job, message)))
        self._children[pid] = job
        self._crowd.add(pid)

    def _wait_for_those_to_do_again(self) -> None:
        now = time.monotonic()
        for job in [job for job, when in self._again.items() if when <= now]:
            del self._again[job]
            self._send(job, {"again": True})
            self._waiting.append(job)

    def _start_prober(self, jobs: t.Sequence[int], window: float) -> None:
        # Not for one BMC: what it needs takes as long to load as a reading.
        from . import probe

        self._answers = probe.Answers()
        read, write = os.pipe()
        targets = {job: Target(**self._jobs[job]["target"]) for job in jobs}
        self._asked = set(jobs)
        self._prober = self._fork(lambda: probe.run(targets, window, write) or 0)
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

    def _fork(self, work: t.Callable[[], int]) -> int:
        parent = os.getpid()
        pid = os.fork()
        if pid:
            return pid
        status = 1
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            _at_the_end_of(parent, signal.SIGKILL)
            status = work()
        finally:
            child.leave(status)

    def _until_next_turn(self) -> float | None:
        turns = [self._end(job) for pid, job in self._children.items() if pid not in self._killed] + list(self._again.values())
        if self._waiting:
            turns.append(time.monotonic() + crowd.IDLE)
        return max(0.0, min(turns) - time.monotonic()) if turns else None

    def _end(self, job: int) -> float:
        return self._begun[job] + float(self._jobs[job]["deadline"])

    def _kill_the_late(self) -> None:
        now = time.monotonic()
        for pid, job in self._children.items():
            if self._end(job) <= now and pid not in self._killed:
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
            job = self._children.pop(pid)
            self._crowd.remove(pid)
            if not self._is_done_again(job, status):
                seconds = time.monotonic() - self._begun[job]
                end = {"killed": pid in self._killed, "status": status, "memory_kb": usage.ru_maxrss, "seconds": seconds}
                self._send(job, {"ended": end})
            self._killed.discard(pid)

    def _is_done_again(self, job: int, status: int) -> bool:
        left = self._left.setdefault(job, self._jobs[job]["target"]["retries"])
        when = time.monotonic() + _PAUSE
        if not os.WIFEXITED(status) or os.WEXITSTATUS(status) != child.UNREACHABLE or not left or when + _PAUSE > self._end(job):
            return False
        self._left[job] = left - 1
        self._again[job] = when
        return True

    def _send(self, job: int, message: Json) -> None:
        try:
            frames.write(self._output, job, message)
        except BrokenPipeError:
            # Nobody listens any more; what is under way ends in order all the same.
            return


def _at_the_end_of(parent: int, signum: int) -> None:
    """Have the kernel send a signal to this process when its parent ends; end now if it has."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signum)
    if os.getppid() != parent:
        child.leave(1)
