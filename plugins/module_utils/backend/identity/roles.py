# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keystone's implied roles: admin implies manager, manager member, member reader. `service` stands alone."""

from __future__ import annotations

import typing as t

_IMPLIES: t.Final = {"admin": "manager", "manager": "member", "member": "reader"}


def expanded(roles: t.Iterable[str]) -> tuple[str, ...]:
    """Give the roles with those that they imply, each once, in the order given. Roles are lower-cased, as they are compared."""
    complete: dict[str, None] = {}
    for role in roles:
        implied: str | None = role.lower()
        while implied is not None:
            complete.setdefault(implied)
            implied = _IMPLIES.get(implied)
    return tuple(complete)
