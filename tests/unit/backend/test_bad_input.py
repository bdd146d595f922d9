# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bad input: one clear sentence and nothing half written (the contract's "Bad input"; api.md 3, 5 and 8). See also test_odd_input.py."""

from __future__ import annotations

import json
import typing as t
import urllib.parse
import uuid

import pytest
from ansible_collections.baremetal.maintenance.tests.support.cast import OWNER
from ansible_collections.baremetal.maintenance.tests.support.service import ABSENT, BELOW, TYPED, Answer, Client, Service

JSON = {"Content-Type": "application/json"}
MIB = 1024 * 1024


class Place(t.NamedTuple):
    """Where a body goes, and a body that is right there."""

    method: str
    path: str
    body: t.Any
    version: str = TYPED


PLACES = {
    "assert": Place("POST", "/nodes/{node}/maintenance", {"type": "operator_hold", "reason": "x"}),
    "change": Place("PATCH", "/nodes/{node}/maintenance/{entry}", {"reason": "x"}),
    "fault": Place("PUT", "/nodes/{node}/maintenance/fault", {"fault": "power failure", "reason": "x"}),
    "set": Place("PUT", "/nodes/{node}/maintenance", {"reason": "x"}),
    "set below": Place("PUT", "/nodes/{node}/maintenance", {"reason": "x"}, BELOW),
    "set by the alias": Place("PUT", "/nodes/maintenance", {"node_ident": "{node}", "reason": "x"}),
    "bulk assert": Place("POST", "/maintenance", {"nodes": ["{node}"], "type": "operator_hold", "reason": "x"}),
    "bulk release": Place("POST", "/maintenance/release", {"entries": ["{entry}"], "comment": "x"}),
    "enrol": Place("POST", "/nodes", {"name": "{node}-more", "description": "x"}),
    "patch": Place("PATCH", "/nodes/{node}", [{"op": "replace", "path": "/description", "value": "x"}]),
}
#: Where a text of the caller's is kept.
TEXTS = {
    "assert": "reason",
    "change": "reason",
    "fault": "reason",
    "set": "reason",
    "set below": "reason",
    "bulk assert": "reason",
    "bulk release": "comment",
    "enrol": "description",
}


@pytest.fixture
def stage(service: Service) -> tuple[Client, str, str]:
    """An admin, a node, and the admin's own entry on it under a key."""
    admin, node = service.by("admin"), service.node()
    entry = admin.post(f"/nodes/{node}/maintenance", {"type": "hardware_failure", "key": "mine"}).json["uuid"]
    return admin, node, entry


def filled(value: t.Any, node: str, entry: str) -> t.Any:
    return json.loads(json.dumps(value).replace("{node}", node).replace("{entry}", entry))


def sent(stage: tuple[Client, str, str], name: str, raw: bytes, headers: t.Mapping[str, str] | None = None) -> Answer:
    who, node, entry = stage
    place = PLACES[name]
    return who.send(place.method, place.path.format(node=node, entry=entry), raw=raw, headers=headers or JSON, version=place.version)


def one_sentence(answer: Answer) -> None:
    """Check that an error is told in a sentence or two, on one line, that a person can read."""
    assert 10 < len(answer.said) < 500
    assert "\n" not in answer.said
    assert answer.said[0].isupper() or answer.said[0] == "'"


@pytest.mark.parametrize("name", PLACES)
def test_the_bodies_of_these_tests_are_right_but_for_what_is_wrong_in_them(stage: tuple[Client, str, str], name: str) -> None:
    _who, node, entry = stage
    assert sent(stage, name, json.dumps(filled(PLACES[name].body, node, entry)).encode()).status < 300


NO_JSON = [
    b"{bad",
    b"{",
    b'{"reason": "x"',
    b'{"reason": "x",}',
    b"{'reason': 'x'}",
    b'{"reason": "x"} {}',
    b"reason=x",
    b"<reason>x</reason>",
    b"\xff\xfe",
    b'{"reason": "\xe9"}',
    b"\xef\xbb\xbf{}",
    b'{"reason": "two\nlines"}',
    b'{"reason": undefined}',
]


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("raw", NO_JSON)
def test_a_body_that_is_not_json(service: Service, stage: tuple[Client, str, str], name: str, raw: bytes) -> None:
    before = service.commits()
    answer = sent(stage, name, raw)
    assert (answer.status, answer.code) == (400, "invalid")
    one_sentence(answer)
    assert "JSON" in answer.said
    assert service.commits() == before


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("value", [[], "x", 5, True, None, {}, [[]], ["x"]])
def test_a_body_of_another_kind(service: Service, stage: tuple[Client, str, str], name: str, value: t.Any) -> None:
    harmless = {"change": ({},), "set": ({}, None), "set below": ({}, None), "enrol": ({},), "patch": ([],)}
    if value in harmless.get(name, ()) and not isinstance(value, bool):
        assert sent(stage, name, json.dumps(value).encode()).status < 300
        return
    before = service.commits()
    answer = sent(stage, name, json.dumps(value).encode())
    assert (answer.status, answer.code) == (400, "invalid")
    one_sentence(answer)
    assert service.commits() == before


