# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds as people read them: who holds a node, since when, and who may release it."""

from __future__ import annotations

import datetime
import shlex
import typing as t

from . import columns, text

Row = t.Mapping[str, t.Any]

HIDDEN: t.Final = "(hidden)"

#: Characters of a uuid that a table shows, and that are enough to name a hold of a node.
SHORT_UUID: t.Final = 8


def holder(row: Row) -> str:
    """Give the name of who asserted an entry, its id where there is no name; `(hidden)` where the caller may not know."""
    if row.get("asserted_by") is None:
        return HIDDEN
    return text.plain(row.get("asserted_by_name") or row["asserted_by"])


def project(row: Row) -> str:
    """Give the project for which an entry was asserted; "" for none, `(hidden)` where the caller may not know."""
    if row.get("asserted_by_project") is None:
        return HIDDEN
    return text.plain(row.get("asserted_by_project_name") or row["asserted_by_project"])


def who_can(row: Row) -> str:
    """Say who may release an entry (specification, "Scoping")."""
    if row["type"] in ("legacy", "fault"):
        return "anyone whom policy lets clear maintenance"
    known = project(row)
    by = f" {known}" if known and known != HIDDEN else ""
    return {
        "lessee": f"the project{by} that asserted it while it is the lessee, the node's owner, or a system operator",
        "owner": f"the project{by} that asserted it while it is the owner, or a system operator",
    }.get(row["scope"], "a system operator")


def remove_command(program: str, node: str, row: Row) -> str:
    """Give the command that releases an entry. program: `baremetal` or `openstack baremetal`."""
    return f"{program} node maintenance remove {shlex.quote(node)} {row['uuid']}"


def now() -> datetime.datetime:
    """Give the time of this machine, to say how long ago something was."""
    return datetime.datetime.now(datetime.timezone.utc)


UUID = columns.Column("UUID", columns.member("uuid"), lambda row: text.plain(row["uuid"])[:SHORT_UUID], brief=True)
TYPE = columns.Column("Type", columns.member("type"), brief=True)
SCOPE = columns.Column("Scope", columns.member("scope"), brief=True)
HELD_BY = columns.Column("Held By", columns.member("asserted_by"), holder, brief=True)
REASON = columns.Column("Reason", columns.member("reason"), brief=True, elastic=True)
SINCE = columns.Column("Since", columns.member("asserted_at"), lambda row: text.age(row.get("asserted_at"), now()), brief=True)

#: What a table for people leaves out.
MORE: t.Final = (
    columns.Column("Held By Name", columns.member("asserted_by_name")),
    columns.Column("Project", columns.member("asserted_by_project"), project),
    columns.Column("Project Name", columns.member("asserted_by_project_name")),
    columns.Column("Ticket", columns.member("ticket")),
    columns.Column("Run", columns.member("run")),
    columns.Column("Key", columns.member("key")),
    columns.Column("Extra", columns.member("extra")),
    columns.Column("Own", columns.member("own")),
    columns.Column("Enforced", columns.member("enforced")),
    columns.Column("Enforced By", columns.member("enforced_by")),
)
