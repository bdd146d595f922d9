#!/usr/bin/python
# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Assert or release typed holds on bare-metal nodes."""

from __future__ import annotations

DOCUMENTATION = r"""
module: hold
short_description: Assert or release typed holds on bare-metal nodes
version_added: 0.1.0
description:
  - A hold is one active maintenance entry on one node. Several parties can hold one node, and each hold is released on its own; the node is
    in maintenance as long as at least one is active.
  - The scope of a hold (system, owner or lessee) and who asserted it are recorded by the service from the credentials; nobody can ask for
    them.
  - A hold is the caller's I(own) if it was asserted at the same scope, by the same project and, where the credentials have no project, by
    the same user.
  - Nothing is released, widened or changed because an option was left out.
extends_documentation_fragment:
  - baremetal.maintenance.api
  - baremetal.maintenance.attributes
  - baremetal.maintenance.attributes.changes
options:
  state:
    description:
      - V(present) asserts the hold, V(absent) releases it.
      - V(absent) needs exactly one of O(uuid), O(type) and O(all=true).
    type: str
    choices:
      - present
      - absent
    default: present
  node:
    description:
      - Name or UUID of the node.
    type: str
  nodes:
    description:
      - Names or UUIDs of the nodes, if they are several. An empty list is nothing to do.
    type: list
    elements: str
  type:
    description:
      - The type of the hold, such as V(hardware_failure), V(operator_hold), or a type of the deployment, whose name begins with C(x_).
      - Needed with O(state=present). With O(state=absent) it means the caller's own hold of that type and O(key).
    type: str
  reason:
    description:
      - Why the node is held. Needed with O(state=present), and ignored with O(state=absent).
    type: str
  extra:
    description:
      - More about the hold, for programs. If it is not given, what is stored stays.
    type: dict
  key:
    description:
      - Tells the holds of several teams apart that have the same type, scope and project. It is part of what makes a hold the same hold,
        and can't be changed later.
    type: str
    default: ""
  ticket:
    description:
      - The ticket or change that the hold belongs to.
      - With O(state=absent) and O(type), an own hold with another ticket is not released, and the task fails.
    type: str
  run:
    description:
      - The run of automation that asserts the hold. What is recorded is what the task says here.
      - If it is not given, it is the id of the AWX job, where there is one (the variables C(awx_job_id) and C(tower_job_id), or the
        environment variable E(AWX_JOB_ID)). An empty string means no run, and with O(state=absent) a hold that no run asserted.
      - With O(state=absent) and O(type), an own hold of another run is not released, and the task fails and names that run. So two jobs
        with one credential don't release each other's holds.
    type: str
  uuid:
    description:
      - The one hold to release with O(state=absent), whatever its run and ticket.
    type: str
  all:
    description:
      - Release every hold of the node, or none of them if one may not be released; the failure then names each.
    type: bool
    default: false
  comment:
    description:
      - Why the hold is released, for the audit trail. Needed to release a hold that another user asserted.
    type: str
  on_existing:
    description:
      - What to do if the caller's own hold of this type and O(key) is active already.
      - V(auto) leaves it if it says the same (O(reason), and O(extra) and O(ticket) if given), with a warning if another O(run) asserted
        it; changes it if the same user asserted it in the same O(run); and fails otherwise.
      - V(update) changes it, and its O(run) too.
      - V(keep) leaves it whatever it says, with a warning if another user or run asserted it.
      - V(fail) fails even if it says the same.
      - Two operators without a project have one hold of a type and O(key) between them. The other one's, which ends when they release it,
        is a failure with all of these but V(keep).
    type: str
    choices:
      - auto
      - update
      - keep
      - fail
    default: auto
  on_error:
    description:
      - What a node that can't be held or released means for the others.
      - V(stop) changes nothing if a node is refused. On a service with the extension C(bulk) that is one transaction; on any other, every
        node is checked first, and a failure that comes later is reported with what was changed before it.
      - V(continue) goes on with the others. The task fails at its end if a node failed, and reports what changed.
    type: str
    choices:
      - stop
      - continue
    default: stop
  wait_enforced:
    description:
      - On a service that stands in front of an Ironic, wait until Ironic itself has the node in maintenance. Nobody should touch a machine
        before.
      - Where that took a while, a warning says for what (a lock of Ironic's, named) and how long. Check mode does not wait.
    type: bool
    default: true
  wait_timeout:
    description:
      - How long to wait, in seconds, for all nodes of the task together. After that the task fails and says what locks the node;
        the hold stays.
    type: int
    default: 120
author:
  - The baremetal.maintenance authors (@baremetal-maintenance)
seealso:
  - module: baremetal.maintenance.hold_info
  - module: baremetal.maintenance.maintenance_flag
"""

