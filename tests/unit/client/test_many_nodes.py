# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asserting and releasing on many nodes: what is selected is said, nothing is ever selected by leaving something out, no result is lost."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client import errors
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api
from ansible_collections.baremetal.maintenance.tests.support.wire import Wire, extended, refusal

from .samples import BLOCKER, ENTRY

ASSERT = "/v1/maintenance"
RELEASE = "/v1/maintenance/release"
ASKED: t.Final[dict[str, t.Any]] = {"type": "operator_hold", "reason": ENTRY["reason"]}


def asserted(*nodes: str) -> dict[str, t.Any]:
    return {"results": [{"node": node, "status": 201, "entry": ENTRY} for node in nodes]}


def row(node: str, **changes: t.Any) -> dict[str, t.Any]:
    return {**ENTRY, "node_uuid": f"uuid-of-{node}", "node_name": node, **changes}


def test_an_assertion_on_many_nodes_is_one_request(wire: Wire, api: Api) -> None:
    extended(wire)
    body = {"nodes": ["n1", "n2"], **ASKED, "extra": {"a": 1}, "key": "dc", "ticket": "C", "run": "7", "on_error": "stop"}
    wire.expect("POST", ASSERT, query={}, body=body, headers={"X-OpenStack-Ironic-API-Version": "1.116"}).json(asserted("n1", "n2"))
    results = api.assert_many(["n1", "n2"], **ASKED, extra={"a": 1}, key="dc", ticket="C", run="7")
    assert results == asserted("n1", "n2")["results"]


def test_no_nodes_are_nothing_to_do(wire: Wire, api: Api) -> None:
    assert api.assert_many([], **ASKED) == []
    assert api.release_many(nodes=[], run="7") == []
    assert api.release_many(nodes=[], type="operator_hold", on_error="continue") == []
    assert api.release_many(entries=[]) == []
    assert wire.requests == []


@pytest.mark.parametrize(
    ("selection", "body"),
    [
        ({"entries": ["u"]}, {"entries": ["u"]}),
        ({"entries": ["u"], "comment": "done"}, {"entries": ["u"], "comment": "done"}),
        ({"nodes": ["n1"], "type": "x_a"}, {"nodes": ["n1"], "type": "x_a"}),
        ({"nodes": ["n1"], "type": "x_a", "key": "dc", "run": "7"}, {"nodes": ["n1"], "type": "x_a", "key": "dc", "run": "7"}),
        ({"nodes": ["n1"], "type": "x_a", "key": ""}, {"nodes": ["n1"], "type": "x_a", "key": ""}),
        ({"nodes": ["n1"], "ticket": "C"}, {"nodes": ["n1"], "ticket": "C"}),
        ({"run": "7"}, {"run": "7"}),
        ({"ticket": "C"}, {"ticket": "C"}),
    ],
)
def test_each_selection_is_sent_as_it_was_made(wire: Wire, api: Api, selection: dict[str, t.Any], body: dict[str, t.Any]) -> None:
    extended(wire)
    wire.expect("POST", RELEASE, query={}, body={**body, "on_error": "stop"}).json({"results": []})
    assert api.release_many(**selection) == []


@pytest.mark.parametrize(
    "selection",
    [
        {},
        {"comment": "x"},
        {"type": "x_a"},
        {"type": "x_a", "key": "dc"},
        {"nodes": ["n1"]},
        {"nodes": ["n1"], "key": "dc"},
        {"run": "", "ticket": ""},
        {"nodes": ["n1"], "run": ""},
        {"entries": ["u"], "nodes": ["n1"]},
        {"entries": ["u"], "run": "7"},
        {"entries": [], "type": "x_a"},
    ],
)
def test_a_selection_that_says_too_little_or_two_things_is_refused(wire: Wire, api: Api, selection: dict[str, t.Any]) -> None:
    with pytest.raises(errors.BadOption, match="Cannot release holds"):
        api.release_many(**selection)
    assert wire.requests == []


