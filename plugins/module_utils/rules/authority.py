# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who may release an entry, and whose entry it is (spec, "Scoping": release authority).

These are floors: policy may narrow them, nothing relaxes them.
"""

from __future__ import annotations

import typing as t

from . import scopes, types

#: Governed by policy alone: exactly who can clear boolean- and conductor-set maintenance today.
EXEMPT: t.Final = frozenset({types.LEGACY, types.FAULT})

Why = t.Literal["no_standing", "scope", "project"]


def release_floor(*, type: str, scope: str, asserted_by_project: str, standing: str | None, project: str | None) -> Why | None:
    """Give None if a caller of this standing and project may release the entry, else why it may not.

    `no_standing`: the caller is neither system, owner nor lessee of the node. `scope`: the entry's scope is above the caller's.
    `project`: the scopes are equal and another project asserted the entry.
    """
    if type in EXEMPT:
        return None
    if standing is None:
        return "no_standing"
    if scopes.outranks(standing, scope):
        return None
    if scopes.outranks(scope, standing):
        return "scope"
    if standing == scopes.SYSTEM:
        return None
    return None if project and project == asserted_by_project else "project"


def who_can(*, type: str, scope: str, asserted_by_project: str) -> str:
    """Say in words who may release an entry. Pass an empty project where the reader may not learn it."""
    if type in EXEMPT:
        return "anyone whom policy lets clear maintenance"
    by = f" {asserted_by_project}" if asserted_by_project else ""
    return {
        scopes.LESSEE: f"the project{by} that asserted it while it is the lessee, the node's owner, or a system operator",
        scopes.OWNER: f"the project{by} that asserted it while it is the owner, or a system operator",
    }.get(scope, "a system operator")


def is_own(
    *,
    scope: str,
    asserted_by: str,
    asserted_by_project: str,
    standing: str | None,
    user: str,
    project: str,
) -> bool:
    """Tell whether an entry is the caller's own: same scope and project, and the same user where the project is empty."""
    if standing is None or scope != standing or asserted_by_project != project:
        return False
    return bool(project) or asserted_by == user
