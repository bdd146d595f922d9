# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The cast of the backend's tests: who they are, as the identities file of http_basic has it.

Everything that identifies an operator or one of their projects begins with CANARY, so that a test can look for it in any byte.
"""

from __future__ import annotations

import typing as t

CANARY: t.Final = "canary"

OPERATIONS: t.Final = f"{CANARY}-project-operations"
OWNER: t.Final = "project-owner"
LESSEE: t.Final = "project-lessee"
NEXT_LESSEE: t.Final = "project-next-lessee"
STRANGER: t.Final = "project-stranger"
SERVICE: t.Final = f"{CANARY}-project-service"
SERVICE_NAME: t.Final = f"{CANARY}-service"


def _person(login: str, role: str, project: str) -> dict[str, t.Any]:
    return {
        "user_id": f"id-of-{login}",
        "user_name": f"name-of-{login}",
        "project_id": project,
        "project_name": f"name-of-{project}",
        "roles": [role],
    }


def _operator(login: str, role: str) -> dict[str, t.Any]:
    return {"user_id": f"{CANARY}-id-of-{login}", "user_name": f"{CANARY}-name-of-{login}", "roles": [role], "system": True}


#: Identities by login. A lessee needs the role manager or admin to write, an owner the role member (Ironic's own defaults).
CAST: t.Final[dict[str, dict[str, t.Any]]] = {
    # Operators: system scope and no project of their own.
    "admin": _operator("admin", "admin"),
    "operator": _operator("operator", "member"),
    "night-operator": _operator("night-operator", "member"),
    "auditor": _operator("auditor", "reader"),
    # An operator and a teammate whose credentials carry a project as well.
    "engineer": {
        **_operator("engineer", "member"),
        "project_id": OPERATIONS,
        "project_name": f"{CANARY}-name-of-operations",
    },
    "engineer-mate": {
        **_operator("engineer-mate", "member"),
        "project_id": OPERATIONS,
        "project_name": f"{CANARY}-name-of-operations",
    },
    # A service of the deployment, by its role in the configured service project.
    "conductor": {
        "user_id": f"{CANARY}-id-of-conductor",
        "user_name": f"{CANARY}-name-of-conductor",
        "project_id": SERVICE,
        "project_name": SERVICE_NAME,
        "roles": ["service"],
    },
    "owner": _person("owner", "member", OWNER),
    "owner-mate": _person("owner-mate", "member", OWNER),
    "owner-admin": _person("owner-admin", "admin", OWNER),
    "owner-reader": _person("owner-reader", "reader", OWNER),
    "lessee": _person("lessee", "manager", LESSEE),
    "lessee-mate": _person("lessee-mate", "admin", LESSEE),
    "lessee-member": _person("lessee-member", "member", LESSEE),
    "lessee-reader": _person("lessee-reader", "reader", LESSEE),
    "next-lessee": _person("next-lessee", "manager", NEXT_LESSEE),
    "stranger": _person("stranger", "admin", STRANGER),
}
