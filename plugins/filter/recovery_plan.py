# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plan which nodes with a fault are to be checked."""

from __future__ import annotations

DOCUMENTATION = r"""
name: recovery_plan
short_description: Plan which nodes with a fault are to be checked
version_added: 0.2.0
description:
  - The first step of the role P(baremetal.maintenance.fault_recovery#role). It tells which nodes have a fault, by which rules their BMCs
    are to be judged, which of them can't be checked, and how often a fault was asserted on them of late.
  - The rows hold no secret.
options:
  _input:
    description: The nodes, as M(baremetal.maintenance.node_info) gives them.
    type: list
    elements: dict
    required: true
  entries:
    description: Their active entries, as M(baremetal.maintenance.hold_info) gives them for UUIDs of nodes.
    type: list
    elements: dict
    required: true
  access:
    description: What P(baremetal.maintenance.bmc_access#filter) gives.
    type: dict
    required: true
  watch:
    description: Whether nodes that nobody holds are looked at too.
    type: bool
    default: false
  history:
    description:
      - The events of the last hours in the fleet, as M(baremetal.maintenance.history_info) gives them.
      - Without this and O(histories), flaps are not counted.
    type: list
    elements: dict
  histories:
    description:
      - The registered results of a loop over UUIDs of nodes, each with C(item), the UUID, and unless it could not be read C(events).
    type: list
    elements: dict
  since:
    description:
      - From when the events are. A history that does not tell of the assertion of a fault of the node that is newer is not taken for whole,
        and its flaps are not known then.
    type: str
  flap_threshold:
    description: A node on which a fault was asserted so many times is flapping. V(0) means that no node is.
    type: int
    default: 3
  ironic_recovers:
    description: Whether power failures that an Ironic enforces are left to it.
    type: bool
    default: true
  storm_threshold:
    description: Faults on more nodes than this, at about the same time, are one outage and are not counted.
    type: int
    default: 10
  storm_window:
    description: How many seconds apart they are at most.
    type: int
    default: 300
author:
  - The baremetal.maintenance authors (@baremetal-maintenance)
"""

EXAMPLES = r"""
- name: Say who has a fault, and whether the BMC is known
  ansible.builtin.debug:
    msg: "{{ about.nodes | baremetal.maintenance.recovery_plan(held.entries, hostvars | baremetal.maintenance.bmc_access) }}"
"""

RETURN = r"""
_value:
  description: One dictionary for each node with a fault, and with O(watch=true) for each that nobody holds, by name.
  type: list
  elements: dict
"""

import typing as t

from ..plugin_utils.recovery import access as accesses
from ..plugin_utils.recovery import plan
from ..plugin_utils.recovery.row import Found, Row


def recovery_plan(
    nodes: t.Sequence[Found],
    entries: t.Sequence[Found],
    access: t.Mapping[str, t.Any],
    watch: bool = False,
    history: t.Sequence[Found] | None = None,
    histories: t.Sequence[Found] | None = None,
    since: str | None = None,
    flap_threshold: int = 3,
    ironic_recovers: bool = True,
    storm_threshold: int = 10,
    storm_window: int = 300,
) -> list[Row]:
    """Give the rows."""
    return plan.plan(
        nodes,
        entries,
        accesses.restored(access),
        watch=watch,
        history=history,
        histories=histories,
        since=since,
        flap_threshold=flap_threshold,
        ironic_recovers=ironic_recovers,
        storm_threshold=storm_threshold,
        storm_window=storm_window,
    )


class FilterModule:
    """The filter."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        """Give it by its name."""
        return {"recovery_plan": recovery_plan}
