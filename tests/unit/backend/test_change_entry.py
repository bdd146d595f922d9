# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""PATCH of an entry: changing one's own hold (api.md 5)."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.support.cast import LESSEE, OWNER
from ansible_collections.baremetal.maintenance.tests.support.service import Client, Service

STORES = ("sqlite", "postgresql")

BEFORE = {"type": "operator_hold", "reason": "before", "extra": {"a": 1}, "ticket": "CHG-1", "run": "r-1", "key": "k"}


def asserted(who: Client, node: str) -> dict[str, t.Any]:
    answer = who.post(f"/nodes/{node}/maintenance", BEFORE)
    assert answer.status == 201
    return t.cast("dict[str, t.Any]", answer.json)


CHANGES = [
    ({"reason": "after"}, {"reason": "after"}),
    ({"reason": None}, {"reason": None}),
    ({"reason": ""}, {"reason": None}),
    ({"extra": {"b": [2]}}, {"extra": {"b": [2]}}),
    ({"extra": {}}, {"extra": {}}),
    ({"extra": None}, {"extra": {}}),
    ({"ticket": "CHG-2"}, {"ticket": "CHG-2"}),
    ({"ticket": None, "run": ""}, {"ticket": None, "run": None}),
    ({"reason": "after", "extra": {}, "ticket": "t", "run": "r"}, {"reason": "after", "extra": {}, "ticket": "t", "run": "r"}),
]


@pytest.mark.parametrize(("change", "after"), CHANGES)
def test_what_is_given_changes_and_nothing_else(service: Service, owner: Client, change: dict[str, t.Any], after: dict[str, t.Any]) -> None:
    node = service.node()
    before = asserted(owner, node)
    answer = owner.patch(f"/nodes/{node}/maintenance/{before['uuid']}", change)
    assert (answer.status, answer.json) == (200, {**before, **after})
    assert owner.get(f"/nodes/{node}/maintenance/{before['uuid']}").json == {**before, **after}
    reason = {**before, **after}["reason"]
    assert service.flag(node) == (True, f"operator_hold: {reason}" if reason else "operator_hold")


def test_a_teammate_changes_it_and_the_asserter_and_the_time_stay(service: Service, owner: Client) -> None:
    node = service.node()
    before = asserted(owner, node)
    after = service.by("owner-mate").patch(f"/nodes/{node}/maintenance/{before['uuid']}", {"reason": "after"}).json
    assert (after["asserted_by"], after["asserted_at"]) == ("id-of-owner", before["asserted_at"])
    _asserted, updated = service.events(node)
    assert (updated["user"], updated["maintenance"]["action"], updated["maintenance"]["reason"]) == ("id-of-owner-mate", "update", "after")


@pytest.mark.parametrize("change", [{}, {"reason": "before"}, {"extra": {"a": 1}, "ticket": "CHG-1", "run": "r-1"}])
def test_a_change_that_changes_nothing_writes_nothing(service: Service, owner: Client, change: dict[str, t.Any]) -> None:
    node = service.node()
    before = asserted(owner, node)
    dump = service.dump()
    answer = owner.patch(f"/nodes/{node}/maintenance/{before['uuid']}", change)
    assert (answer.status, answer.json) == (200, before)
    assert service.dump() == dump


OTHERS = [
    # whose entry it is, who tries: outranking it does not help
    ("owner", "operator"),
    ("owner", "admin"),
    ("lessee", "owner"),
    ("lessee", "operator"),
    ("operator", "night-operator"),
    ("operator", "engineer"),
    ("engineer", "operator"),
    ("operator", "owner"),
    ("operator", "lessee"),
    ("owner", "lessee"),
    ("engineer", "conductor"),
]


@pytest.mark.parametrize(("asserter", "other"), OTHERS)
def test_never_by_outranking_nor_by_anyone_else(service: Service, asserter: str, other: str) -> None:
    node = service.node()
    entry = asserted(service.by(asserter), node)["uuid"]
    dump = service.dump()
    for change in ({"reason": "taken over"}, {}):
        answer = service.by(other).patch(f"/nodes/{node}/maintenance/{entry}", change)
        assert (answer.status, answer.code, answer.refusal["node"]) == (403, "not_permitted", node)
        assert answer.said.startswith(f"Cannot change maintenance entry {entry} (type operator_hold, scope ")
        assert [blocker["uuid"] for blocker in answer.blockers] == [entry]
    assert service.dump() == dump


@pytest.mark.parametrize("project", ["project-of-before", LESSEE])
def test_not_by_the_next_owner(service: Service, owner: Client, project: str) -> None:
    node = service.node()
    entry = service.hold(node, scope="owner", project=project)
    assert owner.patch(f"/nodes/{node}/maintenance/{entry}", {"reason": "x"}).status == 403


@pytest.mark.parametrize("login", ["owner-reader", "lessee-reader", "lessee-member"])
def test_own_is_not_enough_without_the_policy(service: Service, login: str) -> None:
    node = service.node()
    project, scope = (OWNER, "owner") if login.startswith("owner") else (LESSEE, "lessee")
    entry = service.hold(node, scope=scope, project=project)
    for change in ({"reason": "x"}, {}):
        answer = service.by(login).patch(f"/nodes/{node}/maintenance/{entry}", change)
        assert (answer.status, answer.said) == (
            403,
            "Access was denied to the following resource: baremetal:node:maintenance:update",
        )


@pytest.mark.parametrize(("type", "remedy"), [("legacy", "PUT maintenance"), ("fault", "PUT maintenance/fault")])
@pytest.mark.parametrize("login", ["admin", "owner", "lessee"])
def test_legacy_and_fault_are_changed_where_they_were_made(service: Service, login: str, type: str, remedy: str) -> None:
    node = service.node()
    entry = service.hold(node, type, extra={"fault": "power failure"})
    answer = service.by(login).patch(f"/nodes/{node}/maintenance/{entry}", {"reason": "x"})
    assert (answer.status, answer.code) == (400, "reserved_type")
    assert remedy in answer.said


@pytest.mark.parametrize("member", ["key", "type", "uuid", "scope", "asserted_by", "asserted_at", "own", "foo", "comment", "nodes"])
def test_what_makes_a_hold_can_not_be_changed(service: Service, owner: Client, member: str) -> None:
    node = service.node()
    entry = asserted(owner, node)["uuid"]
    dump = service.dump()
    answer = owner.patch(f"/nodes/{node}/maintenance/{entry}", {"reason": "x", member: "y"})
    assert (answer.status, answer.code) == (400, "invalid")
    assert repr(member) in answer.said
    assert service.dump() == dump


@pytest.mark.parametrize("body", [None, [], "x", [{"op": "replace", "path": "/reason", "value": "x"}]])
def test_the_body_is_an_object_not_a_json_patch(service: Service, owner: Client, body: t.Any) -> None:
    node = service.node()
    entry = asserted(owner, node)["uuid"]
    answer = owner.patch(f"/nodes/{node}/maintenance/{entry}", body)
    assert (answer.status, answer.code) == (400, "invalid")
    assert answer.said == "The body must be a JSON object with reason, extra, ticket, run."
