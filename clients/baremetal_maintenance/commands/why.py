# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`baremetal maintenance why`: why a node is in maintenance, for who is woken up by it."""

from __future__ import annotations

import argparse
import textwrap
import typing as t

from osc_lib.command import command

from .. import errors, typed_api
from . import columns, holds, reaching, text

_LABEL: t.Final = 10


class Why(command.Lister):
    """Say why a node is in maintenance: who holds it, since when, why, and who can end it with which command"""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Give the parser."""
        parser = super().get_parser(prog_name)
        reaching.add_node(parser)
        parser.set_defaults(long=True)
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> tuple[t.Sequence[str], t.Sequence[t.Any]]:
        """Read the entries, and ask whether these credentials may release them."""
        api, node = reaching.typed(self.app), parsed_args.node
        entries = api.list_entries(node)
        yours = _releasable(api, node, entries)
        program = reaching.program(self.cmd_name)
        rows = [
            {
                **entry,
                "who_can": holds.who_can(entry),
                "you_can": yours.get(entry["uuid"]),
                "command": holds.remove_command(program, node, entry),
            }
            for entry in entries
        ]
        self._rows = rows
        return columns.tabulate(_COLUMNS, rows, parsed_args)

    def produce_output(self, parsed_args: argparse.Namespace, column_names: t.Sequence[str], data: t.Any) -> int:
        """Write for people, unless a format or columns are asked for."""
        if parsed_args.formatter != "table" or parsed_args.columns:
            return super().produce_output(parsed_args, column_names, data)
        self.app.stdout.write(explanation(parsed_args.node, self._rows, columns.terminal_width(parsed_args)))
        return 0


_COLUMNS: t.Final = (
    holds.UUID,
    holds.TYPE,
    holds.REASON,
    holds.SCOPE,
    holds.HELD_BY,
    holds.SINCE,
    *holds.MORE,
    columns.Column("Who Can Release", columns.member("who_can")),
    columns.Column("You Can Release", columns.member("you_can")),
    columns.Column("Command", columns.member("command")),
)


def explanation(node: str, rows: t.Sequence[holds.Row], terminal: int) -> str:
    """Give the text for people, in lines of at most `terminal` columns but for commands, which are to be copied as they are."""
    name = text.plain(node)
    if not rows:
        return f"Nobody holds node {name}: it is not in maintenance.\n"
    count = "1 hold" if len(rows) == 1 else f"{len(rows)} holds"
    summary = f"Node {name} is in maintenance: {count}. It is back in service when the last one is released."
    blocks = ["\n".join(text.wrap(summary, terminal))]
    blocks += [_block(number, row, terminal) for number, row in enumerate(rows, 1)]
    return "\n\n".join(blocks) + "\n"


def _block(number: int, row: holds.Row, terminal: int) -> str:
    project = holds.project(row)
    by = holds.holder(row) + (f" of project {project}" if project and project != holds.HIDDEN else "")
    may = {True: "you may release it", False: "you may not release it"}.get(row["you_can"], "")
    details = [
        ("held by", by),
        ("since", f"{text.minute(row.get('asserted_at'))} UTC, {text.age(row.get('asserted_at'), holds.now())}"),
        ("reason", text.plain(row.get("reason")) or "none given"),
        ("ticket", text.plain(row.get("ticket"))),
        ("run", text.plain(row.get("run"))),
        ("key", text.plain(row.get("key"))),
        ("can end it", "; ".join(part for part in (row["who_can"], may) if part)),
    ]
    lines = text.wrap(f"{number}. {text.plain(row['type'])}, scope {text.plain(row['scope'])}", terminal)
    for label, said in details:
        if said:
            wrapped = text.wrap(said, max(terminal - _LABEL - 5, 20))
            lines += [f"   {label if not at else '':{_LABEL}}  {line}" for at, line in enumerate(wrapped)]
    return "\n".join([*lines, *_command(row["command"], terminal)])


def _command(command_line: str, terminal: int) -> list[str]:
    """Give a command that can be copied, on two lines where it is too long for one."""
    indent = "     "
    if len(indent) + len(command_line) <= terminal:
        return [indent + command_line]
    head, _space, uuid = command_line.rpartition(" ")
    return textwrap.indent(f"{head} \\\n    {uuid}", indent).splitlines()


def _releasable(api: typed_api.TypedApi, node: str, entries: t.Sequence[holds.Row]) -> dict[str, bool]:
    """Ask which entries these credentials may release; a reader who may ask nothing of the sort is told the rest all the same."""
    try:
        return api.releasable(node, [entry["uuid"] for entry in entries])
    except errors.MaintenanceError:
        return {}