@pytest.mark.parametrize("name", [name for name in PLACES if "set" not in name])
@pytest.mark.parametrize(
    "kind", ["text/plain", "text/xml", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/yaml", "x"]
)
def test_another_content_type(service: Service, stage: tuple[Client, str, str], name: str, kind: str) -> None:
    _who, node, entry = stage
    before = service.commits()
    answer = sent(stage, name, json.dumps(filled(PLACES[name].body, node, entry)).encode(), {"Content-Type": kind})
    assert (answer.status, answer.code) == (415, "invalid")
    one_sentence(answer)
    assert "Content-Type: application/json" in answer.said
    assert service.commits() == before


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "Application/JSON", "application/json;charset=x"])
def test_json_in_its_spellings(stage: tuple[Client, str, str], kind: str) -> None:
    assert sent(stage, "assert", b'{"type": "operator_hold"}', {"Content-Type": kind}).status == 201


@pytest.mark.parametrize("name", [name for name in PLACES if not name.startswith("bulk")])
def test_over_one_mib(service: Service, stage: tuple[Client, str, str], name: str) -> None:
    _who, node, entry = stage
    before = service.commits()
    body = json.dumps(filled(PLACES[name].body, node, entry)).encode()
    answer = sent(stage, name, body + b" " * (MIB - len(body) + 1))
    assert (answer.status, answer.code) == (413, "invalid")
    assert "too large" in answer.everything
    assert service.commits() == before
    assert sent(stage, name, body + b" " * (MIB - len(body))).status < 300


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize(("text", "said"), [("a\\u0000b", "NUL"), ("a\\ud800b", "surrogate"), ("\\udc00", "surrogate")])
def test_nul_and_lone_surrogates(service: Service, stage: tuple[Client, str, str], name: str, text: str, said: str) -> None:
    _who, node, entry = stage
    before = service.commits()
    for member in (TEXTS[name], "key"):
        body = json.dumps({**filled(PLACES[name].body, node, entry), member: "TEXT"}).replace("TEXT", text).encode()
        answer = sent(stage, name, body)
        assert (answer.status, answer.code) == (400, "invalid")
        one_sentence(answer)
        assert said in answer.said
    body = json.dumps({**filled(PLACES[name].body, node, entry), "TEXT": 1}).replace("TEXT", text).encode()
    assert sent(stage, name, body).status == 400
    assert service.commits() == before


def test_a_pair_of_surrogates_is_a_character(stage: tuple[Client, str, str]) -> None:
    answer = sent(stage, "assert", b'{"type": "operator_hold", "reason": "\\ud83d\\ude00"}')
    assert (answer.status, answer.json["reason"]) == (201, "😀")


@pytest.mark.parametrize("member", ["extra", "reason"])
def test_nul_anywhere_inside_extra(service: Service, stage: tuple[Client, str, str], member: str) -> None:
    before = service.commits()
    for extra in ('{"a": {"b": ["\\u0000"]}}', '{"a\\u0000": 1}', '{"a": [{"\\ud800": 1}]}'):
        answer = sent(stage, "assert", f'{{"type": "operator_hold", "extra": {extra}}}'.encode())
        assert (answer.status, answer.code) == (400, "invalid")
    assert service.commits() == before


@pytest.mark.parametrize("name", ["assert", "change", "fault", "bulk assert", "bulk release"])
def test_a_text_of_more_than_4096_characters(service: Service, stage: tuple[Client, str, str], name: str) -> None:
    _who, node, entry = stage
    before = service.commits()
    body = {**filled(PLACES[name].body, node, entry), TEXTS[name]: "😀" * 4097}
    answer = sent(stage, name, json.dumps(body).encode())
    assert (answer.status, answer.code) == (400, "invalid")
    one_sentence(answer)
    assert "4097 characters, 4096 at most" in answer.said
    assert service.commits() == before


@pytest.mark.parametrize("name", ["assert", "change", "fault", "bulk assert", "bulk release"])
@pytest.mark.parametrize("value", [5, True, ["x"], {"a": "b"}, 1.5])
def test_a_reason_that_is_no_text(service: Service, stage: tuple[Client, str, str], name: str, value: t.Any) -> None:
    _who, node, entry = stage
    before = service.commits()
    answer = sent(stage, name, json.dumps({**filled(PLACES[name].body, node, entry), TEXTS[name]: value}).encode())
    assert (answer.status, answer.said) == (400, f"The member {TEXTS[name]!r} is a text or null.")
    assert service.commits() == before


