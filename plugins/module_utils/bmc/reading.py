# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a BMC is read, over either protocol: section by section, each handed on as soon as it is read, and the power state now and again."""

from __future__ import annotations

import os
import time
import traceback
import typing as t

from . import alarm
from .errors import BmcError, DeadlineReached, Ends, NotOffered
from .report import Json
from .target import Target

#: Takes what one section found, as a part of a report.
Emit = t.Callable[[Json], None]
#: Tells one section: fills the piece that it gets, raises NotOffered or BmcError.
Section = t.Callable[[Json], None]

#: What a value that nobody has thought of may cause. It costs its section, not the reading.
_STUMBLES = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


class Reading:
    """One reading under way."""

    def __init__(self, target: Target, sections: t.Collection[str], since: float | None, emit: Emit) -> None:
        self.target = target
        self.sections = sections
        #: Seconds since 1970, or None.
        self.since = since
        self.emit = emit
        self._power: t.Callable[[], str] | None = None
        self._reads = 0
        self._last_read = 0.0

    def section(self, name: str, read: Section) -> None:
        """Read one section if it was asked for. What it filled in is handed on however it ends; Ends and the deadline go on to the
        caller."""
        if name not in self.sections:
            return
        piece: Json = {}
        problem: Json | None = None
        state = "error"
        try:
            read(piece)
            state = "ok"
        except NotOffered:
            state = "absent"
        except BmcError as error:
            problem = error.problem(name)
            error.told = True
            if isinstance(error, Ends):
                raise
        except _STUMBLES as error:
            problem = BmcError("malformed", f"The section {name} could not be made sense of: {where(error)}.").problem(name)
        except MemoryError:
            problem = BmcError("too_large", "What the BMC sends does not fit into the memory that a reading may use.").problem(name)
        except DeadlineReached as reached:
            alarm.silence()
            reached.told = True
            problem = BmcError("deadline", f"The deadline came while the section {name} was read.").problem(name)
            raise
        finally:
            if piece.get("errors"):
                state = "error"
            errors = [*piece.pop("errors", []), *([problem] if problem else [])]
            self.emit({**piece, "sections": {name: state}, "errors": errors})
        self.read_power_if_due()

    def power_section(self, read: t.Callable[[], str], first: Section) -> None:
        """Read the power state once with `first`, which fills in a piece with `power`, and remember how it is read again."""
        if "power" in self.sections:
            self.section("power", first)
            self._reads = 1
            self._last_read = time.monotonic()
            self._power = read

    def read_power_if_due(self) -> None:
        """Read the power state again if it is time for that."""
        if self._power and self._reads < self.target.power_reads:
            if time.monotonic() - self._last_read >= self.target.power_read_interval:
                self._read_power()

    def finish_power(self) -> None:
        """Wait for the reads of the power state that are left."""
        try:
            while self._power and self._reads < self.target.power_reads:
                time.sleep(max(0.0, self._last_read + self.target.power_read_interval - time.monotonic()))
                self._read_power()
        except DeadlineReached as reached:
            alarm.silence()
            reached.told = True
            wanted = self.target.power_reads
            late = BmcError("deadline", f"The deadline came after {self._reads} of {wanted} reads of the power state.")
            self.emit({"sections": {"power": "error"}, "errors": [late.problem("power")]})
            raise

    def _read_power(self) -> None:
        if not self._power:
            return
        self._last_read = time.monotonic()
        try:
            state = self._power()
        except Ends:
            raise
        except BmcError as error:
            state = "unknown"
            self.emit({"sections": {"power": "error"}, "errors": [error.problem("power")]})
        self._reads += 1
        self.emit({"power": {"reads": [state]}})


def where(error: BaseException) -> str:
    """An unforeseen exception in a few words: its last frame is what a report of a bug needs."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {os.path.basename(last.filename)}:{last.lineno} ({str(error)[:200] or 'no message'})"
