# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""PUT of the boolean, at every version and in every spelling (spec, scenario 7; api.md 3)."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.support.cast import CAST, LESSEE, OWNER
from ansible_collections.baremetal.maintenance.tests.support.service import ABSENT, BELOW, TYPED, Build, Client, Service

VERSIONS = [ABSENT, "1.1", "1.41", "1.90", "1.91", BELOW, TYPED, "latest"]


@pytest.mark.parametrize("version", VERSIONS)
def test_it_is_202_without_a_body_and_reads_back_what_was_written(service: Service, owner: Client, version: str) -> None:
    node = service.uuid_of(service.node())
    answer = owner.put(f"/nodes/{node}/maintenance", {"reason": "rebalancing rack"}, version=version)
    assert (answer.status, answer.content) == (202, b"")
    assert service.flag(node) == (True, "rebalancing rack")
    [entry] = service.entries(node)
    assert (entry["type"], entry["scope"], entry["asserted_by"], entry["asserted_by_project"]) == ("legacy", "owner", "id-of-owner", OWNER)


VERBATIM = ["", " ", "  two  ", "a; b: c", "operator_hold: x", "😀\n{{ x }}\t", "x" * 4096, "'\"\\", "null"]


@pytest.mark.parametrize("reason", VERBATIM)
@pytest.mark.parametrize("version", [ABSENT, TYPED])
def test_a_legacy_reason_is_reproduced_verbatim(service: Service, owner: Client, version: str, reason: str) -> None:
    node = service.uuid_of(service.node())
    owner.put(f"/nodes/{node}/maintenance", {"reason": reason}, version=version)
    assert service.flag(node) == (True, reason)
    assert service.entries(node)[0]["reason"] == reason


@pytest.mark.parametrize("version", [ABSENT, BELOW, TYPED])
@pytest.mark.parametrize("body", [None, {}, {"reason": None}])
def test_no_reason_wipes_the_one_there_was_as_in_ironic(service: Service, owner: Client, body: t.Any, version: str) -> None:
    node = service.uuid_of(service.node())
    owner.put(f"/nodes/{node}/maintenance", {"reason": "before"}, version=version)
    assert owner.put(f"/nodes/{node}/maintenance", body, version=version).status == 202
    assert service.flag(node) == (True, None)
    assert len(service.entries(node)) == 1


@pytest.mark.parametrize("version", [ABSENT, TYPED])
@pytest.mark.parametrize("character", ["x", "😀"])
def test_a_reason_is_cut_at_4096_characters_as_in_ironic(service: Service, owner: Client, character: str, version: str) -> None:
    node = service.uuid_of(service.node())
    assert owner.put(f"/nodes/{node}/maintenance", {"reason": character * 4097}, version=version).status == 202
    assert service.flag(node) == (True, character * 4096)


@pytest.mark.parametrize("version", [ABSENT, TYPED])
def test_the_reason_may_stand_in_the_query(service: Service, owner: Client, version: str) -> None:
    node = service.uuid_of(service.node())
    assert owner.put(f"/nodes/{node}/maintenance?reason=via%20query%20%F0%9F%98%80", version=version).status == 202
    assert service.flag(node) == (True, "via query 😀")


@pytest.mark.parametrize("version", [ABSENT, TYPED])
def test_the_reason_may_stand_in_a_form(service: Service, owner: Client, version: str) -> None:
    node = service.uuid_of(service.node())
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert owner.put(f"/nodes/{node}/maintenance", raw=b"reason=from+a+form", headers=form, version=version).status == 202
    assert service.flag(node) == (True, "from a form")


def test_two_reasons_are_refused(service: Service, owner: Client) -> None:
    node = service.uuid_of(service.node())
    for answer in (
        owner.put(f"/nodes/{node}/maintenance?reason=a&reason=b"),
        owner.put(f"/nodes/{node}/maintenance?reason=a", {"reason": "b"}),
    ):
        assert (answer.status, answer.code) == (400, "invalid")
    assert service.entries(node) == []


SPELLINGS = [
    ("/nodes/{node}/maintenance/", ABSENT),
    ("/nodes/{node}/maintenance.json", ABSENT),
    ("/nodes/{node}/maintenance.json", "1.90"),
    ("/nodes/maintenance?node_ident={node}", ABSENT),
    ("/nodes/maintenance?node_ident={node}", TYPED),
    ("/nodes/maintenance/?node_ident={node}", BELOW),
    ("/nodes/maintenance.json?node_ident={node}", ABSENT),
]


