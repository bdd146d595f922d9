# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`baremetal node maintenance add`, `list` and `remove` (specification, "Client (CLI) impact")."""

from __future__ import annotations

import argparse
import json
import re
import typing as t

from osc_lib.command import command

from .. import errors, typed_api
from . import columns, holds, reaching, text

_UUID: t.Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)

_ADDED: t.Final = (
    "uuid",
    "type",
    "reason",
    "scope",
    "asserted_by",
    "asserted_by_name",
    "asserted_by_project",
    "asserted_by_project_name",
    "asserted_at",
    "ticket",
    "run",
    "key",
    "extra",
    "enforced",
    "enforced_by",
)

#: `| asserted_by_project_name | … |`
_FRAME: t.Final = len("asserted_by_project_name") + 7


class AddHold(command.ShowOne):
    """Hold a node: add a typed maintenance entry"""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Give the parser."""
        parser = super().get_parser(prog_name)
        reaching.add_node(parser)
        parser.add_argument("--type", metavar="<type>", required=True, help="Type of the hold, such as hardware_failure or operator_hold.")
        parser.add_argument("--reason", metavar="<text>", help="Why the node is held.")
        parser.add_argument("--ticket", metavar="<ticket>", help="Ticket that the hold belongs to; listings filter by it.")
        parser.add_argument("--run", metavar="<run>", help="Run, such as a job's id, that the hold belongs to.")
        parser.add_argument(
            "--key", metavar="<key>", help="Tells this hold from another of the same type that you or your team have on the node."
        )
        parser.add_argument(
            "--extra",
            metavar="<key=value>",
            action="append",
            default=[],
            help="Member of extra, its value JSON or else text; can be repeated.",
        )
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> tuple[list[str], list[t.Any]]:
        """Assert the hold with one request, and show it."""
        body: dict[str, t.Any] = {"type": parsed_args.type}
        for name in ("reason", "ticket", "run", "key"):
            given = reaching.present(f"--{name}", getattr(parsed_args, name))
            if given is not None:
                body[name] = given
        if parsed_args.extra:
            body["extra"] = dict(_pair(given) for given in parsed_args.extra)
        entry = reaching.typed(self.app).assert_entry(parsed_args.node, body)
        names = [name for name in _ADDED if name in entry]
        room = max(columns.terminal_width(parsed_args) - _FRAME, 16)
        return names, [columns.Cell(entry[name], _shown(entry[name], room)) for name in names]


class ListHolds(command.Lister):
    """List who holds a node: its maintenance entries, oldest first"""

    _COLUMNS: t.Final = (holds.UUID, holds.TYPE, holds.REASON, holds.SCOPE, holds.HELD_BY, holds.SINCE, *holds.MORE)

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Give the parser."""
        parser = super().get_parser(prog_name)
        reaching.add_node(parser)
        reaching.add_long(parser)
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> tuple[list[str], list[list[columns.Cell]]]:
        """List the entries."""
        return columns.tabulate(self._COLUMNS, reaching.typed(self.app).list_entries(parsed_args.node), parsed_args)


class RemoveHold(command.Command):
    """Release a hold of a node, or all of them: remove maintenance entries"""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Give the parser."""
        parser = super().get_parser(prog_name)
        reaching.add_node(parser)
        chosen = parser.add_mutually_exclusive_group(required=True)
        chosen.add_argument("entry", metavar="<entry-uuid>", nargs="?", help="UUID of the entry; its first 8 characters are enough.")
        chosen.add_argument("--all", action="store_true", help="Every entry of the node, or none if you may not release one of them.")
        parser.add_argument("--comment", metavar="<text>", help="Why it is released, for the node's history.")
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        """Release."""
        api, node = reaching.typed(self.app), parsed_args.node
        comment = reaching.present("--comment", parsed_args.comment)
        if parsed_args.all:
            api.release_all(node, comment)
            self.app.stdout.write(f"Released every hold of node {text.plain(node)}\n")
            return
        uuid = _full_uuid(api, node, parsed_args.entry)
        api.release_entry(node, uuid, comment)
        self.app.stdout.write(f"Released hold {uuid} of node {text.plain(node)}\n")


def _full_uuid(api: typed_api.TypedApi, node: str, given: str) -> str:
    """Give the uuid that begins as given. Raises MaintenanceError if no entry of the node does, or more than one."""
    if _UUID.fullmatch(given):
        return given.lower()
    if len(given) < holds.SHORT_UUID:
        raise errors.MaintenanceError(
            f"Cannot release hold {given!r} of node {node}: give its uuid, or at least the first {holds.SHORT_UUID} characters of it"
        )
    found = [entry["uuid"] for entry in api.list_entries(node) if entry["uuid"].startswith(given.lower())]
    if len(found) != 1:
        why = "the node has no such hold" if not found else f"{len(found)} holds of the node begin so, give the whole uuid"
        raise errors.MaintenanceError(f"Cannot release hold {given!r} of node {node}: {why}")
    return found[0]


def _pair(given: str) -> tuple[str, t.Any]:
    name, equals, value = given.partition("=")
    if not name or not equals:
        raise errors.MaintenanceError(f"--extra is {given!r}: it is a name and a value, such as serial=ABC123")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _shown(value: t.Any, room: int) -> str:
    shown = json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, bool)) else value
    return "\n".join(text.wrap(text.plain(shown), room))
