# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which policy each call asks (api.md 4, the table), and that nothing else opens or closes it."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.policy import defaults
from ansible_collections.baremetal.maintenance.tests.support.cast import OWNER
from ansible_collections.baremetal.maintenance.tests.support.service import BELOW, TYPED, Answer, Build, Client, Service

SET, CLEAR = "baremetal:node:set_maintenance", "baremetal:node:clear_maintenance"
GET, ADD, REMOVE = "baremetal:node:maintenance:get", "baremetal:node:maintenance:add", "baremetal:node:maintenance:remove"
UPDATE, FAULT = "baremetal:node:maintenance:update", "baremetal:node:maintenance:fault"
NODE_UPDATE, DELETE, DELETE_OWN = "baremetal:node:update", "baremetal:node:delete", "baremetal:node:delete:self_owned_node"
HISTORY, FLEET_HISTORY = "baremetal:node:history:get", "baremetal:maintenance:history:get"
RULES = (SET, CLEAR, GET, ADD, REMOVE, UPDATE, FAULT, NODE_UPDATE, DELETE, DELETE_OWN, HISTORY, FLEET_HISTORY)

PATCH = [{"op": "replace", "path": "/maintenance"}]

Call = t.Callable[[Client, str, str], Answer]


def patch(value: bool, version: str = TYPED) -> Call:
    return lambda who, node, _entry: who.patch(f"/nodes/{node}", [{**PATCH[0], "value": value}], version=version)


def bulk_assert(who: Client, node: str, _entry: str) -> Answer:
    return who.post("/maintenance", {"nodes": [node], "type": "hardware_failure"})


# what is called, on a node with which entry (of the caller's project), and every rule that it needs beside node:get
CALLS: list[tuple[str, str | None, Call, tuple[str, ...]]] = [
    ("PUT", None, lambda who, node, _entry: who.put(f"/nodes/{node}/maintenance", {"reason": "x"}), (SET,)),
    ("PUT below", None, lambda who, node, _entry: who.put(f"/nodes/{node}/maintenance", {"reason": "x"}, version=BELOW), (SET,)),
    ("PATCH true", None, patch(True), (NODE_UPDATE, SET)),
    ("PATCH true below", None, patch(True, BELOW), (NODE_UPDATE, SET)),
    ("PATCH true, held already", "operator_hold", patch(True), (NODE_UPDATE, SET)),
    ("DELETE, nothing held", None, lambda who, node, _entry: who.delete(f"/nodes/{node}/maintenance"), (CLEAR,)),
    ("DELETE, typed", "operator_hold", lambda who, node, _entry: who.delete(f"/nodes/{node}/maintenance"), (CLEAR, REMOVE)),
    (
        "DELETE below, typed",
        "operator_hold",
        lambda who, node, _entry: who.delete(f"/nodes/{node}/maintenance", version=BELOW),
        (CLEAR, REMOVE),
    ),
    ("DELETE, legacy", "legacy", lambda who, node, _entry: who.delete(f"/nodes/{node}/maintenance"), (CLEAR,)),
    ("DELETE, fault", "fault", lambda who, node, _entry: who.delete(f"/nodes/{node}/maintenance"), (CLEAR,)),
    ("PATCH false, nothing held", None, patch(False), (NODE_UPDATE, CLEAR)),
    ("PATCH false, typed", "operator_hold", patch(False), (NODE_UPDATE, CLEAR, REMOVE)),
    ("PATCH false, legacy", "legacy", patch(False), (NODE_UPDATE, CLEAR)),
    ("PATCH false below, typed", "operator_hold", patch(False, BELOW), (NODE_UPDATE, CLEAR, REMOVE)),
    ("POST", None, lambda who, node, _entry: who.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}), (ADD,)),
    ("POST bulk", None, bulk_assert, (ADD,)),
    ("DELETE entry", "operator_hold", lambda who, node, entry: who.delete(f"/nodes/{node}/maintenance/{entry}"), (REMOVE,)),
    ("release bulk", "operator_hold", lambda who, _node, entry: who.post("/maintenance/release", {"entries": [entry]}), (REMOVE,)),
    (
        "PATCH entry",
        "operator_hold",
        lambda who, node, entry: who.patch(f"/nodes/{node}/maintenance/{entry}", {"reason": "x"}),
        (UPDATE,),
    ),
    ("PUT fault", None, lambda who, node, _entry: who.put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure"}), (FAULT,)),
    ("GET list", "operator_hold", lambda who, node, _entry: who.get(f"/nodes/{node}/maintenance"), (GET,)),
    ("GET entry", "operator_hold", lambda who, node, entry: who.get(f"/nodes/{node}/maintenance/{entry}"), (GET,)),
    ("GET history", None, lambda who, node, _entry: who.get(f"/nodes/{node}/history"), (HISTORY,)),
    ("GET fleet history", None, lambda who, _node, _entry: who.get("/maintenance/history"), (FLEET_HISTORY,)),
    ("DELETE node, nothing held", None, lambda who, node, _entry: who.delete(f"/nodes/{node}"), (DELETE,)),
    ("DELETE node, typed", "operator_hold", lambda who, node, _entry: who.delete(f"/nodes/{node}"), (DELETE, REMOVE)),
]


