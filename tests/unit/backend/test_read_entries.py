# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""GET of a node's entries and of one of them (spec, "REST API impact"; api.md 2)."""

from __future__ import annotations

import datetime

import pytest
from ansible_collections.baremetal.maintenance.tests.support.cast import LESSEE, OWNER
from ansible_collections.baremetal.maintenance.tests.support.service import ABSENT, BELOW, PUBLIC, TYPED, Build, Client, Service, parse_time

#: "An entry object serialises as …", and then what is ours.
SPECIFIED = ["uuid", "type", "reason", "scope", "asserted_by", "asserted_by_project", "asserted_at", "extra", "links"]
EXTENSIONS = ["key", "ticket", "run", "asserted_by_name", "asserted_by_project_name", "own", "enforced", "enforced_by"]


def test_a_node_without_entries_has_an_empty_list(service: Service, lessee: Client) -> None:
    answer = lessee.get(f"/nodes/{service.node()}/maintenance")
    assert (answer.status, answer.json) == (200, {"maintenance": []})


def test_the_list_is_in_the_order_of_assertion(service: Service, operator: Client, owner: Client, lessee: Client) -> None:
    node = service.node()
    for who, type in ((lessee, "operator_hold"), (operator, "hardware_failure"), (owner, "operator_hold")):
        assert who.post(f"/nodes/{node}/maintenance", {"type": type}).status == 201
    listed = lessee.get(f"/nodes/{node}/maintenance").json["maintenance"]
    assert [(entry["type"], entry["scope"]) for entry in listed] == [
        ("operator_hold", "lessee"),
        ("hardware_failure", "system"),
        ("operator_hold", "owner"),
    ]
    times = [parse_time(entry["asserted_at"]) for entry in listed]
    assert times == sorted(set(times))


def test_an_entry_has_the_fields_of_the_spec_and_then_ours(service: Service, owner: Client) -> None:
    node = service.node()
    before = datetime.datetime.now(datetime.timezone.utc)
    owner.post(f"/nodes/{node}/maintenance", {"type": "hardware_failure", "reason": "Disk 3", "extra": {"slot": 3}})
    [entry] = owner.get(f"/nodes/{node}/maintenance").json["maintenance"]
    assert list(entry) == SPECIFIED + EXTENSIONS
    assert {name: entry[name] for name in SPECIFIED if name not in ("uuid", "asserted_at", "links")} == {
        "type": "hardware_failure",
        "reason": "Disk 3",
        "scope": "owner",
        "asserted_by": "id-of-owner",
        "asserted_by_project": OWNER,
        "extra": {"slot": 3},
    }
    assert before <= parse_time(entry["asserted_at"]) <= datetime.datetime.now(datetime.timezone.utc)
    assert entry["asserted_at"].endswith("+00:00")
    assert {name: entry[name] for name in EXTENSIONS} == {
        "key": "",
        "ticket": None,
        "run": None,
        "asserted_by_name": "name-of-owner",
        "asserted_by_project_name": f"name-of-{OWNER}",
        "own": True,
        "enforced": False,
        "enforced_by": "none",
    }


def test_an_empty_project_is_an_empty_text_and_a_masked_one_null(service: Service, operator: Client, lessee: Client) -> None:
    node = service.node()
    operator.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"})
    [seen] = operator.get(f"/nodes/{node}/maintenance").json["maintenance"]
    [masked] = lessee.get(f"/nodes/{node}/maintenance").json["maintenance"]
    assert (seen["asserted_by_project"], masked["asserted_by_project"]) == ("", None)


def test_the_self_link_resolves_to_the_entry(service: Service, owner: Client) -> None:
    node = service.node()
    made = owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json
    links = {link["rel"]: link["href"] for link in made["links"]}
    assert links == {
        "self": f"{PUBLIC}/v1/nodes/{service.uuid_of(node)}/maintenance/{made['uuid']}",
        "bookmark": f"{PUBLIC}/nodes/{service.uuid_of(node)}/maintenance/{made['uuid']}",
    }
    found = owner.get(links["self"].removeprefix(PUBLIC), root="")
    assert (found.status, found.json) == (200, made)


def test_an_entry_is_found_by_the_nodes_name_and_by_its_uuid(service: Service, owner: Client) -> None:
    node = service.node()
    made = owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json
    for ident in (node, service.uuid_of(node)):
        assert owner.get(f"/nodes/{ident}/maintenance/{made['uuid']}").json == made


@pytest.mark.parametrize("login", ["auditor", "operator", "conductor", "owner-reader", "owner", "lessee-reader", "lessee-member", "lessee"])
def test_whoever_may_read_the_node_may_list_its_entries(service: Service, login: str) -> None:
    node = service.node()
    entry = service.hold(node)
    assert service.by(login).get(f"/nodes/{node}/maintenance").status == 200
    assert service.by(login).get(f"/nodes/{node}/maintenance/{entry}").json["uuid"] == entry


