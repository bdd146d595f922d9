# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The backend's command line: `python -m ….backend COMMAND`.

Exit status: 0 done, 1 failed, 2 called or configured wrongly. Every failure is a sentence on standard error; mistakes in the
configuration are a sentence each.
"""

from __future__ import annotations

import os
import sys
import typing as t

from .address import AddressTaken
from .commands import archive, grammar, import_nodes, migrate, pin, reconcile, serve
from .config import FILE_VARIABLE
from .errors import Refusal
from .libs import MissingPackage
from .mistakes import ConfigErrors
from .sources.document import SourceError

PROGRAM = "baremetal-maintenance-backend"


def main(argv: t.Sequence[str], environ: t.Mapping[str, str]) -> int:
    """Run one command and give its exit status."""
    commands = {
        "serve": serve.run,
        "migrate": migrate.run,
        "import": import_nodes.run,
        "export": archive.export,
        "restore": archive.restore,
        "pin": pin.pin,
        "unpin": pin.unpin,
        "reconcile": reconcile.run,
    }
    arguments = grammar.build(PROGRAM).parse_args(argv)
    if arguments.config is None:
        arguments.config = environ.get(FILE_VARIABLE)
    try:
        return commands[arguments.command](arguments, environ)
    except ConfigErrors as mistakes:
        return _fail(2, *mistakes.errors)
    except (AddressTaken, MissingPackage) as error:
        return _fail(2, str(error))
    except SourceError as error:
        return _fail(1, str(error))
    except Refusal as refusal:
        return _fail(1, refusal.text)
    except KeyboardInterrupt:
        return _fail(1, "interrupted")


def _fail(status: int, *sentences: str) -> int:
    for sentence in sentences:
        sys.stderr.write(f"{PROGRAM}: {sentence}\n")
    return status


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:], os.environ))
