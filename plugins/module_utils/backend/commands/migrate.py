# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`migrate`: bring the database to this version's schema."""

from __future__ import annotations

import argparse
import os
import sys
import typing as t

from .. import config, database_url
from ..schema import migrate
from ..store.store import Store
from . import grammar


def run(arguments: argparse.Namespace, environ: t.Mapping[str, str]) -> int:
    """Apply the revisions that the database lacks and say which. Raises ConfigErrors, MissingPackage, Refusal."""
    settings = config.load(arguments.config, environ, grammar.overrides(arguments), serving=False)
    os.umask(0o027)
    store = Store(settings.database_url, busy_timeout=settings.busy_timeout)
    try:
        applied = migrate.upgrade(store)
    finally:
        store.close()
    done = f"applied {', '.join(applied)}" if applied else "nothing to do"
    sys.stdout.write(f"{database_url.shown(settings.database)}: {done}; the schema is at revision {migrate.HEAD}\n")
    return 0
