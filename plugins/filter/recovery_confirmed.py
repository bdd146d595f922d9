# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Leave out of a release what changed since it was judged."""

from __future__ import annotations

DOCUMENTATION = r"""
name: recovery_confirmed
short_description: Leave out of a release what changed since it was judged
version_added: 0.2.0
description:
  - A step of the role P(baremetal.maintenance.fault_recovery#role), immediately before faults are released. A fault of another kind by now,
    or a node whose power is about to change, was not judged.
options:
  _input:
    description: The rows.
    type: list
    elements: dict
    required: true
  entries:
    description: The entries of the clean nodes as they are now, as M(baremetal.maintenance.hold_info) gives them for UUIDs of nodes.
    type: list
    elements: dict
    required: true
  nodes:
    description: The clean nodes as they are now, as M(baremetal.maintenance.node_info) gives them.
    type: list
    elements: dict
    required: true
author:
  - The baremetal.maintenance authors (@baremetal-maintenance)
"""

EXAMPLES = r"""
- name: Leave out what changed
  ansible.builtin.set_fact:
    rows: "{{ rows | baremetal.maintenance.recovery_confirmed(held.entries, about.nodes) }}"
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


def recovery_confirmed(rows: t.Sequence[Row], entries: t.Sequence[Found], nodes: t.Sequence[Found]) -> list[Row]:
    """Give the rows."""
    return judging.confirmed(rows, entries, nodes)


class FilterModule:
    """The filter."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        """Give it by its name."""
        return {"recovery_confirmed": recovery_confirmed}
