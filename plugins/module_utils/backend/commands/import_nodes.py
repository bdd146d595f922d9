# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`import`: take over the nodes of an Ironic."""

from __future__ import annotations

import argparse
import os
import sys
import typing as t

from .. import config
from ..mistakes import ConfigErrors
from ..schema import migrate
from ..service.importing import Summary, import_nodes
from ..sources import file, ironic
from ..store.store import Store
from . import grammar


def run(arguments: argparse.Namespace, environ: t.Mapping[str, str]) -> int:
    """Import every node of the source, or none, and say what changed.

    Raises ConfigErrors, MissingPackage, SourceError, Refusal.
    """
    settings = config.load(arguments.config, environ, grammar.overrides(arguments), serving=False)
    nodes = _nodes(arguments)
    os.umask(0o027)
    store = Store(settings.database_url, busy_timeout=settings.busy_timeout)
    try:
        migrate.check(store)
        summary = import_nodes(store, nodes)
    finally:
        store.close()
    sys.stdout.write(_sentence(summary) + "\n")
    return 0


def _nodes(arguments: argparse.Namespace) -> list[dict[str, t.Any]]:
    source = arguments.source
    is_url = "://" in source
    given = [name for name in ("source_user", "source_password_file", "source_token_file", "source_ca") if getattr(arguments, name)]
    if not is_url:
        if given:
            raise ConfigErrors([f"--{given[0].replace('_', '-')} is for an Ironic's URL; {source} is a file"])
        return file.read(source)
    if arguments.source_user and arguments.source_token_file:
        raise ConfigErrors(["--source-user and --source-token-file exclude each other"])
    if bool(arguments.source_user) != bool(arguments.source_password_file):
        raise ConfigErrors(["--source-user and --source-password-file belong together"])
    access = ironic.Access(
        login=arguments.source_user,
        password=_secret(arguments.source_password_file, "--source-password-file"),
        token=_secret(arguments.source_token_file, "--source-token-file"),
        ca=arguments.source_ca,
    )
    return ironic.read(source, access)


def _secret(path: str | None, option: str) -> str | None:
    if path is None:
        return None
    try:
        with open(path, encoding="utf-8") as stream:
            secret = stream.read().rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = (error.strerror or str(error)).lower() if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConfigErrors([f"{option}: {path} cannot be read: {reason}"]) from None
    if not secret or not secret.isprintable():
        raise ConfigErrors([f"{option}: {path} must hold the secret on one line"])
    return secret


def _sentence(summary: Summary) -> str:
    return (
        f"{summary.nodes} nodes: {summary.created} new, {summary.changed} changed, {summary.unchanged} as they were; "
        f"{summary.legacy} new legacy entries, {summary.fault} new fault entries"
    )