def test_a_refusal_of_all_names_every_blocker(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("POST", ASSERT).json(refusal("2 of 2 nodes refuse", "not_permitted", None, [BLOCKER, BLOCKER]), status=403)
    with pytest.raises(errors.Refused) as refused:
        api.assert_many(["n1", "n2"], **ASKED)
    assert refused.value.blockers == [BLOCKER, BLOCKER]


def test_where_each_node_stands_for_itself_parts_are_sent_that_the_service_takes(wire: Wire, api: Api) -> None:
    names = [f"n{number}" for number in range(2500)]
    extended(wire)
    for start in (0, 1000, 2000):
        part = names[start : start + 1000]
        wire.expect("POST", ASSERT, body={"nodes": part, **ASKED, "on_error": "continue"}).json(asserted(*part))
    results = api.assert_many(names, **ASKED, on_error="continue")
    assert [result["node"] for result in results] == names


def test_all_or_nothing_is_never_sent_in_parts(wire: Wire, api: Api) -> None:
    names = [f"n{number}" for number in range(2500)]
    extended(wire)
    wire.expect("POST", ASSERT, body={"nodes": names, **ASKED, "on_error": "stop"}).json(asserted(*names))
    assert len(api.assert_many(names, **ASKED)) == 2500


def test_a_part_that_fails_takes_nothing_away_from_what_was_done(wire: Wire, api: Api) -> None:
    names = [f"n{number}" for number in range(1002)]
    extended(wire)
    wire.expect("POST", ASSERT).json(asserted(*names[:1000]))
    wire.expect("POST", ASSERT).json({"error_message": "database gone"}, status=400)
    results = api.assert_many(names, **ASKED, on_error="continue")
    assert [result["status"] for result in results] == [201] * 1000 + [400] * 2
    assert "database gone" in results[1000]["error"]["error_message"]
    assert results[1001]["error"]["refusal"] == {"code": "invalid", "node": "n1001", "blockers": []}


def test_a_first_part_that_fails_is_an_error(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("POST", ASSERT).json({}, status=403)
    with pytest.raises(errors.Refused):
        api.assert_many(["n1"], **ASKED, on_error="continue")


def test_after_a_lost_reply_own_entries_on_all_nodes_are_the_assertion_done(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("POST", ASSERT).close()
    wire.expect("GET", ASSERT, query={"limit": "1000", "type": "operator_hold"}).json({"maintenance": [row("n1"), row("n2"), row("n3")]})
    results = api.assert_many(["n1", "uuid-of-n2"], **ASKED)
    assert [(result["node"], result["status"], result["entry"]["node_name"]) for result in results] == [
        ("n1", 201, "n1"),
        ("uuid-of-n2", 201, "n2"),
    ]


@pytest.mark.parametrize("change", [{"own": False}, {"reason": "another"}, {"key": "dc"}])
def test_after_a_lost_reply_entries_that_are_not_ours_are_none(wire: Wire, api: Api, change: dict[str, t.Any]) -> None:
    extended(wire)
    wire.expect("POST", ASSERT).close()
    wire.expect("GET", ASSERT).json({"maintenance": [row("n1"), row("n2", **change)]})
    wire.expect("POST", ASSERT).json(asserted("n1", "n2"))
    assert len(api.assert_many(["n1", "n2"], **ASKED)) == 2


def test_after_a_lost_reply_a_duplicate_that_is_ours_is_done_and_another_is_not(wire: Wire, api: Api) -> None:
    duplicate = {"error": refusal("held already", "duplicate"), "status": 409}
    extended(wire)
    wire.expect("POST", ASSERT).close()
    wire.expect("GET", ASSERT).json({}, status=500)
    wire.expect("POST", ASSERT).json({"results": [{"node": "n1", **duplicate}, {"node": "n2", **duplicate}]})
    wire.expect("GET", ASSERT).json({"maintenance": [row("n1"), row("n2", own=False)]})
    results = api.assert_many(["n1", "n2"], **ASKED, on_error="continue")
    assert [(result["node"], result["status"]) for result in results] == [("n1", 201), ("n2", 409)]


def test_duplicates_at_the_first_attempt_are_duplicates(wire: Wire, api: Api) -> None:
    results = [{"node": "n1", "error": refusal("held already", "duplicate"), "status": 409}]
    extended(wire)
    wire.expect("POST", ASSERT).json({"results": results})
    assert api.assert_many(["n1"], **ASKED, on_error="continue") == results


def test_a_release_is_not_repeated_after_a_lost_reply(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("POST", RELEASE).close()
    with pytest.raises(errors.Unreachable, match="it is not known whether this was done"):
        api.release_many(run="7")


@pytest.mark.parametrize("body", [{"results": None}, {"results": [{"status": 201}]}, []])
def test_results_of_another_shape_are_an_error(wire: Wire, api: Api, body: t.Any) -> None:
    extended(wire)
    wire.expect("POST", RELEASE).json(body)
    with pytest.raises(errors.BadAnswer) as refused:
        api.release_many(entries=["u"])
    assert refused.value.outcome_unknown
