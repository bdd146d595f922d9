# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be read without an identity."""

from __future__ import annotations

_PUBLIC = frozenset({"", "/v1", "/healthz"})


def is_public(path: str) -> bool:
    """Tell whether a path needs no identity: the version documents `/` and `/v1`, as in Ironic, and the health check."""
    return path.rstrip("/") in _PUBLIC
