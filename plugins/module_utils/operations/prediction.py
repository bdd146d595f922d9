# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who says in check mode what would change."""

from __future__ import annotations

from ..client.service import Service


def source(service: Service, check_mode: bool) -> str | None:
    """Give `server` for a service with dry runs, `client` for one whose answer is predicted from reads, None outside check mode."""
    if not check_mode:
        return None
    return "server" if service.has("dry_run") else "client"
