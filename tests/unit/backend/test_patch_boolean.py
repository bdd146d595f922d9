# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""PATCH of a node's /maintenance: the third write path (api.md 3, a sentence a test)."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.support.cast import LESSEE, OWNER
from ansible_collections.baremetal.maintenance.tests.support.service import ABSENT, BELOW, TYPED, Answer, Client, Service

VERSIONS = [ABSENT, "1.64", BELOW, TYPED]


def replace(value: t.Any, path: str = "/maintenance") -> dict[str, t.Any]:
    return {"op": "replace", "path": path, "value": value}


def patched(who: Client, node: str, *operations: dict[str, t.Any], **more: t.Any) -> Answer:
    return who.patch(f"/nodes/{node}", list(operations), **more)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("value", [True, "true", "yes", "on", "1", "t", "y", "TRUE", "True"])
def test_true_makes_a_legacy_entry_without_a_reason(service: Service, owner: Client, value: t.Any, version: str) -> None:
    node = service.uuid_of(service.node())
    answer = patched(owner, node, replace(value), version=version)
    assert answer.status == 200
    assert (answer.json["uuid"], answer.json["maintenance"], answer.json["maintenance_reason"]) == (node, True, None)
    [entry] = service.entries(node)
    assert (entry["type"], entry["scope"], entry["reason"]) == ("legacy", "owner", None)
    assert service.flag(node) == (True, None)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("value", [False, "false", "no", "off", "0", "f", "n", "FALSE"])
def test_false_releases_everything_like_delete(service: Service, owner: Client, value: t.Any, version: str) -> None:
    node = service.uuid_of(service.node())
    owner.put(f"/nodes/{node}/maintenance", {"reason": "x"})
    owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"})
    service.hold(node, scope="lessee", project=LESSEE)
    service.hold(node, "fault", extra={"fault": "power failure"})
    answer = patched(owner, node, replace(value), version=version)
    assert (answer.status, answer.json["maintenance"], answer.json["maintenance_reason"]) == (200, False, None)
    assert service.entries(node) == []
    assert [event["maintenance"]["action"] for event in service.events(node)].count("release") == 4


@pytest.mark.parametrize("version", [ABSENT, TYPED])
def test_false_is_refused_like_delete_and_releases_nothing(service: Service, lessee: Client, version: str) -> None:
    node = service.uuid_of(service.node())
    entry = service.hold(node, "hardware_failure")
    own = service.hold(node, scope="lessee", project=LESSEE)
    answer = patched(lessee, node, replace(False), version=version)
    assert (answer.status, answer.code) == (403, "not_permitted")
    assert answer.said == f"Cannot release maintenance entry {entry} (type hardware_failure, scope system): not permitted at lessee scope"
    assert service.uuids(node) == [entry, own]


HELD = [("legacy", "system"), ("fault", "system"), ("operator_hold", "system"), ("operator_hold", "lessee")]


@pytest.mark.parametrize(("type", "scope"), HELD)
@pytest.mark.parametrize("version", [ABSENT, TYPED])
def test_true_on_a_held_node_changes_nothing_whoever_holds_it(service: Service, owner: Client, version: str, type: str, scope: str) -> None:
    node = service.uuid_of(service.node())
    service.hold(node, type, scope=scope, project=LESSEE if scope == "lessee" else "", reason="kept", extra={"fault": "power failure"})
    before = service.dump()
    answer = patched(owner, node, replace(True), version=version)
    assert (answer.status, answer.json["maintenance"]) == (200, True)
    assert service.dump() == before


def test_false_on_a_free_node_changes_nothing(service: Service, owner: Client) -> None:
    node = service.node()
    before = service.dump()
    answer = patched(owner, node, replace(False))
    assert (answer.status, answer.json["maintenance"], answer.json["updated_at"]) == (200, False, None)
    assert service.dump() == before


