# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The environment of the processes that serve: the server hands it to the application with every request."""

from __future__ import annotations

import re
import typing as t

#: Enough for Python, its libraries and the system's. Everything else is left behind: a variable HTTP_X_USER_ID would reach the
#: application as a header, and a secret in a variable would be in every request.
_KEPT = re.compile(
    r"PATH|HOME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|VIRTUAL_ENV|LD_LIBRARY_PATH|SSL_CERT_(?:FILE|DIR)"
    # Where PostgreSQL's client looks for what the database's URL does not say, but no password itself.
    r"|PGPASSFILE|PGSERVICEFILE|PGSYSCONFDIR|PGSSL[A-Z]+"
    r"|PYTHON(?:PATH|HOME|UNBUFFERED|HASHSEED|DONTWRITEBYTECODE|WARNINGS|NOUSERSITE)"
)


def clean(environ: t.MutableMapping[str, str]) -> None:
    """Remove from the environment, in place, what the serving processes have no use for."""
    for name in [name for name in environ if not _KEPT.fullmatch(name)]:
        del environ[name]
