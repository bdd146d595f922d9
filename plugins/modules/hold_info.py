#!/usr/bin/python
# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Read the active holds of nodes, or of the fleet."""

from __future__ import annotations

DOCUMENTATION = r"""
module: hold_info
short_description: Read the active holds of nodes, or of the fleet
version_added: 0.1.0
description:
  - Gives the active maintenance entries of nodes, those asserted through the maintenance flag (type C(legacy)) and by the service itself
    (type C(fault)) included.
  - Who asserted a hold is null where the hold's scope is above the reader's.
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
  fleet:
    description:
      - Read the holds of every node that the credentials let you see. Needs a service with the extension C(fleet).
    type: bool
    default: false
  types:
    description:
      - Only holds of these types.
    type: list
    elements: str
  scopes:
    description:
      - Only holds of these scopes.
    type: list
    elements: str
    choices:
      - system
      - owner
      - lessee
  projects:
    description:
      - Only holds that these projects asserted.
    type: list
    elements: str
  older_than:
    description:
      - Only holds asserted longer ago than this, as a number of seconds or with a unit, such as V(90s), V(15m), V(4h), V(2d) or V(1w).
    type: str
  ticket:
    description:
      - Only holds that carry this ticket.
    type: str
  run:
    description:
      - Only holds that this run asserted, as its asserter said.
    type: str
  query:
    description:
      - A JMESPath expression that is applied to the list RV(entries). Needs the Python library jmespath.
    type: str
author:
  - The baremetal.maintenance authors (@baremetal-maintenance)
seealso:
  - module: baremetal.maintenance.hold
  - module: baremetal.maintenance.history_info
"""

EXAMPLES = r"""
- name: Read who holds the play's hosts
  baremetal.maintenance.hold_info:
  register: held

- name: Read what has been broken in the fleet for more than two days
  baremetal.maintenance.hold_info:
    fleet: true
    types:
      - hardware_failure
      - fault
    older_than: 2d
    query: "[].{node: node, since: asserted_at, reason: reason}"
  register: old
  run_once: true
"""

RETURN = r"""
entries:
  description: The holds, each with all fields that the service gives.
  returned: success
  type: list
  elements: dict
  contains:
    node:
      description: The node as the task named it; with O(fleet=true) its name, or its UUID if it has none.
      type: str
    uuid:
      description: The hold.
      type: str
    type:
      description: Its type.
      type: str
    reason:
      description: Why the node is held, null if nobody said.
      type: str
    scope:
      description: V(system), V(owner) or V(lessee).
      type: str
    asserted_by:
      description: The user who asserted it, null if that is not for the reader to know.
      type: str
    asserted_by_project:
      description: The project of that user, empty if there was none, null if that is not for the reader to know.
      type: str
    asserted_at:
      description: When it was asserted.
      type: str
    extra:
      description: More about it; the kind of a fault is in C(extra.fault).
      type: dict
    key:
      description: What tells it apart from others of the same type, scope and project.
      type: str
    ticket:
      description: The ticket that it belongs to.
      type: str
    run:
      description: The run of automation that asserted it, as that run said.
      type: str
    own:
      description: Whether it is the reader's own.
      type: bool
    enforced:
      description: Whether an Ironic keeps the node in maintenance because of it.
      type: bool
    enforced_by:
      description: V(ironic), or V(none) if nothing but those who ask are stopped by it.
      type: str
  sample:
    - node: rack-c-07
      uuid: 6f078688-5345-4ab4-bc5e-13d061d10dce
      type: hardware_failure
      reason: Disk 3 has bad sectors
      scope: system
      asserted_by: op-id
      asserted_by_project: ""
      asserted_at: "2026-11-29T15:09:25.463079+00:00"
      extra: {}
      links:
        - href: https://bm.example.org/v1/nodes/cf6e36e5-22f4-48ac-bd2a-07f6e056992a/maintenance/6f078688-5345-4ab4-bc5e-13d061d10dce
          rel: self
        - href: https://bm.example.org/nodes/cf6e36e5-22f4-48ac-bd2a-07f6e056992a/maintenance/6f078688-5345-4ab4-bc5e-13d061d10dce
          rel: bookmark
      key: ""
      ticket: CIDTEAM-3743
      run: "4711"
      asserted_by_name: op
      asserted_by_project_name: null
      own: true
      enforced: false
      enforced_by: none
query_result:
  description: What O(query) picked.
  returned: if O(query) is given
  type: raw
  sample:
    - node: rack-c-07
      since: "2026-11-29T15:09:25.463079+00:00"
      reason: Disk 3 has bad sectors
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations import as_module, hold_info


def main() -> None:
    """Run the module."""
    as_module.run(AnsibleModule(supports_check_mode=True, **hold_info.OPERATION.spec()), hold_info.OPERATION)


if __name__ == "__main__":
    main()
