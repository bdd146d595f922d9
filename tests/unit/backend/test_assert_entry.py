# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""POST of a typed entry (spec, "REST API impact" and "Scoping"; api.md 2, 4 and 5)."""

from __future__ import annotations

import itertools
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.support.cast import CAST, LESSEE, OPERATIONS, OWNER
from ansible_collections.baremetal.maintenance.tests.support.service import PUBLIC, Build, Client, Service


def test_the_created_entry_is_answered_with_201_and_its_place(service: Service, owner: Client) -> None:
    node = service.node()
    answer = owner.post(
        f"/nodes/{node}/maintenance",
        {"type": "hardware_failure", "reason": "Disk 3 has bad sectors, see ticket https://myjira/CIDTEAM-3743"},
    )
    assert answer.status == 201
    assert answer.json["reason"] == "Disk 3 has bad sectors, see ticket https://myjira/CIDTEAM-3743"
    assert answer.headers["location"] == f"{PUBLIC}/v1/nodes/{service.uuid_of(node)}/maintenance/{answer.json['uuid']}"
    assert service.flag(node) == (True, "hardware_failure: Disk 3 has bad sectors, see ticket https://myjira/CIDTEAM-3743")
    assert service.uuids(node) == [answer.json["uuid"]]


# "scope … is derived from the caller's effective authority on the node"
SCOPES = [
    ("operator", "system", ""),
    ("admin", "system", ""),
    ("engineer", "system", OPERATIONS),
    ("conductor", "system", CAST["conductor"]["project_id"]),
    ("owner", "owner", OWNER),
    ("owner-admin", "owner", OWNER),
    ("lessee", "lessee", LESSEE),
    ("lessee-mate", "lessee", LESSEE),
]


@pytest.mark.parametrize(("login", "scope", "project"), SCOPES)
def test_scope_and_asserter_follow_from_who_the_caller_is(service: Service, login: str, scope: str, project: str) -> None:
    node = service.node()
    made = service.by(login).post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json
    assert (made["scope"], made["asserted_by"], made["asserted_by_project"]) == (scope, CAST[login]["user_id"], project)
    assert made["asserted_by_name"] == CAST[login]["user_name"]


def test_the_highest_standing_counts_where_owner_and_lessee_are_one(service: Service, owner: Client) -> None:
    node = service.node(owner=OWNER, lessee=OWNER)
    assert owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json["scope"] == "owner"


def test_an_empty_body_but_for_the_type_is_enough(service: Service, owner: Client) -> None:
    made = owner.post(f"/nodes/{service.node()}/maintenance", {"type": "operator_hold"}).json
    assert (made["reason"], made["extra"], made["key"], made["ticket"], made["run"]) == (None, {}, "", None, None)


@pytest.mark.parametrize("reason", [None, ""])
def test_an_empty_reason_counts_as_none(service: Service, owner: Client, reason: str | None) -> None:
    node = service.node()
    assert owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold", "reason": reason}).json["reason"] is None
    assert service.flag(node) == (True, "operator_hold")


ECHOED = [
    "{{ lookup('pipe', 'touch /tmp/owned') }}",
    "😀 нет Ω \u202e right to left",
    "two\nlines\r\n\ttabbed",
    "'; DROP TABLE nodes; --",
    "<script>alert(1)</script>",
    "%s %(node.owner)s {0} ${x} \\ \" '",
    " leading and trailing ",
    "x" * 4096,
    "😀" * 4096,
]


@pytest.mark.parametrize("text", ECHOED)
def test_reason_and_extra_are_stored_and_echoed_exactly_and_never_interpreted(service: Service, owner: Client, text: str) -> None:
    node = service.node()
    extra = {text[:50]: [text, {"deep": {"er": [1, 2.5, None, True, -(2**70)]}}]}
    made = owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold", "reason": text, "extra": extra})
    assert made.status == 201
    [entry] = owner.get(f"/nodes/{node}/maintenance").json["maintenance"]
    assert (entry["reason"], entry["extra"]) == (text, extra)
    assert service.flag(node) == (True, f"operator_hold: {text}")
    assert service.events(node)[0]["maintenance"]["reason"] == text