@pytest.fixture(scope="module")
def with_policy(tmp_path_factory: pytest.TempPathFactory) -> t.Callable[[frozenset[str], str], Service]:
    """Give the service where the rules of the set have this check and the others what the defaults have."""
    made: dict[tuple[frozenset[str], str], Service] = {}

    def of(rules: frozenset[str], check: str) -> Service:
        if (rules, check) not in made:
            made[rules, check] = Service(tmp_path_factory.mktemp("policy"), policy=dict.fromkeys(rules, check) or None)
        return made[rules, check]

    return of


#: A system admin passes every rule by default, and outranks the entry, which is the owner's. Changing it is for the owner alone.
ACTORS = {"PATCH entry": "owner"}


def called(service: Service, name: str, held: str | None, call: Call) -> tuple[Answer, bool]:
    """Make the call on a node with this entry; give the answer, and whether anything was written."""
    node = service.node()
    extra = {"fault": "power failure"} if held == "fault" else {}
    entry = "" if held is None else service.hold(node, held, scope="owner", project=OWNER, extra=extra)
    before = service.commits()
    answer = call(service.by(ACTORS.get(name, "admin")), node, entry)
    return answer, service.commits() != before


@pytest.mark.parametrize(("name", "held", "call", "needed"), CALLS, ids=[row[0] for row in CALLS])
def test_a_call_needs_these_rules_and_no_other(
    with_policy: t.Callable[[frozenset[str], str], Service], name: str, held: str | None, call: Call, needed: tuple[str, ...]
) -> None:
    answer, _written = called(with_policy(frozenset(RULES) - set(needed), "!"), name, held, call)
    assert answer.status < 300


SINGLE_RULES = [(name, held, call, rule) for name, held, call, needed in CALLS for rule in needed]


@pytest.mark.parametrize(("name", "held", "call", "rule"), SINGLE_RULES, ids=[f"{row[0]}, {row[3]}" for row in SINGLE_RULES])
def test_a_call_is_refused_without_any_one_of_them(
    with_policy: t.Callable[[frozenset[str], str], Service], name: str, held: str | None, call: Call, rule: str
) -> None:
    answer, written = called(with_policy(frozenset([rule]), "!"), name, held, call)
    assert (answer.status, answer.code, written) == (403, "not_permitted", False)
    assert rule in answer.said


@pytest.mark.parametrize("type", ["legacy", "fault"])
@pytest.mark.parametrize(
    ("denied", "status"), [((), 204), ((REMOVE,), 204), ((CLEAR,), 204), ((REMOVE, CLEAR), 403)], ids=["neither", "remove", "clear", "both"]
)
def test_one_legacy_or_fault_entry_is_released_by_remove_or_by_clear(
    with_policy: t.Callable[[frozenset[str], str], Service], denied: tuple[str, ...], status: int, type: str
) -> None:
    service = with_policy(frozenset(denied), "!")
    node = service.node()
    extra = {"fault": "power failure"} if type == "fault" else {}
    for login in ("operator", "owner", "lessee"):
        entry = service.hold(node, type, extra=extra)
        single = service.by(login).delete(f"/nodes/{node}/maintenance/{entry}?dry_run=true")
        assert single.status == status, login
        real = service.by(login).post("/maintenance/release", {"entries": [entry]})
        assert real.status == (200 if status == 204 else 403), login
        if status == 403:
            sentence = f"Cannot release maintenance entry {entry} (type {type}, scope system): not permitted by policy {REMOVE}"
            assert real.said == single.said == sentence
            service.by("admin").delete(f"/nodes/{node}")
            node = service.node()


