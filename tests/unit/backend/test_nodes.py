# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""/v1/nodes of local nodes: enrol, list, show, change, remove (architecture.md; api.md 3, 4 and 6)."""

from __future__ import annotations

import typing as t
import urllib.parse
import uuid

import pytest
from ansible_collections.baremetal.maintenance.tests.support.cast import LESSEE, OWNER, STRANGER
from ansible_collections.baremetal.maintenance.tests.support.service import BELOW, PUBLIC, TYPED, Build, Client, Service

EVERYTHING = {
    "uuid": "11111111-2222-4333-8444-555555555555",
    "name": "rack-1_node.2~a",
    "owner": OWNER,
    "lessee": LESSEE,
    "driver": "fake-hardware",
    "resource_class": "baremetal.large",
    "conductor_group": "rack-1",
    "description": "Ω 😀 {{ x }}",
    "properties": {"cpus": 8, "capabilities": {"a": [1, None]}},
    "extra": {"note": "x"},
    "instance_uuid": "99999999-2222-4333-8444-555555555555",
}
SECRETS = ["driver_info", "driver_internal_info", "instance_info", "network_data"]


def replace(path: str, value: t.Any, op: str = "replace") -> dict[str, t.Any]:
    return {"op": op, "path": path, "value": value}


def test_a_node_is_enrolled_with_everything_that_is_kept_of_it(service: Service) -> None:
    admin = service.by("admin")
    answer = admin.post("/nodes", EVERYTHING)
    assert answer.status == 201
    assert answer.headers["location"] == f"{PUBLIC}/v1/nodes/{EVERYTHING['uuid']}"
    assert {name: answer.json[name] for name in EVERYTHING} == EVERYTHING
    assert (answer.json["maintenance"], answer.json["maintenance_reason"], answer.json["fault"]) == (False, None, None)
    for ident in (EVERYTHING["uuid"], EVERYTHING["name"]):
        shown = admin.get(f"/nodes/{ident}")
        assert (shown.status, shown.json) == (200, answer.json)
    assert answer.json["links"][0] == {"href": f"{PUBLIC}/v1/nodes/{EVERYTHING['uuid']}", "rel": "self"}


def test_without_a_uuid_it_gets_one(service: Service) -> None:
    made = service.by("admin").post("/nodes", {"name": "no-uuid"}).json["uuid"]
    assert str(uuid.UUID(made)) == made


@pytest.mark.parametrize("member", SECRETS)
def test_what_may_hold_secrets_is_refused_and_says_so(service: Service, member: str) -> None:
    admin = service.by("admin")
    node = service.node()
    before = service.commits()
    secret = {"ipmi_password": "hunter2"}
    for answer in (
        admin.post("/nodes", {"name": "with-secrets", member: secret}),
        admin.patch(f"/nodes/{node}", [replace(f"/{member}", secret, "add")]),
        admin.patch(f"/nodes/{node}", [replace(f"/{member}/ipmi_password", "hunter2", "add")]),
        admin.patch(f"/nodes/{node}", [{"op": "remove", "path": f"/{member}"}]),
    ):
        assert (answer.status, answer.code) == (400, "invalid")
        assert member in answer.said
        assert "may hold secrets, and this service keeps none" in answer.said
        assert "hunter2" not in answer.everything
    assert service.commits() == before


@pytest.mark.parametrize("name", ["uuid", "name", "instance_uuid"])
def test_what_is_unique_is_409_and_says_what(service: Service, name: str) -> None:
    admin = service.by("admin")
    value = str(uuid.uuid4()) if name != "name" else f"unique-{uuid.uuid4()}"
    assert admin.post("/nodes", {name: value}).status == 201
    other = service.node()
    before = service.commits()
    answers = [admin.post("/nodes", {name: value})]
    if name != "uuid":
        answers.append(admin.patch(f"/nodes/{other}", [replace(f"/{name}", value, "add")]))
    for answer in answers:
        assert (answer.status, answer.code) == (409, "duplicate")
        assert value in answer.said
    assert service.commits() == before