@pytest.mark.parametrize(("path", "version"), SPELLINGS)
def test_every_spelling_of_the_endpoint_sets_and_clears(service: Service, owner: Client, path: str, version: str) -> None:
    node = service.uuid_of(service.node())
    path = path.format(node=node)
    assert owner.put(path, {"reason": "x"}, version=version).status == 202
    assert service.flag(node) == (True, "x")
    assert owner.delete(path, version=version).status == (204 if version == TYPED else 202)
    assert service.flag(node) == (False, None)


@pytest.mark.parametrize("path", ["/nodes/{node}/maintenance.json", "/nodes/{node}.json/maintenance"])
@pytest.mark.parametrize("version", ["1.91", BELOW, TYPED])
def test_from_1_91_on_a_path_has_no_suffix(service: Service, owner: Client, version: str, path: str) -> None:
    node = service.node()
    path = path.format(node=node)
    assert owner.put(path, {"reason": "x"}, version=version).status in (404, 405)
    assert owner.delete(path, version=version).status == 404
    assert service.entries(node) == []


@pytest.mark.parametrize("version", [ABSENT, TYPED])
def test_the_alias_takes_the_node_in_the_body_too_and_needs_one(service: Service, owner: Client, version: str) -> None:
    node = service.uuid_of(service.node())
    assert owner.put("/nodes/maintenance", {"node_ident": node, "reason": "x"}, version=version).status == 202
    assert service.flag(node) == (True, "x")
    for answer in (owner.put("/nodes/maintenance", {"reason": "y"}, version=version), owner.delete("/nodes/maintenance", version=version)):
        assert (answer.status, answer.said) == (400, "Missing mandatory parameter: node_ident")
    answer = owner.put("/nodes/maintenance", {"node_ident": "nope", "reason": "x"}, version=TYPED)
    assert (answer.status, answer.code) == (404, "not_found")
    assert service.flag(node) == (True, "x")


@pytest.mark.parametrize("version", [ABSENT, TYPED])
def test_a_legacy_entry_is_never_stamped_anew(service: Service, operator: Client, owner: Client, lessee: Client, version: str) -> None:
    node = service.uuid_of(service.node())
    lessee.put(f"/nodes/{node}/maintenance", {"reason": "first"}, version=version)
    [first] = service.entries(node)
    assert (first["scope"], first["asserted_by"], first["asserted_by_project"]) == ("lessee", "id-of-lessee", LESSEE)
    for who, reason in ((owner, "second"), (operator, "third")):
        who.put(f"/nodes/{node}/maintenance", {"reason": reason}, version=version)
        assert service.entries(node) == [{**first, "reason": reason}]
    actors = [(event["maintenance"]["action"], event["user"]) for event in service.events(node)]
    assert actors == [("assert", "id-of-lessee"), ("update", "id-of-owner"), ("update", CAST["operator"]["user_id"])]


def test_setting_the_same_reason_again_changes_nothing(service: Service, owner: Client) -> None:
    node = service.node()
    owner.put(f"/nodes/{node}/maintenance", {"reason": "x"})
    before = service.dump()
    assert owner.put(f"/nodes/{node}/maintenance", {"reason": "x"}).status == 202
    assert service.dump() == before


def test_typed_entries_are_left_alone(service: Service, owner: Client) -> None:
    node = service.node()
    typed = [service.hold(node, "hardware_failure", reason="disk"), service.hold(node, scope="owner", project=OWNER)]
    before = service.entries(node)
    owner.put(f"/nodes/{node}/maintenance", {"reason": "script"})
    entries = service.entries(node)
    assert (entries[:2], entries[2]["type"]) == (before, "legacy")
    assert [entry["uuid"] for entry in entries[:2]] == typed
    assert service.flag(node) == (True, "hardware_failure: disk; operator_hold; legacy: script")


def test_a_fault_is_left_alone(service: Service, owner: Client) -> None:
    node = service.node()
    service.by("conductor").put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure", "reason": "BMC is silent"})
    owner.put(f"/nodes/{node}/maintenance", {"reason": "script"})
    shown = owner.get(f"/nodes/{node}").json
    assert (shown["fault"], shown["maintenance_reason"]) == ("power failure", "fault: BMC is silent; legacy: script")