@pytest.mark.parametrize("held", [True, False])
@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize("login", ["auditor", "owner-reader", "lessee-reader", "lessee-member"])
def test_a_patch_that_changes_nothing_is_still_authorised(service: Service, login: str, value: bool, held: bool) -> None:
    """A lessee's member passes `node:update`, which is all that Ironic asks: here set_ or clear_maintenance is asked too."""
    node = service.node()
    if held:
        service.hold(node, "legacy")
    before = service.dump()
    answer = patched(service.by(login), node, replace(value))
    assert (answer.status, answer.code, answer.refusal["node"]) == (403, "not_permitted", node)
    rule = "update" if login != "lessee-member" else "set_maintenance" if value else "clear_maintenance"
    assert answer.said == f"Access was denied to the following resource: baremetal:node:{rule}"
    assert service.dump() == before


@pytest.mark.parametrize("value", [None, "", "banana", 1, 0, 2, -1, 1.0, [], {}, [True], "none", "null"])
@pytest.mark.parametrize("op", ["add", "replace", "test"])
def test_what_is_neither_true_nor_false_is_refused(service: Service, owner: Client, op: str, value: t.Any) -> None:
    node = service.node()
    entry = service.hold(node)
    answer = patched(owner, node, {"op": op, "path": "/maintenance", "value": value})
    assert (answer.status, answer.code) == (400, "invalid")
    assert service.uuids(node) == [entry]


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "remove", "path": "/maintenance"},
        {"op": "move", "from": "/maintenance", "path": "/extra"},
        {"op": "move", "from": "/extra", "path": "/maintenance"},
        {"op": "copy", "from": "/extra", "path": "/maintenance"},
        {"op": "copy", "from": "/maintenance", "path": "/description"},
        {"op": "replace", "path": "/maintenance"},
        {"op": "replace", "path": "maintenance", "value": False},
        {"op": "replace", "path": "/maintenance/", "value": False},
        {"op": "replace", "path": "/maintenance/0", "value": False},
        {"op": "replace", "path": "/~maintenance", "value": False},
        {"op": "replace", "path": "", "value": {"maintenance": False}},
        {"op": "replace", "path": "/", "value": False},
        {"op": "REPLACE", "path": "/maintenance", "value": False},
        {"op": ["replace"], "path": "/maintenance", "value": False},
        {"op": "replace", "path": ["/maintenance"], "value": False},
        {"path": "/maintenance", "value": False},
        {"op": "replace", "value": False},
        {},
        "replace",
        None,
        [],
    ],
)
def test_remove_move_copy_and_what_is_no_operation_are_refused(service: Service, owner: Client, operation: t.Any) -> None:
    node = service.node()
    service.hold(node, "legacy")
    before = service.dump()
    for operations in ([operation], [replace(False), operation], [operation, replace(False)]):
        answer = owner.patch(f"/nodes/{node}", operations)
        assert (answer.status, answer.code) == (400, "invalid")
    assert service.dump() == before


@pytest.mark.parametrize("op", ["add", "replace", "remove", "test"])
@pytest.mark.parametrize("path", ["/maintenance_reason", "/fault", "/maintenance_entries", "/generation", "/id", "/uuid"])
def test_what_is_derived_can_not_be_patched_nor_tested(service: Service, owner: Client, path: str, op: str) -> None:
    node = service.node()
    owner.put(f"/nodes/{node}/maintenance", {"reason": "x"})
    before = service.dump()
    answer = patched(owner, node, {"op": op, "path": path, "value": "x"})
    assert (answer.status, answer.code) == (400, "invalid")
    assert path.strip("/") in answer.said
    assert service.dump() == before


@pytest.mark.parametrize("held", [True, False])
def test_a_test_sees_the_synthesised_state(service: Service, owner: Client, held: bool) -> None:
    node = service.node()
    if held:
        service.hold(node)
    before = service.dump()
    assert patched(owner, node, {"op": "test", "path": "/maintenance", "value": held}).status == 200
    answer = patched(owner, node, {"op": "test", "path": "/maintenance", "value": not held})
    assert (answer.status, answer.code) == (400, "invalid")
    assert answer.said == f"The test of /maintenance on node {node} failed: it is {str(held).lower()}."
    assert service.dump() == before


def test_a_failed_test_keeps_everything_else_of_the_patch_from_happening(service: Service, owner: Client) -> None:
    node = service.node()
    service.hold(node, "legacy")
    before = service.dump()
    answer = patched(
        owner,
        node,
        {"op": "test", "path": "/maintenance", "value": False},
        replace("x", "/description"),
        replace(False),
    )
    assert answer.status == 400
    assert service.dump() == before


