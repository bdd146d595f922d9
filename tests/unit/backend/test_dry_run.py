# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""dry_run=true on every write (api.md 7): the checks, status and body of the real call, uuid and times null, and nothing written."""

from __future__ import annotations

import dataclasses
import re
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.support.cast import LESSEE, OWNER
from ansible_collections.baremetal.maintenance.tests.support.service import ABSENT, BELOW, Answer, Client, Service

FALSE = [{"op": "replace", "path": "/maintenance", "value": False}]
TRUE = [{"op": "replace", "path": "/maintenance", "value": True}]


@dataclasses.dataclass(frozen=True)
class Write:
    """A write: who makes it, on a node with which entries, and the status of the answer.

    call: (client, node, uuids of the entries, query) → answer. fresh: the body has a uuid and times of its own, which a dry run lacks.
    """

    call: t.Callable[[Client, str, list[str], str], Answer]
    status: int
    login: str = "operator"
    held: tuple[dict[str, t.Any], ...] = ()


SYSTEM = {"type": "operator_hold", "reason": "power work", "run": "run-1", "user": "canary-id-of-operator"}
OF_OWNER = {"type": "operator_hold", "scope": "owner", "project": OWNER, "reason": "ours"}
OF_LESSEE = {"type": "operator_hold", "scope": "lessee", "project": LESSEE}
LEGACY = {"type": "legacy", "reason": "script"}
FAULT = {"type": "fault", "extra": {"fault": "power failure"}}


def asserted(body: t.Any) -> t.Callable[[Client, str, list[str], str], Answer]:
    return lambda who, node, _entries, query: who.post(f"/nodes/{node}/maintenance{query}", body)


def patched_node(body: t.Any) -> t.Callable[[Client, str, list[str], str], Answer]:
    return lambda who, node, _entries, query: who.patch(f"/nodes/{node}{query}", body)


def patched_entry(body: t.Any) -> t.Callable[[Client, str, list[str], str], Answer]:
    return lambda who, node, entries, query: who.patch(f"/nodes/{node}/maintenance/{entries[0]}{query}", body)


def released(who: Client, node: str, entries: list[str], query: str) -> Answer:
    return who.delete(f"/nodes/{node}/maintenance/{entries[0]}{query}")


def cleared(who: Client, node: str, _entries: list[str], query: str) -> Answer:
    return who.delete(f"/nodes/{node}/maintenance{query}")


def flagged(body: t.Any) -> t.Callable[[Client, str, list[str], str], Answer]:
    return lambda who, node, _entries, query: who.put(f"/nodes/{node}/maintenance{query}", body)


def faulted(body: t.Any) -> t.Callable[[Client, str, list[str], str], Answer]:
    return lambda who, node, _entries, query: who.put(f"/nodes/{node}/maintenance/fault{query}", body)


def bulk(body: dict[str, t.Any]) -> t.Callable[[Client, str, list[str], str], Answer]:
    return lambda who, node, _entries, query: who.post(f"/maintenance{query}", {"nodes": [node], **body})


def bulk_release(select: t.Callable[[str, list[str]], dict[str, t.Any]]) -> t.Callable[[Client, str, list[str], str], Answer]:
    return lambda who, node, entries, query: who.post(f"/maintenance/release{query}", select(node, entries))


def removed(who: Client, node: str, _entries: list[str], query: str) -> Answer:
    return who.delete(f"/nodes/{node}{query}")


def enrolled(body: dict[str, t.Any]) -> t.Callable[[Client, str, list[str], str], Answer]:
    return lambda who, node, _entries, query: who.post(f"/nodes{query}", {"name": f"{node}-more", **body})


