# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The action plugin of baremetal.maintenance.bmc_info."""

from __future__ import annotations

from ..module_utils.operations import bmc_info
from ..plugin_utils.bmc_action import BmcAction


class ActionModule(BmcAction):
    """Reads BMCs from the controller."""

    operation = bmc_info.OPERATION
    _supports_check_mode = True
