# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a request names a node: by uuid or by name."""

from __future__ import annotations

import typing as t

from ..errors import Refusal
from ..service import node_members


def check(ident: t.Any) -> str:
    """Give the identifier. Refusal 400, in Ironic's words: it is neither a uuid nor what a name can be."""
    if ident is None:
        raise Refusal(400, "invalid", "Expected a logical name or UUID but received None.")
    if not isinstance(ident, str) or not node_members.is_name(ident):
        raise Refusal(400, "invalid", f"Expected UUID or name for node_ident: {str(ident)[:300]}")
    return ident
