# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`baremetal maintenance list`: the holds of all nodes."""

from __future__ import annotations

import argparse
import typing as t

from osc_lib.command import command

from . import columns, holds, reaching, text

_NODE: t.Final = columns.Column(
    "Node", columns.member("node_name"), lambda row: text.plain(row.get("node_name") or row["node_uuid"]), brief=True
)
_COLUMNS: t.Final = (
    _NODE,
    holds.TYPE,
    holds.HELD_BY,
    holds.SINCE,
    holds.REASON,
    columns.Column("UUID", columns.member("uuid")),
    columns.Column("Node UUID", columns.member("node_uuid")),
    columns.Column("Scope", columns.member("scope")),
    *holds.MORE,
)


class ListFleet(command.Lister):
    """List the holds of all nodes that you may see, oldest first"""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Give the parser."""
        parser = super().get_parser(prog_name)
        parser.add_argument("--ticket", metavar="<ticket>", help="Only holds of this ticket.")
        parser.add_argument("--user", metavar="<user>", help="Only holds that this user asserted: an ID, or a name.")
        parser.add_argument("--type", metavar="<type>", help="Only holds of this type.")
        parser.add_argument(
            "--older-than", metavar="<age>", type=reaching.age, help="Only holds asserted longer ago than this, such as 90m, 4h or 2d."
        )
        parser.add_argument("--scope", metavar="<scope>", choices=("system", "owner", "lessee"), help="Only holds of this scope.")
        parser.add_argument("--project", metavar="<project>", help="Only holds asserted for this project: an ID, or a name.")
        reaching.add_long(parser)
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> tuple[list[str], list[list[columns.Cell]]]:
        """List the entries. Users and projects are compared here, since the API's filters know ids only and people know names."""
        given = {name: reaching.present(f"--{name}", getattr(parsed_args, name)) for name in ("ticket", "user", "type", "project")}
        rows = reaching.typed(self.app).fleet_entries(
            {
                "ticket": given["ticket"],
                "type": given["type"],
                "scope": parsed_args.scope,
                "older_than": parsed_args.older_than,
            }
        )
        for name, members in (
            ("user", ("asserted_by", "asserted_by_name")),
            ("project", ("asserted_by_project", "asserted_by_project_name")),
        ):
            if given[name] is not None:
                rows = [row for row in rows if given[name] in [row.get(member) for member in members]]
        return columns.tabulate(_COLUMNS, rows, parsed_args)
