# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The registry of types (spec, "Maintenance types"; api.md 5)."""

from __future__ import annotations

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.rules import faults, types


def test_the_spec_defines_four_types_of_which_two_are_reserved() -> None:
    registry = types.Registry()
    assert registry.names == ("legacy", "fault", "hardware_failure", "operator_hold")
    assert registry.assertable == ("hardware_failure", "operator_hold")
    assert {"legacy", "fault"} == types.RESERVED


def test_a_deployment_adds_types_with_the_prefix_x_after_the_specs() -> None:
    registry = types.Registry(["x_legal_hold", "x_2026", "x_a"])
    assert registry.names[4:] == ("x_legal_hold", "x_2026", "x_a")
    assert registry.assertable == ("hardware_failure", "operator_hold", "x_legal_hold", "x_2026", "x_a")
    assert "x_legal_hold" in registry


@pytest.mark.parametrize("name", ["no_such_type", "x_other", "LEGACY", "Operator_Hold", "", None, 3, "operator_hold ", ["operator_hold"]])
def test_a_name_that_is_not_registered_is_not_a_type(name: object) -> None:
    assert name not in types.Registry(["x_legal_hold"])


@pytest.mark.parametrize(
    "name",
    [
        "legal_hold",  # no prefix
        "x_",
        "x__hidden",
        "x-legal",
        "X_LEGAL",
        "x_Legal",
        "x_légal",
        "x_a b",
        "x_a;b",
        "x_a\n",
        "operator_hold",
        "legacy",
        "",
        "x_" + "a" * 63,  # 65 characters, the column holds 64
    ],
)
def test_a_deployments_type_with_another_name_is_refused_naming_it(name: str) -> None:
    with pytest.raises(ValueError, match="x_ followed by lower-case letters") as caught:
        types.Registry([name])
    assert repr(name) in str(caught.value)


def test_a_type_of_64_characters_fits() -> None:
    name = "x_" + "a" * 62
    assert name in types.Registry([name])


def test_a_type_listed_twice_is_refused_naming_it() -> None:
    with pytest.raises(ValueError, match="'x_a' is listed twice"):
        types.Registry(["x_a", "x_b", "x_a"])


def test_ironic_has_four_kinds_of_fault() -> None:
    assert faults.KINDS == ("power failure", "clean failure", "rescue abort failure", "service failure")
