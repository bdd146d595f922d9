# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scopes and standing: at which scope a caller acts on a node (spec, "Scoping").

A scope is `system`, `owner` or `lessee`. A caller's *standing* on a node is the highest scope it holds there, or None.
Which roles may do what is policy's business, not standing's.
"""

from __future__ import annotations

import typing as t

SYSTEM = "system"
OWNER = "owner"
LESSEE = "lessee"

#: Highest first.
SCOPES: t.Final = (SYSTEM, OWNER, LESSEE)

SYSTEM_WRITE_ROLES: t.Final = frozenset({"member", "manager", "admin", "service"})


def rank(scope: str | None) -> int:
    """Give 3 for system, 2 for owner, 1 for lessee, 0 for no standing. An unknown scope ranks as system: nobody below releases it."""
    if scope is None:
        return 0
    return {LESSEE: 1, OWNER: 2}.get(scope, 3)


def outranks(one: str | None, other: str | None) -> bool:
    """Tell whether `one` strictly outranks `other`."""
    return rank(one) > rank(other)


def is_system(
    *,
    system_scoped: bool,
    roles: t.Collection[str],
    project_name: str | None,
    service_project: str | None,
    project_admin_is_system: bool,
) -> bool:
    """Tell whether an identity has system authority to write.

    system_scoped: the credential is scoped to the system. service_project: the name of the project whose service role counts
    as system, None for none. project_admin_is_system: count every project's admin (what the spec calls enforce_scope=False).
    """
    if system_scoped and SYSTEM_WRITE_ROLES.intersection(roles):
        return True
    if service_project and project_name == service_project and "service" in roles:
        return True
    return project_admin_is_system and "admin" in roles


def standing(*, system: bool, project: str | None, owner: str | None, lessee: str | None) -> str | None:
    """Give the highest scope at which a caller acts on a node. An empty project matches nothing."""
    if system:
        return SYSTEM
    if project and project == owner:
        return OWNER
    if project and project == lessee:
        return LESSEE
    return None
