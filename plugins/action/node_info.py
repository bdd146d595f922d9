# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The action plugin of baremetal.maintenance.node_info."""

from __future__ import annotations

from ..module_utils.operations import node_info
from ..plugin_utils.action import MaintenanceAction


class ActionModule(MaintenanceAction):
    """Reads nodes from the controller, without a connection to the host."""

    operation = node_info.OPERATION
    _supports_check_mode = True
