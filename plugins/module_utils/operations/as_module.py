# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The entry point that every module shares. It is imported first, and says which Python is needed before anything else can fail."""

from __future__ import annotations

import sys

if sys.version_info < (3, 10):  # noqa: UP036 - what runs a delegated task is not what runs Ansible
    raise ImportError(
        "The modules of baremetal.maintenance need Python 3.10 or later on the host that runs them; this is Python "
        + ".".join(str(part) for part in sys.version_info[:3])
        + ". Leave out delegate_to, so that the task runs on the controller, or set ansible_python_interpreter."
    )

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
