#!/usr/bin/python
# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Assert, change or release the fault of a node."""

from __future__ import annotations

DOCUMENTATION = r"""
module: node_fault
short_description: Assert, change or release the fault of a node
version_added: 0.1.0
description:
  - A node has at most one fault. It is what a service that watches machines asserts when it finds one broken, and it holds the node like
    any other entry.
  - Asserting needs the identity of such a service, or of a system administrator, and a service with the extension C(fault). In front of an
    Ironic, faults come from Ironic only.
  - Releasing needs what unsetting maintenance needs. It touches no other hold.
extends_documentation_fragment:
  - baremetal.maintenance.api
  - baremetal.maintenance.attributes
  - baremetal.maintenance.attributes.changes
options:
  state:
    description:
      - V(present) asserts the fault or changes the one that is there, V(absent) releases it.
    type: str
    choices:
      - present
      - absent
    default: present
  node:
    description:
      - Name or UUID of the node.
    type: str
  fault:
    description:
      - The kind of fault. Needed with O(state=present).
    type: str
    choices:
      - power failure
      - clean failure
      - rescue abort failure
      - service failure
  reason:
    description:
      - What was found. Needed with O(state=present).
    type: str
  comment:
    description:
      - Why the fault is released, for the audit trail; the evidence, say. Needed if another user or service asserted it.
    type: str
author:
  - The baremetal.maintenance authors (@baremetal-maintenance)
seealso:
  - module: baremetal.maintenance.hold
"""

EXAMPLES = r"""
- name: Record that the BMC does not answer
  baremetal.maintenance.node_fault:
    node: rack-3-07
    fault: power failure
    reason: No answer from the BMC for 5 minutes

- name: Release the fault after the BMC was checked
  baremetal.maintenance.node_fault:
    node: rack-3-07
    state: absent
    comment: BMC answers, power state is on, no error in its log
"""

RETURN = r"""
entry:
  description: The fault's entry as it is after O(state=present), or as it was before O(state=absent); null if there is none.
  returned: success
  type: dict
  sample:
    uuid: f33ad504-7e97-4a4a-8cc4-9e4131dce6bd
    type: fault
    reason: No answer from the BMC for 5 minutes
    scope: system
    asserted_by: watch-id
    asserted_by_project: ""
    asserted_at: "2026-11-29T15:09:35.577150+00:00"
    extra:
      fault: power failure
    links:
      - href: https://bm.example.org/v1/nodes/0ca52f47-f9a9-4eeb-96b2-49fa39c6b6a2/maintenance/f33ad504-7e97-4a4a-8cc4-9e4131dce6bd
        rel: self
      - href: https://bm.example.org/nodes/0ca52f47-f9a9-4eeb-96b2-49fa39c6b6a2/maintenance/f33ad504-7e97-4a4a-8cc4-9e4131dce6bd
        rel: bookmark
    key: ""
    ticket: null
    run: null
    asserted_by_name: watch
    asserted_by_project_name: null
    own: true
    enforced: false
    enforced_by: none
nodes_result:
  description: What became of the node, as in M(baremetal.maintenance.hold).
  returned: always
  type: list
  elements: dict
  sample:
    - node: rack-3-07
      uuid: f33ad504-7e97-4a4a-8cc4-9e4131dce6bd
      changed: true
      failed: false
      msg: null
      blockers: []
      entry:
        uuid: f33ad504-7e97-4a4a-8cc4-9e4131dce6bd
        type: fault
        reason: No answer from the BMC for 5 minutes
        scope: system
        asserted_by: watch-id
        asserted_by_project: ""
        asserted_at: "2026-11-29T15:09:35.577150+00:00"
        extra:
          fault: power failure
        links:
          - href: https://bm.example.org/v1/nodes/0ca52f47-f9a9-4eeb-96b2-49fa39c6b6a2/maintenance/f33ad504-7e97-4a4a-8cc4-9e4131dce6bd
            rel: self
          - href: https://bm.example.org/nodes/0ca52f47-f9a9-4eeb-96b2-49fa39c6b6a2/maintenance/f33ad504-7e97-4a4a-8cc4-9e4131dce6bd
            rel: bookmark
        key: ""
        ticket: null
        run: null
        asserted_by_name: watch
        asserted_by_project_name: null
        own: true
        enforced: false
        enforced_by: none
prediction:
  description: V(server) if the service itself said what would change, V(client) if that was predicted from reads.
  returned: in check mode
  type: str
  sample: server
blockers:
  description: The holds that are in the way, as in M(baremetal.maintenance.hold).
  returned: on failure
  type: list
  elements: dict
  sample:
    - uuid: 848358b1-f882-4672-bf90-219ba0070f66
      type: fault
      scope: system
      project: ""
      why: another user asserted it and no comment is given
      who_can: anyone whom policy lets clear maintenance
code:
  description: What kind of failure it is, as in M(baremetal.maintenance.hold).
  returned: on failure
  type: str
  sample: needs_comment
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations import as_module, node_fault


def main() -> None:
    """Run the module."""
    as_module.run(AnsibleModule(supports_check_mode=True, **node_fault.OPERATION.spec()), node_fault.OPERATION)


if __name__ == "__main__":
    main()
