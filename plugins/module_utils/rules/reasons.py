# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Synthesis of `maintenance_reason` from the active entries (spec, "REST API impact").

Nothing ever parses the synthesised string back: a reason may hold any text.
"""

from __future__ import annotations

import typing as t

from . import types


def synthesise(entries: t.Sequence[tuple[str, str | None]]) -> str | None:
    """Give the `maintenance_reason` of a node from its active entries' (type, reason), oldest first.

    A node's only entry being legacy, its reason is given verbatim, None and "" included.
    """
    if not entries:
        return None
    if len(entries) == 1 and entries[0][0] == types.LEGACY:
        return entries[0][1]
    return "; ".join(f"{type}: {reason}" if reason else type for type, reason in entries)
