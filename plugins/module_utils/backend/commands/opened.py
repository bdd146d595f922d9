# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening a configuration's database, and the Ironic behind it, for a command that is not the service itself."""

from __future__ import annotations

import argparse
import contextlib
import os
import typing as t

from .. import config
from ..config import Config
from ..fronting import build
from ..mistakes import ConfigErrors
from ..schema import migrate
from ..store.store import Store
from . import grammar


@contextlib.contextmanager
def store(arguments: argparse.Namespace, environ: t.Mapping[str, str]) -> t.Iterator[tuple[Config, Store]]:
    """Give the settings and the open store, of the newest schema. Raises ConfigErrors, MissingPackage, Refusal."""
    settings = config.load(arguments.config, environ, grammar.overrides(arguments), serving=False)
    os.umask(0o027)
    opened = Store(settings.database_url, busy_timeout=settings.busy_timeout)
    try:
        migrate.check(opened)
        yield settings, opened
    finally:
        opened.close()


@contextlib.contextmanager
def fronting(arguments: argparse.Namespace, environ: t.Mapping[str, str]) -> t.Iterator[tuple[Store, build.Fronting]]:
    """The same with the parts that talk to the Ironic. Raises ConfigErrors where there is none."""
    with store(arguments, environ) as (settings, opened):
        if settings.node_source != "ironic":
            raise ConfigErrors([f"{arguments.command} is for a service in front of an Ironic: node_source is {settings.node_source}"])
        yield opened, build.build(settings, opened)
