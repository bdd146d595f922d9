# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults of local nodes (spec, "Maintenance types"; api.md 5)."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.support.cast import CAST, LESSEE
from ansible_collections.baremetal.maintenance.tests.support.service import TYPED, Build, Client, Service

STORES = ("sqlite", "postgresql")

KINDS = ["power failure", "clean failure", "rescue abort failure", "service failure"]


@pytest.fixture(scope="module")
def conductor(service: Service) -> Client:
    """The service whose role in the service project lets it assert faults."""
    return service.by("conductor")


@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_is_asserted_at_system_scope_with_an_empty_project(service: Service, conductor: Client, kind: str) -> None:
    node = service.node()
    answer = conductor.put(f"/nodes/{node}/maintenance/fault", {"fault": kind, "reason": "BMC is silent"})
    assert answer.status == 201
    assert {name: answer.json[name] for name in ("type", "scope", "asserted_by", "asserted_by_project", "reason", "extra", "key")} == {
        "type": "fault",
        "scope": "system",
        "asserted_by": CAST["conductor"]["user_id"],
        "asserted_by_project": "",
        "reason": "BMC is silent",
        "extra": {"fault": kind},
        "key": "",
    }
    assert service.entries(node) == [{**answer.json, "own": False}]
    assert service.flag(node) == (True, "fault: BMC is silent")
    assert conductor.get(f"/nodes/{node}").json["fault"] == kind
    [event] = service.events(node)
    assert (event["maintenance"]["action"], event["maintenance"]["source"]) == ("assert", "fault")


def test_asserting_it_again_updates_it_in_place(service: Service, conductor: Client) -> None:
    node = service.node()
    first = conductor.put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure", "reason": "BMC is silent"}).json
    answer = service.by("admin").put(f"/nodes/{node}/maintenance/fault", {"fault": "clean failure", "reason": "disk"})
    assert answer.status == 200
    again = {**first, "reason": "disk", "extra": {"fault": "clean failure"}}
    assert answer.json == again
    assert service.entries(node) == [again]
    assert conductor.get(f"/nodes/{node}").json["fault"] == "clean failure"


def test_asserted_without_a_reason_it_has_none(service: Service, conductor: Client) -> None:
    node = service.node()
    conductor.put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure", "reason": "x"})
    assert conductor.put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure"}).json["reason"] is None
    assert service.flag(node) == (True, "fault")


def test_the_same_again_is_counted_in_one_row_of_history(service: Service, conductor: Client) -> None:
    node = service.node()
    for number in range(4):
        conductor.put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure", "reason": f"try {number}"})
    asserted, updated = service.events(node)
    assert (asserted["maintenance"]["action"], asserted["maintenance"]["count"]) == ("assert", 1)
    assert (updated["maintenance"]["action"], updated["maintenance"]["count"]) == ("update", 3)
    assert updated["maintenance"]["reason"] == "try 3"


@pytest.mark.parametrize("login", ["admin", "conductor", "operator", "owner", "lessee", "lessee-mate"])
@pytest.mark.parametrize("call", ["single", "collection", "patch", "below"])
def test_whoever_policy_lets_clear_maintenance_releases_it(service: Service, conductor: Client, call: str, login: str) -> None:
    node = service.node()
    entry = conductor.put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure"}).json["uuid"]
    who = service.by(login)
    answer = {
        "single": lambda: who.delete(f"/nodes/{node}/maintenance/{entry}"),
        "collection": lambda: who.delete(f"/nodes/{node}/maintenance"),
        "below": lambda: who.delete(f"/nodes/{node}/maintenance", version="1.42"),
        "patch": lambda: who.patch(f"/nodes/{node}", [{"op": "replace", "path": "/maintenance", "value": False}]),
    }[call]()
    assert answer.status in (200, 202, 204)
    shown = conductor.get(f"/nodes/{node}").json
    assert (shown["maintenance"], shown["maintenance_reason"], shown["fault"]) == (False, None, None)


