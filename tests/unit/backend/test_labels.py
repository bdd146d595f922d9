# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Labels: key, ticket and run; what is own and what is a duplicate (api.md 5)."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.support.service import Client, Service


def test_a_key_is_part_of_what_a_hold_is(service: Service, owner: Client) -> None:
    node = service.node()
    for key in ("", "disk", "Disk", " disk", "ключ"):
        answer = owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold", "key": key})
        assert (answer.status, answer.json["key"]) == (201, key)
        again = owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold", "key": key})
        assert (again.status, again.code, again.blockers[0]["uuid"]) == (409, "duplicate", answer.json["uuid"])
    assert len(service.uuids(node)) == 5


@pytest.mark.parametrize("empty", [{}, {"key": ""}, {"key": None}])
def test_no_key_is_the_empty_key(service: Service, owner: Client, empty: dict[str, t.Any]) -> None:
    node = service.node()
    assert owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold", **empty}).json["key"] == ""
    assert owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold", "key": ""}).status == 409


@pytest.mark.parametrize("first", ["operator", "night-operator"])
def test_two_operators_without_a_project_hold_one_node_under_two_keys_and_whichever_releases_first_it_stays_held(
    service: Service, first: str
) -> None:
    node = service.node()
    holds = {}
    for login in ("operator", "night-operator"):
        answer = service.by(login).post(f"/nodes/{node}/maintenance", {"type": "operator_hold", "key": login, "reason": login})
        assert (answer.status, answer.json["scope"], answer.json["asserted_by_project"]) == (201, "system", "")
        holds[login] = answer.json["uuid"]
    [second] = set(holds) - {first}
    assert service.by(first).delete(f"/nodes/{node}/maintenance/{holds[first]}").status == 204
    assert service.flag(node) == (True, f"operator_hold: {second}")
    assert service.by(second).delete(f"/nodes/{node}/maintenance/{holds[second]}").status == 204
    assert service.flag(node) == (False, None)


def test_without_a_project_own_is_the_users_own_and_the_duplicate_is_still_named(service: Service, operator: Client) -> None:
    node = service.node()
    entry = operator.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json
    night = service.by("night-operator")
    assert entry["own"] is True
    assert night.get(f"/nodes/{node}/maintenance/{entry['uuid']}").json["own"] is False
    answer = night.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"})
    assert (answer.status, answer.code, answer.blockers[0]["uuid"]) == (409, "duplicate", entry["uuid"])


OWN = [
    ("owner", {"owner": True, "owner-mate": True, "owner-admin": True, "operator": False, "lessee": False, "auditor": False}),
    ("lessee", {"lessee": True, "lessee-mate": True, "lessee-reader": True, "owner": False, "operator": False}),
    ("operator", {"operator": True, "night-operator": False, "engineer": False, "owner": False, "lessee": False, "admin": False}),
    ("engineer", {"engineer": True, "engineer-mate": True, "operator": False, "owner": False, "auditor": False}),
]


@pytest.mark.parametrize(("asserter", "readers"), OWN)
def test_own_is_said_for_every_reader(service: Service, asserter: str, readers: dict[str, bool]) -> None:
    node = service.node()
    entry = service.by(asserter).post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json["uuid"]
    for reader, own in readers.items():
        assert service.by(reader).get(f"/nodes/{node}/maintenance/{entry}").json["own"] is own, reader


def test_ticket_and_run_are_stored_echoed_and_recorded(service: Service, owner: Client) -> None:
    node = service.node()
    labels = {"ticket": "CHG-2211 😀", "run": "awx-job-4711"}
    made = owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold", **labels}).json
    [entry] = owner.get(f"/nodes/{node}/maintenance").json["maintenance"]
    said = service.events(node)[0]["maintenance"]
    for shown in (made, entry, said):
        assert {name: shown[name] for name in labels} == labels


def test_ticket_and_run_are_not_part_of_what_a_hold_is(service: Service, owner: Client) -> None:
    node = service.node()
    owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold", "ticket": "CHG-1", "run": "1"})
    assert owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold", "ticket": "CHG-2", "run": "2"}).status == 409


@pytest.mark.parametrize("name", ["ticket", "run"])
@pytest.mark.parametrize("empty", ["", None])
def test_an_empty_label_is_none(service: Service, owner: Client, name: str, empty: str | None) -> None:
    assert owner.post(f"/nodes/{service.node()}/maintenance", {"type": "operator_hold", name: empty}).json[name] is None


@pytest.mark.parametrize(("name", "most"), [("key", 64), ("ticket", 255), ("run", 255)])
def test_a_label_has_its_length(service: Service, owner: Client, name: str, most: int) -> None:
    node = service.node()
    answer = owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold", name: "x" * (most + 1)})
    assert (answer.status, answer.code) == (400, "invalid")
    assert answer.said == f"The member {name!r} has {most + 1} characters, {most} at most are kept."
    assert service.entries(node) == []
    assert owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold", name: "😀" * most}).json[name] == "😀" * most


@pytest.mark.parametrize("name", ["key", "ticket", "run"])
@pytest.mark.parametrize("value", [5, True, ["x"], {"a": 1}])
def test_a_label_is_a_text(service: Service, owner: Client, name: str, value: t.Any) -> None:
    node = service.node()
    answer = owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold", name: value})
    assert (answer.status, answer.code, answer.said) == (400, "invalid", f"The member {name!r} is a text.")
    assert service.entries(node) == []
