# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The application of one web worker, which can be rebuilt while it serves."""

from __future__ import annotations

import gc
import logging
import os
import signal
import threading
import typing as t

from . import lifeline
from .config import Config
from .errors import Refusal
from .mistakes import ConfigErrors

_log = logging.getLogger(__name__)

_SIGNALS: t.Final = frozenset({signal.SIGHUP, signal.SIGTERM, signal.SIGINT})

Wsgi = t.Callable[[dict[str, t.Any], t.Callable[..., t.Any]], t.Iterable[bytes]]
Build = t.Callable[[Config], Wsgi]


class Application:
    """A WSGI callable that passes requests to the newest application. Requests under way end in the one they began in."""

    def __init__(self, build: Build, config: Config) -> None:
        self._build = build
        self._config = config
        self._current = build(config)

    def __call__(self, environ: dict[str, t.Any], start_response: t.Callable[..., t.Any]) -> t.Iterable[bytes]:
        return self._current(environ, start_response)

    def rebuild(self, load: t.Callable[[], Config]) -> None:
        """Replace the application by one of a freshly loaded configuration. If that cannot be built, all stays as it is."""
        try:
            self._current = self._build(self._config.reloaded(load()))
        except ConfigErrors as mistakes:
            for sentence in mistakes.errors:
                _log.error("reload refused, the former settings stay in force: %s", sentence)
        except Refusal as refusal:
            _log.error("reload refused, the former settings stay in force: %s", refusal.text)
        else:
            # The former application is one cycle of references with its connections to the database: this closes them, now or,
            # where a request still runs in it, with the next reload.
            gc.collect()
            _log.info("reloaded")


def start(build: Build, config: Config, load: t.Callable[[], Config], parent: int) -> Application:
    """Prepare this process, a web worker, and give its application. parent: the supervisor's process id."""
    # Before any other thread is started: each of them inherits what is blocked.
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    lifeline.tie_to(parent)
    try:
        application = Application(build, config)
    except ConfigErrors as mistakes:
        for sentence in mistakes.errors:
            _log.error("%s", sentence)
        os._exit(1)
    except Refusal as refusal:
        _log.error("%s", refusal.text)
        os._exit(1)
    inherited = signal.getsignal(signal.SIGTERM)
    threading.Thread(target=_listen, args=(application, load, inherited), name="signals", daemon=True).start()
    return application


def _listen(application: Application, load: t.Callable[[], Config], inherited: t.Any) -> None:
    """Wait for signals in a thread of its own.

    A signal's handler runs in the main thread, which under load gets its turn late or, as seen with Python 3.12, not before the
    next signal.
    """
    while True:
        number = signal.sigwait(_SIGNALS)
        if number == signal.SIGHUP:
            try:
                application.rebuild(load)
            except Exception:
                # Whatever it is, this thread must live: it is the one that ends the worker.
                _log.exception("reload failed, the former settings stay in force")
            continue
        handler = signal.getsignal(number)
        if handler is inherited or not callable(handler):
            # The server has not begun.
            os._exit(0)
        handler(number, None)
