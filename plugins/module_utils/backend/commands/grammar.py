# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line's grammar."""

from __future__ import annotations

import argparse
import typing as t

from ..config import ENVIRONMENT_PREFIX
from ..config_keys import KEYS

_SWITCHES: t.Final = frozenset(name for name, key in KEYS.items() if key.expects == "true or false")


class _Parser(argparse.ArgumentParser):
    """Answers a wrong call with one sentence instead of the whole usage, and takes no option for the beginning of another."""

    def __init__(self, **named: t.Any) -> None:
        super().__init__(allow_abbrev=False, **named)

    def error(self, message: str) -> t.NoReturn:
        self.exit(2, f"{self.prog}: {message} (--help tells more)\n")


def build(program: str) -> argparse.ArgumentParser:
    """Give the parser. Its result has `command`, `config`, one member for each setting the command takes (None: not given), and
    what is the command's own."""
    parser = _Parser(prog=program, description="The HTTP backend of typed, scoped, audited maintenance holds.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)

    serve = commands.add_parser("serve", help="serve in the foreground", description="Serve in the foreground. SIGHUP reloads.")
    _settings(serve, [name for name, key in KEYS.items() if not key.section])

    migrate = commands.add_parser("migrate", help="bring the database to this version's schema")
    _settings(migrate, ("database",))

    load = commands.add_parser(
        "import",
        help="take over the nodes of an Ironic",
        description="Take over nodes from a GET /v1/nodes/detail document or a running Ironic. Running it again changes nothing.",
    )
    load.add_argument("source", metavar="SOURCE", help="a JSON file, - for standard input, or the URL of an Ironic")
    load.add_argument("--source-user", metavar="LOGIN", help="HTTP Basic login at the Ironic")
    load.add_argument("--source-password-file", metavar="FILE", help="file that holds its password")
    load.add_argument("--source-token-file", metavar="FILE", help="file that holds a Keystone token, instead of a login")
    load.add_argument("--source-ca", metavar="FILE", help="certificates of the authority that signed the Ironic's, PEM")
    _settings(load, ("database",))
    for name, what, file in (
        ("export", "write nodes, entries and history as JSON lines", "where to write, a new file, or - for standard output"),
        ("restore", "read what `export` wrote; nothing that is there is changed", "what to read, or - for standard input"),
    ):
        command = commands.add_parser(name, help=what)
        command.add_argument("file", metavar="FILE", help=file)
        _settings(command, ("database",))

    _settings(commands.add_parser("pin", help="in front of an Ironic: offer the boolean only, while replicas are upgraded"), ())
    unpin = commands.add_parser("unpin", help="end `pin`: compare every node, a hold that Ironic lost is set again")
    unpin.add_argument(
        "--trust-ironic", action="store_true", help="release the entries of nodes that Ironic has out of maintenance instead"
    )
    _settings(unpin, ())

    compare = commands.add_parser("reconcile", help="in front of an Ironic: what is not settled, and what waits for an operator's word")
    which = compare.add_mutually_exclusive_group(required=True)
    which.add_argument("--show", action="store_true", help="show it")
    which.add_argument("--accept", metavar="ID", help="let the service do what it asked for")
    _settings(compare, ())
    return parser


def overrides(arguments: argparse.Namespace) -> dict[str, str]:
    """Give the settings that the command line makes."""
    return {name: value for name in KEYS if (value := getattr(arguments, name, None)) is not None}


def _settings(parser: argparse.ArgumentParser, names: t.Iterable[str]) -> None:
    parser.add_argument(
        "--config",
        metavar="FILE",
        help=f"YAML file with settings (else {ENVIRONMENT_PREFIX}CONFIG names it); {ENVIRONMENT_PREFIX}<SETTING> overrides it",
    )
    for name in names:
        option = "--" + name.replace("_", "-")
        if name in _SWITCHES:
            parser.add_argument(option, dest=name, action="store_const", const="true", help="true")
        else:
            parser.add_argument(option, dest=name, metavar="VALUE", help=KEYS[name].expects)
