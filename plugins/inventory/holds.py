# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Inventory plugin holds: documentation and a name; what it does is in plugin_utils/inventory."""

from __future__ import annotations

DOCUMENTATION = r"""
name: holds
short_description: Hosts from bare-metal nodes, groups from the holds on them
version_added: 0.1.0
author:
  - the baremetal.maintenance authors (@baremetal-maintenance)
description:
  - Lists the nodes that the credential may see, with the holds on them, and makes a host of each.
  - All or nothing. Everything is read and checked before the first host is added; a failed page, a refusal or a time-out is an error
    and gives no host at all. Set E(ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED=1), so that Ansible then stops; without it, it plays what
    other inventory sources gave, and reports success.
  - Reads one page of at most 1000 nodes a request from this collection's backend. A service with typed holds but without that listing is
    asked once for its nodes and then once for each node in maintenance. A service that has the maintenance flag only gives groups from the
    flag and the fault, with a warning.
  - Groups of holds are always there, even when empty. With the default O(group_prefix) these are C(hold_any), C(hold_none),
    C(hold_type_TYPE) for each type that the service lists, C(hold_scope_system), C(hold_scope_owner), C(hold_scope_lessee) and
    C(hold_fault_KIND) for each kind of fault. Characters that a group name can't have become underscores.
  - Choose hosts to work on with C(TARGET:&hold_none). Taking the held ones away from a pattern instead would take away nobody if the group
    were missing.
  - Every host has the variables C(baremetal_node_uuid), C(baremetal_node_name), C(baremetal_holds) (a list of entries as the API gives
    them), C(baremetal_hold_types), C(baremetal_maintenance), C(baremetal_maintenance_reason), C(baremetal_fault), C(baremetal_owner),
    C(baremetal_lessee), C(baremetal_resource_class), C(baremetal_provision_state), C(baremetal_power_state) and C(baremetal_enabled)
    (false while anything holds the node; for the enabled variable of an AWX inventory source). They are empty rather than missing.
  - What the API says is data. A reason that looks like a template is never evaluated. C(ansible-inventory --list) prints such a text, and
    no other, with Ansible's mark C(__ansible_unsafe), which tells AWX not to evaluate it either.
notes:
  - An inventory is a picture of one moment. A play that changes a node asks the API for its holds again before it does.
  - The configuration file is called C(holds.yml), or its name ends in C(.holds.yml).
  - The connection options and O(filters) may be templates.
options:
  plugin:
    description: The name of this plugin, V(baremetal.maintenance.holds).
    type: str
    required: true
    choices:
      - baremetal.maintenance.holds
  hostname:
    description:
      - What a host is called. V(name) is the node's name (its UUID if it has none), V(uuid) its UUID; anything else is a Jinja expression
        over the host's variables.
      - It is an error if two nodes would get one name, or if a node would be called V(localhost), V(all) or V(ungrouped), or like a group.
    type: str
    default: name
  filters:
    description:
      - Filters that the service applies to its nodes, by the names of Ironic's API, such as V(owner), V(lessee), V(resource_class),
        V(provision_state), V(maintenance), V(fault) or V(conductor_group).
    type: dict
    default: {}
  query:
    description:
      - A JMESPath query that chooses nodes out of the list of nodes, each with its fields and its C(maintenance_entries).
        Its result is a list of nodes.
      - Needs the Python library jmespath.
    type: str
  node_fields:
    description:
      - More fields of the nodes to read, such as V(extra) or V(properties). O(query) sees them, and hosts have them as variables
        whose names begin with C(baremetal_).
    type: list
    elements: str
    default: []
  group_prefix:
    description: How the names of the groups of holds begin.
    type: str
    default: hold_
  cache:
    description:
      - Keep what was read from the API in Ansible's inventory cache. Off by default, since cached holds are old holds.
        With O(auth_type=token) it stays off, with a warning.
  compose:
    description: More host variables, from Jinja expressions over the host's variables. They can't replace the plugin's own.
  keyed_groups:
    description:
      - More groups, from the values of expressions. A O(keyed_groups[].key) that is just the name of one of the plugin's own variables
        is looked up instead of evaluated, which takes less than half the time on a large fleet.
extends_documentation_fragment:
  - baremetal.maintenance.api
  - ansible.builtin.constructed
  - ansible.builtin.inventory_cache
seealso:
  - plugin: baremetal.maintenance.hold
    plugin_type: module
  - plugin: baremetal.maintenance.hold_info
    plugin_type: module
"""

EXAMPLES = r"""
# holds.yml, as small as it gets: BAREMETAL_MAINTENANCE_URL and the credential come from the environment.
plugin: baremetal.maintenance.holds

---
# west.holds.yml: nodes of two racks that are leased out, grouped by owner and by rack.
plugin: baremetal.maintenance.holds
api_url: https://baremetal.example.org:6386
auth_type: http_basic
username: deployer
password: "{{ lookup('ansible.builtin.env', 'DEPLOYER_PASSWORD') }}"
node_fields: [extra]
query: "[?lessee && (extra.rack == 'r01' || extra.rack == 'r02')]"
hostname: baremetal_node_name ~ '.mgmt.example.org'
compose:
  rack: baremetal_extra.rack | default('')
groups:
  waiting_for_parts: "'hardware_failure' in baremetal_hold_types"
keyed_groups:
  - key: baremetal_owner
    prefix: owner
  - key: rack
    prefix: rack
"""

from ansible_collections.baremetal.maintenance.plugins.plugin_utils.inventory.plugin import HoldsInventory


class InventoryModule(HoldsInventory):
    """The inventory of a fleet and its holds."""

    NAME = "baremetal.maintenance.holds"