BAD = [
    {"name": "a b"},
    {"name": "ä"},
    {"name": "x" * 256},
    {"name": "maintenance"},
    {"name": "detail"},
    {"name": str(uuid.UUID(int=9))},
    {"name": 5},
    {"uuid": "x"},
    {"uuid": 5},
    {"uuid": "11111111222243338444555555555555"},
    {"owner": 5},
    {"owner": "x" * 256},
    {"resource_class": "x" * 81},
    {"description": "x" * 4097},
    {"properties": []},
    {"properties": "x"},
    {"extra": 5},
    {"instance_uuid": "x"},
    {"no_such_member": 1},
    {"maintenance_reason": "x"},
    {"fault": "power failure"},
    {"created_at": "2026-01-01T00:00:00+00:00"},
    {"links": []},
    {"id": 1},
    {"generation": 7},
]


@pytest.mark.parametrize("members", BAD, ids=[next(iter(members)) + str(index) for index, members in enumerate(BAD)])
def test_a_member_that_does_not_fit_is_refused(service: Service, members: dict[str, t.Any]) -> None:
    before = service.commits()
    answer = service.by("admin").post("/nodes", {"driver": "fake-hardware", **members})
    assert (answer.status, answer.code) == (400, "invalid")
    assert service.commits() == before


ENROL = [
    # who, with which owner: the status, and the owner
    ("admin", None, 201, None),
    ("admin", "project-any", 201, "project-any"),
    ("operator", None, 403, None),
    ("auditor", None, 403, None),
    ("stranger", None, 201, STRANGER),
    ("stranger", STRANGER, 201, STRANGER),
    ("stranger", OWNER, 403, None),
    ("owner-admin", LESSEE, 403, None),
    ("owner", None, 403, None),
    ("owner", OWNER, 403, None),
    ("lessee-reader", None, 403, None),
]


@pytest.mark.parametrize(("login", "owner", "status", "owned"), ENROL)
def test_who_may_enrol_and_who_owns_it(service: Service, login: str, owner: str | None, status: int, owned: str | None) -> None:
    body = {"name": f"enrolled-{uuid.uuid4()}"} | ({} if owner is None else {"owner": owner})
    answer = service.by(login).post("/nodes", body)
    assert answer.status == status
    if status == 201:
        assert answer.json["owner"] == owned


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> Service:
    """A fleet of five."""
    service = Service(tmp_path_factory.mktemp("listed"))
    service.enrol_all(
        [
            {"uuid": f"00000000-0000-4000-8000-00000000000{number}", "name": f"n{number}", **members}
            for number, members in enumerate(
                [
                    {"owner": OWNER, "lessee": LESSEE, "driver": "redfish", "description": "Row A, 100% ok"},
                    {"owner": OWNER, "resource_class": "large", "instance_uuid": "99999999-0000-4000-8000-000000000001"},
                    {"owner": LESSEE, "conductor_group": "rack-1", "description": "row b"},
                    {"owner": STRANGER, "lessee": OWNER, "provision_state": "active", "driver": "redfish"},
                    {},
                ]
            )
        ]
    )
    service.hold("n0")
    service.by("conductor").put("/nodes/n2/maintenance/fault", {"fault": "clean failure"})
    return service


def names(service: Service, query: str, login: str = "auditor") -> list[str]:
    answer = service.by(login).get(f"/nodes?fields=name{query and '&'}{query}")
    assert answer.status == 200, answer.everything
    return [node["name"] for node in answer.json["nodes"]]


LISTED = [
    ("", ["n0", "n1", "n2", "n3", "n4"]),
    ("maintenance=true", ["n0", "n2"]),
    ("maintenance=false", ["n1", "n3", "n4"]),
    ("fault=clean%20failure", ["n2"]),
    (f"owner={OWNER}", ["n0", "n1"]),
    (f"lessee={LESSEE}", ["n0"]),
    (f"project={LESSEE}", ["n0", "n2"]),
    ("driver=redfish", ["n0", "n3"]),
    ("resource_class=large", ["n1"]),
    ("conductor_group=rack-1", ["n2"]),
    ("provision_state=active", ["n3"]),
    ("instance_uuid=99999999-0000-4000-8000-000000000001", ["n1"]),
    ("associated=true", ["n1"]),
    ("associated=false", ["n0", "n2", "n3", "n4"]),
    ("description_contains=row", ["n0", "n2"]),
    ("description_contains=100%25", ["n0"]),
    ("description_contains=_", []),
    (f"maintenance=true&owner={OWNER}&driver=redfish", ["n0"]),
    ("sort_key=name&sort_dir=desc", ["n4", "n3", "n2", "n1", "n0"]),
    ("sort_key=owner", ["n4", "n2", "n0", "n1", "n3"]),
    ("sort_key=maintenance&sort_dir=desc", ["n2", "n0", "n4", "n3", "n1"]),
]


