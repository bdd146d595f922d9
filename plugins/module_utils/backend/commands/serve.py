# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`serve`: the backend in the foreground."""

from __future__ import annotations

import argparse
import functools
import os
import typing as t

from .. import app, config, log, process_environment, server
from ..schema import migrate
from ..store.store import Store
from . import grammar


def run(arguments: argparse.Namespace, environ: t.Mapping[str, str]) -> int:
    """Serve until told to stop; give the exit status. Raises ConfigErrors, MissingPackage, AddressTaken, Refusal."""
    load = functools.partial(config.load, arguments.config, dict(environ), grammar.overrides(arguments))
    settings = load()
    log.set_up(settings.log_level)
    # What is in the database is for the service and its group.
    os.umask(0o027)
    # The database is asked with what the processes will have that are started then.
    process_environment.clean(os.environ)
    _check_database(settings)
    return server.serve(settings, load, app.build)


def _check_database(settings: config.Config) -> None:
    """Make sure that the database is of this version's schema before anything is started."""
    store = Store(settings.database_url, busy_timeout=settings.busy_timeout, clock_offset=settings.test_clock)
    try:
        migrate.check(store)
    finally:
        store.close()
