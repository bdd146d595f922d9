# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""POST /v1/maintenance: one hold on many nodes, all or nothing or node by node (api.md 7)."""

from __future__ import annotations

import time
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.support.cast import LESSEE, OWNER
from ansible_collections.baremetal.maintenance.tests.support.service import Build, Client, Service

STORES = ("sqlite", "postgresql")


def nodes_of(service: Service, number: int, **members: t.Any) -> list[str]:
    return [service.node(**members) for _number in range(number)]


@pytest.mark.parametrize("on_error", ["stop", "continue", None])
def test_every_node_gets_the_hold_and_a_result_in_the_order_of_the_request(service: Service, owner: Client, on_error: str | None) -> None:
    nodes = nodes_of(service, 4)[::-1]
    idents = [nodes[0], service.uuid_of(nodes[1]), *nodes[2:]]
    hold = {"type": "operator_hold", "reason": "Row C", "extra": {"row": "C"}, "key": "k", "ticket": "CHG-1", "run": "r"}
    mode = {} if on_error is None else {"on_error": on_error}
    answer = owner.post("/maintenance", {"nodes": idents, **hold, **mode})
    assert answer.status == 200
    assert [(result["node"], result["status"]) for result in answer.json["results"]] == [(ident, 201) for ident in idents]
    for node, result in zip(nodes, answer.json["results"], strict=True):
        assert set(result) == {"node", "status", "entry"}
        assert result["entry"] == owner.get(f"/nodes/{node}/maintenance").json["maintenance"][0]
        assert {name: result["entry"][name] for name in hold} == hold
        [event] = service.events(node)
        assert (event["user"], event["maintenance"]["action"], event["maintenance"]["ticket"]) == ("id-of-owner", "assert", "CHG-1")
        assert service.flag(node) == (True, "operator_hold: Row C")


def test_the_scope_is_that_of_the_caller_on_each_node(service: Service) -> None:
    owned, leased = service.node(owner=OWNER, lessee=None), service.node(owner="project-far", lessee=OWNER)
    answer = service.by("owner-admin").post("/maintenance", {"nodes": [owned, leased], "type": "operator_hold"})
    assert [result["entry"]["scope"] for result in answer.json["results"]] == ["owner", "lessee"]


def test_stop_is_all_or_nothing_and_its_refusal_is_the_single_calls(service: Service, owner: Client) -> None:
    free, held = nodes_of(service, 2)
    entry = service.hold(held, scope="owner", project=OWNER)
    before = service.commits()
    bulk = owner.post("/maintenance", {"nodes": [free, held], "type": "operator_hold"})
    single = owner.post(f"/nodes/{held}/maintenance", {"type": "operator_hold"})
    assert (bulk.status, bulk.code) == (409, "duplicate")
    assert bulk.json == single.json
    assert [blocker["uuid"] for blocker in bulk.blockers] == [entry]
    assert service.commits() == before
    assert service.entries(free) == []


def test_stop_names_every_node_that_refuses_and_every_blocker(service: Service, owner: Client) -> None:
    nodes = nodes_of(service, 5)
    entries = {node: service.hold(node, scope="owner", project=OWNER) for node in (nodes[1], nodes[3])}
    answer = owner.post("/maintenance", {"nodes": [*nodes, "no-such-node"], "type": "operator_hold"})
    assert (answer.status, answer.code, answer.refusal["node"]) == (409, "duplicate", nodes[1])
    assert [blocker["uuid"] for blocker in answer.blockers] == list(entries.values())
    assert all(part in answer.said for part in (nodes[1], nodes[3], "Node no-such-node could not be found"))
    assert [service.uuids(node) for node in nodes] == [[], [entries[nodes[1]]], [], [entries[nodes[3]]], []]


def test_of_very_many_refusals_the_text_names_the_first_and_the_blockers_are_complete(service: Service, owner: Client) -> None:
    nodes = nodes_of(service, 53)
    entries = [service.hold(node, scope="owner", project=OWNER) for node in nodes]
    answer = owner.post("/maintenance", {"nodes": nodes, "type": "operator_hold"})
    assert [blocker["uuid"] for blocker in answer.blockers] == entries
    assert answer.said.endswith("3 more nodes refuse")


def test_continue_gives_each_node_what_the_single_call_would_have_said(service: Service) -> None:
    lessee = service.by("lessee")
    free, held, foreign = service.node(), service.node(), service.node(lessee="project-far")
    service.hold(held, scope="lessee", project=LESSEE)
    nodes = [foreign, held, "no-such-node", free]
    answer = lessee.post("/maintenance", {"nodes": nodes, "type": "operator_hold", "on_error": "continue"})
    assert answer.status == 200
    assert [(result["node"], result["status"]) for result in answer.json["results"]] == [
        (foreign, 404),
        (held, 409),
        ("no-such-node", 404),
        (free, 201),
    ]
    for node, result in zip(nodes[:3], answer.json["results"], strict=False):
        assert set(result) == {"node", "status", "error"}
        assert result["error"] == lessee.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json
    assert len(service.entries(free)) == 1


def test_continue_with_a_node_that_is_seen_and_may_not_be_held(service: Service) -> None:
    readable = service.node()
    answer = service.by("lessee-member").post("/maintenance", {"nodes": [readable], "type": "operator_hold", "on_error": "continue"})
    [result] = answer.json["results"]
    assert (result["status"], result["error"]["refusal"]["code"]) == (403, "not_permitted")


