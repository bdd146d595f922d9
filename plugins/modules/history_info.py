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
  sample: []
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations import as_module, history_info


def main() -> None:
    """Run the module."""
    as_module.run(AnsibleModule(supports_check_mode=True, **history_info.OPERATION.spec()), history_info.OPERATION)


if __name__ == "__main__":
    main()