@pytest.mark.parametrize("name", ["assert", "change", "bulk assert"])
@pytest.mark.parametrize("extra", [[], "x", 5, True, [{"a": 1}], "{}"])
def test_extra_that_is_no_object(service: Service, stage: tuple[Client, str, str], name: str, extra: t.Any) -> None:
    _who, node, entry = stage
    before = service.commits()
    answer = sent(stage, name, json.dumps({**filled(PLACES[name].body, node, entry), "extra": extra}).encode())
    assert (answer.status, answer.said) == (400, "The member 'extra' is a JSON object.")
    assert service.commits() == before


@pytest.mark.parametrize("name", ["assert", "change", "bulk assert"])
@pytest.mark.parametrize("character", ["x", "é", "😀"])
def test_extra_of_more_than_64_kib(service: Service, stage: tuple[Client, str, str], name: str, character: str) -> None:
    _who, node, entry = stage
    size = len(character.encode())
    fits = {"a": character * ((64 * 1024 - len('{"a": ""}')) // size)}
    before = service.commits()
    body = {**filled(PLACES[name].body, node, entry), "extra": {"a": fits["a"] + character * 2}}
    answer = sent(stage, name, json.dumps(body).encode())
    assert (answer.status, answer.code) == (400, "invalid")
    assert "65536 at most are kept" in answer.said
    assert service.commits() == before
    answer = sent(stage, name, json.dumps({**body, "extra": fits}).encode())
    assert answer.status in (200, 201)


QUERIES = [
    "?reason=a&reason=b",
    "?dry_run=true&dry_run=true",
    "?foo=1",
    "?limit=1",
    "?%ff=1",
    "?reason=%ff",
    "?reason=%00",
    "?" + "a=1&" * 300,
]


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("query", QUERIES)
def test_arguments_that_are_unknown_given_twice_or_no_text(service: Service, stage: tuple[Client, str, str], name: str, query: str) -> None:
    who, node, entry = stage
    place = PLACES[name]
    before = service.commits()
    body = filled(place.body, node, entry)
    answer = who.send(place.method, place.path.format(node=node, entry=entry) + query, body, version=place.version)
    assert (answer.status, answer.code) == (400, "invalid")
    one_sentence(answer)
    assert service.commits() == before


READS = ["/nodes", "/nodes/{node}", "/nodes/{node}/maintenance", "/maintenance", "/maintenance/types", "/maintenance/history"]


@pytest.mark.parametrize("path", [*READS, "/nodes/{node}/history", "/nodes/detail"])
@pytest.mark.parametrize("query", ["foo=1", "limit=1&limit=2", "%ff", "marker=%00", "x=" + "y" * 5000])
def test_arguments_of_reads_likewise(stage: tuple[Client, str, str], path: str, query: str) -> None:
    who, node, _entry = stage
    answer = who.get(f"{path.format(node=node)}?{query}")
    assert (answer.status, answer.code) == (400, "invalid")


UNKNOWN = [str(uuid.UUID(int=5)), "nope", "no-such-node", "x" * 255, "a.b", "..."]


@pytest.mark.parametrize("ident", UNKNOWN)
@pytest.mark.parametrize("name", ["assert", "change", "fault", "set", "set below", "patch"])
def test_an_unknown_node(service: Service, stage: tuple[Client, str, str], name: str, ident: str) -> None:
    who, _node, entry = stage
    place = PLACES[name]
    before = service.commits()
    answer = who.send(place.method, place.path.format(node=ident, entry=entry), filled(place.body, ident, entry), version=place.version)
    assert (answer.status, answer.code, answer.said) == (404, "not_found", f"Node {ident} could not be found.")
    assert service.commits() == before


@pytest.mark.parametrize("ident", ["a b", "ä", "{{ x }}", "x" * 256, "a;b", "😀", "%00", "a?b", "'--"])
@pytest.mark.parametrize("name", ["assert", "change", "fault", "set", "patch"])
def test_what_can_be_no_nodes_name(service: Service, stage: tuple[Client, str, str], name: str, ident: str) -> None:
    who, _node, entry = stage
    place = PLACES[name]
    before = service.commits()
    path = place.path.format(node=urllib.parse.quote(ident, safe="%"), entry=entry)
    answer = who.send(place.method, path, filled(place.body, "x", entry))
    assert answer.status == 400
    assert answer.code == "invalid"
    assert service.commits() == before


VERSIONS = [
    "1.0",
    "1.117",
    "1.999",
    "2.1",
    "0.1",
    "-1.5",
    "abc",
    "1",
    "1.",
    ".1",
    "1.1.1",
    "1.1x",
    "v1.1",
    "1,1",
    "1 1",
    "newest",
    "{{ x }}",
]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_version_that_is_not_one_of_ours(service: Service, stage: tuple[Client, str, str], version: str) -> None:
    who, node, _entry = stage
    before = service.commits()
    for headers in (
        {"X-OpenStack-Ironic-API-Version": version},
        {"OpenStack-API-Version": f"baremetal {version}"},
        {"OpenStack-API-Version": f"compute 2.1, baremetal {version}"},
    ):
        answer = who.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}, version=ABSENT, headers=headers)
        assert (answer.status, answer.code) == (406, "not_supported")
        assert answer.headers["x-openstack-ironic-api-minimum-version"] == "1.1"
        assert answer.headers["x-openstack-ironic-api-maximum-version"] == TYPED
    assert service.commits() == before


