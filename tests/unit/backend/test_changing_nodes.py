# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changing, making and removing nodes: who may do what to a node that somebody else's hold is about (api.md 4)."""

from __future__ import annotations

import typing as t
import uuid

import pytest
from ansible_collections.baremetal.maintenance.tests.support.cast import OWNER, STRANGER
from ansible_collections.baremetal.maintenance.tests.support.service import ABSENT, BELOW, TYPED, Build, Service

REMOVE = "baremetal:node:maintenance:remove"

#: Members that Ironic has a rule of its own for, beside node:update; a value that changes each, and who may by default.
OWNERS: t.Final = {"operator", "owner", "owner-admin"}
RULES: t.Final[list[tuple[str, t.Any, str, set[str]]]] = [
    ("name", "renamed", "baremetal:node:update:name", OWNERS),
    ("properties", {"cpus": 8}, "baremetal:node:update:properties", OWNERS),
    ("instance_uuid", "1be26c0b-03f2-4d2e-ae87-c02d7f33c123", "baremetal:node:update:instance_uuid", OWNERS),
    ("lessee", STRANGER, "baremetal:node:update:lessee", OWNERS),
    ("driver", "redfish", "baremetal:node:update:driver_interfaces", {"operator", "owner-admin"}),
    ("conductor_group", "west", "baremetal:node:update:conductor_group", {"operator"}),
    ("owner", STRANGER, "baremetal:node:update:owner", {"operator"}),
    ("extra", {"rack": "r1"}, "baremetal:node:update_extra", OWNERS | {"lessee", "lessee-member"}),
]


@pytest.mark.parametrize(("member", "value", "rule", "may"), RULES, ids=[row[0] for row in RULES])
@pytest.mark.parametrize("login", ["operator", "owner", "owner-admin", "lessee", "lessee-member"])
def test_a_member_of_a_node_has_ironics_own_rule(service: Service, login: str, member: str, value: t.Any, rule: str, may: set[str]) -> None:
    node = service.uuid_of(service.node())
    patch = [{"op": "add", "path": f"/{member}", "value": f"{value}-{uuid.uuid4()}" if member == "name" else value}]
    if member == "instance_uuid":
        patch[0]["value"] = str(uuid.uuid4())
    before = service.dump()
    answer = service.by(login).patch(f"/nodes/{node}", patch)
    if login in may:
        assert answer.status == 200
    else:
        assert (answer.status, answer.code) == (403, "not_permitted")
        assert rule in answer.said
        assert service.dump() == before


def test_a_lessee_changes_what_is_nobodys_in_particular(service: Service) -> None:
    answer = service.by("lessee-member").patch(
        f"/nodes/{service.node()}",
        [{"op": "add", "path": "/description", "value": "ours"}, {"op": "add", "path": "/resource_class", "value": "large"}],
    )
    assert (answer.status, answer.json["description"], answer.json["resource_class"]) == (200, "ours", "large")


def test_a_policy_file_narrows_a_member(build: Build) -> None:
    service = build(policy={"baremetal:node:update:name": "role:admin and system_scope:all"})
    node = service.node()
    rename = [{"op": "replace", "path": "/name", "value": "other"}]
    assert service.by("owner").patch(f"/nodes/{node}", rename).status == 403
    assert service.by("admin").patch(f"/nodes/{node}", rename).status == 200


