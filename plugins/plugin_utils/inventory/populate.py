# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Populate: Ansible's inventory gets a finished plan."""

from __future__ import annotations

import typing as t

from . import hostvars
from .errors import InventoryError
from .groups import NativeGroups
from .listing import is_listing, printable
from .plan import Plan


def populate(inventory: t.Any, plan: Plan, native: NativeGroups) -> None:
    """Put the plan's groups and hosts into Ansible's inventory.

    Raises InventoryError, or what Ansible raises for a loop of groups, before the first host is added.
    """
    _check(inventory, plan, native)
    for group in plan.groups:
        inventory.add_group(group)
    for parent, child in plan.parents:
        inventory.add_child(parent, child)
    shown = printable if is_listing() else (lambda value: value)
    for host, variables in plan.variables.items():
        inventory.add_host(host)
        known = inventory.hosts[host]
        for name, value in variables.items():
            if name in hostvars.NAMES:
                # Plain JSON, which InventoryData.set_variable would copy to mark its origin: for 10,000 hosts that takes a second.
                known.set_variable(name, shown(value))
            else:
                inventory.set_variable(host, name, shown(value))
    for group, hosts in plan.groups.items():
        for host in hosts:
            inventory.add_host(host, group)


def _check(inventory: t.Any, plan: Plan, native: NativeGroups) -> None:
    for host, variables in plan.variables.items():
        if host in plan.groups or host in inventory.groups:
            raise InventoryError(f"node {variables['baremetal_node_uuid']} would be host {host!r}, but that is the name of a group")
        known = inventory.hosts.get(host)
        if known is None:
            continue
        here = variables["baremetal_node_uuid"]
        there = known.vars.get("baremetal_node_uuid", here)
        if there != here:
            raise InventoryError(f"host {host!r} is node {there} in an earlier inventory source and node {here} in this one")
        if {group.name for group in known.groups}.intersection((native.any, native.none)):
            raise InventoryError(f"host {host!r} has a place in {native.any} or {native.none} from an earlier source; list a fleet once")