SPELLED = [
    ({"X-OpenStack-Ironic-API-Version": "latest"}, TYPED),
    ({"X-OpenStack-Ironic-API-Version": " 1.42 "}, "1.42"),
    ({"X-OpenStack-Ironic-API-Version": "1.042"}, "1.42"),
    ({"OpenStack-API-Version": "baremetal 1.42"}, "1.42"),
    ({"OpenStack-API-Version": "BareMetal latest"}, TYPED),
    ({"OpenStack-API-Version": "compute 2.1, baremetal 1.42"}, "1.42"),
    ({"OpenStack-API-Version": "compute 2.1"}, "1.1"),
    ({"OpenStack-API-Version": "baremetal 1.42", "X-OpenStack-Ironic-API-Version": "1.5"}, "1.42"),
    ({"X-OpenStack-Ironic-API-Version": ""}, "1.1"),
    ({}, "1.1"),
]


@pytest.mark.parametrize(("headers", "version"), SPELLED)
def test_a_version_in_its_spellings(stage: tuple[Client, str, str], headers: dict[str, str], version: str) -> None:
    answer = stage[0].get("/nodes", version=ABSENT, headers=headers)
    assert (answer.status, answer.headers["x-openstack-ironic-api-version"]) == (200, version)


UNAUTHENTICATED = [
    {},
    {"Authorization": ""},
    {"Authorization": "Basic"},
    {"Authorization": "Basic !!!"},
    {"Authorization": "Basic b3duZXI="},
    {"Authorization": "Bearer owner-password"},
    {"Authorization": "Basic b3duZXI6d3Jvbmc="},
    {"Authorization": "Basic bm9ib2R5Om93bmVyLXBhc3N3b3Jk"},
    {"Authorization": "Basic b3duZXI6"},
    {"Authorization": "Basic /////w=="},
    {"Authorization": "Basic b3duZXI6AAAA"},
    {"X-Auth-Token": "x"},
    {"X-User-Id": "id-of-owner", "X-Roles": "admin", "OpenStack-System-Scope": "all"},
]


@pytest.mark.parametrize("headers", UNAUTHENTICATED)
@pytest.mark.parametrize("path", ["/nodes", "/nodes/{node}/maintenance", "/maintenance", "/no/such/route"])
def test_a_wrong_password_or_no_credential(service: Service, path: str, headers: dict[str, str]) -> None:
    node = service.node()
    before = service.commits()
    for method, body in (("GET", None), ("POST", {"type": "operator_hold"}), ("DELETE", None)):
        answer = service.by(None).send(method, path.format(node=node), body, headers=headers)
        assert (answer.status, answer.code) == (401, "unauthenticated")
        assert answer.headers["www-authenticate"] == 'Basic realm="Baremetal API"'
        one_sentence(answer)
        assert not any(word in answer.everything for value in headers.values() for word in value.split() if len(word) > 5)
    assert service.commits() == before


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Roles": "admin", "OpenStack-System-Scope": "all"},
        {"X_Roles": "admin", "X_Is_Admin_Project": "True"},
        {"X-User-Id": "canary-id-of-admin", "X-Project-Id": OWNER},
        {"X-Service-Roles": "service", "X-Service-Project-Name": "canary-service"},
        {"Remote-User": "admin"},
    ],
)
def test_what_a_client_says_about_itself_counts_for_nothing(service: Service, headers: dict[str, str]) -> None:
    node = service.node()
    entry = service.hold(node)
    lessee = service.by("lessee")
    assert lessee.delete(f"/nodes/{node}/maintenance/{entry}", headers=headers).status == 403
    made = lessee.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}, headers=headers).json
    assert (made["scope"], made["asserted_by"]) == ("lessee", "id-of-lessee")


@pytest.mark.parametrize("path", ["/no/such/route", "/nodes/x/states", "/maintenance/nope", "/maintenance/held", "/maintenance/types/x"])
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "PATCH"])
def test_a_path_that_does_not_exist(stage: tuple[Client, str, str], method: str, path: str) -> None:
    answer = stage[0].send(method, path)
    assert (answer.status, answer.code) == (404, "not_found")
