# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes whose reply was lost: found out by reading, repeated only where that can undo nothing, and otherwise reported as not known."""

from __future__ import annotations

import re
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client import errors
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api
from ansible_collections.baremetal.maintenance.tests.support.wire import Step, Wire, extended, fault, ironic, refusal

from .samples import BLOCKER, ENTRY, NATIVE

PATH = "/v1/nodes/n1/maintenance"
ONE = f"{PATH}/{ENTRY['uuid']}"
ASKED = {"type": "operator_hold", "reason": ENTRY["reason"]}
DUPLICATE = refusal("Node n1 is held already.", "duplicate", "n1", [BLOCKER])


def _closed(step: Step) -> None:
    step.close()


def _broken(step: Step) -> None:
    step.raw(b'{"uuid": "8d', status=201, headers={"Content-Length": "400", "Content-Type": "application/json"})


def _html(step: Step) -> None:
    step.text("<html>hello</html>", status=201)


def _gateway(step: Step) -> None:
    step.text("<html><title>504 Gateway Time-out</title></html>", status=504)


@pytest.mark.parametrize("lose", [_closed, _broken, _html, _gateway])
def test_the_own_entry_found_is_the_assertion_done(wire: Wire, api: Api, lose: t.Callable[[Step], None]) -> None:
    extended(wire)
    lose(wire.expect("POST", PATH))
    wire.expect("GET", PATH).json({"maintenance": [{**ENTRY, "own": False, "uuid": "another"}, ENTRY]})
    assert api.assert_entry("n1", **ASKED) == ENTRY


@pytest.mark.parametrize(
    "found",
    [
        [],
        [{**ENTRY, "own": False}],
        [{**ENTRY, "key": "dc"}],
        [{**ENTRY, "type": "hardware_failure"}],
        [{**ENTRY, "reason": "of a colleague, from last week"}],
    ],
)
def test_where_it_is_not_found_it_is_sent_again(wire: Wire, api: Api, found: list[dict[str, t.Any]]) -> None:
    extended(wire)
    wire.expect("POST", PATH).close()
    wire.expect("GET", PATH).json({"maintenance": found})
    wire.expect("POST", PATH).json(ENTRY, status=201)
    assert api.assert_entry("n1", **ASKED) == ENTRY


def test_on_a_native_service_the_same_type_and_reason_is_the_own_entry(wire: Wire, api: Api) -> None:
    ironic(wire, "1.117")
    wire.expect("GET", PATH).json({"maintenance": []})
    wire.expect("POST", PATH).close()
    wire.expect("GET", PATH).json({"maintenance": [{**NATIVE, "reason": "another"}, NATIVE]})
    assert api.assert_entry("n1", **ASKED) == NATIVE


