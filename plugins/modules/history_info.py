#!/usr/bin/python
# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Read who held and released what, and when."""

from __future__ import annotations

DOCUMENTATION = r"""
module: history_info
short_description: Read who held and released what, and when
version_added: 0.1.0
description:
  - Gives the events in the history of a node, or with O(fleet=true) the maintenance events of every node.
  - The history of a node needs what reading node history needs, by default the node's owner or a system reader; that of the fleet a system
    reader.
extends_documentation_fragment:
  - baremetal.maintenance.api
  - baremetal.maintenance.attributes
  - baremetal.maintenance.attributes.reads
options:
  node:
    description:
      - Name or UUID of the node.
    type: str
  fleet:
    description:
      - Read the history of all nodes. Needs a service with the extension C(fleet_history).
    type: bool
    default: false
  type:
    description:
      - Only events about entries of this type.
    type: str
  action:
    description:
      - Only events of this action, such as V(assert), V(update) or V(release).
    type: str
  user:
    description:
      - Only what this user did.
    type: str
  ticket:
    description:
      - Only events about entries with this ticket.
    type: str
  run:
    description:
      - Only events about entries of this run.
    type: str
  since:
    description:
      - Only events at or after this time, in ISO 8601, for example V(2026-06-10T10:30:00+00:00). Without an offset it is UTC.
    type: str
  until:
    description:
      - Only events before this time, as O(since).
    type: str
author:
  - The baremetal.maintenance authors (@baremetal-maintenance)
seealso:
  - module: baremetal.maintenance.hold_info
"""

EXAMPLES = r"""
- name: Read the history of the play's hosts
  baremetal.maintenance.history_info:
  register: past

- name: Read what was released in the fleet for a change
  baremetal.maintenance.history_info:
    fleet: true
    action: release
    ticket: CHG-2211
  register: released
  run_once: true
"""

RETURN = r"""
events:
  description: The events, oldest first, as the service gives them.
  returned: success
  type: list
  elements: dict
  contains:
    uuid:
      description: The event.
      type: str
    created_at:
      description: When it was.
      type: str
    event:
      description: What it was, in words.
      type: str
    event_type:
      description: V(maintenance), or on an Ironic another type.
      type: str
    user:
      description: Who did it, null if that is not for the reader to know.
      type: str
    project:
      description: As which project, empty if there was none.
      type: str
    maintenance:
      description: What was done to which entry, with type, scope, reason, key, ticket, run and the comment of a release.
      type: dict
  sample:
    - node_uuid: 63c165f8-df8b-4e82-b433-dc801e877bd2
      node_name: rack-c-08
      uuid: af788a19-3ed9-4f7d-a330-04dfdb4e8a93
      created_at: "2026-11-29T15:09:25.418909+00:00"
      severity: INFO
      event: "maintenance release: type operator_hold, scope system: Row C power work"
      event_type: maintenance
      conductor: null
      user: op-id
      links:
        - href: https://bm.example.org/v1/nodes/63c165f8-df8b-4e82-b433-dc801e877bd2/history/af788a19-3ed9-4f7d-a330-04dfdb4e8a93
          rel: self
        - href: https://bm.example.org/nodes/63c165f8-df8b-4e82-b433-dc801e877bd2/history/af788a19-3ed9-4f7d-a330-04dfdb4e8a93
          rel: bookmark
      project: ""
      state: null
      target_provision_state: null
      duration_seconds: null
      maintenance:
        action: release
        entry_uuid: 1889e392-b905-4987-baaf-d431743eb319
        type: operator_hold
        scope: system
        key: dc-team
        ticket: CHG-2211
        run: null
        reason: Row C power work
        comment: null
        user_name: op
        project_name: null
        actor_scope: system
        source: api
        data: null
        count: 1
        last_at: null
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations import as_module, history_info


def main() -> None:
    """Run the module."""
    as_module.run(AnsibleModule(supports_check_mode=True, **history_info.OPERATION.spec()), history_info.OPERATION)


if __name__ == "__main__":
    main()