@pytest.mark.parametrize("mate", ["owner", "owner-mate", "owner-admin"])
def test_a_projects_hold_is_one_logical_entry_no_matter_which_member_asserted_it(service: Service, owner: Client, mate: str) -> None:
    node = service.node()
    first = owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold", "reason": "first"}).json
    answer = service.by(mate).post(f"/nodes/{node}/maintenance", {"type": "operator_hold", "reason": "second"})
    assert (answer.status, answer.code) == (409, "duplicate")
    assert answer.refusal["node"] == node
    [blocker] = answer.blockers
    assert (blocker["uuid"], blocker["type"], blocker["scope"], blocker["project"]) == (first["uuid"], "operator_hold", "owner", OWNER)
    assert first["uuid"] in answer.said
    assert service.entries(node) == [{**first, "own": False}]
    assert len(service.events(node)) == 1


def test_another_type_scope_or_project_is_another_hold(service: Service) -> None:
    node = service.node()
    asserted = [
        ("operator", "operator_hold"),
        ("operator", "hardware_failure"),
        ("engineer", "operator_hold"),
        ("owner", "operator_hold"),
        ("owner", "hardware_failure"),
        ("lessee", "operator_hold"),
    ]
    for login, type in asserted:
        assert service.by(login).post(f"/nodes/{node}/maintenance", {"type": type}).status == 201
    assert len(set(service.uuids(node))) == len(asserted)
    for login, type in asserted:
        assert service.by(login).post(f"/nodes/{node}/maintenance", {"type": type}).status == 409


def test_operators_without_a_project_share_one_hold_of_a_type(service: Service, operator: Client) -> None:
    node = service.node()
    operator.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"})
    answer = service.by("night-operator").post(f"/nodes/{node}/maintenance", {"type": "operator_hold"})
    assert (answer.status, answer.code) == (409, "duplicate")


def test_a_hold_that_was_released_can_be_asserted_again(service: Service, owner: Client) -> None:
    node = service.node()
    first = owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json["uuid"]
    owner.delete(f"/nodes/{node}/maintenance/{first}")
    assert owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json["uuid"] != first


DERIVED = [
    "uuid",
    "scope",
    "asserted_by",
    "asserted_by_project",
    "asserted_at",
    "links",
    "asserted_by_name",
    "own",
    "enforced",
    "enforced_by",
]


@pytest.mark.parametrize("member", DERIVED)
def test_what_is_derived_can_not_be_supplied(service: Service, owner: Client, member: str) -> None:
    node = service.node()
    answer = owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold", member: "system"})
    assert (answer.status, answer.code) == (400, "invalid")
    assert f"{member!r} is derived" in answer.said
    assert service.entries(node) == []


@pytest.mark.parametrize("member", ["Type", "reasons", "", "nodes", "on_error", "comment", "fault", "project"])
def test_unknown_members_are_refused(service: Service, owner: Client, member: str) -> None:
    node = service.node()
    answer = owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold", member: "x"})
    assert (answer.status, answer.code) == (400, "invalid")
    assert f"The member {member!r} is not known here; known are type, reason, extra" in answer.said
    assert service.entries(node) == []


@pytest.mark.parametrize("type", ["no_such_type", "Operator_Hold", "operator_hold ", "x_not_configured", "{{ type }}"])
def test_an_unregistered_type_is_refused_with_the_types_there_are(service: Service, owner: Client, type: str) -> None:
    node = service.node()
    answer = owner.post(f"/nodes/{node}/maintenance", {"type": type})
    assert (answer.status, answer.code) == (400, "unknown_type")
    assert answer.said == (
        f"Cannot assert type {type!r} on node {node}: it is not a known type; known types are hardware_failure, operator_hold."
    )
    assert service.entries(node) == []


@pytest.mark.parametrize("login", ["admin", "conductor", "owner"])
@pytest.mark.parametrize("type", ["legacy", "fault"])
def test_a_reserved_type_is_refused_from_everyone(service: Service, type: str, login: str) -> None:
    node = service.node()
    answer = service.by(login).post(f"/nodes/{node}/maintenance", {"type": type})
    assert (answer.status, answer.code) == (400, "reserved_type")
    assert answer.said.startswith(f"Cannot assert type '{type}' on node {node}: it is reserved;")
    assert service.entries(node) == []


