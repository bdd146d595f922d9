# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Masking of asserters: a reader does not learn who acted at a scope that strictly outranks its own."""

from __future__ import annotations

from . import scopes


def hides(entry_scope: str, reader: str | None) -> bool:
    """Tell whether a reader of this scope must not see who asserted at entry_scope, or acted at it."""
    return scopes.outranks(entry_scope, reader)
