# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The entry point that the modules about the API share. It is imported first, since it says which Python is needed."""

from __future__ import annotations

# isort: off
from . import supported_python  # noqa: F401 # pylint: disable=unused-import  # must come first

# isort: on
import os

from ansible.module_utils.basic import AnsibleModule

from .operation import Operation
from .perform import perform


def run(module: AnsibleModule, operation: Operation) -> None:
    """Do the operation with the module's parameters and leave with its result."""
    result = perform(operation, module.params, os.environ, check_mode=module.check_mode, diff=module._diff)
    if result.pop("failed", False):
        module.fail_json(**result)
    module.exit_json(**result)
