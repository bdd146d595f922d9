# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Refusals in the log, folded: a controller that clears the flag every few seconds fills no disk."""

from __future__ import annotations

import logging
import threading
import time
import typing as t

#: Seconds for which the same refusal is only counted.
FOLD: t.Final = 60.0
#: How many different refusals are remembered at most.
MOST: t.Final = 1000


class RefusalLog:
    """Writes a refusal once a minute at the most, with how often it happened meanwhile. Per process."""

    def __init__(self, log: logging.Logger, clock: t.Callable[[], float] = time.monotonic) -> None:
        self._log = log
        self._clock = clock
        self._lock = threading.Lock()
        self._seen: dict[str, tuple[float, int]] = {}

    def note(self, what: str, text: str) -> None:
        """Write or count. what: who was refused what, without what changes from one request to the next."""
        now = self._clock()
        with self._lock:
            since, count = self._seen.get(what, (None, 0))
            if since is not None and now - since < FOLD:
                self._seen[what] = (since, count + 1)
                return
            if len(self._seen) >= MOST:
                self._seen.clear()
            self._seen[what] = (now, 0)
        again = f" ({count} more times since)" if count else ""
        self._log.info("refused: %s: %s%s", what, text, again)
