# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A node that the caller may not see does not exist: the answers are the same byte for byte, but for the identifier (api.md 4)."""

from __future__ import annotations

import re
import typing as t
import uuid

import pytest
from ansible_collections.baremetal.maintenance.tests.support.cast import STRANGER
from ansible_collections.baremetal.maintenance.tests.support.service import ABSENT, BELOW, TYPED, Answer, Client, Service

UNKNOWN_ENTRY = str(uuid.UUID(int=11))


def without_what_differs(answer: Answer, ident: str) -> str:
    """Give the whole answer without the request's own id, with the identifier as it was asked for replaced."""
    text = re.sub(r"req-[0-9a-f-]{36}", "req", answer.everything)
    text = re.sub(r"content-length: \d+", "content-length", text)
    return text.replace(ident, "IDENT")


#: Every call that names a node, and the version in which it is made.
CALLS: dict[str, t.Callable[[Client, str, str], Answer]] = {
    "show": lambda who, node, _entry: who.get(f"/nodes/{node}"),
    "show below": lambda who, node, _entry: who.get(f"/nodes/{node}", version=BELOW),
    "patch": lambda who, node, _entry: who.patch(f"/nodes/{node}", [{"op": "replace", "path": "/maintenance", "value": False}]),
    "patch, below": lambda who, node, _entry: who.patch(
        f"/nodes/{node}", [{"op": "replace", "path": "/maintenance", "value": True}], version=BELOW
    ),
    "patch of nothing": lambda who, node, _entry: who.patch(f"/nodes/{node}", []),
    "patch, dry": lambda who, node, _entry: who.patch(
        f"/nodes/{node}?dry_run=true", [{"op": "replace", "path": "/maintenance", "value": True}]
    ),
    "delete node": lambda who, node, _entry: who.delete(f"/nodes/{node}"),
    "delete node, dry": lambda who, node, _entry: who.delete(f"/nodes/{node}?dry_run=true"),
    "list": lambda who, node, _entry: who.get(f"/nodes/{node}/maintenance"),
    "assert": lambda who, node, _entry: who.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}),
    "assert, dry": lambda who, node, _entry: who.post(f"/nodes/{node}/maintenance?dry_run=true", {"type": "operator_hold"}),
    "set": lambda who, node, _entry: who.put(f"/nodes/{node}/maintenance", {"reason": "x"}),
    "set, below": lambda who, node, _entry: who.put(f"/nodes/{node}/maintenance", {"reason": "x"}, version=BELOW),
    "set, dry": lambda who, node, _entry: who.put(f"/nodes/{node}/maintenance?dry_run=true", {"reason": "x"}),
    "set, alias": lambda who, node, _entry: who.put(f"/nodes/maintenance?node_ident={node}", {"reason": "x"}),
    "clear": lambda who, node, _entry: who.delete(f"/nodes/{node}/maintenance"),
    "clear, below": lambda who, node, _entry: who.delete(f"/nodes/{node}/maintenance", version="1.5"),
    "clear, dry": lambda who, node, _entry: who.delete(f"/nodes/{node}/maintenance?dry_run=true"),
    "clear, alias": lambda who, node, _entry: who.delete(f"/nodes/maintenance?node_ident={node}"),
    "fault": lambda who, node, _entry: who.put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure"}),
    "fault, dry": lambda who, node, _entry: who.put(f"/nodes/{node}/maintenance/fault?dry_run=true", {"fault": "power failure"}),
    "entry": lambda who, node, entry: who.get(f"/nodes/{node}/maintenance/{entry}"),
    "change entry": lambda who, node, entry: who.patch(f"/nodes/{node}/maintenance/{entry}", {"reason": "x"}),
    "change entry, dry": lambda who, node, entry: who.patch(f"/nodes/{node}/maintenance/{entry}?dry_run=true", {"reason": "x"}),
    "release entry": lambda who, node, entry: who.delete(f"/nodes/{node}/maintenance/{entry}"),
    "release entry, dry": lambda who, node, entry: who.delete(f"/nodes/{node}/maintenance/{entry}?dry_run=true"),
    "history": lambda who, node, _entry: who.get(f"/nodes/{node}/history"),
    "event": lambda who, node, _entry: who.get(f"/nodes/{node}/history/{UNKNOWN_ENTRY}"),
    "bulk assert": lambda who, node, _entry: who.post("/maintenance", {"nodes": [node], "type": "operator_hold"}),
    "bulk assert, dry": lambda who, node, _entry: who.post("/maintenance?dry_run=true", {"nodes": [node], "type": "operator_hold"}),
    "bulk release": lambda who, node, _entry: who.post("/maintenance/release", {"nodes": [node], "type": "operator_hold"}),
    "bulk release, dry": lambda who, node, _entry: who.post("/maintenance/release?dry_run=true", {"nodes": [node], "run": "r"}),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("by", ["name", "uuid"])
def test_an_invisible_node_is_answered_like_an_unknown_one(service: Service, call: t.Callable[[Client, str, str], Answer], by: str) -> None:
    node = service.node()
    entry = service.hold(node, scope="owner", project=STRANGER, run="r")
    ident, unknown = (node, "no-such-node") if by == "name" else (service.uuid_of(node), str(uuid.UUID(int=5)))
    stranger = service.by("stranger")
    before = service.commits()
    invisible = call(stranger, ident, entry)
    nowhere = call(stranger, unknown, entry)
    assert (invisible.status, invisible.code) == (404, "not_found")
    assert invisible.said == f"Node {ident} could not be found."
    assert invisible.refusal["node"] == ident
    assert without_what_differs(invisible, ident) == without_what_differs(nowhere, unknown)
    assert service.commits() == before


