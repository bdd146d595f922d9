# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""POST /v1/maintenance/release: what is selected, and nothing because a member was left out (api.md 5 and 7)."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.support.cast import LESSEE, OWNER
from ansible_collections.baremetal.maintenance.tests.support.service import Answer, Build, Client, Service

STORES = ("sqlite", "postgresql")

#: The holds on a node: whose, with which labels.
OWN = {"type": "operator_hold", "scope": "owner", "project": OWNER}
HELD = {
    "plain": {**OWN},
    "run": {**OWN, "key": "a", "run": "run-1"},
    "ticket": {**OWN, "key": "b", "ticket": "CHG-1"},
    "both": {**OWN, "type": "hardware_failure", "run": "run-1", "ticket": "CHG-1"},
    "keyed": {**OWN, "type": "hardware_failure", "key": "a", "run": "run-2"},
    "lessee": {"type": "operator_hold", "scope": "lessee", "project": LESSEE, "run": "run-1", "ticket": "CHG-1"},
    "system": {"type": "operator_hold", "run": "run-1", "ticket": "CHG-1"},
    "legacy": {"type": "legacy", "scope": "owner", "project": OWNER},
}


class Stage(t.NamedTuple):
    """A service with two nodes that have all of these holds."""

    service: Service
    nodes: list[str]
    entries: list[dict[str, str]]

    def left(self, number: int = 0) -> set[str]:
        """Give the words of the holds that are left on a node."""
        active = self.service.active(self.entries[number].values())
        return {word for word, uuid in self.entries[number].items() if uuid in active}


@pytest.fixture
def stage(build: Build) -> Stage:
    """Two nodes with all of these holds."""
    service = build()
    nodes = [service.node(), service.node()]
    entries = [dict(zip(HELD, service.hold_all(node, list(HELD.values())), strict=True)) for node in nodes]
    return Stage(service, nodes, entries)


# what selects, on both nodes unless it says so, and what of the owner's is released on each
SELECTIONS: list[tuple[dict[str, t.Any], set[str]]] = [
    # "by `type` also the same key": the empty one if none is given.
    ({"type": "operator_hold"}, {"plain"}),
    ({"type": "operator_hold", "key": ""}, {"plain"}),
    ({"type": "operator_hold", "key": "a"}, {"run"}),
    ({"type": "hardware_failure"}, {"both"}),
    ({"type": "hardware_failure", "key": "a"}, {"keyed"}),
    ({"type": "operator_hold", "key": "nope"}, set()),
    ({"type": "x_of_the_past"}, set()),
    # Run and ticket narrow it.
    ({"type": "hardware_failure", "run": "run-1"}, {"both"}),
    ({"type": "hardware_failure", "run": "run-2"}, set()),
    ({"type": "hardware_failure", "key": "a", "run": "run-2"}, {"keyed"}),
    ({"type": "hardware_failure", "run": "run-1", "ticket": "CHG-1"}, {"both"}),
    ({"type": "hardware_failure", "run": "run-1", "ticket": "CHG-2"}, set()),
    # "by `run` or `ticket` any key"
    ({"run": "run-1"}, {"run", "both"}),
    ({"ticket": "CHG-1"}, {"ticket", "both"}),
    ({"run": "run-1", "ticket": "CHG-1"}, {"both"}),
    ({"run": "run-none"}, set()),
]


@pytest.mark.parametrize(("selection", "released"), SELECTIONS)
def test_on_named_nodes_it_is_the_callers_own_that_match(stage: Stage, selection: dict[str, t.Any], released: set[str]) -> None:
    answer = stage.service.by("owner").post("/maintenance/release", {"nodes": stage.nodes, **selection})
    assert answer.status == 200
    for number, node in enumerate(stage.nodes):
        assert set(HELD) - stage.left(number) == released
        results = [result for result in answer.json["results"] if result["node"] == node]
        assert {result["status"] for result in results} == {204}
        if released:
            assert {result["entry"]["uuid"] for result in results} == {stage.entries[number][word] for word in released}
        else:
            assert results == [{"node": node, "status": 204, "entry": None}]


@pytest.mark.parametrize(("selection", "released"), [row for row in SELECTIONS if "type" not in row[0]])
def test_without_nodes_run_and_ticket_reach_over_the_whole_fleet(stage: Stage, selection: dict[str, t.Any], released: set[str]) -> None:
    answer = stage.service.by("owner").post("/maintenance/release", selection)
    assert answer.status == 200
    assert len(answer.json["results"]) == 2 * len(released)
    for number in (0, 1):
        assert set(HELD) - stage.left(number) == released


