# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""With `extensions: false` the API is the specification's: nothing of ours is listed, taken or shown, and nothing of its own is missing."""

from __future__ import annotations

import json
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.support.service import TYPED, Answer, Build, Service, authorization

#: "The entry" of the specification, member by member.
ENTRY: t.Final = ["uuid", "type", "reason", "scope", "asserted_by", "asserted_by_project", "asserted_at", "extra", "links"]


@pytest.fixture
def native(build: Build) -> Service:
    """A service with the specification and nothing more."""
    return build(extensions=False)


def send(service: Service, method: str, path: str, body: t.Any = None, login: str = "operator") -> Answer:
    """Send a request; its errors lack what ours have beside Ironic's shape."""
    raw = None if body is None else json.dumps(body).encode()
    headers = {"X-OpenStack-Ironic-API-Version": TYPED, "Authorization": authorization(login), "Content-Type": "application/json"}
    return service.unchecked(method, f"/v1{path}", raw, headers)


def test_it_does_not_say_that_it_is_more_than_an_ironic(native: Service) -> None:
    document = send(native, "GET", "").json
    assert (document["id"], document["version"]["version"]) == ("v1", TYPED)
    assert "maintenance_api" not in document


def test_the_specification_works_as_it_does(native: Service) -> None:
    node = native.node()
    path = f"/nodes/{node}/maintenance"
    made = send(native, "POST", path, {"type": "operator_hold", "reason": "why", "extra": {"key": 1, "asserted_by": "x"}})
    assert (made.status, list(made.json)) == (201, ENTRY)
    assert made.json["extra"] == {"key": 1, "asserted_by": "x"}
    assert send(native, "GET", path).json == {"maintenance": [made.json]}
    assert send(native, "POST", path, {"type": "operator_hold"}).status == 409
    assert send(native, "PUT", path, {"reason": "old tools"}).status == 202
    assert send(native, "GET", f"/nodes/{node}").json["maintenance_reason"] == "operator_hold: why; legacy: old tools"
    assert send(native, "DELETE", f"{path}/{made.json['uuid']}").status == 204
    assert send(native, "DELETE", path).status == 204
    events = send(native, "GET", f"/nodes/{node}/history?detail=true").json["history"]
    assert len(events) == 4
    assert not [event for event in events if "maintenance" in event]


def test_a_refusal_has_ironics_shape_and_nothing_beside_it(native: Service) -> None:
    node = native.node()
    uuid = send(native, "POST", f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json["uuid"]
    refused = send(native, "DELETE", f"/nodes/{node}/maintenance/{uuid}", login="owner")
    assert (refused.status, list(refused.json)) == (403, ["error_message"])
    assert "not permitted at owner scope" in refused.said


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/maintenance", None, 404),
        ("POST", "/maintenance", {"nodes": [], "type": "operator_hold"}, 404),
        ("POST", "/maintenance/release", {"nodes": [], "type": "operator_hold"}, 404),
        ("GET", "/maintenance/types", None, 404),
        ("GET", "/maintenance/history", None, 404),
        ("PUT", "/nodes/{node}/maintenance/fault", {"fault": "power failure", "reason": "r"}, 404),
        ("PATCH", "/nodes/{node}/maintenance/{uuid}", {"reason": "other"}, 405),
        ("POST", "/nodes/{node}/maintenance", {"type": "hardware_failure", "key": "k"}, 400),
        ("POST", "/nodes/{node}/maintenance", {"type": "hardware_failure", "ticket": "CHG-1"}, 400),
        ("POST", "/nodes/{node}/maintenance", {"type": "hardware_failure", "run": "17"}, 400),
        ("POST", "/nodes/{node}/maintenance?dry_run=true", {"type": "hardware_failure"}, 400),
        ("DELETE", "/nodes/{node}/maintenance?dry_run=true", None, 400),
        ("DELETE", "/nodes/{node}/maintenance/{uuid}?dry_run=true", None, 400),
        ("PUT", "/nodes/{node}/maintenance?dry_run=true", None, 400),
        ("GET", "/nodes?fields=uuid,maintenance_entries", None, 400),
    ],
)
def test_what_is_ours_is_not_there_and_changes_nothing(native: Service, method: str, path: str, body: t.Any, status: int) -> None:
    node = native.node()
    uuid = send(native, "POST", f"/nodes/{node}/maintenance", {"type": "operator_hold", "reason": "why"}).json["uuid"]
    before = send(native, "GET", f"/nodes/{node}/maintenance").json
    assert send(native, method, path.format(node=node, uuid=uuid), body).status == status
    assert send(native, "GET", f"/nodes/{node}/maintenance").json == before


def test_a_body_that_is_no_object_is_refused_as_ever(native: Service) -> None:
    node = native.node()
    for raw in (b"{", b"[]", b""):
        headers = {"X-OpenStack-Ironic-API-Version": TYPED, "Authorization": authorization("operator"), "Content-Type": "application/json"}
        assert native.unchecked("POST", f"/v1/nodes/{node}/maintenance", raw, headers).status == 400
