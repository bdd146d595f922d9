# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the process does that talks to one BMC: limits, the job, and every outcome as a message.

The messages: `{"piece": PART OF A REPORT}` for each section, `{"result": …}` of an identification, `{"session": URL AND TOKEN}` while a
Redfish session is open and `{"session": null}` once it is closed, `{"problem": ENTRY FOR errors}`, and last `{"done": WHETHER THE JOB CAME
TO ITS END}`.
"""

from __future__ import annotations

import os
import resource
import sys
import typing as t

from . import alarm, clock, libs
from .errors import BmcError, DeadlineReached
from .reading import Reading, where
from .report import Json
from .target import Target

#: Bytes of address space: a reading peaks at about 40 MB, its libraries included.
MEMORY = 512 << 20

#: The exit status of a child that could not reach its BMC.
UNREACHABLE = os.EX_TEMPFAIL

Send = t.Callable[[Json], None]


def load(protocol: str) -> None:
    """Load what the jobs of a protocol need, in the process that children are forked from: they share its pages, and a protocol that
    nobody asks for costs nothing. Raises BmcError where a library is missing."""
    if protocol == "ipmi":
        from .ipmi import identify, reader

        libs.pyghmi()
    else:
        from .redfish import identify, reader, sessions  # noqa: F401

        libs.sushy()


def run(job: Json, send: Send) -> int:
    """Do one job, with what is `left` of its deadline, and send what comes of it. Gives the exit status: UNREACHABLE if the job may be
    done again."""
    _limit()
    stage = _Stage(send)
    problem: BmcError | None = None
    alarm.announce(job["left"])
    try:
        _JOBS[job["kind"]](job, Target(**job["target"]), stage)
    except DeadlineReached as reached:
        problem = stage.late(job)
        problem.told = reached.told
    except BmcError as error:
        problem = error
    except MemoryError:
        problem = BmcError("too_large", "What the BMC sends does not fit into memory.")
    except Exception as error:
        problem = BmcError("child_failed", f"The reading ended with {where(error)}.")
    alarm.silence()
    if problem and not problem.told:
        send({"problem": problem.problem(stage.name)})
    send({"done": problem is None})
    return UNREACHABLE if problem and problem.kind == "unreachable" and stage.name == "connect" else 0


def _limit() -> None:
    """No more memory than a reading needs."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


class _Stage:
    """How far the job is: connecting, or connected and at work."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.name = "connect"

    def piece(self, piece: Json) -> None:
        if piece.get("reachable"):
            self.name = "check"
        self._send({"piece": piece})

    def session(self, session: Json | None) -> None:
        self._send({"session": session})

    def result(self, result: Json) -> None:
        self.name = "check"
        self._send({"result": result})

    def late(self, job: Json) -> BmcError:
        if self.name == "connect":
            where = Target(**job["target"]).address
            return BmcError("unreachable", f"No answer from {where} that would let us in, within {job['deadline']:g} s.")
        return BmcError("deadline", f"Not everything was read within {job['deadline']:g} s.")


def _read(job: Json, target: Target, stage: _Stage) -> None:
    reading = Reading(target, job["sections"], clock.parse(job["since"]), stage.piece)
    if target.protocol == "ipmi":
        from .ipmi import reader as ipmi

        ipmi.read(reading)
    else:
        from .redfish import reader as redfish

        redfish.read(reading, stage.session)


def _identify(job: Json, target: Target, stage: _Stage) -> None:
    if target.protocol == "ipmi":
        from .ipmi import identify as ipmi

        ipmi.identify(target, job["state"], job["seconds"], job["check"], stage.result)
    else:
        from .redfish import identify as redfish

        redfish.identify(target, job["state"], job["check"], stage.session, stage.result)


def _close(job: Json, target: Target, stage: _Stage) -> None:
    from .redfish import sessions

    sessions.end(target, job["session"])


_JOBS: dict[str, t.Callable[[Json, Target, _Stage], None]] = {"read": _read, "identify": _identify, "close": _close}


def leave(status: int) -> t.NoReturn:
    """End this process at once, without what its libraries have registered for the end of the program."""
    sys.stderr.flush()
    os._exit(status)