@pytest.mark.parametrize(("query", "found"), LISTED)
def test_lists_are_filtered_and_sorted(listed: Service, query: str, found: list[str]) -> None:
    assert names(listed, query) == found


@pytest.mark.parametrize(
    ("login", "found"),
    [
        ("owner", ["n0", "n1", "n3"]),
        ("lessee-reader", ["n0", "n2"]),
        ("stranger", ["n3"]),
        ("next-lessee", []),
        ("operator", list("01234")),
    ],
)
def test_a_project_lists_what_it_owns_or_leases(listed: Service, login: str, found: list[str]) -> None:
    assert names(listed, "", login) == [name if name.startswith("n") else f"n{name}" for name in found]
    assert names(listed, f"owner={STRANGER}", login) == [name for name in ("n3",) if "n3" in found or login == "operator"]


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 6])
@pytest.mark.parametrize(
    "query", ["", "&maintenance=false", "&sort_key=owner&sort_dir=desc", "&sort_key=updated_at", "&description_contains=row"]
)
def test_pages_follow_each_other_with_filters_and_order(listed: Service, query: str, limit: int) -> None:
    auditor = listed.by("auditor")
    path, seen = f"/nodes?fields=name&limit={limit}{query}", []
    for _page in range(10):
        answer = auditor.get(path).json
        assert len(answer["nodes"]) <= limit
        seen += [node["name"] for node in answer["nodes"]]
        if "next" not in answer:
            break
        assert answer["next"].startswith(f"{PUBLIC}/v1/nodes?")
        path = answer["next"].removeprefix(f"{PUBLIC}/v1")
        assert all(part in urllib.parse.unquote(path) for part in query.split("&"))
    assert seen == names(listed, query[1:])


def test_detail_is_everything_and_the_plain_list_is_short(listed: Service) -> None:
    auditor = listed.by("auditor")
    shown = auditor.get("/nodes/n0").json
    assert auditor.get("/nodes/detail").json["nodes"][0] == shown
    assert auditor.get("/nodes?detail=true").json["nodes"][0] == shown
    short = auditor.get("/nodes").json["nodes"][0]
    assert set(short) == {"uuid", "name", "instance_uuid", "maintenance", "power_state", "provision_state", "links"}


PATCHES = [
    (replace("/name", "patched-name"), "name", "patched-name"),
    (replace("/description", "x"), "description", "x"),
    ({"op": "remove", "path": "/lessee"}, "lessee", None),
    (replace("/lessee", None), "lessee", None),
    (replace("/properties/cpus", 8, "add"), "properties", {"a": 1, "cpus": 8}),
    (replace("/properties", {"b": 2}), "properties", {"b": 2}),
    ({"op": "remove", "path": "/properties/a"}, "properties", {}),
    ({"op": "remove", "path": "/properties"}, "properties", {}),
    (replace("/extra/x", {"y": 1}, "add"), "extra", {"x": {"y": 1}}),
    (replace("/resource_class", "small", "add"), "resource_class", "small"),
    (replace("/lessee", LESSEE, "test"), "lessee", LESSEE),
]


@pytest.mark.parametrize(("operation", "name", "value"), PATCHES)
def test_a_patch_changes_a_member(service: Service, owner: Client, operation: dict[str, t.Any], name: str, value: t.Any) -> None:
    node = service.uuid_of(service.node(properties={"a": 1}))
    answer = owner.patch(f"/nodes/{node}", [operation])
    assert (answer.status, answer.json[name]) == (200, value)
    assert owner.get(f"/nodes/{node}").json == answer.json


REFUSED = [
    (replace("/properties/a/b", 1, "add"), 400),
    (replace("/properties/nope", 1), 400),
    ({"op": "remove", "path": "/properties/nope"}, 400),
    (replace("/name", "a b"), 400),
    (replace("/extra", []), 400),
    (replace("/description", "other", "test"), 400),
    (replace("/uuid", str(uuid.UUID(int=4))), 400),
    (replace("/provision_state", "active"), 400),
    (replace("/power_state", "power on"), 400),
    (replace("/created_at", "x"), 400),
    (replace("/no_such_member", 1, "add"), 400),
    (replace("/owner", "project-any"), 403),
]