def test_a_policy_of_one_entry_can_not_be_passed_by_clear_maintenance(build: Build) -> None:
    """Typed entries need `remove`, entry by entry, also where the collection is released."""
    service = build(policy={REMOVE: "'hardware_failure':%(maintenance.type)s and role:member"})
    node = service.node()
    disk, hold = service.hold_all(node, [{"type": "hardware_failure"}, {"type": "operator_hold"}])
    operator = service.by("operator")
    answer = operator.delete(f"/nodes/{node}/maintenance")
    assert answer.status == 403
    assert answer.said == f"Cannot release maintenance entry {hold} (type operator_hold, scope system): not permitted by policy {REMOVE}"
    assert service.uuids(node) == [disk, hold]
    assert operator.delete(f"/nodes/{node}/maintenance/{disk}").status == 204
    assert operator.delete(f"/nodes/{node}/maintenance/{hold}").status == 403


#: How an entry is reached, as policy sees it.
REACHED = [
    ("single", lambda who, node, entry: who.delete(f"/nodes/{node}/maintenance/{entry}")),
    ("bulk", lambda who, node, _entry: who.delete(f"/nodes/{node}/maintenance")),
    ("bulk", lambda who, _node, entry: who.post("/maintenance/release", {"entries": [entry]})),
    ("bulk", lambda who, node, _entry: who.delete(f"/nodes/{node}")),
    ("legacy_delete", lambda who, node, _entry: who.delete(f"/nodes/{node}/maintenance", version=BELOW)),
    ("legacy_delete", lambda who, node, _entry: who.delete(f"/nodes/maintenance?node_ident={node}", version=BELOW)),
    ("patch", patch(False)),
    ("patch", patch(False, BELOW)),
]


@pytest.mark.parametrize("allowed", ["single", "bulk", "legacy_delete", "patch"])
def test_policy_knows_how_an_entry_is_reached(build: Build, allowed: str) -> None:
    service = build(policy={REMOVE: f"'{allowed}':%(maintenance.call)s"})
    for way, call in REACHED:
        node = service.node()
        entry = service.hold(node)
        answer = call(service.by("admin"), node, entry)
        assert answer.status < 300 if way == allowed else answer.status == 403, way
        assert service.active([entry]) == ([] if way == allowed else [entry])


TARGET = [
    # a rule about the entry, and whether it holds for the entry below
    ("'operator_hold':%(maintenance.type)s", True),
    ("'legacy':%(maintenance.type)s", False),
    ("'owner':%(maintenance.scope)s", True),
    ("'system':%(maintenance.scope)s", False),
    ("user_id:%(maintenance.asserted_by)s", True),
    ("project_id:%(maintenance.asserted_by_project)s", True),
    ("project_id:%(node.owner)s", True),
    ("project_id:%(node.lessee)s", False),
    ("'node-1':%(node.name)s", True),
    ("'fake-hardware':%(node.driver)s", True),
    ("'baremetal.large':%(node.resource_class)s", True),
    ("'rack-1':%(node.conductor_group)s", True),
    ("'redfish':%(node.driver)s", False),
    ("not user_id:%(maintenance.asserted_by)s", False),
]


@pytest.mark.parametrize(("rule", "holds"), TARGET)
def test_policy_knows_the_entry_and_its_node(build: Build, rule: str, holds: bool) -> None:
    service = build(policy={REMOVE: rule})
    node = service.node(driver="fake-hardware", resource_class="baremetal.large", conductor_group="rack-1")
    entry = service.hold(node, scope="owner", project=OWNER, user="id-of-owner")
    owner = service.by("owner")
    assert owner.post("/maintenance/release?dry_run=true", {"entries": [entry]}).status == (200 if holds else 403)
    assert owner.delete(f"/nodes/{node}/maintenance?dry_run=true").status == (204 if holds else 403)
    assert owner.delete(f"/nodes/{node}/maintenance/{entry}").status == (204 if holds else 403)


@pytest.mark.parametrize(
    ("rule", "status"),
    [
        ("'hardware_failure':%(maintenance.type)s", 201),
        ("'operator_hold':%(maintenance.type)s", 403),
        ("'owner':%(maintenance.scope)s", 201),
    ],
)
def test_policy_of_asserting_sees_the_entry_that_is_to_be(build: Build, rule: str, status: int) -> None:
    service = build(policy={ADD: f"role:member and {rule}"})
    node = service.node()
    assert service.by("owner").post(f"/nodes/{node}/maintenance", {"type": "hardware_failure"}).status == status


def test_by_default_the_new_rules_are_at_the_level_of_the_old() -> None:
    """Spec, "Security impact": get as reading node details, add as set_maintenance, remove as clear_maintenance; ours: update as add."""
    checks = {rule.name: rule.check for rule in defaults.RULES}
    assert checks[GET] == checks["baremetal:node:get"]
    assert checks[ADD] == checks[SET] == checks[UPDATE]
    assert checks[REMOVE] == checks[CLEAR]