@pytest.mark.parametrize("body", [{}, {"type": None}, {"type": ""}, {"type": 5}, {"type": ["operator_hold"]}, {"reason": "x"}])
def test_the_type_is_required(service: Service, owner: Client, body: dict[str, t.Any]) -> None:
    node = service.node()
    answer = owner.post(f"/nodes/{node}/maintenance", body)
    assert (answer.status, answer.code) == (400, "invalid")
    assert "type is required" in answer.said
    assert service.entries(node) == []


def test_a_deployments_own_type_is_asserted_like_the_specs(build: Build) -> None:
    service = build(types=("x_legal_hold",))
    node = service.node()
    assert service.by("owner").post(f"/nodes/{node}/maintenance", {"type": "x_legal_hold", "reason": "case 7"}).status == 201
    assert service.flag(node) == (True, "x_legal_hold: case 7")


def test_a_type_taken_out_of_the_registry_stays_listable_and_releasable(service: Service, owner: Client) -> None:
    node = service.node()
    entry = service.hold(node, "x_of_the_past", scope="owner", project=OWNER)
    assert owner.get(f"/nodes/{node}/maintenance").json["maintenance"][0]["type"] == "x_of_the_past"
    assert owner.post(f"/nodes/{node}/maintenance", {"type": "x_of_the_past"}).code == "unknown_type"
    assert owner.delete(f"/nodes/{node}/maintenance/{entry}").status == 204


# who may assert at all: Ironic's own defaults for set_maintenance
@pytest.mark.parametrize("login", ["auditor", "owner-reader", "lessee-reader", "lessee-member"])
def test_a_reader_of_the_node_without_the_policy_gets_403(service: Service, login: str) -> None:
    node = service.node()
    answer = service.by(login).post(f"/nodes/{node}/maintenance", {"type": "operator_hold"})
    assert (answer.status, answer.code, answer.refusal["node"]) == (403, "not_permitted", node)
    assert "baremetal:node:maintenance:add" in answer.said
    assert service.entries(node) == []


def test_policy_without_standing_is_not_enough(build: Build) -> None:
    service = build(policy={"baremetal:node:get": "@", "baremetal:node:maintenance:add": "@"})
    node = service.node()
    answer = service.by("stranger").post(f"/nodes/{node}/maintenance", {"type": "operator_hold"})
    assert (answer.status, answer.code) == (403, "not_permitted")
    assert "you are neither its owner nor its lessee nor a system operator" in answer.said
    assert service.entries(node) == []


def test_a_node_holds_as_many_entries_as_the_deployment_allows(build: Build) -> None:
    service = build(max_entries_per_node=3)
    node = service.node()
    for key in ("a", "b", "c"):
        assert service.by("operator").post(f"/nodes/{node}/maintenance", {"type": "operator_hold", "key": key}).status == 201
    answer = service.by("owner").post(f"/nodes/{node}/maintenance", {"type": "operator_hold"})
    assert (answer.status, answer.code) == (400, "invalid")
    assert "it has 3 active entries, the most allowed; release some first" in answer.said
    assert service.by("operator").post(f"/nodes/{node}/maintenance", {"type": "operator_hold", "key": "a"}).status == 409
    # What can't be refused is not counted: the boolean, and a fault.
    assert service.by("owner").put(f"/nodes/{node}/maintenance", {"reason": "x"}).status == 202
    assert service.by("conductor").put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure"}).status == 201


def test_time_never_goes_back_on_a_node_even_if_the_clock_does(service: Service, owner: Client) -> None:
    node = service.node()
    service.ahead(3600).by("operator").post(f"/nodes/{node}/maintenance", {"type": "operator_hold"})
    for type in ("operator_hold", "hardware_failure"):
        owner.post(f"/nodes/{node}/maintenance", {"type": type})
    times = [entry["asserted_at"] for entry in service.entries(node)]
    assert [entry["scope"] for entry in service.entries(node)] == ["system", "owner", "owner"]
    assert all(earlier < later for earlier, later in itertools.pairwise(times))
