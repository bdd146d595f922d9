# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Report what became of every fault."""

from __future__ import annotations

DOCUMENTATION = r"""
name: recovery_report
short_description: Report what became of every fault
version_added: 0.2.0
description:
  - The last step of the role P(baremetal.maintenance.fault_recovery#role).
options:
  _input:
    description: The rows.
    type: list
    elements: dict
    required: true
  asserted:
    description:
      - The registered results of loops of M(baremetal.maintenance.hold) and M(baremetal.maintenance.node_fault) over rows, to assert what
        was proposed.
    type: list
    elements: dict
    default: []
  asked:
    description:
      - The registered results of the same loop of M(baremetal.maintenance.node_fault) in check mode, before. A node of it that is not in
        O(asserted) is one whose faults are asserted by an Ironic.
    type: list
    elements: dict
    default: []
  storm_threshold:
    description: More silent BMCs than this in one attempt are one outage.
    type: int
    default: 10
  check_mode:
    description: Whether nothing was really changed.
    type: bool
    default: false
author:
  - The baremetal.maintenance authors (@baremetal-maintenance)
"""

EXAMPLES = r"""
- name: Show the report as a table
  ansible.builtin.debug:
    msg: "{{ (rows | baremetal.maintenance.recovery_report).table }}"
"""

RETURN = r"""
_value:
  description: The report.
  type: dict
  contains:
    counts:
      description: How many nodes had which outcome.
      type: dict
    outage:
      description: How many BMCs were silent at once, with the threshold, if that was an outage, null otherwise.
      type: dict
    nodes:
      description: What became of each node, and why; first what asks for a person.
      type: list
      elements: dict
    table:
      description: The same as lines of text.
      type: list
      elements: str
    check_mode:
      description: Whether nothing was really changed.
      type: bool
"""

import typing as t

from ..plugin_utils.recovery import reporting
from ..plugin_utils.recovery.row import Found, Json, Row


def recovery_report(
    rows: t.Sequence[Row],
    asserted: t.Sequence[Found] = (),
    asked: t.Sequence[Found] = (),
    storm_threshold: int = 10,
    check_mode: bool = False,
) -> Json:
    """Give the report, with its table."""
    whole = reporting.report(rows, asserted, asked, storm_threshold=storm_threshold, check_mode=check_mode)
    return {**whole, "table": reporting.table(whole)}


class FilterModule:
    """The filter."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        """Give it by its name."""
        return {"recovery_report": recovery_report}
