# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the BMC of nodes in the inventory."""

from __future__ import annotations

DOCUMENTATION = r"""
name: bmc_access
short_description: Find the BMCs of nodes in the inventory
version_added: 0.2.0
description:
  - Tells from host variables which host is which node, and with which options the node's BMC is reached.
  - A host is the node that its variable C(baremetal_node) or C(baremetal_node_uuid) names. Its own name does not count, since it may be the
    name of another node.
  - The result holds passwords. Use it for the options of a task, and show it nowhere.
options:
  _input:
    description:
      - The variables of hosts by their names, such as the magic variable C(hostvars).
      - Used are C(baremetal_node), C(baremetal_node_uuid), the variables that are named like the options of the BMC modules, such as
        C(bmc_address), and what is to be judged, C(bmc_expected) and C(bmc_ignore).
    type: dict
    required: true
  bmcs:
    description: The same variables by name or UUID of nodes. They win over those of the host, and serve nodes that are no host.
    type: dict
    default: {}
  node:
    description:
      - The node to give the access of, as M(baremetal.maintenance.node_info) gives it; of all nodes if it is not given.
      - Its name and its UUID must not lead to two BMCs, and no other node may have the same one, whose machine would be judged instead.
    type: dict
author:
  - The baremetal.maintenance authors (@baremetal-maintenance)
seealso:
  - plugin: baremetal.maintenance.recovery_targets
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Say which BMCs the inventory does not know
  ansible.builtin.debug:
    msg: "{{ (hostvars | baremetal.maintenance.bmc_access)[item].problem | default('no host is this node', true) }}"
  loop:
    - rack-3-07
"""

RETURN = r"""
_value:
  description:
    - By name and by UUID of each node the dictionaries C(options), C(expected), the list C(ignore), and C(problem), which says why the BMC
      is not known and is null otherwise; or of O(node) alone.
  type: dict
"""

import dataclasses
import typing as t

from ansible.errors import AnsibleError

from ..plugin_utils.recovery import access

_USED: t.Final = (*access.NODE_VARIABLES, *access.BMC_OPTIONS, *access.JUDGING)


def bmc_access(
    hostvars: t.Mapping[str, t.Any], bmcs: t.Mapping[str, t.Any] | None = None, node: t.Mapping[str, t.Any] | None = None
) -> dict[str, t.Any]:
    """Give the access by node, or that of one node."""
    known = access.found([_variables(host, hostvars[host]) for host in hostvars], bmcs or {})
    if node is not None:
        return dataclasses.asdict(access.alone(known, node))
    return {ident: dataclasses.asdict(one) for ident, one in known.items()}


def _variables(host: str, variables: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Give the used variables of a host. One that can't be templated is a problem of this host, not of the run."""
    used = {}
    for name in _USED:
        if name in variables:
            try:
                used[name] = variables[name]
            except AnsibleError:
                used["problem"] = f"the variable {name} of host {host} has no value that can be used"
    return used


class FilterModule:
    """The filter."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        """Give it by its name."""
        return {"bmc_access": bmc_access}
