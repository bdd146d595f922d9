# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Native groups: made of holds only, all of them always there."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.plugin_utils.inventory import errors, groups, snapshot
from ansible_collections.baremetal.maintenance.tests.unit.inventory.fleets import entry, node

TYPES = ("legacy", "fault", "hardware_failure", "operator_hold", "x_network")


def of(*nodes: dict[str, t.Any], types: t.Sequence[str] = TYPES, prefix: str = "hold_") -> groups.NativeGroups:
    return groups.NativeGroups(snapshot.verified(typed=True, types=types, nodes=nodes, fields=snapshot.FIELDS), prefix)


def test_every_group_exists_in_an_empty_fleet() -> None:
    assert of().names == [
        "hold_any",
        "hold_none",
        "hold_type_legacy",
        "hold_type_fault",
        "hold_type_hardware_failure",
        "hold_type_operator_hold",
        "hold_type_x_network",
        "hold_scope_system",
        "hold_scope_owner",
        "hold_scope_lessee",
        "hold_fault_power_failure",
        "hold_fault_clean_failure",
        "hold_fault_rescue_abort_failure",
        "hold_fault_service_failure",
    ]


def test_a_free_node_is_in_hold_none_and_in_nothing_else() -> None:
    free = node("a")
    assert of(free).of(free) == ["hold_none"]


def test_a_held_node_is_in_the_groups_of_all_its_entries() -> None:
    held = node(
        "a",
        entry("hardware_failure", "owner"),
        entry("operator_hold", "system"),
        entry("operator_hold", "owner"),
        entry("fault", extra={"fault": "power failure"}),
        fault="power failure",
    )
    assert of(held).of(held) == [
        "hold_any",
        "hold_type_hardware_failure",
        "hold_type_operator_hold",
        "hold_type_fault",
        "hold_scope_owner",
        "hold_scope_system",
        "hold_fault_power_failure",
    ]


def test_a_node_whose_flag_alone_is_set_is_held() -> None:
    flagged = node("a", maintenance=True)
    assert of(flagged).of(flagged) == ["hold_any"]


def test_a_type_taken_out_of_the_registry_keeps_its_group_while_a_node_is_held_by_it() -> None:
    held = node("a", entry("x_retired"))
    assert "hold_type_x_retired" in of(held).names
    assert "hold_type_x_retired" in of(held).of(held)


def test_an_unknown_scope_and_fault_get_groups() -> None:
    held = node("a", entry("operator_hold", "region"), fault="firmware failure")
    assert of(held).of(held) == ["hold_any", "hold_type_operator_hold", "hold_scope_region", "hold_fault_firmware_failure"]


@pytest.mark.parametrize(
    "text, group",
    [
        ("x_rack-power", "x_rack_power"),
        ("power failure", "power_failure"),
        ("größe", "gr__e"),
        ("{{ x }}", "___x___"),
        ("a.b:c", "a_b_c"),
        ("X", "X"),
    ],
)
def test_a_group_name_has_letters_digits_and_underscores_only(text: str, group: str) -> None:
    assert groups.safe(text) == group


def test_two_types_that_would_share_a_group_are_an_error_that_names_both() -> None:
    with pytest.raises(errors.InventoryError, match="'x_a-b' and 'x_a_b' would both be group hold_type_x_a_b"):
        of(types=["x_a-b", "x_a_b"])


def test_a_listed_and_a_met_type_that_would_share_a_group_are_an_error() -> None:
    with pytest.raises(errors.InventoryError, match="'x_a_b' and 'x_a.b'"):
        of(node("a", entry("x_a.b")), types=["x_a_b"])


def test_the_prefix_is_the_users() -> None:
    free = node("a")
    assert of(free, prefix="bm_").of(free) == ["bm_none"]
    assert of(free, prefix="").of(free) == ["none"]


@pytest.mark.parametrize("prefix", ["9_", "a-", "hold ", "{{ x }}", "é"])
def test_a_prefix_that_can_not_begin_a_group_name_is_an_error(prefix: str) -> None:
    with pytest.raises(errors.InventoryError, match="group_prefix"):
        of(prefix=prefix)
