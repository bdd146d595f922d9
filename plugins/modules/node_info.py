#!/usr/bin/python
# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Read nodes."""

from __future__ import annotations

DOCUMENTATION = r"""
module: node_info
short_description: Read nodes
version_added: 0.1.0
description:
  - Gives nodes with all fields that the service has and the credentials let you see.
extends_documentation_fragment:
  - baremetal.maintenance.api
  - baremetal.maintenance.attributes
  - baremetal.maintenance.attributes.reads
options:
  node:
    description:
      - Name or UUID of the node.
    type: str
  nodes:
    description:
      - Names or UUIDs of the nodes, if they are several. An unknown one is an error. An empty list gives nothing.
    type: list
    elements: str
  filters:
    description:
      - Read the nodes that match these filters of the service, such as C(owner), C(lessee), C(maintenance), C(fault), C(resource_class),
        C(driver) and C(provision_state). An empty dictionary means every node.
    type: dict
  query:
    description:
      - A JMESPath expression that is applied to the list RV(nodes). Needs the Python library jmespath.
    type: str
author:
  - The baremetal.maintenance authors (@baremetal-maintenance)
seealso:
  - module: baremetal.maintenance.node
  - module: baremetal.maintenance.hold_info
"""

EXAMPLES = r"""
- name: Read the play's hosts
  baremetal.maintenance.node_info:
  register: about

- name: Read the names of all nodes in maintenance that have an owner
  baremetal.maintenance.node_info:
    filters:
      maintenance: true
    query: "[?owner].name"
  register: maintained
  run_once: true
"""

RETURN = r"""
nodes:
  description: The nodes, those that the task names in its order.
  returned: success
  type: list
  elements: dict
  sample:
    - conductor_group: ""
      created_at: "2026-11-29T15:09:21.249509+00:00"
      description: null
      driver: fake-hardware
      extra: {}
      fault: null
      instance_uuid: null
      lessee: p-lessee
      links:
        - href: https://bm.example.org/v1/nodes/cf6e36e5-22f4-48ac-bd2a-07f6e056992a
          rel: self
        - href: https://bm.example.org/nodes/cf6e36e5-22f4-48ac-bd2a-07f6e056992a
          rel: bookmark
      maintenance: true
      maintenance_reason: "operator_hold: Rescue, CIDTEAM-3702"
      name: rack-c-07
      owner: p-owner
      power_state: null
      properties: {}
      provision_state: null
      resource_class: null
      updated_at: "2026-11-29T15:09:45.954796+00:00"
      uuid: cf6e36e5-22f4-48ac-bd2a-07f6e056992a
query_result:
  description: What O(query) picked.
  returned: if O(query) is given
  type: raw
  sample:
    - rack-c-07
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations import as_module, node_info


def main() -> None:
    """Run the module."""
    as_module.run(AnsibleModule(supports_check_mode=True, **node_info.OPERATION.spec()), node_info.OPERATION)


if __name__ == "__main__":
    main()
