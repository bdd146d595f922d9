# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan becomes an inventory whole, or nothing of it does."""

from __future__ import annotations

import typing as t

import pytest
from ansible.errors import AnsibleError
from ansible.inventory.data import InventoryData
from ansible_collections.baremetal.maintenance.plugins.plugin_utils.inventory import errors, groups, hostvars, plan, populate, snapshot
from ansible_collections.baremetal.maintenance.tests.unit.inventory.fleets import entry, node, uuid_of


class Made(t.NamedTuple):
    inventory: InventoryData
    plan: plan.Plan
    native: groups.NativeGroups

    def populate(self) -> dict[str, set[str]]:
        populate.populate(self.inventory, self.plan, self.native)
        self.inventory.reconcile_inventory()
        return {name: group.host_names for name, group in self.inventory.groups.items() if group.hosts}


def planned(*nodes: dict[str, t.Any], inventory: InventoryData | None = None) -> Made:
    fleet = snapshot.verified(typed=True, types=["operator_hold"], nodes=nodes, fields=snapshot.FIELDS)
    native = groups.NativeGroups(fleet, "hold_")
    inventory = inventory or InventoryData()
    made = plan.Plan(inventory, native.names)
    for one in fleet.nodes:
        made.add_node(one["name"], hostvars.host_vars(one), native.of(one))
    return Made(inventory, made, native)


def test_hosts_variables_and_groups_arrive() -> None:
    made = planned(node("a", entry("operator_hold")), node("b"))
    assert made.populate() == {
        "hold_any": {"a"},
        "hold_none": {"b"},
        "hold_type_operator_hold": {"a"},
        "hold_scope_system": {"a"},
    }
    assert {"hold_scope_lessee", "hold_fault_power_failure"} <= set(made.inventory.groups)
    assert hostvars.NAMES <= set(made.inventory.hosts["b"].vars)


def test_a_host_named_like_a_native_group_is_an_error_and_no_host_is_added() -> None:
    made = planned(node("a", entry("operator_hold")), node("hold_none", entry("operator_hold")))
    with pytest.raises(errors.InventoryError, match="'hold_none', but that is the name of a group"):
        made.populate()
    assert not made.inventory.hosts


def test_a_host_named_like_a_group_of_an_earlier_source_is_an_error() -> None:
    inventory = InventoryData()
    inventory.add_group("rack1")
    with pytest.raises(errors.InventoryError, match="'rack1', but that is the name of a group"):
        planned(node("rack1"), inventory=inventory).populate()
    assert not inventory.hosts


@pytest.mark.parametrize("group", ["hold_none", "hold_any", "hold_type_operator_hold", "hold_fault_power_failure"])
def test_a_group_of_the_users_own_can_not_be_a_native_one(group: str) -> None:
    with pytest.raises(errors.InventoryError, match=f"make {group}, which only holds may fill"):
        planned(node("a")).plan.add_group(group)


def test_a_loop_of_groups_fails_before_the_first_host() -> None:
    made = planned(node("a"))
    for group in ("g1", "g2"):
        made.plan.add_group(group)
        made.plan.add_host("a", group)
    made.plan.add_child("g1", "g2")
    made.plan.add_child("g2", "g1")
    with pytest.raises(AnsibleError, match="recursive dependency loop"):
        made.populate()
    assert not made.inventory.hosts


def test_a_group_that_is_its_own_parent_is_an_error() -> None:
    made = planned(node("a"))
    made.plan.add_group("g1")
    with pytest.raises(errors.InventoryError, match="g1 its own parent"):
        made.plan.add_child("g1", "g1")


def test_a_host_of_an_earlier_source_keeps_its_variables_and_gains_ours() -> None:
    inventory = InventoryData()
    inventory.add_host("a")
    inventory.set_variable("a", "ansible_host", "10.0.0.1")
    inventory.set_variable("a", "baremetal_node_uuid", uuid_of("a"))
    made = planned(node("a", entry("operator_hold")), inventory=inventory)
    assert made.plan.get_host("a").get_vars()["ansible_host"] == "10.0.0.1"
    assert made.populate()["hold_any"] == {"a"}
    assert inventory.hosts["a"].vars["ansible_host"] == "10.0.0.1"


def test_one_name_for_two_nodes_of_two_sources_is_an_error() -> None:
    inventory = InventoryData()
    inventory.add_host("a")
    inventory.set_variable("a", "baremetal_node_uuid", uuid_of("another"))
    with pytest.raises(errors.InventoryError, match=f"host 'a' is node {uuid_of('another')} in an earlier inventory source"):
        planned(node("a"), inventory=inventory).populate()


def test_a_fleet_listed_twice_is_an_error_since_a_host_could_be_held_and_free() -> None:
    first = planned(node("a", entry("operator_hold")))
    first.populate()
    with pytest.raises(errors.InventoryError, match="hold_any or hold_none from an earlier source"):
        planned(node("a"), inventory=first.inventory).populate()


def test_an_expression_sees_the_groups_so_far() -> None:
    seen = planned(node("a", entry("operator_hold"))).plan.get_host("a").get_vars()
    assert seen["group_names"] == ["hold_any", "hold_scope_system", "hold_type_operator_hold"]
    assert seen["inventory_hostname"] == "a"
