# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Read BMCs from a task: each in a process that can be killed, with a deadline, and what was read before is kept.

The libraries that talk to BMCs are not loaded here but in a process beside the task, which gets everything, secrets too, through its
standard input. A target is a mapping of the options of `target.Target`; reports are those of `report`.
"""

from __future__ import annotations

import dataclasses
import json
import os
import selectors
import signal
import subprocess
import sys
import time
import typing as t

from . import clock, frames, report, scrub
from . import target as targets
from .errors import BmcError
from .report import Json, Report
from .target import BadTarget, Target

if t.TYPE_CHECKING:
    # Ansible ships to a host what a module imports; this process has no use for it.
    from . import worker  # noqa: F401

#: How many processes may compute at the same time if nothing else is said. Those that wait for their BMCs do not count.
WORKERS = 16

#: Loads the package of this file under a name of its own, whether it is in a folder or in the archive of a module, and becomes the worker.
_LOADER = (
    "import json,sys,types;order=json.loads(sys.stdin.buffer.readline());sys.path[:]=order['path'];"
    "package=types.ModuleType('bmc');package.__path__=[order['package']];sys.modules['bmc']=package;"
    "from bmc import worker;worker.main(order,order['parent'])"
)
#: Time for the worker to start and load its libraries, and to say how its last child ended.
_START = 30.0
#: What a Python may need to start, of the environment; nothing else of it is for the worker.
_NEEDED = ("PATH", "LD_LIBRARY_PATH")
#: Bytes of what the worker says when it fails.
_LAST_WORDS = 4000
#: For a worker that is interrupted, and what it has started.
_FAREWELL = 2.0
#: For the end of a Redfish session that a killed child has left.
_CLOSE = 5.0

Progress = t.Callable[[int, Report], None]


def check(
    target: t.Mapping[str, t.Any],
    *,
    sections: t.Collection[str] = report.DEFAULT_SECTIONS,
    deadline: float | None = None,
    since: str | None = None,
) -> Report:
    """Read one BMC, for at most `deadline` seconds, or those that are usual for its protocol. `since` is a time in ISO 8601: older events
    are left out. Always gives a report, whatever the BMC does; raises BadTarget for options that make no sense."""
    bmc = targets.target(target)
    job = _read_job(bmc, sections, deadline, since)
    return _read([bmc], [job], workers=1, probe=None, progress=None)[0]


def many(
    asked: t.Sequence[t.Mapping[str, t.Any]],
    *,
    workers: int = WORKERS,
    sections: t.Collection[str] = report.DEFAULT_SECTIONS,
    deadline: float | None = None,
    since: str | None = None,
    progress: Progress | None = None,
) -> list[Report]:
    """Read many BMCs, with at most `workers` processes that compute, and give their reports in the order of the targets. If there are more
    targets, those that do not answer at all are found out together before. A target that makes no sense is an error in its report, and a
    target may have its own `deadline` and `since` where none is given for all. `progress` is told of each report as it is ready, with the
    position of its target."""
    reports: list[Report | None] = [None] * len(asked)
    bmcs, jobs, places = [], [], []
    for place, options in enumerate(asked):
        try:
            bmc = targets.target(options)
            patience = deadline if deadline is not None else options.get("deadline")
            jobs.append(_read_job(bmc, sections, patience, since if since is not None else options.get("since")))
        except BadTarget as error:
            reports[place] = _refused(options, str(error))
            continue
        bmcs.append(bmc)
        places.append(place)
    window = _patience(bmcs, jobs) if len(bmcs) > workers else None

    def tell(number: int, one: Report) -> None:
        if progress:
            progress(places[number], one)

    read = _read(bmcs, jobs, workers=workers, probe=window, progress=tell)
    for place, one in zip(places, read, strict=True):
        reports[place] = one
    return [one for one in reports if one is not None]


def identify(
    target: t.Mapping[str, t.Any], state: str, *, seconds: int | None = None, check: bool = False, deadline: float | None = None
) -> Json:
    """Light the locator LED of a machine (`state` is on) or put it out (off); with `check` only find out what would be done.

    Gives `{protocol, address, state, before, after, method, changed, errors}`: before and after are on, off or unknown; method is
    location_indicator_active, indicator_led or chassis_identify (null if it did not come to that). Over IPMI the LED goes out by itself
    after `seconds` (at most 255), or stays on without that. Raises BadTarget."""
    bmc = targets.target(target)
    if state not in ("on", "off"):
        raise BadTarget("The locator LED is set to on or off.")
    if seconds is not None and not 1 <= seconds <= 255:
        raise BadTarget("The locator LED can be on for 1 to 255 seconds.")
    job = _job(bmc, "identify", deadline, state=state, seconds=seconds, check=check)
    outcome = _run([bmc], [job], workers=1, probe=None, ended=None)[0]
    result = {"state": state, "before": "unknown", "after": "unknown", "method": None, "changed": False, "errors": []}
    result.update(outcome.result or {})
    result["errors"] = result["errors"] + outcome.problems
    result.update(protocol=bmc.protocol, address=bmc.address)
    return scrub.scrub(result, scrub.forms(bmc.username, (bmc.password, bmc.kg)))


@dataclasses.dataclass
class _Outcome:
    """What was heard about one job."""

    pieces: list[Json] = dataclasses.field(default_factory=list)
    problems: list[Json] = dataclasses.field(default_factory=list)
    result: Json | None = None
    session: Json | None = None
    #: The job came to its end; the child has said how it ended.
    done: bool = False
    told: bool = False
    over: bool = False
    connected: bool = False
    seconds: float = 0.0


def _job(bmc: Target, kind: str, deadline: float | None, **more: t.Any) -> Json:
    if deadline is not None and deadline <= 0:
        raise BadTarget("The deadline for a BMC is more than 0 seconds.")
    return {"kind": kind, "target": dataclasses.asdict(bmc), "deadline": deadline if deadline is not None else bmc.deadline, **more}


def _read_job(bmc: Target, sections: t.Collection[str], deadline: float | None, since: str | None) -> Json:
    unknown = sorted(set(sections) - set(report.SECTIONS))
    if unknown:
        raise BadTarget(f"A report has no section {', '.join(unknown)}.")
    if since is not None and clock.parse(since) is None:
        raise BadTarget("The time since which events count is no time in ISO 8601.")
    job = _job(bmc, "read", deadline, sections=[name for name in report.SECTIONS if name in sections], since=since)
    waits = (bmc.power_reads - 1) * bmc.power_read_interval
    if "power" in sections and waits >= job["deadline"]:
        raise BadTarget(f"{bmc.power_reads} reads of the power state, {bmc.power_read_interval:g} s apart, do not fit into the deadline.")
    return job


def _patience(bmcs: t.Sequence[Target], jobs: t.Sequence[Json]) -> float:
    """For how long a BMC may say nothing, when many are asked, before it counts as unreachable: as long as if it were asked alone."""
    return min(max(job["deadline"] for job in jobs), max(_ATTEMPT * (bmc.retries + 1) for bmc in bmcs))


#: A fruitless attempt to connect, and the pause after it, in seconds.
_ATTEMPT = 7.0


def _refused(options: t.Mapping[str, t.Any], why: str) -> Report:
    protocol = options.get("protocol")
    refused = report.empty(protocol if protocol in targets.DEADLINES else "unknown", "")
    refused["errors"].append(BmcError("bad_option", why).problem("connect"))  # type: ignore[arg-type]
    return refused


def _read(
    bmcs: t.Sequence[Target], jobs: t.Sequence[Json], *, workers: int, probe: float | None, progress: Progress | None
) -> list[Report]:
    def ended(number: int, outcome: _Outcome) -> None:
        if progress:
            progress(number, _report(bmcs[number], jobs[number], outcome))

    outcomes = _run(bmcs, jobs, workers=workers, probe=probe, ended=ended)
    return [_report(bmc, job, outcome) for bmc, job, outcome in zip(bmcs, jobs, outcomes, strict=True)]


def _report(bmc: Target, job: Json, outcome: _Outcome) -> Report:
    whole = report.empty(bmc.protocol, bmc.address, clock.iso(clock.parse(job["since"])))
    for piece in outcome.pieces:
        report.merge(whole, piece)
    whole["errors"].extend(outcome.problems)  # type: ignore[arg-type]
    report.finish(whole)
    asked = set(job["sections"])
    whole["complete"] = outcome.done and not whole["errors"] and asked <= set(whole["sections"])
    whole["seconds"] = round(outcome.seconds, 2)
    return scrub.scrub(whole, scrub.forms(bmc.username, (bmc.password, bmc.kg)))


def _run(
    bmcs: t.Sequence[Target],
    jobs: t.Sequence[Json],
    *,
    workers: int,
    probe: float | None,
    ended: t.Callable[[int, _Outcome], None] | None,
) -> list[_Outcome]:
    """Have jobs done; sessions that children had to leave open are closed after."""
    outcomes = [_Outcome() for _one in jobs]
    if jobs:
        _Worker(bmcs, jobs, outcomes, ended).run(workers, probe)
    left = [number for number, outcome in enumerate(outcomes) if outcome.session]
    if left:
        closing = [_job(bmcs[number], "close", _CLOSE, session=outcomes[number].session) for number in left]
        _Worker([bmcs[number] for number in left], closing, [_Outcome() for _one in left], None).run(workers, None)
    return outcomes


class _Worker:
    """The worker process as its parent sees it."""

    def __init__(
        self,
        bmcs: t.Sequence[Target],
        jobs: t.Sequence[Json],
        outcomes: list[_Outcome],
        ended: t.Callable[[int, _Outcome], None] | None,
    ) -> None:
        self._bmcs = bmcs
        self._jobs = jobs
        self._outcomes = outcomes
        self._ended = ended
        self._begun = time.monotonic()
        self._said = b""

    def run(self, workers: int, probe: float | None) -> None:
        """Do the jobs; every outcome is over after that."""
        rounds = -(-len(self._jobs) // workers)
        patience = _START + (probe or 0) + rounds * max(job["deadline"] for job in self._jobs)
        order = {
            "path": [os.path.abspath(entry) for entry in sys.path if entry],
            "package": os.path.dirname(os.path.abspath(__file__)),
            "parent": os.getpid(),
            "jobs": self._jobs,
            "workers": workers,
            "probe": probe,
        }
        why = "ended early"
        try:
            process = _start()
        except OSError as error:
            self._give_up(f"The process that reads BMCs could not be started: {error}.")
            return
        try:
            if not self._converse(process, json.dumps(order).encode() + b"\n", time.monotonic() + patience):
                why = f"did not end within {patience:g} s"
        finally:
            _kill(process)
        last = self._said.decode("utf-8", "replace").strip().rpartition("\n")[2]
        self._give_up(f"The process that reads BMCs {why}{': ' + last if last else ''}.")

    def _converse(self, process: subprocess.Popen[bytes], order: bytes, until: float) -> bool:
        """Give the order and take the messages to their end; whether that came in time."""
        stdin, stdout, stderr = process.stdin, process.stdout, process.stderr
        if stdin is None or stdout is None or stderr is None:
            return True
        reader = frames.Reader()
        with selectors.DefaultSelector() as events:
            os.set_blocking(stdin.fileno(), False)
            events.register(stdin, selectors.EVENT_WRITE)
            events.register(stdout, selectors.EVENT_READ)
            events.register(stderr, selectors.EVENT_READ)
            while True:
                ready = events.select(max(0.0, until - time.monotonic()))
                if not ready:
                    return False
                for key, _mask in ready:
                    if key.fileobj is stdin:
                        order = _write_some(stdin.fileno(), order)
                        if not order:
                            events.unregister(stdin)
                            stdin.close()
                        continue
                    if key.fileobj is stderr:
                        said = os.read(stderr.fileno(), 1 << 16)
                        self._said = (self._said + said)[-_LAST_WORDS:]
                        if not said:
                            events.unregister(stderr)
                        continue
                    data = os.read(stdout.fileno(), 1 << 16)
                    if not data:
                        return True
                    for number, message in reader.feed(data):
                        self._hear(number, message)

    def _hear(self, number: int, message: Json) -> None:
        outcome = self._outcomes[number]
        if "again" in message:
            self._outcomes[number] = _Outcome()
        elif "piece" in message:
            outcome.pieces.append(message["piece"])
            outcome.connected = outcome.connected or bool(message["piece"].get("reachable"))
        elif "problem" in message:
            outcome.problems.append(message["problem"])
        elif "result" in message:
            outcome.result = message["result"]
        elif "session" in message:
            outcome.session = message["session"]
        elif "done" in message:
            outcome.done = message["done"]
            outcome.told = True
        elif "silent" in message:
            why = f"No answer from {self._bmcs[number].address}: {message['silent']}."
            outcome.problems.append(BmcError("unreachable", why).problem("connect"))
            self._over(number, time.monotonic() - self._begun)
        elif "ended" in message:
            self._learn_of_end(outcome, number, message["ended"])
            self._over(number, message["ended"]["seconds"])

    def _learn_of_end(self, outcome: _Outcome, number: int, end: Json) -> None:
        if outcome.told:
            return
        deadline = self._jobs[number]["deadline"]
        address = self._bmcs[number].address
        if end["killed"] and not outcome.connected:
            problem = BmcError("unreachable", f"No answer from {address} that would let us in, within {deadline:g} s.").problem("connect")
        elif end["killed"]:
            problem = BmcError("deadline", f"Not everything was read within {deadline:g} s; the process was killed.").problem("check")
        else:
            how = _how(end["status"])
            problem = BmcError("child_failed", f"The process that read {address} {how}, with {end['memory_kb']} kB.").problem("check")
        outcome.problems.append(problem)

    def _over(self, number: int, seconds: float) -> None:
        outcome = self._outcomes[number]
        outcome.over = True
        outcome.seconds = seconds
        if self._ended:
            self._ended(number, outcome)

    def _give_up(self, why: str) -> None:
        """What is not over by now was not done."""
        for number, outcome in enumerate(self._outcomes):
            if not outcome.over:
                outcome.problems.append(BmcError("child_failed", why).problem("check"))
                self._over(number, time.monotonic() - self._begun)


def _start() -> subprocess.Popen[bytes]:
    # Not run_command of a module: an action has none, and this goes on beside the task.
    return subprocess.Popen(  # pylint: disable=ansible-bad-function
        [sys.executable, "-I", "-c", _LOADER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={name: os.environ[name] for name in _NEEDED if name in os.environ} | {"LC_ALL": "C.UTF-8", "TZ": "UTC"},
        cwd="/",
        start_new_session=True,
    )


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the worker and, with its group, whatever it has left. One that is still at work because the task was interrupted gets the time
    to end its sessions."""
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            stream.close()
    try:
        if process.poll() is None:
            process.terminate()
            process.wait(_FAREWELL)
    except subprocess.TimeoutExpired:
        # What follows ends it.
        pass
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


def _write_some(descriptor: int, data: bytes) -> bytes:
    """Write what the pipe takes; give the rest. A worker that is gone takes nothing more."""
    try:
        return data[os.write(descriptor, data) :]
    except BlockingIOError:
        return data
    except BrokenPipeError:
        return b""


def _how(status: int) -> str:
    return f"ended by signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"ended with {os.WEXITSTATUS(status)}"
