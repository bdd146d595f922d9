# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The entry point that the modules about BMCs share."""

from __future__ import annotations

# isort: off
from . import supported_python  # noqa: F401 # pylint: disable=unused-import  # must come first

# isort: on
from ansible.module_utils.basic import AnsibleModule

from .bmc_operation import BmcOperation
from .bmc_perform import perform


def run(module: AnsibleModule, operation: BmcOperation) -> None:
    """Do the operation with the module's parameters and leave with its result."""
    result = perform(operation, module.params, check_mode=module.check_mode, diff=module._diff)
    if result.pop("failed", False):
        module.fail_json(**result)
    module.exit_json(**result)
