# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What policy rules may ask of the caller."""

from __future__ import annotations

import typing as t

from ..caller import Caller

#: The attributes a rule may name on the left of its colon, beside `role` and `rule`.
ATTRIBUTES: t.Final = (
    "user_id",
    "user_name",
    "user_domain_id",
    "project_id",
    "project_name",
    "project_domain_id",
    "roles",
    "system_scope",
    "service_project_id",
    "service_project_name",
    "service_roles",
)


def credentials(caller: Caller, *, project_admin_is_system: bool) -> dict[str, t.Any]:
    """Give the caller's attributes for one decision: a fresh dict (oslo.policy writes into it) without nulls and empty values.

    `system_scope` is `all` or absent, never another word: oslo.policy takes any word for a system scope. With
    project_admin_is_system it is `all` for the admin of any project too.
    """
    values: dict[str, t.Any] = {
        "user_id": caller.user_id,
        "user_name": caller.user_name,
        "user_domain_id": caller.user_domain_id,
        "project_id": caller.project_id,
        "project_name": caller.project_name,
        "project_domain_id": caller.project_domain_id,
        "service_project_id": caller.service_project_id,
        "service_project_name": caller.service_project_name,
        "service_roles": list(caller.service_roles),
    }
    given = {name: value for name, value in values.items() if value}
    # oslo.policy iterates over the roles without asking whether there are any.
    given["roles"] = list(caller.roles)
    if caller.system or (project_admin_is_system and "admin" in caller.roles):
        given["system_scope"] = "all"
    return given
