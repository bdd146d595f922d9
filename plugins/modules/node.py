#!/usr/bin/python
# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Enrol, change or remove a node."""

from __future__ import annotations

DOCUMENTATION = r"""
module: node
short_description: Enrol, change or remove a node
version_added: 0.1.0
description:
  - Keeps the nodes of the service's own registry. Only what is given is changed.
  - A node with active holds is not removed, for anybody; the failure names them.
extends_documentation_fragment:
  - baremetal.maintenance.api
  - baremetal.maintenance.attributes
  - baremetal.maintenance.attributes.changes
options:
  state:
    description:
      - V(present) enrols the node or changes it, V(absent) removes it.
    type: str
    choices:
      - present
      - absent
    default: present
  name:
    description:
      - Name of the node. Together with O(uuid), the name to give it.
    type: str
  uuid:
    description:
      - UUID of the node, or for a new one the UUID to give it.
    type: str
  owner:
    description:
      - The project that owns the node. An empty string clears it.
    type: str
  lessee:
    description:
      - The project that has the node on lease. An empty string clears it.
      - Holds stay when this changes. Those of the former lessee can then be released by the owner or a system operator only.
    type: str
  resource_class:
    description:
      - The resource class. An empty string clears it.
    type: str
  driver:
    description:
      - The hardware type.
    type: str
  description:
    description:
      - A description. An empty string clears it.
    type: str
  properties:
    description:
      - Properties to set. Those that are not given stay, and one that is null is removed.
    type: dict
  extra:
    description:
      - Members of C(extra) to set. Those that are not given stay, and one that is null is removed.
    type: dict
  release_holds:
    description:
      - With O(state=absent), first release every hold of the node, if the credentials may release each of them. If not, nothing is released
        and the node stays.
    type: bool
    default: false
  comment:
    description:
      - Why the holds are released, for the audit trail. Needed if another user asserted one of them.
    type: str
author:
  - The baremetal.maintenance authors (@baremetal-maintenance)
seealso:
  - module: baremetal.maintenance.node_info
"""

EXAMPLES = r"""
- name: Enrol a node
  baremetal.maintenance.node:
    name: rack-3-07
    resource_class: compute
    owner: 9c84d2e0f1a34b6fb0a1d2c3e4f50617
    lessee: a0a0a0b1b1b1c2c2c2d3d3d3e4e4e4f5
    properties:
      cpus: 64

- name: End the lease
  baremetal.maintenance.node:
    name: rack-3-07
    lessee: ""

- name: Remove the node and whatever holds it
  baremetal.maintenance.node:
    name: rack-3-07
    state: absent
    release_holds: true
    comment: Scrapped
"""

RETURN = r"""
node:
  description: The node as it is after the task, null if it is not in the registry.
  returned: success
  type: dict
  sample:
    conductor_group: ""
    created_at: "2026-11-29T15:09:44.017702+00:00"
    description: null
    driver: null
    extra: {}
    fault: null
    instance_uuid: null
    lessee: a0a0a0b1b1b1c2c2c2d3d3d3e4e4e4f5
    links:
      - href: https://bm.example.org/v1/nodes/0b991961-1811-4a83-b829-2fa7d0480839
        rel: self
      - href: https://bm.example.org/nodes/0b991961-1811-4a83-b829-2fa7d0480839
        rel: bookmark
    maintenance: false
    maintenance_reason: null
    name: rack-3-07
    owner: 9c84d2e0f1a34b6fb0a1d2c3e4f50617
    power_state: null
    properties:
      cpus: 64
    provision_state: null
    resource_class: compute
    updated_at: null
    uuid: 0b991961-1811-4a83-b829-2fa7d0480839
prediction:
  description: V(server) if the service itself said what would change, V(client) if that was predicted from reads.
  returned: in check mode
  type: str
  sample: server
blockers:
  description: The holds that are in the way of removing the node, as in M(baremetal.maintenance.hold).
  returned: on failure
  type: list
  elements: dict
  sample:
    - uuid: 1eb5995e-0dc7-41e3-9657-877b484d2ca2
      type: hardware_failure
      scope: system
      project: ""
      why: it is active
      who_can: a system operator
code:
  description: What kind of failure it is, as in M(baremetal.maintenance.hold), or C(held).
  returned: on failure
  type: str
  sample: held
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations import as_module, node


def main() -> None:
    """Run the module."""
    as_module.run(AnsibleModule(supports_check_mode=True, **node.OPERATION.spec()), node.OPERATION)


if __name__ == "__main__":
    main()
