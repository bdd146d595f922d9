# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a caller sees of the fleet, as conditions of a query; policy is asked again for every row."""

from __future__ import annotations

import typing as t

from ...rules import scopes
from .. import libs
from ..errors import Refusal
from ..schema.tables import tables
from .acting import Acting

LIST = "baremetal:node:list"
LIST_ALL = "baremetal:node:list_all"


def nodes(acting: Acting) -> t.Any:
    """Give the condition on `nodes` that keeps what the caller may list. Refusal 403: it may list nothing."""
    sa, table = libs.sqlalchemy, tables().nodes
    if acting.nodes_are_shown:
        # Another service has said which; every row is asked for by `Acting.sees`.
        return sa.true()
    if acting.may(LIST_ALL):
        return sa.true()
    if not acting.may(LIST):
        raise Refusal(403, "not_permitted", f"Access was denied to the following resource: {LIST}")
    project = acting.caller.project_id
    if not project:
        return sa.false()
    return sa.or_(table.c.owner == project, table.c.lessee == project)


def asserter(acting: Acting, scope: t.Any) -> t.Any:
    """Give the condition under which the caller may know who acted at `scope` (a column) on a row of `nodes`.

    The rule is rules.masking: a scope that strictly outranks the reader's hides its actors.
    """
    sa, table = libs.sqlalchemy, tables().nodes
    if acting.reads_all:
        return sa.true()
    project = acting.caller.project_id
    if not project:
        return sa.false()
    owner = table.c.owner == project
    lessee = table.c.lessee == project
    return sa.or_(
        sa.and_(scope == scopes.OWNER, owner),
        sa.and_(scope == scopes.LESSEE, sa.or_(owner, lessee)),
    )