def test_in_a_bulk_call_that_continues_too(service: Service) -> None:
    hidden = service.node()
    seen = service.node(owner=STRANGER)
    service.hold(hidden, scope="owner", project=STRANGER)
    service.hold(seen, scope="owner", project=STRANGER)
    stranger = service.by("stranger")
    for path, body in (
        ("/maintenance?dry_run=true", {"type": "hardware_failure"}),
        ("/maintenance", {"type": "hardware_failure"}),
        ("/maintenance/release?dry_run=true", {"type": "operator_hold"}),
        ("/maintenance/release", {"type": "operator_hold"}),
    ):
        answer = stranger.post(path, {**body, "nodes": [hidden, seen, "no-such-node"], "on_error": "continue"})
        by_node = {result["node"]: result for result in answer.json["results"]}
        assert list(by_node) == [hidden, seen, "no-such-node"]
        assert by_node[seen]["status"] in (201, 204)
        assert str(by_node[hidden]).replace(hidden, "X") == str(by_node["no-such-node"]).replace("no-such-node", "X")


#: Every call that names an entry by its uuid, on a node that the caller sees.
ENTRY_CALLS = {name: call for name, call in CALLS.items() if "entry" in name} | {
    "bulk release": lambda who, _node, entry: who.post("/maintenance/release", {"entries": [entry]}),
    "bulk release, dry": lambda who, _node, entry: who.post("/maintenance/release?dry_run=true", {"entries": [entry]}),
    "fleet marker": lambda who, _node, entry: who.get(f"/maintenance?marker={entry}"),
}


@pytest.mark.parametrize("call", ENTRY_CALLS.values(), ids=ENTRY_CALLS)
def test_an_entry_on_an_invisible_node_on_another_node_and_on_none_are_the_same_404(
    service: Service, call: t.Callable[[Client, str, str], Answer], request: pytest.FixtureRequest
) -> None:
    own, other, hidden = service.node(owner=STRANGER), service.node(owner=STRANGER), service.node()
    entries = {
        "invisible": service.hold(hidden, scope="owner", project=STRANGER),
        "another": service.hold(other, scope="owner", project=STRANGER),
        "none": UNKNOWN_ENTRY,
    }
    if "bulk" in request.node.callspec.id or "fleet" in request.node.callspec.id:
        # These name no node, so that an entry on another one is simply an entry.
        del entries["another"]
    before = service.commits()
    answers = {name: call(service.by("stranger"), own, entry) for name, entry in entries.items()}
    assert {answer.status for answer in answers.values()} == {404}
    assert len({without_what_differs(answer, entries[name]) for name, answer in answers.items()}) == 1
    assert service.commits() == before


def test_in_a_bulk_release_that_continues_too(service: Service) -> None:
    hidden = service.hold(service.node(), scope="owner", project=STRANGER)
    own = service.hold(service.node(owner=STRANGER), scope="owner", project=STRANGER)
    for dry in ("?dry_run=true", ""):
        body = {"entries": [hidden, own, UNKNOWN_ENTRY], "on_error": "continue"}
        results = service.by("stranger").post(f"/maintenance/release{dry}", body).json["results"]
        assert [result["status"] for result in results] == [404, 204, 404]
        assert str(results[0]).replace(hidden, "X") == str(results[2]).replace(UNKNOWN_ENTRY, "X")


@pytest.mark.parametrize("path", ["/nodes", "/nodes/detail", "/maintenance"])
def test_it_is_in_no_list(service: Service, path: str) -> None:
    hidden, own = service.node(), service.node(owner=STRANGER)
    service.hold(hidden, scope="owner", project=STRANGER, ticket="CHG-9")
    service.hold(own, scope="owner", project=STRANGER, ticket="CHG-9")
    answer = service.by("stranger").get(path)
    assert answer.status == 200
    assert own in answer.everything
    assert hidden not in answer.everything
    assert service.uuid_of(hidden) not in answer.everything


@pytest.mark.parametrize("selection", [{"run": "r-7"}, {"ticket": "CHG-7"}])
def test_a_release_by_label_does_not_reach_it(service: Service, selection: dict[str, str]) -> None:
    node = service.node()
    entry = service.hold(node, scope="owner", project=STRANGER, run="r-7", ticket="CHG-7")
    answer = service.by("stranger").post("/maintenance/release", selection)
    assert (answer.status, answer.json) == (200, {"results": []})
    assert service.uuids(node) == [entry]


def test_a_visible_node_that_it_may_not_change_is_403(service: Service) -> None:
    node = service.node()
    for login in ("owner-reader", "lessee-reader", "auditor"):
        who = service.by(login)
        assert who.get(f"/nodes/{node}").status == 200
        assert who.put(f"/nodes/{node}/maintenance", {"reason": "x"}).status == 403
        assert who.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).status == 403


@pytest.mark.parametrize("version", [ABSENT, "1.1", "1.4"])
def test_below_1_5_a_node_has_no_name(service: Service, operator: Client, version: str) -> None:
    node = service.node()
    for answer in (
        operator.get(f"/nodes/{node}", version=version),
        operator.put(f"/nodes/{node}/maintenance", {"reason": "x"}, version=version),
        operator.delete(f"/nodes/{node}/maintenance", version=version),
        operator.patch(f"/nodes/{node}", [], version=version),
        operator.delete(f"/nodes/{node}", version=version),
    ):
        assert (answer.status, answer.said) == (404, f"Node {node} could not be found.")
    assert operator.get(f"/nodes/{service.uuid_of(node)}", version=version).status == 200
    assert operator.get(f"/nodes/{node}", version=TYPED).status == 200