@pytest.mark.parametrize("reason", [123, True, 1.5, ["x"], {"a": "b"}])
@pytest.mark.parametrize("version", [ABSENT, TYPED])
def test_a_reason_that_is_not_a_text_is_refused(service: Service, owner: Client, version: str, reason: t.Any) -> None:
    node = service.uuid_of(service.node())
    owner.put(f"/nodes/{node}/maintenance", {"reason": "before"}, version=version)
    answer = owner.put(f"/nodes/{node}/maintenance", {"reason": reason}, version=version)
    assert (answer.status, answer.code) == (400, "invalid")
    assert answer.said == f"Expected string for reason: {reason}"
    assert service.flag(node) == (True, "before")


@pytest.mark.parametrize("version", [ABSENT, TYPED])
@pytest.mark.parametrize("member", ["type", "key", "ticket", "extra", "scope", "foo", "run"])
def test_unknown_members_are_refused(service: Service, owner: Client, member: str, version: str) -> None:
    node = service.uuid_of(service.node())
    answer = owner.put(f"/nodes/{node}/maintenance", {"reason": "x", member: "y"}, version=version)
    assert (answer.status, answer.said) == (400, f"Unexpected arguments: {member}")
    assert service.entries(node) == []


@pytest.mark.parametrize("raw", [b"{bad", b"[1]", b'"x"', b"5", b"\xef\xbb\xbf{}", b"\xff\xfe"])
@pytest.mark.parametrize("version", [ABSENT, TYPED])
def test_a_malformed_body_is_refused_and_wipes_nothing(service: Service, owner: Client, version: str, raw: bytes) -> None:
    node = service.uuid_of(service.node())
    owner.put(f"/nodes/{node}/maintenance", {"reason": "before"}, version=version)
    answer = owner.put(f"/nodes/{node}/maintenance", raw=raw, headers={"Content-Type": "application/json"}, version=version)
    assert answer.status == 400
    assert service.flag(node) == (True, "before")


@pytest.mark.parametrize("login", ["auditor", "owner-reader", "lessee-reader", "lessee-member"])
@pytest.mark.parametrize("version", ["1.5", TYPED])
def test_without_set_maintenance_nothing_is_set(service: Service, version: str, login: str) -> None:
    node = service.node()
    answer = service.by(login).put(f"/nodes/{node}/maintenance", {"reason": "x"}, version=version)
    assert (answer.status, answer.code, answer.refusal["node"]) == (403, "not_permitted", node)
    assert answer.said == "Access was denied to the following resource: baremetal:node:set_maintenance"
    assert service.entries(node) == []


def test_one_whom_policy_lets_set_without_standing_is_recorded_at_system_scope(build: Build) -> None:
    service = build(policy={"baremetal:node:get": "@", "baremetal:node:set_maintenance": "@"})
    node = service.node()
    assert service.by("stranger").put(f"/nodes/{node}/maintenance", {"reason": "x"}).status == 202
    [entry] = service.entries(node)
    assert (entry["scope"], entry["asserted_by"]) == ("system", "id-of-stranger")


def test_dry_run_is_an_unknown_argument_below_the_typed_version(service: Service, owner: Client) -> None:
    node = service.uuid_of(service.node())
    for version in (ABSENT, "1.5", BELOW):
        for answer in (
            owner.put(f"/nodes/{node}/maintenance?dry_run=true", {"reason": "x"}, version=version),
            owner.delete(f"/nodes/{node}/maintenance?dry_run=true", version=version),
        ):
            assert (answer.status, answer.said) == (400, "Unexpected arguments: dry_run")
    assert service.entries(node) == []


def test_dry_run_is_an_argument_of_the_query_not_a_member_of_the_body(service: Service, owner: Client) -> None:
    node = service.node()
    for value in (True, "true", False, None, 1):
        answer = owner.put(f"/nodes/{node}/maintenance", {"reason": "x", "dry_run": value})
        assert (answer.status, answer.said) == (400, "Unexpected arguments: dry_run")
        answer = owner.delete(f"/nodes/{node}/maintenance", {"dry_run": value})
        assert (answer.status, answer.said) == (400, "Unexpected arguments: dry_run")
    assert service.entries(node) == []
