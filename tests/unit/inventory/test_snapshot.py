# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A snapshot is a whole answer, or none."""

from __future__ import annotations

import json
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.plugin_utils.inventory import errors, snapshot
from ansible_collections.baremetal.maintenance.tests.unit.inventory.fleets import entry, node, uuid_of


def verified(*nodes: t.Any) -> snapshot.Snapshot:
    return snapshot.verified(typed=True, types=["legacy"], nodes=nodes, fields=snapshot.FIELDS)


def without(member: str, of: dict[str, t.Any]) -> dict[str, t.Any]:
    return {key: value for key, value in of.items() if key != member}


@pytest.mark.parametrize("field", [*snapshot.FIELDS, "maintenance_entries"])
def test_a_node_that_lacks_a_field_that_was_asked_for_is_refused(field: str) -> None:
    with pytest.raises(errors.InventoryError, match=field):
        verified(node("a"), without(field, node("b")))


@pytest.mark.parametrize(
    "wrong, says",
    [
        ("a string", "str where a node was expected"),
        (None, "NoneType where a node was expected"),
        (node("a", uuid=""), "without a uuid"),
        (node("a", uuid=7), "without a uuid"),
        (node("a", maintenance=None), "neither true nor false"),
        (node("a", maintenance="false"), "'false', which is neither"),
        (node("a", maintenance=0), "neither true nor false"),
        (node("a", owner=["x"]), "owner that is not a string"),
        (node("a", maintenance_entries=None), "entries that are not a list"),
        (node("a", maintenance_entries={"a": 1}), "entries that are not a list"),
        (node("a", maintenance_entries=["x"]), "str where a maintenance entry"),
        (node("a", without("type", entry("legacy"))), "without a type"),
        (node("a", without("scope", entry("legacy"))), "without a scope"),
        (node("a", entry("legacy", uuid=None)), "without a uuid"),
    ],
)
def test_an_answer_that_is_not_a_node_listing_is_refused(wrong: t.Any, says: str) -> None:
    with pytest.raises(errors.InventoryError, match=says):
        verified(node("first"), wrong)


def test_a_node_listed_twice_is_refused_since_another_may_have_been_skipped() -> None:
    with pytest.raises(errors.InventoryError, match=f"{uuid_of('a')} twice"):
        verified(node("a"), node("b"), node("a"))


def test_a_snapshot_survives_a_cache() -> None:
    fleet = verified(node("a", entry("fault", extra={"fault": "power failure"})), node("b"))
    assert snapshot.from_plain(json.loads(json.dumps(fleet.to_plain())), snapshot.FIELDS) == fleet


@pytest.mark.parametrize("plain", [None, [], {}, {"nodes": []}, "text", {"typed": True, "types": [], "nodes": [{"uuid": "x"}]}])
def test_a_cached_value_of_another_shape_is_refused(plain: t.Any) -> None:
    with pytest.raises(errors.InventoryError):
        snapshot.from_plain(plain, snapshot.FIELDS)


@pytest.mark.parametrize(
    "one, held",
    [
        (node("free"), False),
        (node("flag only", maintenance=True), True),
        (node("entries only", entry("operator_hold"), maintenance=False), True),
        (node("fault only", fault="power failure"), True),
        (node("both", entry("operator_hold")), True),
    ],
)
def test_a_node_is_held_if_flag_entries_or_fault_say_so(one: dict[str, t.Any], held: bool) -> None:
    assert snapshot.is_held(one) is held


def test_faults_come_from_the_node_and_from_fault_entries_only() -> None:
    one = node(
        "a",
        entry("fault", extra={"fault": "clean failure"}),
        entry("operator_hold", extra={"fault": "not a fault"}),
        entry("fault", extra=None),
        fault="power failure",
    )
    assert snapshot.faults(one) == ["power failure", "clean failure"]
