# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The housekeeper's process, as the supervisor sees it: started, started again when it ends, stopped at the end."""

from __future__ import annotations

import logging
import os
import pickle
import subprocess
import sys
import threading

from .config import Config

_log = logging.getLogger(__name__)

#: Seconds before the housekeeper is started again: at first, and at most, doubling in between.
_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 60.0
#: Seconds that it gets to stop.
_PATIENCE = 10.0


class Keeper:
    """Keeps one housekeeper running."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._process: subprocess.Popen[bytes] | None = None
        self._stopping = threading.Event()
        self._changed = False
        self._lock = threading.Lock()
        # The kernel ends the housekeeper when the thread that started it ends: it must be one that stays.
        self._thread = threading.Thread(target=self._keep, name="housekeeper", daemon=True)

    def start(self) -> None:
        """Start the housekeeper and go on watching it.

        To be called before any other process is forked: one that is forked while this one is being started would inherit the
        pipe whose end tells that it was.
        """
        self._process = _launch(self._config)
        self._thread.start()

    def replace(self, config: Config) -> None:
        """Let the housekeeper start afresh with this configuration."""
        with self._lock:
            self._config = config
            self._changed = True
            if self._process is not None:
                self._process.terminate()

    def stop(self) -> None:
        """End the housekeeper and wait for it."""
        with self._lock:
            self._stopping.set()
            process = self._process
            if process is not None:
                process.terminate()
        if process is not None:
            try:
                process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
        if self._thread.is_alive():
            self._thread.join(_PATIENCE)

    def _keep(self) -> None:
        pause = _FIRST_PAUSE
        process = self._process
        while process is not None:
            code = process.wait()
            if self._changed:
                pause = _FIRST_PAUSE
            elif not self._stopping.is_set():
                _log.error("the housekeeper ended with status %d; it is started again in %g seconds", code, pause)
                self._stopping.wait(pause)
                pause = min(pause * 2, _LONGEST_PAUSE)
            process = self._again()

    def _again(self) -> subprocess.Popen[bytes] | None:
        """Start the housekeeper anew unless the service is ending."""
        with self._lock:
            if self._stopping.is_set():
                return None
            self._changed = False
            self._process = _launch(self._config)
            return self._process


def _launch(config: Config) -> subprocess.Popen[bytes]:
    package = __name__.rpartition(".")[0]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    process = subprocess.Popen(  # pylint: disable=ansible-bad-function  # this is no module
        [sys.executable, "-m", f"{package}.housekeeper", str(os.getpid())],
        stdin=subprocess.PIPE,
        env=environ,
        # Ctrl-C at a terminal is for the supervisor, which then ends this process in order.
        start_new_session=True,
    )
    if process.stdin is not None:
        try:
            process.stdin.write(pickle.dumps(config))
            process.stdin.close()
        except BrokenPipeError:
            # It ended already; whoever waits for it sees that.
            pass
    return process
