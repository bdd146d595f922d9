# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes on by itself in front of an Ironic: the sweep over what requests left, the look at hot nodes, the comparison of all.

One process among all replicas does it, the one that has the lease. If it dies another takes over when the lease has run out.
"""

from __future__ import annotations

import concurrent.futures
import logging
import threading
import time
import typing as t

from ..config import Config
from ..errors import Refusal
from ..store import holders, leases
from ..store.store import Store
from . import build, ironic, pinning
from .mirror import Outcome

_log = logging.getLogger(__name__)

LEASE_NAME: t.Final = "reconciler"
#: Of who sweeps while pinned: the other is for `unpin` to take then.
PINNED_NAME: t.Final = "pinned"
#: Seconds of the lease, and between two looks for work.
LEASE: t.Final = 10.0
TICK: t.Final = 0.5
#: As many nodes are swept before it is asked again which are due, and for so many seconds in a row.
_BATCH: t.Final = 16
_SWEEP: t.Final = 5.0
#: Seconds after which an alert that still holds is said again.
_SAY_AGAIN: t.Final = 3600.0


class Job:
    """Something that is done again and again, never twice at once, each time in a thread.

    The jobs have threads of their own, so that none waits for another: a hot node must not wait for a locked one, nor the lease for any.
    """

    def __init__(self, work: t.Callable[[], float]) -> None:
        """work: does it, and gives the seconds from its beginning to the next time. What it raises comes out of `look`."""
        self._work = work
        self._pool = concurrent.futures.ThreadPoolExecutor(1)
        self._running: concurrent.futures.Future[float] | None = None
        self._began = 0.0
        self._due = 0.0

    def look(self, again: float) -> bool:
        """Begin if it is due; tell whether one came to its end. Raises what ended it: then the next is `again` seconds after that."""
        now = time.monotonic()
        ended, failed = False, None
        if self._running is not None and self._running.done():
            ended, failed = True, self._running.exception()
            self._due = now + again if failed is not None else self._began + self._running.result()
            self._running = None
        if self._running is None and now >= self._due:
            self._began = now
            self._running = self._pool.submit(self._work)
        if failed is not None:
            raise failed
        return ended

    def wait(self, seconds: float) -> float:
        """Give the seconds until it is due, or these if that is later or it is at work."""
        return seconds if self._running is not None else min(seconds, max(0.0, self._due - time.monotonic()))

    def anew(self) -> None:
        """Let the next time be at once, whatever comes of one that is at work."""
        self._due = 0.0
        if self._running is not None and self._running.done():
            self._running = None

    def close(self) -> None:
        """Wait for it to end, for good."""
        self._pool.shutdown()


class Keeping:
    """Keeps an Ironic in step until it is told to stop."""

    def __init__(self, config: Config, store: Store) -> None:
        self._config = config
        self._store = store
        self._parts = build.build(config, store)
        self._holder = holders.new()
        self._said: tuple[type[Exception], float] | None = None
        self._sweep = Job(self._swept)
        self._hot = Job(self._looked)
        self._full = Job(self._compared)

    def run(self, stop: threading.Event) -> None:
        """Work until `stop` is set. Whatever fails is tried again; nothing ends this loop but `stop`."""
        while not stop.is_set():
            pause = TICK
            try:
                pause = self._tick()
            except Refusal as refusal:
                self._alert(refusal, f"the database fails, so Ironic is not kept in step: {refusal.text}")
            except ironic.IronicError as error:
                self._alert(error, f"nothing is adopted, set again or forgotten until this is over: {error}")
            except Exception:
                # Holds hang on this loop: what nobody thought of must not end it.
                _log.exception("keeping Ironic in step failed; it goes on")
                pause = TICK * 10
            stop.wait(pause)
        self._parts.mirror.stop()
        for job in (self._sweep, self._hot, self._full):
            job.close()
        try:
            for name in (LEASE_NAME, PINNED_NAME):
                leases.release(self._store, name, self._holder)
        except Refusal as refusal:
            _log.warning("the lease runs out by itself: %s", refusal.text)

    def _tick(self) -> float:
        """Begin what is due; give the seconds until there may be more. Raises what a job ended with."""
        pinned = pinning.is_pinned(self._store)
        leading = leases.take(self._store, PINNED_NAME if pinned else LEASE_NAME, self._holder, LEASE)
        if pinned or not leading:
            # Whoever takes over begins with a comparison of all.
            self._hot.anew()
            self._full.anew()
            if leading:
                self._sweep.look(TICK)
            return TICK
        self._sweep.look(TICK)
        # One that fails is not repeated at once, nor much later.
        self._hot.look(self._config.hot_interval)
        # Only this one asks Ironic for something in any case; without hot nodes the other proves nothing.
        if self._full.look(min(self._config.reconcile_interval, 10.0)):
            self._over()
        return self._hot.wait(TICK)

    def _swept(self) -> float:
        end = time.monotonic() + _SWEEP
        while due := self._parts.mirror.mirrors.due(_BATCH):
            settled = Outcome.SETTLED in self._parts.mirror.settle_many(due).values()
            if not settled or len(due) < _BATCH or time.monotonic() > end:
                break
        return TICK

    def _looked(self) -> float:
        # Where one node has recovered others do so now: what they share with it has come back.
        return 0.0 if self._parts.reconciler.hot() else self._config.hot_interval

    def _compared(self) -> float:
        began = time.monotonic()
        report = self._parts.reconciler.full()
        if report.registered or report.settled or report.later or report.purged:
            _log.info(
                "compared %d nodes: %d new, %d settled, %d left for later, %d forgotten",
                report.listed,
                len(report.registered),
                len(report.settled),
                len(report.later),
                len(report.purged),
            )
        # From its end: a comparison that takes long must not follow the last one at once.
        return time.monotonic() - began + self._config.reconcile_interval

    def _alert(self, error: Exception, text: str) -> None:
        """Say it once, and again when it is of another kind or has lasted for an hour."""
        now = time.monotonic()
        if self._said is None or self._said[0] is not type(error) or now - self._said[1] > _SAY_AGAIN:
            self._said = (type(error), now)
            _log.error("ALERT: %s", text)

    def _over(self) -> None:
        if self._said is not None:
            self._said = None
            _log.warning("what the last alert was about is over")
