# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who may release what (spec, "Scoping"), as a table of sentences read off the specification; nothing here computes it."""

from __future__ import annotations

import typing as t

ALLOWED: t.Final = None
NEEDS_STANDING: t.Final = "no_standing"
SCOPE_ABOVE: t.Final = "scope"
OTHER_PROJECT: t.Final = "project"

# standing of the caller, scope of the entry, what comes out when the entry is (my project's, another project's, no project's)
TABLE: t.Final[list[tuple[str | None, str, str | None, str | None, str | None]]] = [
    # "a caller whose scope strictly outranks the entry's may release it (system > owner > lessee)": the project does not matter.
    ("system", "owner", ALLOWED, ALLOWED, ALLOWED),
    ("system", "lessee", ALLOWED, ALLOWED, ALLOWED),
    ("owner", "lessee", ALLOWED, ALLOWED, ALLOWED),
    # "at equal scope, the caller's project must also match the entry's asserted_by_project"
    ("owner", "owner", ALLOWED, OTHER_PROJECT, OTHER_PROJECT),
    ("lessee", "lessee", ALLOWED, OTHER_PROJECT, OTHER_PROJECT),
    # "except at system scope: any caller with system authority may release any system entry"
    ("system", "system", ALLOWED, ALLOWED, ALLOWED),
    # "a project-scoped caller can not release a system-scope entry"
    ("owner", "system", SCOPE_ABOVE, SCOPE_ABOVE, SCOPE_ABOVE),
    ("lessee", "system", SCOPE_ABOVE, SCOPE_ABOVE, SCOPE_ABOVE),
    # A scope above one's own stays above it even when one's own project asserted it (it was the owner once).
    ("lessee", "owner", SCOPE_ABOVE, SCOPE_ABOVE, SCOPE_ABOVE),
    # A scope that this version does not know is the operators': only they may end it.
    ("system", "x_tenant", ALLOWED, ALLOWED, ALLOWED),
    ("owner", "x_tenant", SCOPE_ABOVE, SCOPE_ABOVE, SCOPE_ABOVE),
    ("lessee", "x_tenant", SCOPE_ABOVE, SCOPE_ABOVE, SCOPE_ABOVE),
    # "A former lessee's project loses access to the node": whoever is nothing on the node releases nothing, its own entry included.
    (None, "system", NEEDS_STANDING, NEEDS_STANDING, NEEDS_STANDING),
    (None, "owner", NEEDS_STANDING, NEEDS_STANDING, NEEDS_STANDING),
    (None, "lessee", NEEDS_STANDING, NEEDS_STANDING, NEEDS_STANDING),
    (None, "x_tenant", NEEDS_STANDING, NEEDS_STANDING, NEEDS_STANDING),
]
SCOPES: t.Final = ("system", "owner", "lessee", "x_tenant")
STANDINGS: t.Final = ("system", "owner", "lessee", None)