WRITES: dict[str, Write] = {
    "assert": Write(asserted({"type": "operator_hold", "reason": "x", "extra": {"a": 1}, "key": "k", "ticket": "t", "run": "r"}), 201),
    "assert as owner": Write(asserted({"type": "hardware_failure"}), 201, "owner", (SYSTEM,)),
    "assert a duplicate": Write(asserted({"type": "operator_hold"}), 409, "owner", (OF_OWNER,)),
    "assert an unknown type": Write(asserted({"type": "no_such_type"}), 400),
    "assert a reserved type": Write(asserted({"type": "legacy"}), 400),
    "assert without the policy": Write(asserted({"type": "operator_hold"}), 403, "lessee-reader"),
    "change": Write(patched_entry({"reason": "after", "ticket": "t"}), 200, "owner", (OF_OWNER,)),
    "change nothing": Write(patched_entry({}), 200, "owner", (OF_OWNER,)),
    "change another's": Write(patched_entry({"reason": "after"}), 403, "operator", (OF_OWNER,)),
    "change a legacy entry": Write(patched_entry({"reason": "after"}), 400, "operator", (LEGACY,)),
    "release": Write(released, 204, "owner", (OF_OWNER, SYSTEM)),
    "release above": Write(released, 403, "lessee", (SYSTEM, OF_LESSEE)),
    "release the last": Write(released, 204, "operator", (SYSTEM,)),
    "clear": Write(cleared, 204, "operator", (SYSTEM, LEGACY, FAULT, OF_LESSEE)),
    "clear, refused": Write(cleared, 403, "lessee", (SYSTEM, LEGACY, OF_LESSEE, OF_OWNER)),
    "clear nothing": Write(cleared, 204, "lessee"),
    "set": Write(flagged({"reason": "x"}), 202, "owner"),
    "set again": Write(flagged({"reason": "x"}), 202, "owner", (LEGACY,)),
    "set beside others": Write(flagged({}), 202, "lessee", (SYSTEM,)),
    "set without the policy": Write(flagged({"reason": "x"}), 403, "lessee-member"),
    "set a number": Write(flagged({"reason": 5}), 400, "owner"),
    "patch true": Write(patched_node(TRUE), 200, "owner"),
    "patch true, held": Write(patched_node(TRUE), 200, "owner", (SYSTEM,)),
    "patch false": Write(patched_node(FALSE), 200, "operator", (SYSTEM, LEGACY, FAULT)),
    "patch false, refused": Write(patched_node(FALSE), 403, "lessee", (SYSTEM,)),
    "patch members": Write(patched_node([{"op": "replace", "path": "/description", "value": "x"}, *TRUE]), 200, "owner"),
    "patch nothing": Write(patched_node([]), 200, "owner"),
    "patch the owner": Write(patched_node([{"op": "replace", "path": "/owner", "value": "x"}]), 403, "owner"),
    "fault": Write(faulted({"fault": "power failure", "reason": "x"}), 201, "conductor"),
    "fault again": Write(faulted({"fault": "clean failure", "reason": "x"}), 200, "conductor", (FAULT,)),
    "fault without the policy": Write(faulted({"fault": "power failure"}), 403, "owner"),
    "bulk assert": Write(bulk({"type": "operator_hold", "reason": "x", "on_error": "stop"}), 200, "lessee", (SYSTEM,)),
    "bulk assert, continue": Write(bulk({"type": "operator_hold", "on_error": "continue"}), 200, "owner", (OF_OWNER,)),
    "bulk assert, refused": Write(bulk({"type": "operator_hold"}), 409, "owner", (OF_OWNER,)),
    "bulk release entries": Write(
        bulk_release(lambda _node, entries: {"entries": entries, "comment": "done"}), 200, "operator", (SYSTEM, OF_OWNER, LEGACY)
    ),
    "bulk release entries, continue": Write(
        bulk_release(lambda _node, entries: {"entries": entries, "on_error": "continue"}), 200, "owner", (SYSTEM, OF_OWNER, OF_LESSEE)
    ),
    "bulk release entries, refused": Write(bulk_release(lambda _node, entries: {"entries": entries}), 403, "owner", (SYSTEM, OF_OWNER)),
    "bulk release by type": Write(
        bulk_release(lambda node, _entries: {"nodes": [node], "type": "operator_hold"}), 200, "owner", (SYSTEM, OF_OWNER)
    ),
    "bulk release by type, nothing there": Write(bulk_release(lambda node, _entries: {"nodes": [node], "type": "x"}), 200, "owner"),
    "bulk release by run": Write(
        bulk_release(lambda node, _entries: {"nodes": [node], "run": "run-1"}), 200, "operator", (SYSTEM, OF_OWNER)
    ),
    "enrol": Write(enrolled({"owner": OWNER, "extra": {"a": 1}}), 201, "admin"),
    "enrol by uuid": Write(enrolled({"uuid": "0b2f0be6-3b7c-4f4e-8b0c-5c1d7a2f4e9a"}), 201, "admin"),
    "enrol one's own": Write(enrolled({}), 201, "stranger"),
    "enrol without the policy": Write(enrolled({}), 403, "owner"),
    "enrol a duplicate": Write(lambda who, node, _entries, query: who.post(f"/nodes{query}", {"name": node}), 409, "admin"),
    "enrol with secrets": Write(enrolled({"driver_info": {}}), 400, "admin"),
    "remove": Write(removed, 204, "admin", (SYSTEM, LEGACY, FAULT, OF_LESSEE)),
    "remove without the policy": Write(removed, 403, "owner", (LEGACY,)),
    "remove, refused": Write(removed, 403, "owner-admin", (SYSTEM, OF_OWNER)),
}

