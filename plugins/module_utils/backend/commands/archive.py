# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands `export` and `restore`: all that the database knows, as JSON lines."""

from __future__ import annotations

import argparse
import os
import sys
import typing as t

from ..mistakes import ConfigErrors
from ..store import archive
from . import opened


def export(arguments: argparse.Namespace, environ: t.Mapping[str, str]) -> int:
    """Write to a file, which must not exist, or to standard output. Raises ConfigErrors, MissingPackage, Refusal."""
    with opened.store(arguments, environ) as (_settings, store):
        if arguments.file == "-":
            for line in archive.dump(store):
                sys.stdout.write(line + "\n")
            return 0
        # Reasons name people and machines: it is for its owner only, and appears under its name when it is whole.
        partial = f"{arguments.file}.partial"
        try:
            with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as stream:
                for line in archive.dump(store):
                    stream.write(line + "\n")
                stream.flush()
                os.fsync(stream.fileno())
            os.link(partial, arguments.file)
            os.unlink(partial)
        except OSError as error:
            raise ConfigErrors([f"{arguments.file} cannot be written: {(error.strerror or str(error)).lower()}"]) from None
    sys.stdout.write(f"exported to {arguments.file}\n")
    return 0


def restore(arguments: argparse.Namespace, environ: t.Mapping[str, str]) -> int:
    """Read such a file. What is there stays; running it again changes nothing."""
    with opened.store(arguments, environ) as (_settings, store):
        try:
            with open(0 if arguments.file == "-" else arguments.file, encoding="utf-8") as stream:
                new = archive.load(store, stream)
        except (OSError, UnicodeDecodeError) as error:
            reason = (error.strerror or str(error)).lower() if isinstance(error, OSError) else "it is not UTF-8 text"
            raise ConfigErrors([f"{arguments.file} cannot be read: {reason}"]) from None
    sys.stdout.write(f"restored {new['node']} nodes, {new['entry']} entries and {new['event']} events that were not there\n")
    return 0