def test_a_duplicate_after_a_lost_reply_is_the_assertion_done(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("POST", PATH).close()
    wire.expect("GET", PATH).json({}, status=500)
    wire.expect("POST", PATH).json(DUPLICATE, status=409)
    wire.expect("GET", PATH).json({"maintenance": [ENTRY]})
    assert api.assert_entry("n1", **ASKED) == ENTRY


def test_a_duplicate_with_another_text_was_there_before_and_stays_a_duplicate(wire: Wire, api: Api) -> None:
    extended(wire)
    other = {"maintenance": [{**ENTRY, "reason": "of a colleague, from last week"}]}
    wire.expect("POST", PATH).close()
    wire.expect("GET", PATH).json(other)
    wire.expect("POST", PATH).json(DUPLICATE, status=409)
    wire.expect("GET", PATH).json(other)
    with pytest.raises(errors.Refused) as refused:
        api.assert_entry("n1", **ASKED)
    assert (refused.value.code, refused.value.blockers, refused.value.outcome_unknown) == ("duplicate", [BLOCKER], False)


def test_a_duplicate_at_the_first_attempt_is_never_taken_for_the_own_assertion(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("POST", PATH).json(DUPLICATE, status=409)
    with pytest.raises(errors.Refused):
        api.assert_entry("n1", **ASKED)


def test_a_duplicate_after_attempts_that_did_nothing_is_a_duplicate(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("POST", PATH).json(refusal("busy", "locked"), status=409)
    wire.expect("POST", PATH).json(DUPLICATE, status=409)
    with pytest.raises(errors.Refused):
        api.assert_entry("n1", **ASKED)


def test_an_assertion_that_never_gets_an_answer_is_reported_as_not_known(wire: Wire, api: Api) -> None:
    extended(wire)
    for _turn in range(4):
        wire.expect("POST", PATH).close()
        wire.expect("GET", PATH).json({"maintenance": []})
    with pytest.raises(errors.Unreachable) as unreachable:
        api.assert_entry("n1", **ASKED)
    assert unreachable.value.outcome_unknown
    assert unreachable.value.msg == (
        f"Cannot assert a hold of type operator_hold on node n1: {wire.url} closed the connection without an answer; "
        "given up after 4 attempts in 0 s; it is not known whether this was done, so read the node before going on"
    )


def test_a_definite_refusal_after_a_lost_reply_is_what_it_says(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("POST", PATH).close()
    wire.expect("GET", PATH).json({"maintenance": []})
    wire.expect("POST", PATH).json(refusal("Node n1: unknown type", "unknown_type", "n1"), status=400)
    with pytest.raises(errors.Refused) as refused:
        api.assert_entry("n1", **ASKED)
    assert not refused.value.outcome_unknown


def test_a_released_entry_that_is_gone_at_the_second_attempt_was_released_by_the_first(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("DELETE", ONE).close()
    wire.expect("DELETE", ONE).json(refusal("Entry could not be found.", "not_found", "n1"), status=404)
    api.release_entry("n1", ENTRY["uuid"])


@pytest.mark.parametrize("before", [None, (503, {}), (409, refusal("busy", "locked"))])
def test_an_entry_that_is_gone_and_was_not_released_by_us_is_not_found(wire: Wire, api: Api, before: tuple[int, t.Any] | None) -> None:
    extended(wire)
    if before is not None:
        wire.expect("DELETE", ONE).json(before[1], status=before[0])
    wire.expect("DELETE", ONE).json(refusal("Entry could not be found.", "not_found", "n1"), status=404)
    with pytest.raises(errors.Refused) as refused:
        api.release_entry("n1", ENTRY["uuid"])
    assert refused.value.code == "not_found"


def test_releasing_all_is_done_if_nothing_is_left_after_the_lost_reply(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("DELETE", PATH).close()
    wire.expect("GET", PATH).json({"maintenance": []})
    api.release_all("n1")


def test_releasing_all_is_not_repeated_when_holds_are_there_after_a_lost_reply(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("DELETE", PATH).close()
    wire.expect("GET", PATH).json({"maintenance": [ENTRY]})
    with pytest.raises(errors.Unreachable) as unreachable:
        api.release_all("n1")
    assert unreachable.value.outcome_unknown


def test_with_a_comment_what_was_listed_is_released_and_a_new_hold_is_left_alone(wire: Wire, api: Api) -> None:
    extended(wire)
    new = {**ENTRY, "uuid": "3c1a7b90-0000-4000-8000-000000000002"}
    wire.expect("GET", PATH).json({"maintenance": [ENTRY]})
    wire.expect("POST", "/v1/maintenance/release").close()
    wire.expect("GET", PATH).json({"maintenance": [new]})
    api.release_all("n1", comment="repaired")


def test_with_a_comment_what_is_still_there_is_released_again(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("GET", PATH).json({"maintenance": [ENTRY]})
    for _turn in range(2):
        wire.expect("POST", "/v1/maintenance/release", body={"entries": [ENTRY["uuid"]], "comment": "c", "on_error": "stop"}).close()
        wire.expect("GET", PATH).json({"maintenance": [ENTRY]})
    wire.expect("POST", "/v1/maintenance/release").json({"results": []})
    api.release_all("n1", comment="c")


def test_releasing_all_is_not_known_when_nothing_can_be_read_after_a_lost_reply(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("DELETE", PATH).close()
    wire.expect("GET", PATH).json({}, status=500)
    with pytest.raises(errors.Unreachable, match="it is not known whether this was done"):
        api.release_all("n1")


def test_releasing_all_is_repeated_where_the_service_said_that_it_did_nothing(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("DELETE", PATH).json(refusal("busy", "locked"), status=409)
    wire.expect("DELETE", PATH).empty()
    api.release_all("n1")


def test_the_flag_is_cleared_if_it_is_clear_after_the_lost_reply(wire: Wire, api: Api) -> None:
    ironic(wire)
    wire.expect("DELETE", PATH).close()
    wire.expect("GET", "/v1/nodes/n1", query={"fields": "uuid,maintenance"}).json({"uuid": "u", "maintenance": False})
    api.clear_flag("n1")


@pytest.mark.parametrize("answer", [{"uuid": "u", "maintenance": True}, {"uuid": "u", "maintenance": None}, fault("?")])
def test_clearing_the_flag_is_not_repeated_when_it_may_be_a_new_one(wire: Wire, api: Api, answer: dict[str, t.Any]) -> None:
    ironic(wire)
    wire.expect("DELETE", PATH).close()
    wire.expect("GET", "/v1/nodes/n1").json(answer)
    with pytest.raises(errors.Unreachable, match="it is not known whether this was done"):
        api.clear_flag("n1")


def test_setting_the_flag_again_holds_no_node_less(wire: Wire, api: Api) -> None:
    ironic(wire)
    wire.expect("PUT", PATH, body={"reason": "x"}).close()
    wire.expect("PUT", PATH, body={"reason": "x"}).empty(202)
    api.set_flag("n1", "x")


def test_a_node_that_is_enrolled_when_asked_again_is_the_one_that_was_sent(wire: Wire, api: Api) -> None:
    ironic(wire)
    uuid = "11111111-0000-4000-8000-000000000001"
    body = {"uuid": uuid, "name": "n1", "owner": "p1"}
    wire.expect("POST", "/v1/nodes", body=body).close()
    wire.expect("GET", f"/v1/nodes/{uuid}").json({**body, "lessee": None})
    assert api.create_node(body)["uuid"] == uuid


def test_a_refused_node_is_not_looked_for(wire: Wire, api: Api) -> None:
    ironic(wire)
    wire.expect("POST", "/v1/nodes").close()
    wire.expect("GET", re.compile(r"/v1/nodes/.+")).json(fault("no"), status=404)
    wire.expect("POST", "/v1/nodes").json(fault("Unknown driver"), status=400)
    with pytest.raises(errors.Refused, match="Unknown driver"):
        api.create_node({"name": "n1", "driver": "d"})


def test_a_node_of_another_making_stays_a_conflict(wire: Wire, api: Api) -> None:
    ironic(wire)
    uuid = "11111111-0000-4000-8000-000000000001"
    body = {"uuid": uuid, "name": "n1", "owner": "p1"}
    wire.expect("POST", "/v1/nodes").close()
    wire.expect("GET", f"/v1/nodes/{uuid}").json(fault("no"), status=404)
    wire.expect("POST", "/v1/nodes").json(fault("A node with name n1 already exists."), status=409)
    wire.expect("GET", f"/v1/nodes/{uuid}").json({**body, "owner": "p2"})
    with pytest.raises(errors.Refused, match="already exists"):
        api.create_node(body)


def test_a_node_gets_its_uuid_here_so_that_a_second_attempt_makes_no_second_node(wire: Wire, api: Api) -> None:
    ironic(wire)
    wire.expect("POST", "/v1/nodes").close()
    wire.expect("GET", re.compile(r"/v1/nodes/[0-9a-f-]{36}")).json(fault("no"), status=404)
    wire.expect("POST", "/v1/nodes").json({"uuid": "u", "name": "n1"}, status=201)
    api.create_node({"name": "n1"})
    first, second = (seen.body for seen in wire.requests if seen.method == "POST")
    assert first == second
    assert wire.requests[2].path == f"/v1/nodes/{first['uuid']}"


def test_a_patch_is_not_repeated_after_a_lost_reply(wire: Wire, api: Api) -> None:
    ironic(wire)
    wire.expect("PATCH", "/v1/nodes/n1").close()
    with pytest.raises(errors.Unreachable, match="it is not known whether this was done"):
        api.patch_node("n1", [{"op": "add", "path": "/extra/list/-", "value": 1}])


def test_a_removed_node_that_is_gone_at_the_second_attempt_was_removed_by_the_first(wire: Wire, api: Api) -> None:
    ironic(wire)
    wire.expect("DELETE", "/v1/nodes/n1").close()
    wire.expect("DELETE", "/v1/nodes/n1").json(fault("Node n1 could not be found."), status=404)
    api.delete_node("n1")