def test_of_one_node_the_other_is_left_alone(stage: Stage) -> None:
    stage.service.by("owner").post("/maintenance/release", {"nodes": stage.nodes[:1], "run": "run-1"})
    assert stage.left(0) == set(HELD) - {"run", "both"}
    assert stage.left(1) == set(HELD)


def test_an_operator_without_a_project_releases_its_own_not_its_colleagues(stage: Stage) -> None:
    operator, night = stage.service.by("operator"), stage.service.by("night-operator")
    for who, key in ((operator, "op"), (night, "night")):
        who.post("/maintenance", {"nodes": stage.nodes, "type": "operator_hold", "key": key, "run": "run-9"})
    answer = operator.post("/maintenance/release", {"run": "run-9"})
    assert [result["entry"]["key"] for result in answer.json["results"]] == ["op", "op"]
    assert operator.post("/maintenance/release", {"run": "run-9"}).json == {"results": []}
    assert stage.left() == set(HELD)


def test_what_is_released_is_answered_as_it_was(stage: Stage) -> None:
    owner = stage.service.by("owner")
    before = owner.get(f"/nodes/{stage.nodes[0]}/maintenance/{stage.entries[0]['both']}").json
    answer = owner.post("/maintenance/release", {"entries": [stage.entries[0]["both"]]})
    [result] = answer.json["results"]
    assert result == {"node": stage.service.uuid_of(stage.nodes[0]), "status": 204, "entry": before}


#: What would release too much if a member that was left out, or is empty, meant everything.
NOTHING_SELECTED: list[dict[str, t.Any]] = [
    {},
    {"nodes": ["node-1"]},
    {"on_error": "continue"},
    {"comment": "x"},
    {"type": "operator_hold"},
    {"type": "operator_hold", "run": "run-1"},
    {"key": "a"},
    {"nodes": ["node-1"], "key": "a"},
    {"nodes": ["node-1"], "run": ""},
    {"nodes": ["node-1"], "run": None},
    {"nodes": ["node-1"], "ticket": ""},
    {"nodes": ["node-1"], "type": ""},
    {"nodes": ["node-1"], "type": None},
    {"nodes": ["node-1"], "type": None, "run": "run-1"},
    {"nodes": ["node-1"], "run": "run-1", "ticket": None},
    {"nodes": ["node-1"], "run": "run-1", "key": "a"},
    {"nodes": None, "run": "run-1"},
    {"run": "run-1", "nodes": "node-1"},
    {"run": ""},
    {"run": None, "ticket": "CHG-1"},
    {"ticket": ["CHG-1"]},
    {"run": True},
    {"entries": None},
    {"entries": "x"},
    {"entries": ["x"], "nodes": ["node-1"]},
    {"entries": ["x"], "type": "operator_hold"},
    {"entries": ["x"], "run": "run-1"},
    {"entries": ["x"], "nodes": None},
    {"entries": ["x"], "key": ""},
    {"entries": [None]},
    {"entries": ["x", "x"]},
    {"entry": ["x"]},
    {"runs": ["run-1"]},
    {"scope": "owner", "run": "run-1"},
    {"nodes": ["node-1"], "type": "operator_hold", "reason": "x"},
]


@pytest.mark.parametrize("body", NOTHING_SELECTED)
def test_nothing_is_selected_by_omission_nor_by_a_mistake(stage: Stage, body: dict[str, t.Any]) -> None:
    for login in ("owner", "admin"):
        answer = stage.service.by(login).post("/maintenance/release", body)
        assert (answer.status, answer.code) == (400, "invalid")
    assert stage.left(0) == stage.left(1) == set(HELD)


@pytest.mark.parametrize("body", [None, [], "x", 5, True])
def test_the_body_is_an_object(stage: Stage, body: t.Any) -> None:
    assert stage.service.by("owner").post("/maintenance/release", body).status == 400
    assert stage.left() == set(HELD)


@pytest.mark.parametrize("body", [{"entries": []}, {"nodes": [], "type": "operator_hold"}, {"nodes": [], "run": "run-1"}])
def test_an_empty_list_selects_nothing(stage: Stage, body: dict[str, t.Any]) -> None:
    answer = stage.service.by("owner").post("/maintenance/release", body)
    assert (answer.status, answer.json) == (200, {"results": []})
    assert stage.left(0) == stage.left(1) == set(HELD)


