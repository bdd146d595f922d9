# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Many callers want the same thing at the same moment (api.md 6): it happens once."""

from __future__ import annotations

import collections

import pytest
from ansible_collections.baremetal.maintenance.tests.support.agreement import disagreements

from .talking import Answer, Client, Services

MANY = 50

pytestmark = pytest.mark.soak


def statuses(answers: list[Answer]) -> dict[int, int]:
    """How often each status was answered."""
    return dict(collections.Counter(answer.status for answer in answers))


def test_the_same_assert(services: Services, rounds: int) -> None:
    for _round in range(rounds):
        node = services.enrol()

        def call(client: Client, place: int, node: str = node) -> Answer:
            return client.send("operator", "POST", f"/nodes/{node}/maintenance", {"type": "operator_hold", "reason": f"of {place}"})

        answers = services.at_once(MANY, call)
        assert statuses(answers) == {201: 1, 409: MANY - 1}
        [won] = [answer.body["uuid"] for answer in answers if answer.status == 201]
        assert [entry["uuid"] for entry in services.entries(node)] == [won]
        assert [(event["action"], event["entry_uuid"]) for event in services.events(node)] == [("assert", won)]
        named = [answer.body["refusal"]["blockers"] for answer in answers if answer.status == 409]
        assert [[blocker["uuid"] for blocker in blockers] for blockers in named] == [[won]] * (MANY - 1)
    assert disagreements(services.database) == []


def test_the_same_release(services: Services, rounds: int) -> None:
    for _round in range(rounds):
        node = services.enrol()
        with services.client() as client:
            entry = client.send("operator", "POST", f"/nodes/{node}/maintenance", {"type": "operator_hold"}).body["uuid"]
        answers = services.at_once(
            MANY, lambda client, _place, path=f"/nodes/{node}/maintenance/{entry}": client.send("operator", "DELETE", path)
        )
        assert statuses(answers) == {204: 1, 404: MANY - 1}
        assert services.entries(node) == []
        assert [event["action"] for event in services.events(node)] == ["assert", "release"]
    assert disagreements(services.database) == []


def test_the_boolean_with_many_reasons(services: Services) -> None:
    """Each is acknowledged, one legacy entry is there, and its reason is the last one that history knows."""
    node = services.enrol()
    answers = services.at_once(
        MANY, lambda client, place: client.send("operator", "PUT", f"/nodes/{node}/maintenance", {"reason": f"reason {place}"}, typed=False)
    )
    assert statuses(answers) == {202: MANY}
    [entry] = services.entries(node)
    events = services.events(node)
    assert [event["action"] for event in events] == ["assert"] + ["update"] * (MANY - 1)
    assert {event["reason"] for event in events} == {f"reason {place}" for place in range(MANY)}
    assert entry["reason"] == events[-1]["reason"]
    assert disagreements(services.database) == []


def test_the_same_fault(services: Services) -> None:
    """It is asserted once, and what comes again is counted."""
    node = services.enrol()
    answers = services.at_once(
        MANY,
        lambda client, place: client.send(
            "conductor", "PUT", f"/nodes/{node}/maintenance/fault", {"fault": "power failure", "reason": f"attempt {place}"}
        ),
    )
    assert statuses(answers) == {201: 1, 200: MANY - 1}
    assert len({answer.body["uuid"] for answer in answers}) == 1
    assert [entry["type"] for entry in services.entries(node)] == ["fault"]
    assert [(event["action"], event["count"]) for event in services.events(node)] == [("assert", 1), ("update", MANY - 1)]
    assert disagreements(services.database) == []


def test_the_same_hold_on_the_same_nodes(services: Services) -> None:
    """All or nothing: one of them gets every node, the others none."""
    nodes = [services.enrol() for _number in range(10)]

    def call(client: Client, place: int) -> Answer:
        # Each names them in another order: locks are taken in one.
        wanted = nodes[place % 10 :] + nodes[: place % 10]
        return client.send("operator", "POST", "/maintenance", {"nodes": wanted, "type": "operator_hold", "run": f"run {place}"})

    answers = services.at_once(20, call)
    assert statuses(answers) == {200: 1, 409: 19}
    [winner] = [place for place, answer in enumerate(answers) if answer.status == 200]
    for node in nodes:
        assert [entry["run"] for entry in services.entries(node)] == [f"run {winner}"]
        assert [event["run"] for event in services.events(node)] == [f"run {winner}"]
    assert disagreements(services.database) == []


def test_assert_and_clear(services: Services, rounds: int) -> None:
    """A hold is acknowledged either before the clearing, and released by it, or after it, and stays."""
    for _round in range(rounds):
        node = services.enrol()

        def call(client: Client, place: int, node: str = node) -> Answer:
            if place % 2:
                return client.send("operator", "DELETE", f"/nodes/{node}/maintenance")
            return client.send("operator", "POST", f"/nodes/{node}/maintenance", {"type": "operator_hold", "key": str(place)})

        answers = services.at_once(20, call)
        assert statuses(answers) == {201: 10, 204: 10}
        asserted = {answer.body["uuid"] for answer in answers if answer.status == 201}
        released = {event["entry_uuid"] for event in services.events(node) if event["action"] == "release"}
        assert {entry["uuid"] for entry in services.entries(node)} == asserted - released
    assert disagreements(services.database) == []
