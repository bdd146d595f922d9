#!/usr/bin/python
# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Set or unset the maintenance flag of a node."""

from __future__ import annotations

DOCUMENTATION = r"""
module: maintenance_flag
short_description: Set or unset the maintenance flag of a node
version_added: 0.1.0
description:
  - The boolean of today, on any Ironic and on any service with typed holds.
  - On a service with typed holds, setting asserts the node's one hold of type C(legacy) or changes its reason, and touches no other hold;
    whether something changed is about that one. Unsetting releases every hold of the node, or none; the failure then names each one that is
    in the way.
  - On an Ironic without typed holds there is one flag and one reason for everybody. What another user set is overwritten and unset.
extends_documentation_fragment:
  - baremetal.maintenance.api
  - baremetal.maintenance.attributes
  - baremetal.maintenance.attributes.changes
options:
  state:
    description:
      - V(present) sets the flag, V(absent) unsets it.
    type: str
    choices:
      - present
      - absent
    default: present
  node:
    description:
      - Name or UUID of the node.
    type: str
  reason:
    description:
      - Why. If it is not given, the reason that is stored stays. The service keeps 4096 characters.
    type: str
author:
  - The baremetal.maintenance authors (@baremetal-maintenance)
seealso:
  - module: baremetal.maintenance.hold
"""

EXAMPLES = r"""
- name: Set the flag of the play's hosts
  baremetal.maintenance.maintenance_flag:
    reason: Rebalancing rack 3

- name: Unset it
  baremetal.maintenance.maintenance_flag:
    node: rack-3-07
    state: absent
"""

RETURN = r"""
node:
  description: The node as the task named it.
  returned: always
  type: str
  sample: rack-3-07
before:
  description: The node's maintenance before the task.
  returned: success
  type: dict
  contains:
    maintenance:
      description: Whether the node was in maintenance.
      type: bool
    entries:
      description: The type and reason of each hold. Only on a service with typed holds.
      type: list
      elements: dict
    maintenance_reason:
      description: The reason. Only on a service without typed holds.
      type: str
  sample:
    maintenance: true
    entries:
      - type: legacy
        reason: Rebalancing rack 3
after:
  description: The node's maintenance after the task, as RV(before).
  returned: success
  type: dict
  sample:
    maintenance: false
    entries: []
prediction:
  description: V(server) if the service itself said whether it would do it, V(client) if that was predicted from reads.
  returned: in check mode
  type: str
  sample: server
blockers:
  description: The holds that are in the way of unsetting, as in M(baremetal.maintenance.hold).
  returned: on failure
  type: list
  elements: dict
  sample:
    - uuid: 1eb5995e-0dc7-41e3-9657-877b484d2ca2
      type: hardware_failure
      scope: system
      project: null
      why: not permitted at lessee scope
      who_can: a system operator
code:
  description: What kind of failure it is, as in M(baremetal.maintenance.hold).
  returned: on failure
  type: str
  sample: not_permitted
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations import as_module, maintenance_flag


def main() -> None:
    """Run the module."""
    as_module.run(AnsibleModule(supports_check_mode=True, **maintenance_flag.OPERATION.spec()), maintenance_flag.OPERATION)


if __name__ == "__main__":
    main()
