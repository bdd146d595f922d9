# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`baremetal maintenance history`: what happened to the holds of a node."""

from __future__ import annotations

import argparse
import typing as t

from osc_lib.command import command

from . import columns, holds, reaching, text


def _of_hold(name: str) -> t.Callable[[columns.Row], t.Any]:
    """Give the reader of a member of what an event says of a hold; None for an event about something else."""
    return lambda row: (row.get("maintenance") or {}).get(name)


def _what(row: columns.Row) -> t.Any:
    return _of_hold("action")(row) or row.get("event_type")


def _by(row: columns.Row) -> str:
    if row.get("maintenance") and row.get("user") is None:
        return holds.HIDDEN
    return text.plain(_of_hold("user_name")(row) or row.get("user"))


def _said(row: columns.Row) -> str:
    """Give what was said: the comment of a release, the reason of anything else, or the text of another event."""
    if not row.get("maintenance"):
        return text.plain(row.get("event"))
    return text.plain(_of_hold("comment")(row) or _of_hold("reason")(row))


_COLUMNS: t.Final = (
    columns.Column("When", columns.member("created_at"), lambda row: text.minute(row.get("created_at")), brief=True),
    columns.Column("What", _what, brief=True),
    columns.Column("Type", _of_hold("type"), brief=True),
    columns.Column("By", columns.member("user"), _by, brief=True),
    columns.Column("Said", _said, brief=True, elastic=True),
    columns.Column("By Name", _of_hold("user_name")),
    columns.Column("Project", columns.member("project")),
    columns.Column("Project Name", _of_hold("project_name")),
    columns.Column("Scope", _of_hold("scope")),
    columns.Column("Reason", _of_hold("reason")),
    columns.Column("Comment", _of_hold("comment")),
    columns.Column("Ticket", _of_hold("ticket")),
    columns.Column("Run", _of_hold("run")),
    columns.Column("Key", _of_hold("key")),
    columns.Column("Hold", _of_hold("entry_uuid")),
    columns.Column("Source", _of_hold("source")),
    columns.Column("Event", columns.member("event")),
    columns.Column("UUID", columns.member("uuid")),
)


class History(command.Lister):
    """List what happened to a node and its holds, oldest first"""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Give the parser."""
        parser = super().get_parser(prog_name)
        reaching.add_node(parser)
        reaching.add_long(parser)
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> tuple[list[str], list[list[columns.Cell]]]:
        """List the events."""
        return columns.tabulate(_COLUMNS, reaching.typed(self.app).node_history(parsed_args.node), parsed_args)