def by_uuid(who: Client, stage: Stage, words: list[str], **more: t.Any) -> Answer:
    return who.post("/maintenance/release", {"entries": [stage.entries[0][word] for word in words], **more})


def test_by_uuid_any_entry_that_the_single_call_would_release(stage: Stage) -> None:
    answer = by_uuid(stage.service.by("owner"), stage, ["lessee", "legacy", "plain"])
    assert [result["status"] for result in answer.json["results"]] == [204, 204, 204]
    assert stage.left(0) == set(HELD) - {"lessee", "legacy", "plain"}


def test_stop_releases_all_or_nothing_and_names_every_blocker(stage: Stage) -> None:
    lessee = stage.service.by("lessee")
    answer = by_uuid(lessee, stage, ["lessee", "system", "plain", "legacy"])
    assert (answer.status, answer.code) == (403, "not_permitted")
    assert [blocker["uuid"] for blocker in answer.blockers] == [stage.entries[0]["system"], stage.entries[0]["plain"]]
    assert answer.said == (
        f"Cannot release maintenance entry {stage.entries[0]['system']} (type operator_hold, scope system): not permitted at lessee scope. "
        f"Cannot release maintenance entry {stage.entries[0]['plain']} (type operator_hold, scope owner): not permitted at lessee scope"
    )
    assert stage.left(0) == set(HELD)


def test_stop_refuses_an_entry_that_is_not_there(stage: Stage) -> None:
    gone = stage.entries[0]["plain"]
    owner = stage.service.by("owner")
    assert owner.delete(f"/nodes/{stage.nodes[0]}/maintenance/{gone}").status == 204
    answer = by_uuid(owner, stage, ["run", "plain"])
    assert (answer.status, answer.code, answer.said) == (404, "not_found", f"Maintenance entry {gone} could not be found.")
    assert stage.left(0) == set(HELD) - {"plain"}


def test_continue_releases_what_it_can_in_the_order_of_the_request(stage: Stage) -> None:
    words = ["system", "lessee", "plain", "run"]
    answer = by_uuid(stage.service.by("owner"), stage, words, on_error="continue")
    assert [result["status"] for result in answer.json["results"]] == [403, 204, 204, 204]
    assert answer.json["results"][0]["error"]["refusal"]["blockers"][0]["uuid"] == stage.entries[0]["system"]
    assert stage.left(0) == set(HELD) - {"lessee", "plain", "run"}


@pytest.mark.parametrize("on_error", ["stop", "continue"])
def test_an_unknown_node_is_404_where_nodes_are_named(stage: Stage, on_error: str) -> None:
    body = {"nodes": [stage.nodes[0], "no-such-node"], "type": "operator_hold", "on_error": on_error}
    answer = stage.service.by("owner").post("/maintenance/release", body)
    if on_error == "stop":
        assert (answer.status, answer.said) == (404, "Node no-such-node could not be found.")
        assert stage.left() == set(HELD)
    else:
        assert [result["status"] for result in answer.json["results"]] == [204, 404]
        assert stage.left() == set(HELD) - {"plain"}


@pytest.mark.parametrize("comment", ["repaired, see CHG-1 😀", "", None, "x" * 4096])
def test_the_comment_says_in_history_why_it_was_released(stage: Stage, comment: str | None) -> None:
    by_uuid(stage.service.by("owner"), stage, ["plain", "legacy"], comment=comment)
    released = [event["maintenance"] for event in stage.service.events(stage.nodes[0]) if event["maintenance"]["action"] == "release"]
    assert [(said["entry_uuid"], said["comment"]) for said in released] == [
        (stage.entries[0]["plain"], comment or None),
        (stage.entries[0]["legacy"], comment or None),
    ]


@pytest.mark.parametrize("comment", [5, ["x"], {"a": 1}, True, "x" * 4097])
def test_a_comment_is_a_text_of_up_to_4096_characters(stage: Stage, comment: t.Any) -> None:
    answer = by_uuid(stage.service.by("owner"), stage, ["plain"], comment=comment)
    assert (answer.status, answer.code) == (400, "invalid")
    assert "comment" in answer.said
    assert stage.left() == set(HELD)


def test_releasing_the_last_takes_the_nodes_out_of_maintenance(stage: Stage) -> None:
    everything = [uuid for entries in stage.entries for uuid in entries.values()]
    assert stage.service.by("admin").post("/maintenance/release", {"entries": everything}).status == 200
    assert [stage.service.flag(node) for node in stage.nodes] == [(False, None)] * 2
