# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The supervisor: one process that owns the address, the web workers and the housekeeper.

A worker that dies ends the whole service with a status other than 0: nothing half-alive answers, and starting again is the
service manager's business. However the supervisor ends, kill -9 included, its processes end with it.
"""

from __future__ import annotations

import contextlib
import functools
import http.client
import logging
import multiprocessing
import os
import pathlib
import signal
import ssl
import sys
import threading
import typing as t

from . import libs, log, process_environment, worker
from .address import Claim
from .config import Config
from .keeper import Keeper
from .mistakes import ConfigErrors

_log = logging.getLogger(__name__)

#: Seconds that requests under way get to end when the service stops.
_GRACE: t.Final = 30


def serve(config: Config, load: t.Callable[[], Config], build: worker.Build) -> int:
    """Serve in the foreground until SIGTERM or SIGINT (0) or until a worker dies (not 0); give the exit status.

    load: reads the configuration again, for SIGHUP. build: makes the WSGI application from a configuration, in each worker.
    Prints `listening on URL` once a request was answered. Raises AddressTaken if the address cannot be had. The process's
    environment is cleaned of everything that the workers have no use for.
    """
    claim = Claim(config.host, config.port)
    try:
        process_environment.clean(os.environ)
        return _Supervisor(config, load, build, claim).run()
    finally:
        claim.release()


class _Supervisor:
    def __init__(self, config: Config, load: t.Callable[[], Config], build: worker.Build, claim: Claim) -> None:
        self._config = config
        self._load = load
        self._claim = claim
        self._keeper = Keeper(config)
        self._pid = os.getpid()
        self._start = functools.partial(worker.start, build, config, load, self._pid)

    def run(self) -> int:
        server = _granian(self._config, self._claim)
        server.on_startup(self._started)
        for sentence in self._config.warnings:
            _log.warning("%s", sentence)
        try:
            server.serve(target_loader=self._start, wrap_loader=False)
        except SystemExit as ended:
            _log.error("a web worker ended by itself, so the service ends")
            return ended.code if isinstance(ended.code, int) and ended.code else 1
        finally:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            self._keeper.stop()
            _log.info("stopped")
        return 0

    def _started(self) -> None:
        """Runs when signals are set and before the first worker is started."""
        signal.signal(signal.SIGHUP, self._reload)
        self._keeper.start()
        threading.Thread(target=_announce, args=(self._config, self._claim), name="announce", daemon=True).start()

    def _reload(self, _number: int, _frame: t.Any) -> None:
        """Check the configuration anew and let every process take it over; if it has a mistake, none does."""
        if os.getpid() != self._pid:
            return
        _log.info("reloading the configuration")
        try:
            fresh = self._load()
        except ConfigErrors as mistakes:
            for sentence in mistakes.errors:
                _log.error("reload refused, the former settings stay in force: %s", sentence)
            return
        except Exception:
            # Whatever it is (a working folder that is gone, a package that was taken away): it must not end a service that runs.
            _log.exception("reload failed, the former settings stay in force")
            return
        for name in self._config.waiting_for_restart(fresh):
            _log.warning("%s changed, which takes effect with the next start only", name)
        for child in multiprocessing.active_children():
            if child.pid is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child.pid, signal.SIGHUP)
        self._keeper.replace(self._config.reloaded(fresh))


def _granian(config: Config, claim: Claim) -> t.Any:
    constants = libs.granian.constants
    levels = libs.granian.log.LogLevels
    return libs.granian.Granian(
        "backend",
        address=claim.address,
        port=claim.port,
        interface=constants.Interfaces.WSGI,
        workers=config.workers,
        blocking_threads=config.threads,
        http=constants.HTTPModes.http1,
        websockets=False,
        log_dictconfig=log.dictionary(config.log_level),
        log_level=levels.error,
        log_access=config.log_level in ("debug", "info"),
        log_access_format=log.ACCESS_FORMAT,
        ssl_cert=pathlib.Path(config.tls_certificate) if config.tls_certificate else None,
        ssl_key=pathlib.Path(config.tls_key) if config.tls_key else None,
        ssl_protocol_min=constants.SSLProtocols.tls12,
        workers_kill_timeout=_GRACE,
    )


def _announce(config: Config, claim: Claim) -> None:
    """Say where the service listens as soon as it does."""
    wait = threading.Event()
    while not _answers(config.scheme, *claim.reachable):
        wait.wait(0.05)
    sys.stdout.write(f"listening on {config.scheme}://{claim.authority}\n")
    sys.stdout.flush()


def _answers(scheme: str, host: str, port: int) -> bool:
    """Tell whether a request gets an answer, whatever it says."""
    if scheme == "https":
        # It is our own certificate, asked for on this machine, by an address that it need not name.
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        connection: http.client.HTTPConnection = http.client.HTTPSConnection(host, port, timeout=5, context=context)
    else:
        connection = http.client.HTTPConnection(host, port, timeout=5)
    with contextlib.closing(connection):
        try:
            connection.request("GET", "/healthz")
            connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            return False
    return True
