# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Record what became of releases."""

from __future__ import annotations

DOCUMENTATION = r"""
name: recovery_released
short_description: Record what became of releases
version_added: 0.2.0
description:
  - A step of the role P(baremetal.maintenance.fault_recovery#role), after faults were released.
options:
  _input:
    description: The rows.
    type: list
    elements: dict
    required: true
  results:
    description:
      - The registered results of a loop of M(baremetal.maintenance.hold), whose items are pairs of a row and one of its entries.
    type: list
    elements: dict
    required: true
  check_mode:
    description: Whether nothing was really released.
    type: bool
    default: false
author:
  - The baremetal.maintenance authors (@baremetal-maintenance)
"""

EXAMPLES = r"""
- name: Record what became of the releases
  ansible.builtin.set_fact:
    rows: "{{ rows | baremetal.maintenance.recovery_released(releases.results, ansible_check_mode) }}"
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


def recovery_released(rows: t.Sequence[Row], results: t.Sequence[Found], check_mode: bool = False) -> list[Row]:
    """Give the rows."""
    return judging.released(rows, results, check_mode=check_mode)


class FilterModule:
    """The filter."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        """Give it by its name."""
        return {"recovery_released": recovery_released}