#: Members that a dry run can't know: what is not written has none of them.
UNKNOWN = ("uuid", "asserted_at", "created_at", "updated_at", "links")


def blanked(shown: t.Any, dry: t.Any) -> t.Any:
    """Give the real answer with null wherever the dry run says null of what it can't know; anything else must be equal."""
    if isinstance(shown, dict) and isinstance(dry, dict):
        return {
            name: dry[name] if name in UNKNOWN and dry.get(name) in (None, []) else blanked(value, dry.get(name))
            for name, value in shown.items()
        }
    if isinstance(shown, list) and isinstance(dry, list) and len(shown) == len(dry):
        return [blanked(one, other) for one, other in zip(shown, dry, strict=True)]
    return shown


def set_up(service: Service, write: Write) -> tuple[Client, str, list[str]]:
    node = service.node()
    entries = service.hold_all(node, write.held) if write.held else []
    return service.by(write.login), node, entries


@pytest.mark.parametrize("name", WRITES)
def test_it_answers_as_the_real_call_and_writes_nothing(service: Service, name: str) -> None:
    write = WRITES[name]
    who, node, entries = set_up(service, write)
    before, files = service.commits(), service.files()
    dry = write.call(who, node, entries, "?dry_run=true")
    assert dry.status == write.status, dry.everything
    assert service.files() == files
    assert service.commits() == before
    again = write.call(who, node, entries, "?dry_run=true")
    assert re.sub("req-[0-9a-f-]{36}", "", again.everything) == re.sub("req-[0-9a-f-]{36}", "", dry.everything)
    real = write.call(who, node, entries, "")
    assert real.status == dry.status
    assert dry.headers.get("content-type") == real.headers.get("content-type")
    if real.content or dry.content:
        assert dry.json == blanked(real.json, dry.json)
    assert "location" not in dry.headers


@pytest.mark.parametrize("name", ["assert", "assert as owner", "fault", "bulk assert"])
def test_an_entry_that_is_not_written_has_neither_uuid_nor_time(service: Service, name: str) -> None:
    answer = WRITES[name].call(*set_up(service, WRITES[name]), "?dry_run=true").json
    entry = answer["results"][0]["entry"] if "results" in answer else answer
    assert (entry["uuid"], entry["asserted_at"], entry["links"]) == (None, None, [])
    assert entry["own"] is (name != "fault")


def test_an_entry_that_exists_keeps_its_own(service: Service) -> None:
    who, node, [entry] = set_up(service, WRITES["change"])
    before = who.get(f"/nodes/{node}/maintenance/{entry}").json
    answer = WRITES["change"].call(who, node, [entry], "?dry_run=true").json
    assert answer == {**before, "reason": "after", "ticket": "t"}


def test_a_node_that_is_not_written_has_neither_uuid_nor_time(service: Service) -> None:
    answer = WRITES["enrol"].call(*set_up(service, WRITES["enrol"]), "?dry_run=true").json
    assert (answer["uuid"], answer["created_at"], answer["updated_at"], answer["links"]) == (None, None, None, [])
    given = "5d2f0be6-3b7c-4f4e-8b0c-5c1d7a2f4e9a"
    answer = enrolled({"uuid": given})(*set_up(service, WRITES["enrol"]), "?dry_run=true").json
    assert (answer["uuid"], answer["created_at"]) == (given, None)


