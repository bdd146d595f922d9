# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The one error of building an inventory."""

from __future__ import annotations


class InventoryError(Exception):
    """The inventory can't be built as asked. Its text is one sentence for a person; raised before the first host is added."""