def test_releasing_it_leaves_the_holds_and_they_leave_it(service: Service, conductor: Client, operator: Client) -> None:
    """LP #1596107 and what recovery does today: a cause that ends takes no other with it."""
    node = service.node()
    hold = service.hold(node, reason="do not touch")
    fault = conductor.put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure"}).json["uuid"]
    operator.put(f"/nodes/{node}/maintenance", {"reason": "script"})
    conductor.delete(f"/nodes/{node}/maintenance/{fault}")
    assert service.flag(node) == (True, "operator_hold: do not touch; legacy: script")
    assert operator.get(f"/nodes/{node}").json["fault"] is None
    fault = conductor.put(f"/nodes/{node}/maintenance/fault", {"fault": "clean failure"}).json["uuid"]
    operator.delete(f"/nodes/{node}/maintenance/{hold}")
    assert operator.get(f"/nodes/{node}").json["fault"] == "clean failure"


@pytest.mark.parametrize(
    "login", ["operator", "engineer", "auditor", "owner", "owner-admin", "owner-reader", "lessee", "lessee-mate", "lessee-reader"]
)
def test_only_a_service_identity_or_a_system_admin_asserts_one(service: Service, login: str) -> None:
    node = service.node()
    answer = service.by(login).put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure"})
    assert (answer.status, answer.code, answer.refusal["node"]) == (403, "not_permitted", node)
    assert "baremetal:node:maintenance:fault" in answer.said
    assert service.entries(node) == []


@pytest.mark.parametrize("fault", [None, "", "power_failure", "Power failure", "none", 5, ["power failure"], {"a": 1}, "{{ x }}"])
def test_an_unknown_kind_is_refused_with_the_kinds_there_are(service: Service, conductor: Client, fault: t.Any) -> None:
    node = service.node()
    answer = conductor.put(f"/nodes/{node}/maintenance/fault", {"fault": fault, "reason": "x"})
    assert (answer.status, answer.code) == (400, "invalid")
    assert answer.said == (
        f"Cannot assert a fault on node {node}: fault is one of"
        " 'power failure', 'clean failure', 'rescue abort failure', 'service failure'."
    )
    assert service.entries(node) == []


@pytest.mark.parametrize("member", ["type", "extra", "key", "ticket", "run", "scope", "asserted_by"])
def test_it_takes_a_kind_and_a_reason_only(service: Service, conductor: Client, member: str) -> None:
    node = service.node()
    answer = conductor.put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure", member: "x"})
    assert (answer.status, answer.code) == (400, "invalid")
    assert service.entries(node) == []


def test_the_kind_of_a_fault_is_a_filter_of_nodes_and_of_the_fleet(build: Build) -> None:
    service = build()
    power, clean, held = service.node(), service.node(), service.node()
    for node, kind in ((power, "power failure"), (clean, "clean failure")):
        service.by("conductor").put(f"/nodes/{node}/maintenance/fault", {"fault": kind})
        service.hold(node)
    service.hold(held)
    nodes = service.by("operator").get("/nodes?fault=power%20failure&fields=name").json["nodes"]
    assert [node["name"] for node in nodes] == [power]
    rows = service.by("operator").get("/maintenance?fault=clean%20failure").json["maintenance"]
    assert [(row["node_name"], row["type"]) for row in rows] == [(clean, "fault")]


def test_policy_sees_the_fault_that_is_to_be(build: Build) -> None:
    """A rule may be about what the entry will be (policy/target.py)."""
    service = build(
        policy={
            "baremetal:node:maintenance:fault": "'fault':%(maintenance.type)s and 'system':%(maintenance.scope)s"
            " and user_id:%(maintenance.asserted_by)s and role:service"
        }
    )
    node = service.node()
    assert service.by("conductor").put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure"}).status == 201
    assert service.by("admin").put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure"}).status == 403


def test_a_fault_can_not_be_changed_as_an_entry(service: Service, conductor: Client) -> None:
    node = service.node()
    entry = conductor.put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure"}).json["uuid"]
    answer = conductor.patch(f"/nodes/{node}/maintenance/{entry}", {"reason": "x"})
    assert (answer.status, answer.code) == (400, "reserved_type")
    assert service.flag(node) == (True, "fault")


def test_there_is_no_fault_endpoint_below_the_typed_version(service: Service, conductor: Client) -> None:
    node = service.node(lessee=LESSEE)
    assert conductor.put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure"}, version="1.115").status == 404
    assert conductor.put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure"}, version=TYPED).status == 201
