# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plan: an inventory in the making. Nothing of it is in Ansible's inventory until all of it is known to be right."""

from __future__ import annotations

import typing as t

from ansible.inventory.host import Host
from ansible.utils.path import basedir

from .errors import InventoryError


class Plan:
    """Hosts, variables and groups to be. Constructable writes into it as if it were Ansible's inventory."""

    def __init__(self, inventory: t.Any, native: t.Iterable[str]) -> None:
        """inventory: Ansible's, with what earlier sources gave. native: the groups that only holds may fill."""
        self._inventory = inventory
        self._native = frozenset(native)
        #: Group → its hosts, in order.
        self.groups: dict[str, dict[str, None]] = {group: {} for group in native}
        #: (parent group, child group), in order.
        self.parents: dict[tuple[str, str], None] = {}
        self.variables: dict[str, dict[str, t.Any]] = {}

    def add_node(self, host: str, variables: dict[str, t.Any], groups: t.Iterable[str]) -> None:
        """Add the host of a node with its variables and native groups."""
        self.variables[host] = variables
        for group in groups:
            self.groups[group][host] = None

    def add_group(self, group: str) -> str:
        """Add a group of the user's own making. Raise InventoryError for a native one: its members are what holds say."""
        if not group:
            raise InventoryError("groups or keyed_groups make a group without a name")
        if group in self._native:
            raise InventoryError(f"groups or keyed_groups make {group}, which only holds may fill: name it otherwise, or set group_prefix")
        self.groups.setdefault(group, {})
        return group

    def add_host(self, host: str, group: str) -> str:
        """Add a planned host to a group."""
        self.groups[group][host] = None
        return host

    def add_child(self, group: str, child: str) -> None:
        """Add a planned host, or a group if there is no such host, to a group."""
        if child in self.variables:
            self.groups[group][child] = None
        elif child == group:
            raise InventoryError(f"keyed_groups make {group} its own parent")
        else:
            self.parents[(group, child)] = None

    def set_variable(self, host: str, name: str, value: t.Any) -> None:
        """Set a variable of a planned host."""
        self.variables[host][name] = value

    def get_host(self, host: str) -> Host:
        """Give the planned host as an expression may see it: with earlier sources' variables, and the groups it is in so far."""
        seen = Host(host, gen_uuid=False)
        known = self._inventory.hosts.get(host)
        source = self._inventory.current_source
        origin = {"inventory_file": source, "inventory_dir": basedir(source) if source else None}
        seen.vars = {**(known.vars if known else origin), **self.variables[host]}
        seen.groups = [*(known.groups if known else ()), *(_Named(group) for group, hosts in self.groups.items() if host in hosts)]
        return seen


class _Named(t.NamedTuple):
    name: str
