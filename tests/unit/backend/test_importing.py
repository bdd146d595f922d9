# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Import of an Ironic's nodes: what is in maintenance there is held here, nothing is released, and what is not told stays."""

from __future__ import annotations

import typing as t
import uuid

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.errors import Refusal
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.service.importing import Summary, import_nodes
from ansible_collections.baremetal.maintenance.tests.support.cast import LESSEE, OWNER
from ansible_collections.baremetal.maintenance.tests.support.service import Service

STORES = ("sqlite", "postgresql")


def document(**members: t.Any) -> dict[str, t.Any]:
    """A node as an Ironic gives it."""
    return {"uuid": str(uuid.uuid4()), "maintenance": False, "maintenance_reason": None, "fault": None, **members}


def bring(service: Service, *documents: dict[str, t.Any]) -> Summary:
    return import_nodes(service.parts.store, documents)


@pytest.mark.parametrize(
    ("there", "type", "reason", "fault"),
    [
        ({"maintenance": True, "maintenance_reason": "rack move"}, "legacy", "rack move", None),
        ({"maintenance": True}, "legacy", None, None),
        ({"maintenance": True, "maintenance_reason": "no power", "fault": "power failure"}, "fault", "no power", "power failure"),
        ({"maintenance": False, "fault": "clean failure"}, "fault", None, "clean failure"),
    ],
)
def test_a_node_in_maintenance_is_held_at_system_scope(
    service: Service, there: dict[str, t.Any], type: str, reason: str | None, fault: str | None
) -> None:
    node = document(**there)
    assert (bring(service, node).created, bring(service, node).unchanged) == (1, 1)
    [entry] = service.entries(node["uuid"])
    assert (entry["type"], entry["reason"], entry["extra"].get("fault")) == (type, reason, fault)
    assert (entry["scope"], entry["asserted_by"], entry["asserted_by_project"]) == ("system", "import", "")
    assert service.flag(node["uuid"])[0] is True


def test_out_of_maintenance_there_releases_nothing_here(service: Service) -> None:
    node = document(maintenance=True, maintenance_reason="rack move")
    bring(service, node)
    service.hold(node["uuid"], reason="disk")
    before = service.dump()
    assert bring(service, {**node, "maintenance": False, "maintenance_reason": None}).unchanged == 1
    assert service.dump() == before


@pytest.mark.parametrize("reason", ["rack move", None])
def test_what_the_boolean_says_there_is_held_beside_the_typed_holds_here(service: Service, reason: str | None) -> None:
    """Once the hold here is released nothing else would keep the node, and there it is in maintenance for a cause of its own."""
    node = document()
    bring(service, node)
    service.hold(node["uuid"], scope="lessee", project=LESSEE, reason="debugging")
    there = {**node, "maintenance": True, "maintenance_reason": reason}
    assert (bring(service, there).legacy, bring(service, there).unchanged) == (1, 1)
    assert [(entry["type"], entry["reason"]) for entry in service.entries(node["uuid"])] == [
        ("operator_hold", "debugging"),
        ("legacy", reason),
    ]


def test_a_boolean_that_says_what_the_holds_here_say_is_no_hold_of_its_own(service: Service) -> None:
    node = document()
    bring(service, node)
    service.hold_all(node["uuid"], [{"type": "operator_hold", "reason": "debugging"}, {"type": "hardware_failure", "reason": "disk"}])
    there = {**node, "maintenance": True, "maintenance_reason": service.flag(node["uuid"])[1]}
    assert bring(service, there).unchanged == 1
    assert [entry["type"] for entry in service.entries(node["uuid"])] == ["operator_hold", "hardware_failure"]


@pytest.mark.parametrize("missing", ["owner", "lessee", "name", "resource_class", "properties", "extra", "conductor_group", "description"])
def test_a_member_that_the_document_does_not_tell_stays(service: Service, missing: str) -> None:
    """An old version's document has no lessee: that does not end the lease here."""
    node = document(
        name=f"imported-{missing}-{uuid.uuid4().hex[:8]}",
        owner=OWNER,
        lessee=LESSEE,
        resource_class="large",
        properties={"cpus": 8},
        extra={"rack": "r1"},
        conductor_group="west",
        description="the spare",
        provision_state="active",
    )
    bring(service, node)
    del node[missing]
    assert bring(service, node).unchanged == 1
    del node["uuid"]
    assert bring(service, {**document(), **node, "name": None}).created == 1


def test_null_is_told_and_ends_a_lease(service: Service) -> None:
    node = document(owner=OWNER, lessee=LESSEE)
    bring(service, node)
    assert bring(service, {**node, "lessee": None}).changed == 1
    assert service.by("admin").get(f"/nodes/{node['uuid']}").json["lessee"] is None


@pytest.mark.parametrize(
    "members",
    [
        {"extra": {"x": float("inf")}},
        {"properties": {"x": float("nan")}},
        {"extra": {"x": "a\0b"}},
        {"description": "\ud800"},
        {"maintenance": True, "maintenance_reason": "\ud800"},
        {"maintenance": True, "maintenance_reason": 5},
        {"extra": []},
        {"name": "not a name"},
        {"owner": 5},
        {"maintenance": None},
        {"maintenance": "true"},
        {"fault": "cosmic ray"},
        {"fault": []},
        {"uuid": "x"},
        {"uuid": None},
    ],
)
def test_a_document_with_something_odd_is_refused_whole_naming_the_node(service: Service, members: dict[str, t.Any]) -> None:
    before = service.dump()
    odd = document(**members)
    with pytest.raises(Refusal) as caught:
        bring(service, document(), odd)
    assert "Nothing was imported" in caught.value.text
    assert str(odd["uuid"]) in caught.value.text or "number 2" in caught.value.text
    assert service.dump() == before


def test_depth_is_refused_like_anything_odd(service: Service) -> None:
    deep: t.Any = 1
    for _level in range(3_000):
        deep = [deep]
    with pytest.raises(Refusal, match="nested"):
        bring(service, document(extra={"x": deep}))


def test_what_is_not_kept_may_be_odd(service: Service) -> None:
    assert bring(service, document(last_error="a\0b", driver_internal_info={"x": "\ud800"})).created == 1


def test_a_name_of_another_node_imports_nothing(service: Service) -> None:
    before = service.node()
    with pytest.raises(Refusal) as caught:
        bring(service, document(), document(name=before))
    assert caught.value.code == "duplicate"