def test_policy_may_keep_entries_from_readers_of_the_node(build: Build) -> None:
    service = build(policy={"baremetal:node:maintenance:get": "role:member and project_id:%(node.owner)s"})
    node = service.node()
    entry = service.hold(node, scope="lessee", project=LESSEE)
    assert service.by("owner").get(f"/nodes/{node}/maintenance").status == 200
    for path in (f"/nodes/{node}/maintenance", f"/nodes/{node}/maintenance/{entry}"):
        answer = service.by("lessee").get(path)
        assert (answer.status, answer.code) == (403, "not_permitted")
        assert answer.said == "Access was denied to the following resource: baremetal:node:maintenance:get"
    assert service.by("lessee").get(f"/nodes/{node}").status == 200


@pytest.mark.parametrize("version", [ABSENT, "1.1", "1.5", "1.78", "1.90", BELOW])
def test_below_their_version_the_typed_endpoints_do_not_exist(service: Service, operator: Client, version: str) -> None:
    node = service.node()
    entry = service.hold(node)
    path = f"/nodes/{service.uuid_of(node)}/maintenance"
    for answer in (
        operator.get(path, version=version),
        operator.post(path, {"type": "operator_hold"}, version=version),
        operator.get(f"{path}/{entry}", version=version),
        operator.patch(f"{path}/{entry}", {"reason": "x"}, version=version),
        operator.delete(f"{path}/{entry}", version=version),
        operator.put(f"{path}/fault", {"fault": "power failure"}, version=version),
        operator.get("/maintenance", version=version),
        operator.post("/maintenance", {"nodes": [node], "type": "operator_hold"}, version=version),
        operator.post("/maintenance/release", {"entries": [entry]}, version=version),
        operator.get("/maintenance/types", version=version),
        operator.get("/maintenance/history", version=version),
    ):
        assert (answer.status, answer.code) == (404, "not_found")
        assert f"needs API version {TYPED} or newer" in answer.said
    assert service.uuids(node) == [entry]


@pytest.mark.parametrize("version", [TYPED, "latest", "LATEST"])
def test_from_their_version_on_they_do(service: Service, operator: Client, version: str) -> None:
    answer = operator.get(f"/nodes/{service.node()}/maintenance", version=version)
    assert answer.status == 200
    assert answer.headers["x-openstack-ironic-api-version"] == TYPED
    assert answer.headers["x-openstack-ironic-api-maximum-version"] == TYPED
    assert answer.headers["x-openstack-ironic-api-minimum-version"] == "1.1"


def test_the_version_document_says_what_the_typed_api_is(service: Service) -> None:
    document = service.by(None).get("", version=ABSENT).json
    assert document["maintenance_api"] == {
        "microversion": TYPED,
        "extensions": ["dry_run", "fleet", "node_entries", "bulk", "patch", "fault", "types", "fleet_history", "labels"],
    }


@pytest.mark.parametrize("query", ["?limit=1", "?dry_run=true", "?type=operator_hold", "?fields=uuid"])
def test_reading_takes_no_arguments(service: Service, operator: Client, query: str) -> None:
    node = service.node()
    entry = service.hold(node)
    for path in (f"/nodes/{node}/maintenance", f"/nodes/{node}/maintenance/{entry}"):
        answer = operator.get(path + query)
        assert (answer.status, answer.code) == (400, "invalid")
        assert answer.said == f"Unexpected arguments: {query[1:].partition('=')[0]}"


def test_no_other_method_exists_on_them(service: Service, operator: Client) -> None:
    node = service.node()
    entry = service.hold(node)
    for method, path, allowed in (
        ("PATCH", f"/nodes/{node}/maintenance", {"DELETE", "GET", "POST", "PUT"}),
        ("PUT", f"/nodes/{node}/maintenance/{entry}", {"DELETE", "GET", "PATCH"}),
        ("POST", f"/nodes/{node}/maintenance/{entry}", {"DELETE", "GET", "PATCH"}),
        ("GET", f"/nodes/{node}/maintenance/fault", {"PUT"}),
        ("DELETE", f"/nodes/{node}/maintenance/fault", {"PUT"}),
        ("DELETE", "/maintenance", {"GET", "POST"}),
        ("GET", "/maintenance/release", {"POST"}),
    ):
        answer = operator.send(method, path)
        assert (answer.status, answer.code) == (405, "not_supported"), (method, path)
        assert set(answer.headers["allow"].split(", ")) - {"OPTIONS", "HEAD"} == allowed
    assert service.uuids(node) == [entry]
