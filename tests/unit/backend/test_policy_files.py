# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Policy files that operators write: lockout/tagout, the traps of oslo.policy, the shipped `guarded`, and who is system (api.md 4)."""

from __future__ import annotations

import pathlib
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.mistakes import ConfigErrors
from ansible_collections.baremetal.maintenance.tests.support.cast import LESSEE, OWNER, STRANGER
from ansible_collections.baremetal.maintenance.tests.support.service import BELOW, Answer, Build, Client, Service

REMOVE = "baremetal:node:maintenance:remove"
#: The rule of the specification, "Security impact", verbatim.
LOCKOUT = {"baremetal:node:maintenance:remove": "role:member and user_id:%(maintenance.asserted_by)s"}

Release = t.Callable[[Client, str, str], Answer]

WAYS: dict[str, Release] = {
    "single": lambda who, node, entry: who.delete(f"/nodes/{node}/maintenance/{entry}"),
    "collection": lambda who, node, _entry: who.delete(f"/nodes/{node}/maintenance"),
    "collection below": lambda who, node, _entry: who.delete(f"/nodes/{node}/maintenance", version=BELOW),
    "patch": lambda who, node, _entry: who.patch(f"/nodes/{node}", [{"op": "replace", "path": "/maintenance", "value": False}]),
    "bulk": lambda who, _node, entry: who.post("/maintenance/release", {"entries": [entry]}),
    "dry run": lambda who, node, entry: who.delete(f"/nodes/{node}/maintenance/{entry}?dry_run=true"),
}
BOOLEAN = ("collection below", "patch")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("asserter", "others"),
    [("owner", ["owner-mate", "owner-admin", "operator", "admin"]), ("operator", ["night-operator", "admin", "conductor", "owner"])],
)
def test_lockout_lets_the_asserting_user_alone_release(build: Build, asserter: str, others: list[str], way: str) -> None:
    service = build(policy=LOCKOUT)
    node = service.node()
    entry = service.by(asserter).post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json["uuid"]
    for other in others:
        answer = WAYS[way](service.by(other), node, entry)
        assert (answer.status, answer.code) == (403, "not_permitted"), other
        assert answer.said.startswith(f"Cannot release maintenance entry {entry} (type operator_hold, scope ")
        assert service.uuids(node) == [entry]
    assert WAYS[way](service.by(asserter), node, entry).status in (200, 202, 204)


def test_lockout_leaves_legacy_and_fault_to_whoever_may_clear_maintenance(build: Build) -> None:
    service = build(policy=LOCKOUT)
    node = service.node()
    service.by("owner").put(f"/nodes/{node}/maintenance", {"reason": "x"})
    service.by("conductor").put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure"})
    assert service.by("owner-mate").delete(f"/nodes/{node}/maintenance").status == 204


def test_lockout_judges_by_the_true_asserter_also_where_the_caller_may_not_know_it(build: Build) -> None:
    """The policy's target is never masked: masked, `not user_id:…` would be true of everyone."""
    service = build(policy={REMOVE: "not user_id:%(maintenance.asserted_by)s"})
    node = service.node(owner=OWNER, lessee=OWNER)
    entry = service.hold(node, scope="lessee", project=OWNER, user="id-of-owner")
    assert service.by("owner").delete(f"/nodes/{node}/maintenance/{entry}").status == 403
    assert service.by("owner-mate").delete(f"/nodes/{node}/maintenance/{entry}").status == 204


# The traps: what oslo.policy gets wrong on its own must not happen here.


@pytest.mark.parametrize("rule", ["project_id:%(node.owner)s", "project_id:%(node.lessee)s"])
def test_a_caller_without_a_project_is_not_the_owner_of_a_node_without_one(build: Build, rule: str) -> None:
    service = build(policy={"baremetal:node:set_maintenance": rule, REMOVE: rule})
    node = service.node(owner=None, lessee=None)
    entry = service.hold(node)
    operator = service.by("operator")
    assert operator.put(f"/nodes/{node}/maintenance", {"reason": "x"}).status == 403
    assert operator.delete(f"/nodes/{node}/maintenance/{entry}").status == 403