@pytest.mark.parametrize(("operation", "status"), REFUSED)
def test_a_patch_that_does_not_fit_changes_nothing(service: Service, owner: Client, operation: dict[str, t.Any], status: int) -> None:
    node = service.node(properties={"a": 1})
    before = service.commits()
    answer = owner.patch(f"/nodes/{node}", [replace("/description", "first"), operation])
    assert answer.status == status
    assert service.commits() == before


def test_an_owner_leases_its_node_out_and_a_lessee_does_not(service: Service, owner: Client, lessee: Client) -> None:
    node = service.node()
    assert owner.patch(f"/nodes/{node}", [replace("/lessee", "project-next")]).status == 200
    node = service.node()
    answer = lessee.patch(f"/nodes/{node}", [replace("/lessee", "project-next")])
    assert (answer.status, answer.said) == (403, "Access was denied to the following resource: baremetal:node:update:lessee")
    assert service.by("operator").patch(f"/nodes/{node}", [replace("/owner", "project-next")]).status == 200


REMOVERS = [
    ("admin", 204),
    ("operator", 403),
    ("auditor", 403),
    ("owner-admin", 204),
    ("owner", 403),
    ("lessee-mate", 403),
    ("stranger", 404),
]


@pytest.mark.parametrize(("login", "status"), REMOVERS)
def test_who_may_remove_a_node(service: Service, login: str, status: int) -> None:
    node = service.node()
    assert service.by(login).delete(f"/nodes/{node}").status == status
    assert service.by("admin").get(f"/nodes/{node}").status == (404 if status == 204 else 200)


def test_removing_a_held_node_releases_its_entries_into_history_first(service: Service) -> None:
    node = service.node()
    uuid_of = service.uuid_of(node)
    entries = service.hold_all(node, [{"type": "operator_hold"}, {"type": "legacy"}, {"type": "hardware_failure", "scope": "owner"}])
    assert service.by("admin").delete(f"/nodes/{node}").status == 204
    assert service.active(entries) == []
    past = service.by("auditor").get(f"/maintenance/history?node={uuid_of}&action=release").json["history"]
    assert [event["maintenance"]["entry_uuid"] for event in past] == entries
    assert {event["node_name"] for event in past} == {node}


def test_removing_one_held_by_others_is_refused_naming_every_entry(service: Service) -> None:
    node = service.node()
    first, _own, third = service.hold_all(
        node,
        [{"type": "operator_hold"}, {"type": "operator_hold", "scope": "owner", "project": OWNER}, {"type": "hardware_failure"}],
    )
    before = service.commits()
    answer = service.by("owner-admin").delete(f"/nodes/{node}")
    assert (answer.status, answer.code) == (403, "not_permitted")
    assert [blocker["uuid"] for blocker in answer.blockers] == [first, third]
    assert service.commits() == before


def test_a_node_with_an_instance_is_not_removed(service: Service) -> None:
    node = service.node(instance_uuid=str(uuid.uuid4()))
    entry = service.hold(node)
    answer = service.by("admin").delete(f"/nodes/{node}")
    assert answer.status == 409
    assert "is associated with instance" in answer.said
    assert service.uuids(node) == [entry]


def test_a_node_enrolled_again_under_the_same_name_has_none_of_the_old_ones_holds(service: Service) -> None:
    admin = service.by("admin")
    node = service.node()
    service.hold(node)
    admin.delete(f"/nodes/{node}")
    assert admin.post("/nodes", {"name": node}).status == 201
    assert (service.entries(node), service.flag(node)) == ([], (False, None))
    assert service.events(node) == []


@pytest.mark.parametrize("version", [BELOW, TYPED])
def test_reading_needs_an_identity(service: Service, version: str) -> None:
    for path in ("/nodes", f"/nodes/{service.node()}", "/nodes/detail", "/maintenance"):
        answer = service.by(None).get(path, version=version)
        assert answer.status == 401


def test_health_and_the_version_documents_do_not(build: Build) -> None:
    service = build()
    anyone = service.by(None)
    for path in ("/healthz", "/", "/v1", "/v1/"):
        assert anyone.get(path, root="").status == 200
    assert anyone.get("/healthz", root="").json == {"status": "ok"}
    assert anyone.send("HEAD", "/healthz", root="").status == 200