def test_a_test_after_a_change_sees_the_change(service: Service, owner: Client) -> None:
    """Operations are applied in order (RFC 6902)."""
    node = service.node()
    expect_true = {"op": "test", "path": "/maintenance", "value": True}
    assert patched(owner, node, expect_true, replace(True)).status == 400
    assert service.entries(node) == []
    assert patched(owner, node, replace(True), expect_true).status == 200
    assert patched(owner, node, expect_true, replace(False), expect_true).status == 400
    assert len(service.entries(node)) == 1


def test_of_several_values_the_last_counts(service: Service, owner: Client) -> None:
    node = service.node()
    assert patched(owner, node, replace(False), replace(True)).json["maintenance"] is True
    [entry] = service.entries(node)
    assert patched(owner, node, replace(False), replace(True)).json["maintenance"] is True
    assert service.uuids(node) == [entry["uuid"]]
    assert patched(owner, node, replace(True), replace(False)).json["maintenance"] is False


@pytest.mark.parametrize("version", ["1.70", TYPED])
def test_other_members_change_in_the_same_transaction(service: Service, owner: Client, version: str) -> None:
    node = service.uuid_of(service.node())
    answer = patched(owner, node, replace("in repair", "/description"), replace(True), replace({"a": 1}, "/extra"), version=version)
    assert answer.status == 200
    assert (answer.json["description"], answer.json["maintenance"], answer.json["extra"]) == ("in repair", True, {"a": 1})
    assert answer.json["updated_at"] is not None
    shown = owner.get(f"/nodes/{node}", version=version).json
    assert shown == answer.json


def test_mixed_with_other_paths_authority_comes_first(service: Service, lessee: Client) -> None:
    node = service.node()
    service.hold(node)
    before = service.dump()
    answer = patched(lessee, node, replace("no/such name", "/name"), replace(False))
    assert (answer.status, answer.code) == (403, "not_permitted")
    assert service.dump() == before


@pytest.mark.parametrize(
    ("path", "value"),
    [("/name", "not a name"), ("/name", "taken"), ("/driver_info", {"password": "x"}), ("/nope", 1), ("/properties/a/b", 1), ("/extra", 5)],
)
def test_mixed_with_other_paths_that_fail_nothing_is_released(service: Service, owner: Client, path: str, value: t.Any) -> None:
    node, other = service.node(), service.node()
    service.hold(node, "legacy")
    before = service.dump()
    answer = patched(owner, node, replace(False), replace(other if value == "taken" else value, path))
    assert answer.status == (409 if value == "taken" else 400)
    assert service.dump() == before


def test_giving_up_the_node_in_the_same_patch_does_not_change_who_asked(service: Service, operator: Client, owner: Client) -> None:
    """Authority is evaluated on the row as it is under its lock, before anything of it changes."""
    node = service.node()
    entry = service.hold(node, scope="owner", project=OWNER)
    assert patched(owner, node, replace("project-new", "/lessee"), replace(False)).status == 200
    assert service.entries(node) == []
    other = service.node(owner="project-of-another")
    entry = service.hold(other, scope="owner", project=OWNER)
    answer = patched(owner, other, replace(OWNER, "/owner"), replace(False))
    assert answer.status == 404
    assert service.uuids(other) == [entry]


@pytest.mark.parametrize("body", [None, {}, "x", 5, {"maintenance": False}])
def test_a_body_that_is_no_patch_is_refused(service: Service, owner: Client, body: t.Any) -> None:
    node = service.node()
    service.hold(node, "legacy")
    before = service.dump()
    answer = owner.patch(f"/nodes/{node}", body)
    assert (answer.status, answer.code) == (400, "invalid")
    assert service.dump() == before


def test_an_empty_patch_is_the_node_as_it_is(service: Service, owner: Client) -> None:
    node = service.node()
    before = service.dump()
    answer = owner.patch(f"/nodes/{node}", [])
    assert (answer.status, answer.json) == (200, owner.get(f"/nodes/{node}").json)
    assert service.dump() == before
