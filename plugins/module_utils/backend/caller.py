# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Caller: the only identity type of the backend."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Caller:
    """Who makes a request, as the identity service tells. Roles are complete: the implied ones (manager, member, reader) are included."""

    user_id: str
    user_name: str | None = None
    #: The id of the credential's project, "" if it has none (system scope, or a service itself).
    project_id: str = ""
    project_name: str | None = None
    user_domain_id: str | None = None
    project_domain_id: str | None = None
    roles: tuple[str, ...] = ()
    #: The credential is scoped to the system ("all").
    system: bool = False
    service_project_id: str | None = None
    service_project_name: str | None = None
    service_roles: tuple[str, ...] = ()
    #: Where the change comes from: api, fault, import, migration, reconcile, expiry, plan, armed.
    source: str = "api"
    #: The raw credential, for forwarding; never logged.
    credential: str | None = dataclasses.field(default=None, repr=False)


def internal(name: str, source: str) -> Caller:
    """Give the identity of the service itself: system authority, an empty project."""
    return Caller(user_id=name, user_name=name, roles=("admin", "manager", "member", "reader"), system=True, source=source)