def test_a_node_that_would_change_has_no_time_of_change(service: Service, owner: Client) -> None:
    node = service.node()
    owner.patch(f"/nodes/{node}", [{"op": "replace", "path": "/description", "value": "a"}])
    before = owner.get(f"/nodes/{node}").json
    change = [{"op": "replace", "path": "/description", "value": "b"}]
    assert owner.patch(f"/nodes/{node}?dry_run=true", change).json == {**before, "description": "b", "updated_at": None}
    assert owner.patch(f"/nodes/{node}?dry_run=true", []).json == before


@pytest.mark.parametrize("value", ["true", "True", "1", "yes", "on"])
def test_it_is_said_in_several_words(service: Service, owner: Client, value: str) -> None:
    node = service.node()
    assert owner.post(f"/nodes/{node}/maintenance?dry_run={value}", {"type": "operator_hold"}).json["uuid"] is None
    assert service.entries(node) == []


@pytest.mark.parametrize("value", ["false", "0", "no", "off", "False"])
def test_false_is_the_real_call(service: Service, owner: Client, value: str) -> None:
    node = service.node()
    assert owner.post(f"/nodes/{node}/maintenance?dry_run={value}", {"type": "operator_hold"}).json["uuid"]
    assert len(service.entries(node)) == 1


@pytest.mark.parametrize("value", ["", "banana", "2", "tru", "null", "true,false"])
@pytest.mark.parametrize("name", ["assert", "release the last", "clear", "set", "patch false", "bulk assert", "remove", "enrol", "fault"])
def test_another_word_is_refused_and_nothing_is_done(service: Service, name: str, value: str) -> None:
    write = WRITES[name]
    who, node, entries = set_up(service, write)
    before = service.commits()
    for query in (f"?dry_run={value}", "?dry_run", "?dry_run=true&dry_run=false", "?Dry_run=true", "?dryrun=true"):
        answer = write.call(who, node, entries, query)
        assert (answer.status, answer.code) == (400, "invalid"), query
    assert service.commits() == before


@pytest.mark.parametrize("version", [ABSENT, "1.78", BELOW])
def test_below_the_typed_version_it_is_refused_never_ignored(service: Service, operator: Client, version: str) -> None:
    node = service.uuid_of(service.node())
    entry = service.hold(node)
    before = service.commits()
    typed = [
        operator.post(f"/nodes/{node}/maintenance?dry_run=true", {"type": "operator_hold"}, version=version),
        operator.patch(f"/nodes/{node}/maintenance/{entry}?dry_run=true", {"reason": "x"}, version=version),
        operator.delete(f"/nodes/{node}/maintenance/{entry}?dry_run=true", version=version),
        operator.put(f"/nodes/{node}/maintenance/fault?dry_run=true", {"fault": "power failure"}, version=version),
        operator.post("/maintenance?dry_run=true", {"nodes": [node], "type": "operator_hold"}, version=version),
        operator.post("/maintenance/release?dry_run=true", {"entries": [entry]}, version=version),
    ]
    boolean = [
        operator.put(f"/nodes/{node}/maintenance?dry_run=true", {"reason": "x"}, version=version),
        operator.delete(f"/nodes/{node}/maintenance?dry_run=true", version=version),
        operator.put(f"/nodes/maintenance?node_ident={node}&dry_run=true", {"reason": "x"}, version=version),
        operator.patch(f"/nodes/{node}?dry_run=true", FALSE, version=version),
        operator.delete(f"/nodes/{node}?dry_run=true", version=version),
        operator.post("/nodes?dry_run=true", {"name": "more"}, version=version),
    ]
    assert [answer.status for answer in typed] == [404] * len(typed)
    assert [(answer.status, answer.said) for answer in boolean] == [(400, "Unexpected arguments: dry_run")] * len(boolean)
    assert service.commits() == before
