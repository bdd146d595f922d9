# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The housekeeper: the process that does what is periodic: retention of history, and in front of an Ironic keeping that in step."""

from __future__ import annotations

import logging
import pickle
import signal
import sys
import threading

from . import libs, lifeline, log
from .config import Config
from .errors import Refusal
from .fronting.keeping import Keeping
from .store import retention
from .store.store import Store

# Not __name__: this module is what the process runs.
_log = logging.getLogger(f"{__package__}.housekeeper")

#: Seconds after which a run that failed is tried again, if the next one is not due earlier.
_AFTER_FAILURE = 60.0


def run(config: Config, stop: threading.Event) -> None:
    """Delete history that is past its time, now and every config.retention_interval seconds, until `stop` is set.

    In front of an Ironic, keep that in step as well.
    """
    store = Store(config.database_url, busy_timeout=config.busy_timeout, clock_offset=config.test_clock)
    keeping = None
    if config.node_source == "ironic":
        keeping = threading.Thread(target=Keeping(config, store).run, args=(stop,), name="keeping")
        keeping.start()
    try:
        while not stop.is_set():
            stop.wait(_once(store, config))
    finally:
        if keeping is not None:
            stop.set()
            keeping.join()
        store.close()


def _once(store: Store, config: Config) -> float:
    """Do one run; give the seconds until the next."""
    try:
        taken = retention.purge(
            store,
            maintenance_days=config.maintenance_history_minimum_days,
            other_days=config.node_history_minimum_days,
            other_most=config.node_history_max_entries,
        )
    except Refusal as refusal:
        _log.warning("retention did not run: %s", refusal.text)
        return min(_AFTER_FAILURE, config.retention_interval)
    if taken:
        _log.info("retention deleted %d events", taken)
    return config.retention_interval


def main(parent: int) -> int:
    """Run as the process that the supervisor started: the configuration comes pickled on standard input."""
    lifeline.tie_to(parent)
    config = pickle.load(sys.stdin.buffer)
    log.set_up(config.log_level)
    libs.require()
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stop.set())
    run(config, stop)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1])))
