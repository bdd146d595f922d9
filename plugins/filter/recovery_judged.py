# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Decide from the verdicts of BMCs."""

from __future__ import annotations

DOCUMENTATION = r"""
name: recovery_judged
short_description: Decide from verdicts on BMCs which faults may be released
version_added: 0.2.0
description:
  - A step of the role P(baremetal.maintenance.fault_recovery#role), after each attempt to check BMCs. It decides which nodes are clean,
    which are checked again, which are not, and what should be asserted.
  - A row is clean only if the verdict says release, the BMC was reached and said whether the machine is on or off, and the node is not
    flapping. What could not be read is never taken for clean.
options:
  _input:
    description: The rows.
    type: list
    elements: dict
    required: true
  results:
    description:
      - The C(targets_result) of M(baremetal.maintenance.bmc_check) for what P(baremetal.maintenance.recovery_targets#filter) gave.
    type: list
    elements: dict
    required: true
  flap_threshold:
    description: A node on which a fault was asserted so many times is flapping. V(0) means that no node is.
    type: int
    default: 3
  storm_threshold:
    description: More silent BMCs than this in one attempt are one outage.
    type: int
    default: 10
author:
  - The baremetal.maintenance authors (@baremetal-maintenance)
"""

EXAMPLES = r"""
- name: Decide
  ansible.builtin.set_fact:
    rows: "{{ rows | baremetal.maintenance.recovery_judged(checked.targets_result) }}"
"""

RETURN = r"""
_value:
  description: The rows.
  type: list
  elements: dict
"""

import typing as t

from ..plugin_utils.recovery import judging
from ..plugin_utils.recovery.row import Found, Row


def recovery_judged(rows: t.Sequence[Row], results: t.Sequence[Found], flap_threshold: int = 3, storm_threshold: int = 10) -> list[Row]:
    """Give the rows."""
    return judging.judged(rows, results, flap_threshold=flap_threshold, storm_threshold=storm_threshold)


class FilterModule:
    """The filter."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        """Give it by its name."""
        return {"recovery_judged": recovery_judged}
