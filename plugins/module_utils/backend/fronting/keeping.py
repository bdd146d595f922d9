# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes on by itself in front of an Ironic: the sweep over what requests left, the look at hot nodes, the comparison of all.

One process among all replicas does it, the one that has the lease. If it dies another takes over when the lease has run out.
"""

from __future__ import annotations

import concurrent.futures
import logging
import os
import socket
import threading
import time
import typing as t
import uuid

from ..config import Config
from ..errors import Refusal
from ..store import leases
from ..store.store import Store
from . import build, ironic, pinning, reconciler

_log = logging.getLogger(__name__)

LEASE_NAME: t.Final = "reconciler"
#: Seconds of the lease, and between two looks for work.
LEASE: t.Final = 10.0
TICK: t.Final = 0.5
#: As many nodes are swept at once.
_BATCH: t.Final = 64
#: Seconds after which an alert that still holds is said again.
_SAY_AGAIN: t.Final = 3600.0


class Keeping:
    """Keeps an Ironic in step until it is told to stop."""

    def __init__(self, config: Config, store: Store) -> None:
        self._config = config
        self._store = store
        self._parts = build.build(config, store)
        self._holder = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4()}"[-255:]
        self._said: tuple[str, float] | None = None
        self._next_hot = self._next_full = 0.0
        self._pool = concurrent.futures.ThreadPoolExecutor(1)
        self._full: concurrent.futures.Future[reconciler.Report] | None = None

    def run(self, stop: threading.Event) -> None:
        """Work until `stop` is set. Whatever fails is tried again; nothing ends this loop but `stop`."""
        while not stop.is_set():
            try:
                self._tick()
            except Refusal as refusal:
                self._alert(f"the database fails, so Ironic is not kept in step: {refusal.text}")
            except ironic.IronicError as error:
                self._alert(f"nothing is adopted, set again or forgotten until this is over: {error}")
            except Exception:
                # Holds hang on this loop: what nobody thought of must not end it.
                _log.exception("keeping Ironic in step failed; it goes on")
                stop.wait(TICK * 10)
            stop.wait(TICK)
        self._pool.shutdown()
        try:
            leases.release(self._store, LEASE_NAME, self._holder)
        except Refusal as refusal:
            _log.warning("the lease runs out by itself: %s", refusal.text)

    def _tick(self) -> None:
        if pinning.is_pinned(self._store) or not leases.take(self._store, LEASE_NAME, self._holder, LEASE):
            # Whoever takes over begins with a comparison of all.
            self._next_hot = self._next_full = 0.0
            if pinning.is_pinned(self._store):
                self._sweep()
            return
        self._sweep()
        self._finish_full()
        now = time.monotonic()
        if now >= self._next_hot:
            self._next_hot = now + self._config.hot_interval
            self._parts.reconciler.hot()
            self._over()
        if now >= self._next_full and self._full is None:
            # In a thread of its own: neither the sweep nor the hot nodes wait until thousands are compared.
            self._full = self._pool.submit(self._parts.reconciler.full)

    def _finish_full(self) -> None:
        """Take the comparison's result if it has ended. Raises what ended it."""
        if self._full is None or not self._full.done():
            return
        ended, self._full = self._full, None
        # One that fails is not repeated at once, nor much later.
        self._next_full = time.monotonic() + min(self._config.reconcile_interval, 10.0)
        report = ended.result()
        self._next_full = time.monotonic() + self._config.reconcile_interval
        self._over()
        if report.registered or report.settled or report.later or report.purged:
            _log.info(
                "compared %d nodes: %d new, %d settled, %d left for later, %d forgotten",
                report.listed,
                len(report.registered),
                len(report.settled),
                len(report.later),
                len(report.purged),
            )

    def _sweep(self) -> None:
        due = self._parts.mirror.mirrors.due(_BATCH)
        if due:
            self._parts.mirror.settle_many(due)

    def _alert(self, text: str) -> None:
        """Say it once, and again when it is something else or has lasted for an hour."""
        now = time.monotonic()
        if self._said is None or self._said[0] != text or now - self._said[1] > _SAY_AGAIN:
            self._said = (text, now)
            _log.error("ALERT: %s", text)

    def _over(self) -> None:
        if self._said is not None:
            self._said = None
            _log.warning("what the last alert was about is over")