EXAMPLES = r"""
- name: Hold the play's hosts before their disks are replaced
  baremetal.maintenance.hold:
    type: hardware_failure
    reason: Disk 3 has bad sectors
    ticket: CIDTEAM-3743

- name: Hold the nodes of a rack, all or none
  baremetal.maintenance.hold:
    nodes: "{{ groups['rack_c'] }}"
    type: operator_hold
    reason: Row C power work
    ticket: CHG-2211
    key: dc-team
  run_once: true

- name: Release what was asserted before
  baremetal.maintenance.hold:
    node: rack-c-07
    state: absent
    type: operator_hold
    key: dc-team

- name: Release one hold that somebody else asserted
  baremetal.maintenance.hold:
    node: rack-c-07
    state: absent
    uuid: "{{ stale_hold }}"
    comment: Left over from the last lease, see CHG-2214

- name: Release whatever holds a node, all or nothing
  baremetal.maintenance.hold:
    node: rack-c-07
    state: absent
    all: true
    comment: Machine was replaced
"""

RETURN = r"""
entry:
  description: >-
    The hold as it is after O(state=present), or as it was before O(state=absent); null if there is none. In check mode, the UUID of a hold
    that would be asserted is null.
  returned: if O(node) names the node and there is not more than one hold
  type: dict
  sample:
    uuid: 3a09ae08-e751-41d4-ad65-fe5cca10c53a
    type: hardware_failure
    reason: Disk 3 has bad sectors
    scope: system
    asserted_by: op-id
    asserted_by_project: ""
    asserted_at: "2026-11-29T15:09:24.381581+00:00"
    extra: {}
    links:
      - href: https://bm.example.org/v1/nodes/cf6e36e5-22f4-48ac-bd2a-07f6e056992a/maintenance/3a09ae08-e751-41d4-ad65-fe5cca10c53a
        rel: self
      - href: https://bm.example.org/nodes/cf6e36e5-22f4-48ac-bd2a-07f6e056992a/maintenance/3a09ae08-e751-41d4-ad65-fe5cca10c53a
        rel: bookmark
    key: ""
    ticket: CIDTEAM-3743
    run: null
    asserted_by_name: op
    asserted_by_project_name: null
    own: true
    enforced: false
    enforced_by: none
nodes_result:
  description: What became of each node; of each hold, where several of one node are released.
  returned: always
  type: list
  elements: dict
  contains:
    node:
      description: The node as the task named it.
      type: str
    uuid:
      description: The hold, null if there is none.
      type: str
    changed:
      description: Whether something was changed on this node.
      type: bool
    failed:
      description: Whether this node failed.
      type: bool
    msg:
      description: Why it failed, or why nothing was tried; null otherwise.
      type: str
    blockers:
      description: The holds that are in the way.
      type: list
      elements: dict
    entry:
      description: As RV(entry).
      type: dict
  sample:
    - node: rack-c-07
      uuid: 3a09ae08-e751-41d4-ad65-fe5cca10c53a
      changed: true
      failed: false
      msg: null
      blockers: []
      entry:
        uuid: 3a09ae08-e751-41d4-ad65-fe5cca10c53a
        type: hardware_failure
        reason: Disk 3 has bad sectors
        scope: system
        asserted_by: op-id
        asserted_by_project: ""
        asserted_at: "2026-11-29T15:09:24.381581+00:00"
        extra: {}
        links:
          - href: https://bm.example.org/v1/nodes/cf6e36e5-22f4-48ac-bd2a-07f6e056992a/maintenance/3a09ae08-e751-41d4-ad65-fe5cca10c53a
            rel: self
          - href: https://bm.example.org/nodes/cf6e36e5-22f4-48ac-bd2a-07f6e056992a/maintenance/3a09ae08-e751-41d4-ad65-fe5cca10c53a
            rel: bookmark
        key: ""
        ticket: CIDTEAM-3743
        run: null
        asserted_by_name: op
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
  description: The holds that are in the way.
  returned: on failure
  type: list
  elements: dict
  contains:
    uuid:
      description: The hold.
      type: str
    type:
      description: Its type.
      type: str
    scope:
      description: Its scope.
      type: str
    project:
      description: The project that asserted it, empty if there was none, null if that is not for the caller to know.
      type: str
    why:
      description: Why it is in the way.
      type: str
    who_can:
      description: Who can release it.
      type: str
  sample:
    - uuid: 1eb5995e-0dc7-41e3-9657-877b484d2ca2
      type: hardware_failure
      scope: system
      project: null
      why: not permitted at lessee scope
      who_can: a system operator
code:
  description: >-
    What kind of failure it is. From the service C(not_permitted), C(duplicate), C(locked), C(unknown_type), C(reserved_type), C(invalid),
    C(not_found), C(unauthenticated), C(unavailable), C(not_supported) and others; from the task C(exists), C(other_run), C(other_ticket),
    C(needs_comment), C(not_enforced), C(option), C(unreachable), C(bad_answer) and C(failed).
  returned: on failure
  type: str
  sample: not_permitted
outcome_unknown:
  description: Whether something may have been changed although the task failed.
  returned: on failure
  type: bool
  sample: false
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations import as_module, hold


def main() -> None:
    """Run the module."""
    as_module.run(AnsibleModule(supports_check_mode=True, **hold.OPERATION.spec()), hold.OPERATION)


if __name__ == "__main__":
    main()