@pytest.mark.parametrize("login", ["stranger", "owner-admin"])
def test_a_node_of_ones_own_does_not_open_the_history_of_a_removed_one(service: Service, login: str) -> None:
    node = service.uuid_of(service.node(owner=None, lessee=None))
    service.hold(node, reason="a secret of the operators")
    assert service.by("admin").delete(f"/nodes/{node}").status == 204
    answer = service.by(login).post("/nodes", {"uuid": node})
    assert (answer.status, answer.code) == (409, "duplicate")
    assert service.by(login).post("/nodes?dry_run=true", {"uuid": node}).status == 409
    assert service.by("admin").post("/nodes", {"uuid": node}).status == 201
    assert service.by("admin").delete(f"/nodes/{node}").status == 204


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/nodes/{}/maintenance", {"type": "operator_hold"}),
        ("PUT", "/nodes/{}/maintenance", {"reason": "x"}),
        ("DELETE", "/nodes/{}/maintenance", None),
        ("DELETE", "/nodes/{}", None),
        ("PATCH", "/nodes/{}", [{"op": "replace", "path": "/maintenance", "value": False}]),
        ("PUT", "/nodes/{}/maintenance/fault", {"fault": "power failure"}),
        ("POST", "/maintenance", {"nodes": ["{}"], "type": "operator_hold"}),
        ("POST", "/maintenance/release", {"nodes": ["{}"], "type": "operator_hold"}),
    ],
)
def test_a_name_that_goes_to_another_node_before_the_lock_takes_nothing_along(
    build: Build, monkeypatch: pytest.MonkeyPatch, method: str, path: str, body: t.Any
) -> None:
    """The node is looked up by its name, then locked by its id: in between the name may have become another machine's."""
    service = build()
    named, other = service.node(), service.node()
    admin = service.by("admin")
    admin.post(f"/nodes/{named}/maintenance", {"type": "operator_hold"})
    names = [service.uuid_of(named), service.uuid_of(other)]
    store = type(service.parts.store)
    real = store.change

    def change(self: t.Any, node_ids: t.Any, decide: t.Any, **more: t.Any) -> t.Any:
        monkeypatch.setattr(store, "change", real)
        for node, name in ((names[0], "spare"), (names[1], named)):
            assert admin.patch(f"/nodes/{node}", [{"op": "replace", "path": "/name", "value": name}]).status == 200
        swapped.append(service.dump())
        return real(self, node_ids, decide, **more)

    swapped: list[str] = []
    monkeypatch.setattr(store, "change", change)
    said = {**body, "nodes": [named]} if isinstance(body, dict) and "nodes" in body else body
    answer = admin.send(method, path.format(named), said)
    assert (answer.status, answer.code) == (404, "not_found")
    assert [service.dump()] == swapped


@pytest.mark.parametrize("version", [ABSENT, BELOW, TYPED])
def test_guarded_keeps_old_scripts_from_removing_a_node_that_somebody_else_holds(build: Build, version: str) -> None:
    service = build(policy="guarded")
    node = service.uuid_of(service.node(owner=OWNER))
    entry = service.by("owner").post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json["uuid"]
    answer = service.by("admin").delete(f"/nodes/{node}", version=version)
    if version == TYPED:
        assert answer.status == 204
    else:
        assert (answer.status, [blocker["uuid"] for blocker in answer.blockers]) == (403, [entry])
        assert service.uuids(node) == [entry]


def test_a_node_that_is_made_is_answered_without_a_second_look_that_could_fail(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: t.Any, **_more: t.Any) -> t.NoReturn:
        raise AssertionError("the node was committed, and is read again")

    monkeypatch.setattr(type(service.parts.source), "find", fail)
    made = service.by("admin").post("/nodes", {"owner": OWNER, "extra": {"rack": "r1"}})
    monkeypatch.undo()
    assert made.status == 201
    assert service.by("admin").get(f"/nodes/{made.json['uuid']}").json == made.json


@pytest.mark.parametrize("sorting", ["", "&sort_key=name&sort_dir=desc", "&sort_key=maintenance"])
def test_pages_go_on_after_a_node_that_left_the_filter_meanwhile(build: Build, sorting: str) -> None:
    service = build()
    nodes = [service.uuid_of(service.node()) for _number in range(5)]
    admin = service.by("admin")
    path = f"/nodes?maintenance=false&limit=2&fields=uuid{sorting}"
    first = [node["uuid"] for node in admin.get(path).json["nodes"]]
    service.hold(first[-1])
    second = admin.get(f"{path}&marker={first[-1]}")
    assert second.status == 200
    rest = [node["uuid"] for node in second.json["nodes"]]
    if "maintenance" not in sorting:
        third = [node["uuid"] for node in admin.get(f"{path}&marker={rest[-1]}").json["nodes"]]
        assert sorted([*first, *rest, *third]) == sorted(nodes)


def test_a_marker_that_the_caller_does_not_see_is_none(service: Service) -> None:
    hidden = service.uuid_of(service.node(owner=STRANGER, lessee=None))
    answers = [service.by("owner").get(f"/nodes?marker={marker}") for marker in (hidden, str(uuid.uuid4()))]
    assert [(answer.status, answer.code) for answer in answers] == [(404, "not_found")] * 2
