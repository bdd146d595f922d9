# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Give the BMCs that are to be checked."""

from __future__ import annotations

DOCUMENTATION = r"""
name: recovery_targets
short_description: Give the BMCs that are to be checked
version_added: 0.2.0
description:
  - Gives the option C(targets) of M(baremetal.maintenance.bmc_check) for the nodes that are due in the role
    P(baremetal.maintenance.fault_recovery#role).
  - The result holds passwords. Use it for the options of a task, and show it nowhere.
options:
  _input:
    description: The rows, as P(baremetal.maintenance.recovery_plan#filter) and P(baremetal.maintenance.recovery_judged#filter) give them.
    type: list
    elements: dict
    required: true
  access:
    description: What P(baremetal.maintenance.bmc_access#filter) gives.
    type: dict
    required: true
author:
  - The baremetal.maintenance authors (@baremetal-maintenance)
"""

EXAMPLES = r"""
- name: Check the BMCs
  baremetal.maintenance.bmc_check:
    targets: "{{ rows | baremetal.maintenance.recovery_targets(hostvars | baremetal.maintenance.bmc_access) }}"
"""

RETURN = r"""
_value:
  description: A dictionary for each row that is due, whose C(node) is the node's UUID.
  type: list
  elements: dict
"""

import typing as t

from ..plugin_utils.recovery import access as accesses
from ..plugin_utils.recovery import judging
from ..plugin_utils.recovery.row import Row


def recovery_targets(rows: t.Sequence[Row], access: t.Mapping[str, t.Any]) -> list[dict[str, t.Any]]:
    """Give the targets."""
    return judging.targets(rows, accesses.restored(access))


class FilterModule:
    """The filter."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        """Give it by its name."""
        return {"recovery_targets": recovery_targets}
