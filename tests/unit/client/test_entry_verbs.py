# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The verbs on one node's entries: what goes over the wire, and what comes back."""

from __future__ import annotations

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client import errors
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api
from ansible_collections.baremetal.maintenance.tests.support.wire import Wire, extended, ironic, refusal

from .samples import BLOCKER, ENTRY, NATIVE

TYPED = {"X-OpenStack-Ironic-API-Version": "1.116"}
PATH = "/v1/nodes/n1/maintenance"
UUID = ENTRY["uuid"]


def native(wire: Wire) -> None:
    """Script the detection of a typed service without extensions."""
    ironic(wire, "1.117")
    wire.expect("GET", PATH, headers={"X-OpenStack-Ironic-API-Version": "latest"}).json({"maintenance": []})


def test_listing_gives_the_entries_as_the_service_gave_them(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("GET", PATH, query={}, headers=TYPED).json({"maintenance": [ENTRY]})
    assert api.list_entries("n1") == [ENTRY]


def test_one_entry_is_read_by_its_own_address(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("GET", f"{PATH}/{UUID}", headers=TYPED).json(ENTRY)
    assert api.get_entry("n1", UUID) == ENTRY


def test_a_native_service_has_no_address_for_one_entry_so_it_is_found_in_the_listing(wire: Wire, api: Api) -> None:
    native(wire)
    wire.expect("GET", PATH).json({"maintenance": [NATIVE]})
    assert api.get_entry("n1", UUID) == NATIVE


def test_an_entry_that_a_native_service_does_not_list_is_not_found(wire: Wire, api: Api) -> None:
    native(wire)
    wire.expect("GET", PATH).json({"maintenance": []})
    with pytest.raises(errors.Refused) as refused:
        api.get_entry("n1", UUID)
    assert (refused.value.status, refused.value.code, refused.value.node) == (404, "not_found", "n1")


def test_an_assertion_sends_what_was_given_and_nothing_else(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("POST", PATH, query={}, headers=TYPED, body={"type": "operator_hold"}).json(ENTRY, status=201)
    assert api.assert_entry("n1", type="operator_hold") == ENTRY


def test_an_assertion_carries_reason_extra_and_labels(wire: Wire, api: Api) -> None:
    extended(wire)
    body = {"type": "operator_hold", "reason": "r", "extra": {"a": 1}, "key": "dc", "ticket": "CHG-1", "run": "7"}
    wire.expect("POST", PATH, body=body).json(ENTRY, status=201)
    api.assert_entry("n1", type="operator_hold", reason="r", extra={"a": 1}, key="dc", ticket="CHG-1", run="7")


def test_labels_are_never_dropped_silently(wire: Wire, api: Api) -> None:
    native(wire)
    with pytest.raises(errors.NotSupported, match="does not offer key, ticket and run; leave them out"):
        api.assert_entry("n1", type="operator_hold", key="dc")


def test_a_duplicate_names_the_existing_entry(wire: Wire, api: Api) -> None:
    extended(wire)
    text = "Node n1 is already held by this entry."
    wire.expect("POST", PATH).json(refusal(text, "duplicate", "n1", [BLOCKER]), status=409)
    with pytest.raises(errors.Refused) as refused:
        api.assert_entry("n1", type="operator_hold")
    assert refused.value.to_result() == {
        "msg": text,
        "code": "duplicate",
        "status": 409,
        "node": "n1",
        "blockers": [BLOCKER],
        "outcome_unknown": False,
    }


def test_a_conflict_of_a_native_service_that_is_no_lock_is_a_duplicate(wire: Wire, api: Api) -> None:
    native(wire)
    wire.expect("POST", PATH).json({"error_message": "An identical active maintenance entry exists"}, status=409)
    with pytest.raises(errors.Refused) as refused:
        api.assert_entry("n1", type="operator_hold")
    assert refused.value.code == "duplicate"


def test_a_change_is_a_patch_with_the_changed_members(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("PATCH", f"{PATH}/{UUID}", headers=TYPED, body={"reason": None, "ticket": "CHG-2"}).json(ENTRY)
    assert api.update_entry("n1", UUID, {"reason": None, "ticket": "CHG-2"}) == ENTRY


def test_a_release_is_a_delete_of_the_entry(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("DELETE", f"{PATH}/{UUID}", query={}, headers=TYPED).empty()
    api.release_entry("n1", UUID)


def test_a_release_with_a_comment_goes_where_there_is_a_place_for_it(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("GET", f"{PATH}/{UUID}").json(ENTRY)
    wire.expect("POST", "/v1/maintenance/release", body={"entries": [UUID], "comment": "disk replaced", "on_error": "stop"}).json(
        {"results": [{"node": "n1", "status": 204, "entry": ENTRY}]}
    )
    api.release_entry("n1", UUID, comment="disk replaced")
    assert api.warnings == []


def test_a_release_with_a_comment_does_not_reach_the_hold_of_another_node(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("GET", f"{PATH}/{UUID}").json(refusal(f"Node n1 has no entry {UUID}.", "not_found", "n1"), status=404)
    with pytest.raises(errors.Refused) as refused:
        api.release_entry("n1", UUID, comment="disk replaced")
    assert refused.value.code == "not_found"


def test_a_comment_that_cannot_be_recorded_is_told(wire: Wire, api: Api) -> None:
    native(wire)
    wire.expect("DELETE", f"{PATH}/{UUID}").empty()
    api.release_entry("n1", UUID, comment="disk replaced")
    assert api.warnings == ["The comment of a release is not recorded: the service has no place for it."]


def test_releasing_all_is_one_request_that_the_service_decides_as_a_whole(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("DELETE", PATH, query={}, headers=TYPED).empty()
    api.release_all("n1")


def test_releasing_all_with_a_comment_releases_what_is_listed_right_before(wire: Wire, api: Api) -> None:
    extended(wire)
    other = {**ENTRY, "uuid": "3c1a7b90-0000-4000-8000-000000000002"}
    wire.expect("GET", PATH).json({"maintenance": [ENTRY, other]})
    wire.expect("POST", "/v1/maintenance/release", body={"entries": [UUID, other["uuid"]], "comment": "repaired", "on_error": "stop"}).json(
        {"results": []}
    )
    api.release_all("n1", comment="repaired")


def test_releasing_all_that_was_seen_leaves_what_came_since(wire: Wire, api: Api) -> None:
    extended(wire)
    late = {**ENTRY, "uuid": "3c1a7b90-0000-4000-8000-000000000002"}
    wire.expect("GET", PATH).json({"maintenance": [ENTRY, late]})
    wire.expect("POST", "/v1/maintenance/release", body={"entries": [UUID], "on_error": "stop"}).json({"results": []})
    api.release_all("n1", only={UUID})


def test_releasing_all_that_was_seen_is_all_there_is_without_bulk(wire: Wire, api: Api) -> None:
    native(wire)
    wire.expect("DELETE", PATH).empty()
    api.release_all("n1", only={UUID})
    assert api.warnings == []


def test_when_somebody_else_releases_one_meanwhile_what_is_left_is_released(wire: Wire, api: Api) -> None:
    extended(wire)
    other = {**ENTRY, "uuid": "3c1a7b90-0000-4000-8000-000000000002"}
    wire.expect("GET", PATH).json({"maintenance": [ENTRY, other]})
    wire.expect("POST", "/v1/maintenance/release").json(refusal("no such entry", "not_found"), status=404)
    wire.expect("GET", PATH).json({"maintenance": [other]})
    body = {"entries": [other["uuid"]], "comment": "repaired", "on_error": "stop"}
    wire.expect("POST", "/v1/maintenance/release", body=body).json({"results": []})
    api.release_all("n1", comment="repaired")


def test_releasing_all_of_a_free_node_with_a_comment_sends_no_release(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("GET", PATH).json({"maintenance": []})
    api.release_all("n1", comment="repaired")


def test_a_refused_release_says_what_the_service_says_and_names_the_blockers(wire: Wire, api: Api) -> None:
    extended(wire)
    text = f"Cannot release maintenance entry {BLOCKER['uuid']} (type hardware_failure, scope system): not permitted at lessee scope"
    wire.expect("DELETE", PATH).json(refusal(text, "not_permitted", "n1", [BLOCKER]), status=403)
    with pytest.raises(errors.Refused) as refused:
        api.release_all("n1")
    assert refused.value.msg == f"Node n1: {text}"
    assert refused.value.blockers == [BLOCKER]


def test_a_fault_tells_whether_its_entry_is_new(wire: Wire, api: Api) -> None:
    extended(wire)
    body = {"fault": "power failure", "reason": "no answer from the BMC"}
    entry = {**ENTRY, "type": "fault"}
    wire.expect("PUT", f"{PATH}/fault", headers=TYPED, body=body).json(entry, status=201)
    wire.expect("PUT", f"{PATH}/fault", body=body).json(entry, status=200)
    assert api.put_fault("n1", "power failure", "no answer from the BMC") == (entry, True)
    assert api.put_fault("n1", "power failure", "no answer from the BMC") == (entry, False)