@pytest.mark.parametrize("attribute", ["maintenance.asserted_by", "node.owner", "node.lessee", "maintenance.type", "maintenance.scope"])
def test_not_of_an_attribute_is_about_its_value_never_about_its_absence(build: Build, attribute: str) -> None:
    """Every key is always present; a null is a value that no identity equals, so `not` of it is true and the plain check false."""
    service = build(policy={REMOVE: f"user_id:%({attribute})s or project_id:%({attribute})s"})
    node = service.node(owner=None, lessee=None)
    entry = service.hold(node)
    assert service.by("operator").delete(f"/nodes/{node}/maintenance/{entry}").status == 403


@pytest.mark.parametrize(
    ("name", "rule", "said"),
    [
        # "nested targets never match"
        (REMOVE, "project_id:%(target.node.owner)s", "target.node.owner"),
        (REMOVE, "project_id:%(node)s", "'node'"),
        (REMOVE, "user_id:%(entry.asserted_by)s", "entry.asserted_by"),
        (REMOVE, "not user_id:%(maintenance.asserter)s", "maintenance.asserter"),
        # An attribute of an entry in a rule about a node.
        ("baremetal:node:set_maintenance", "user_id:%(maintenance.asserted_by)s", "maintenance.asserted_by"),
        ("baremetal:maintenance:history:get", "project_id:%(node.owner)s", "node.owner"),
        # None, null and the empty rule.
        (REMOVE, "None:%(node.owner)s", "None"),
        (REMOVE, "project_id:None", "None"),
        (REMOVE, "", "empty"),
        (REMOVE, "   ", "empty"),
        # What oslo.policy can't parse it denies, or allows, in silence.
        (REMOVE, "role:member and", "parsed"),
        (REMOVE, "role:member role:admin", "parsed"),
        (REMOVE, "(role:member", "parsed"),
        (REMOVE, "member", "not a check"),
        (REMOVE, "rule:no_such_rule", "no_such_rule"),
        (REMOVE, f"rule:{REMOVE}", "itself"),
        (REMOVE, "http://127.0.0.1/%(node.uuid)s", "another service"),
        (REMOVE, "is_admin:True", "is_admin"),
        ("baremetal:node:maintenance:relase", "role:member", "baremetal:node:maintenance:relase"),
    ],
)
def test_a_file_that_would_not_mean_what_it_says_is_refused_at_start(build: Build, name: str, rule: str, said: str) -> None:
    with pytest.raises(ConfigErrors) as caught:
        build(policy={name: rule})
    assert said in str(caught.value)


def test_a_rule_may_refer_to_a_rule_of_the_file(build: Build) -> None:
    service = build(policy={"night_shift": "user_name:%(maintenance.asserted_by)s or role:admin", REMOVE: "rule:night_shift"})
    node = service.node()
    entry = service.hold(node)
    assert service.by("operator").delete(f"/nodes/{node}/maintenance/{entry}").status == 403
    assert service.by("admin").delete(f"/nodes/{node}/maintenance/{entry}").status == 204


def test_a_file_that_is_deleted_or_damaged_later_changes_nothing(build: Build, tmp_path: pathlib.Path) -> None:
    service = build(policy=LOCKOUT)
    node = service.node()
    entry = service.by("owner").post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json["uuid"]
    file = tmp_path / "policy.yaml"
    for damage in (lambda: file.write_text("{}"), lambda: file.write_text(f"{REMOVE}: '@'"), file.unlink):
        damage()
        assert service.by("owner-mate").delete(f"/nodes/{node}/maintenance/{entry}").status == 403


def test_a_decision_for_one_node_is_not_taken_for_another_in_one_request(build: Build) -> None:
    service = build(policy={REMOVE: "'node-2':%(node.name)s and user_id:%(maintenance.asserted_by)s"})
    nodes = [service.node() for _number in range(3)]
    entries = []
    for node in nodes:
        entries += service.hold_all(
            node,
            [
                {"type": "operator_hold", "scope": "owner", "project": OWNER, "user": "id-of-owner", "key": "own"},
                {"type": "operator_hold", "scope": "owner", "project": OWNER, "user": "id-of-owner-mate", "key": "mate"},
            ],
        )
    answer = service.by("owner").post("/maintenance/release", {"entries": entries, "on_error": "continue"})
    assert [result["status"] for result in answer.json["results"]] == [403, 403, 204, 403, 403, 403]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("asserter", ["night-operator", "owner", "lessee"])
