# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Identity headers of the outside: what a client says about itself is removed before anything can believe it."""

from __future__ import annotations

import typing as t

#: What Keystone's middleware, oslo.context and their forerunners read as identity, in the form it has in a WSGI environ. Dashes
#: and underscores are the same there, so an alias such as `X_Roles` is caught too.
_PREFIXES: t.Final = (
    "HTTP_OPENSTACK_SYSTEM_SCOPE",
    "HTTP_X_DOMAIN",
    "HTTP_X_IDENTITY_STATUS",
    "HTTP_X_IS_ADMIN",
    "HTTP_X_IS_PUBLIC_API",
    "HTTP_X_IS_SYSTEM",
    "HTTP_X_PROJECT",
    "HTTP_X_ROLE",
    "HTTP_X_SERVICE_",
    "HTTP_X_SYSTEM",
    "HTTP_X_TENANT",
    "HTTP_X_TOKEN",
    "HTTP_X_TRUST",
    "HTTP_X_USER",
)
#: These are credentials, which prove themselves, not statements.
_CREDENTIALS: t.Final = ("HTTP_X_SERVICE_TOKEN",)
_EXACT: t.Final = ("AUTH_TYPE", "REMOTE_IDENT", "REMOTE_USER", "HTTP_REMOTE_USER")


def strip(environ: dict[str, t.Any]) -> None:
    """Remove every identity header from the WSGI environ, in place. X-Auth-Token, X-Service-Token and Authorization stay."""
    for name in [name for name in environ if _is_identity(name.upper().replace("-", "_"))]:
        del environ[name]


def _is_identity(name: str) -> bool:
    return name in _EXACT or (name.startswith(_PREFIXES) and name not in _CREDENTIALS)