def test_a_node_that_is_full_refuses(build: Build) -> None:
    service = build(max_entries_per_node=1)
    full, free = service.node(), service.node()
    service.hold(full)
    body = {"nodes": [full, free], "type": "hardware_failure"}
    assert service.by("owner").post("/maintenance", body).status == 400
    assert service.entries(free) == []
    results = service.by("owner").post("/maintenance", {**body, "on_error": "continue"}).json["results"]
    assert [result["status"] for result in results] == [400, 201]


@pytest.mark.parametrize("on_error", ["stop", "continue"])
def test_a_node_named_twice_is_refused_in_either_spelling(service: Service, owner: Client, on_error: str) -> None:
    node = service.node()
    for nodes in ([node, node], [node, service.uuid_of(node)], ["no-such-node", "no-such-node"]):
        answer = owner.post("/maintenance", {"nodes": nodes, "type": "operator_hold", "on_error": on_error})
        assert (answer.status, answer.code) == (400, "invalid")
        assert "twice" in answer.said
    assert service.entries(node) == []


BAD = [
    ({"nodes": None}, "'nodes'"),
    ({"nodes": "node-1"}, "'nodes'"),
    ({"nodes": {"a": 1}}, "'nodes'"),
    ({"nodes": [5]}, "'nodes'"),
    ({"nodes": [""]}, "'nodes'"),
    ({"nodes": [None]}, "'nodes'"),
    ({"nodes": [["a"]]}, "'nodes'"),
    ({"on_error": "ignore"}, "'on_error'"),
    ({"on_error": None}, "'on_error'"),
    ({"on_error": ["stop"]}, "'on_error'"),
    ({"on_error": True}, "'on_error'"),
    ({"type": None}, "type is required"),
    ({"type": "no_such_type"}, "no_such_type"),
    ({"type": "legacy"}, "reserved"),
    ({"extra": []}, "'extra'"),
    ({"entries": ["x"]}, "'entries'"),
    ({"comment": "x"}, "'comment'"),
    ({"scope": "system"}, "'scope'"),
]


@pytest.mark.parametrize(("member", "said"), BAD)
def test_a_mistake_in_the_body_is_one_sentence(service: Service, owner: Client, member: dict[str, t.Any], said: str) -> None:
    node = service.node()
    answer = owner.post("/maintenance", {"nodes": [node], "type": "operator_hold", **member})
    assert answer.status == 400
    assert said in answer.said
    assert service.entries(node) == []


@pytest.mark.parametrize("body", [None, [], "x", 5, {"type": "operator_hold"}])
def test_nothing_is_asserted_on_everything_by_leaving_the_nodes_out(service: Service, operator: Client, body: t.Any) -> None:
    before = service.commits()
    assert operator.post("/maintenance", body).status == 400
    assert service.commits() == before


def test_no_nodes_are_no_results(service: Service, owner: Client) -> None:
    answer = owner.post("/maintenance", {"nodes": [], "type": "operator_hold"})
    assert (answer.status, answer.json) == (200, {"results": []})


@pytest.mark.parametrize(("on_error", "most"), [("stop", 20000), ("continue", 1000)])
@pytest.mark.parametrize(
    ("path", "member", "rest"),
    [
        ("/maintenance", "nodes", {"type": "operator_hold"}),
        ("/maintenance/release", "nodes", {"type": "operator_hold"}),
        ("/maintenance/release", "entries", {}),
    ],
)
def test_a_call_takes_so_many_and_one_more_is_refused_naming_the_limit(
    service: Service, operator: Client, path: str, member: str, rest: dict[str, t.Any], on_error: str, most: int
) -> None:
    names = [f"no-such-{number}" for number in range(most + 1)]
    answer = operator.post(path, {member: names, "on_error": on_error, **rest})
    assert (answer.status, answer.code) == (400, "invalid")
    assert all(part in answer.said for part in (f"{member!r} names {most + 1}", f"on_error {on_error}", f"{most} at most"))
    answer = operator.post(path, {member: names[:-1], "on_error": on_error, **rest})
    assert answer.status == (404 if on_error == "stop" else 200)


def test_a_thousand_nodes_are_held_and_released_in_one_call_each(build: Build) -> None:
    service = build()
    admin = service.by("admin")
    uuids = [f"00000000-0000-4000-8000-{number:012d}" for number in range(1000)]
    service.enrol_all([{"uuid": uuid, "owner": OWNER} for uuid in uuids])
    owner = service.by("owner")
    start = time.monotonic()
    answer = owner.post("/maintenance", {"nodes": uuids, "type": "operator_hold", "run": "r", "on_error": "continue"})
    assert [result["status"] for result in answer.json["results"]] == [201] * 1000
    assert len(admin.get("/maintenance?limit=1000").json["maintenance"]) == 1000
    answer = owner.post("/maintenance/release", {"run": "r"})
    assert [result["status"] for result in answer.json["results"]] == [204] * 1000
    assert admin.get("/maintenance").json["maintenance"] == []
    assert time.monotonic() - start < 60


def test_four_mib_are_accepted_here(service: Service, operator: Client) -> None:
    node = service.node()
    extra = {"x": "y" * 60000}
    filler = b" " * (4 * 1024 * 1024)
    body = b'{"nodes": ["%s"], "type": "operator_hold", "extra": {"x": "%s"}}' % (node.encode(), extra["x"].encode())
    headers = {"Content-Type": "application/json"}
    answer = operator.post("/maintenance", raw=body + filler[len(body) :], headers=headers)
    assert answer.status == 200
    answer = operator.post("/maintenance", raw=body + filler[len(body) - 1 :], headers=headers)
    assert (answer.status, answer.code) == (413, "invalid")
    assert len(service.entries(node)) == 1
