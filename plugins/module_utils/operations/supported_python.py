# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The first import of every module: it says which Python is needed before anything else can fail."""

from __future__ import annotations

import sys

if sys.version_info < (3, 10):  # noqa: UP036 - what runs a delegated task is not what runs Ansible
    raise ImportError(
        "The modules of baremetal.maintenance need Python 3.10 or later on the host that runs them; this is Python "
        + ".".join(str(part) for part in sys.version_info[:3])
        + ". Leave out delegate_to, so that the task runs on the controller, or set ansible_python_interpreter."
    )