def test_guarded_keeps_boolean_calls_from_ending_other_users_typed_entries(build: Build, asserter: str, way: str) -> None:
    service = build(policy="guarded")
    node = service.node()
    entry = service.by(asserter).post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json["uuid"]
    service.hold(node, "legacy")
    answer = WAYS[way](service.by("operator"), node, entry)
    if way in BOOLEAN:
        assert (answer.status, answer.code) == (403, "not_permitted")
        assert [blocker["uuid"] for blocker in answer.blockers] == [entry]
        assert len(service.uuids(node)) == 2
    else:
        assert answer.status in (200, 204)


@pytest.mark.parametrize("way", BOOLEAN)
@pytest.mark.parametrize("login", ["operator", "owner", "lessee", "engineer"])
def test_guarded_lets_boolean_calls_end_ones_own_legacy_entries_and_faults(build: Build, login: str, way: str) -> None:
    service = build(policy="guarded")
    node = service.node()
    service.by("admin").put(f"/nodes/{node}/maintenance", {"reason": "somebody's"})
    service.by("conductor").put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure"})
    own = service.by(login).post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json["uuid"]
    assert WAYS[way](service.by(login), node, own).status in (200, 202)
    assert service.flag(node) == (False, None)


def test_guarded_still_has_the_floors(build: Build) -> None:
    service = build(policy="guarded")
    node = service.node()
    entry = service.hold(node)
    for way in WAYS.values():
        assert way(service.by("lessee"), node, entry).status == 403
    assert service.uuids(node) == [entry]


ADMINS = ["owner-admin", "lessee-mate", "stranger"]


@pytest.mark.parametrize("login", ADMINS)
def test_a_projects_admin_is_no_system_operator_by_default(build: Build, login: str) -> None:
    service = build()
    node = service.node()
    entry = service.hold(node)
    who = service.by(login)
    answer = who.delete(f"/nodes/{node}/maintenance/{entry}")
    assert answer.status == (404 if login == "stranger" else 403)
    assert who.post("/nodes", {"name": "mine", "owner": "project-of-another"}).status == 403
    assert who.get("/maintenance/history").status == 403
    assert service.uuids(node) == [entry]


@pytest.mark.parametrize("login", ADMINS)
def test_with_the_switch_every_projects_admin_is_one(build: Build, login: str) -> None:
    service = build(project_admin_is_system=True)
    node = service.node()
    who = service.by(login)
    made = who.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"})
    project = {"owner-admin": OWNER, "lessee-mate": LESSEE, "stranger": STRANGER}[login]
    assert (made.status, made.json["scope"], made.json["asserted_by_project"]) == (201, "system", project)
    entry = service.hold(node)
    assert who.delete(f"/nodes/{node}/maintenance/{entry}").status == 204
    assert who.get("/maintenance/history").status == 200
    assert who.put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure"}).status == 201
    assert service.by("operator").delete(f"/nodes/{node}/maintenance/{made.json['uuid']}").status == 204


def test_with_the_switch_a_member_or_manager_is_none(build: Build) -> None:
    service = build(project_admin_is_system=True)
    node = service.node()
    entry = service.hold(node)
    assert service.by("owner").delete(f"/nodes/{node}/maintenance/{entry}").status == 403
    assert service.by("lessee").delete(f"/nodes/{node}/maintenance/{entry}").status == 403
    assert service.by("owner").post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json["scope"] == "owner"


def test_without_a_service_project_its_service_is_nobody(build: Build) -> None:
    service: Service = build(service_project=None)
    node = service.node()
    assert service.by("conductor").get(f"/nodes/{node}").status == 404
    assert service.by("conductor").put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure"}).status == 404


def test_a_role_that_only_reads_the_system_asserts_nothing(build: Build) -> None:
    service = build(policy={"baremetal:node:maintenance:add": "@", REMOVE: "@"})
    node = service.node()
    entry = service.hold(node)
    auditor = service.by("auditor")
    assert auditor.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).status == 403
    answer = auditor.delete(f"/nodes/{node}/maintenance/{entry}")
    assert answer.status == 403
    assert answer.said.endswith(f"not permitted without standing on node {service.uuid_of(node)}")
