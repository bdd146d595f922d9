# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""GET of a node's history, in Ironic's shape of each version, and of the fleet's (api.md 6, 7 and 10)."""

from __future__ import annotations

import datetime
import typing as t
import urllib.parse
import uuid

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store import retention
from ansible_collections.baremetal.maintenance.tests.support.cast import CAST, OWNER
from ansible_collections.baremetal.maintenance.tests.support.service import BELOW, PUBLIC, TYPED, Build, Client, Service, parse_time

STORES = ("sqlite", "postgresql")

BRIEF = ["uuid", "created_at", "severity", "event", "links"]
DETAIL = [*BRIEF, "event_type", "conductor", "user"]
STATE = ["state", "target_provision_state", "duration_seconds"]
SHAPES = [
    # version, members without details, members with
    ("1.78", BRIEF, DETAIL),
    ("1.112", BRIEF, DETAIL),
    ("1.113", BRIEF, [*DETAIL, "project"]),
    ("1.114", BRIEF, [*DETAIL, "project"]),
    (BELOW, BRIEF, [*DETAIL, "project", *STATE]),
    (TYPED, [*BRIEF, "maintenance"], [*DETAIL, "project", *STATE, "maintenance"]),
]


@pytest.fixture(scope="module")
def node(service: Service) -> str:
    """A node whose hold was asserted by the owner, changed by its teammate, and released by an operator."""
    node = service.node()
    body = {"type": "hardware_failure", "reason": "Disk 3", "key": "k", "ticket": "CHG-1", "run": "run-1"}
    entry = service.by("owner").post(f"/nodes/{node}/maintenance", body).json["uuid"]
    service.by("owner-mate").patch(f"/nodes/{node}/maintenance/{entry}", {"reason": "Disk 4"})
    service.by("operator").post("/maintenance/release", {"entries": [entry], "comment": "replaced"})
    return node


@pytest.mark.parametrize(("version", "brief", "detail"), SHAPES)
def test_an_event_has_the_members_of_the_version(service: Service, node: str, version: str, brief: list[str], detail: list[str]) -> None:
    auditor = service.by("auditor")
    for query, members in (("", brief), ("?detail=false", brief), ("?detail=true", detail)):
        events = auditor.get(f"/nodes/{node}/history{query}", version=version).json["history"]
        assert [sorted(event) for event in events] == [sorted(members)] * 3
    one = auditor.get(f"/nodes/{node}/history/{events[0]['uuid']}", version=version)
    assert (one.status, one.json) == (200, events[0])


def test_its_values_are_those_of_ironics_own_fields(service: Service, node: str) -> None:
    first, second, third = service.by("auditor").get(f"/nodes/{node}/history?detail=true", version=BELOW).json["history"]
    for event in (first, second, third):
        assert (event["event_type"], event["severity"], event["conductor"]) == ("maintenance", "INFO", None)
        assert [event[name] for name in STATE] == [None] * 3
        assert parse_time(event["created_at"]).tzinfo == datetime.timezone.utc
        path = f"nodes/{service.uuid_of(node)}/history/{event['uuid']}"
        assert event["links"] == [{"href": f"{PUBLIC}/v1/{path}", "rel": "self"}]
    assert (first["user"], first["project"]) == ("id-of-owner", OWNER)
    assert (second["user"], second["project"]) == ("id-of-owner-mate", OWNER)
    assert (third["user"], third["project"]) == (CAST["operator"]["user_id"], "")
    assert first["event"] == "maintenance assert: type hardware_failure, scope owner: Disk 3"
    assert third["event"] == "maintenance release: type hardware_failure, scope owner: Disk 4"
    assert first["created_at"] < second["created_at"] < third["created_at"]


def test_what_happened_to_which_entry_is_beside_them(service: Service, node: str) -> None:
    events = [event["maintenance"] for event in service.events(node)]
    assert [(said["action"], said["reason"], said["comment"]) for said in events] == [
        ("assert", "Disk 3", None),
        ("update", "Disk 4", None),
        ("release", "Disk 4", "replaced"),
    ]
    assert len({said["entry_uuid"] for said in events}) == 1
    for said in events:
        assert (said["type"], said["scope"], said["key"], said["ticket"], said["run"]) == (
            "hardware_failure",
            "owner",
            "k",
            "CHG-1",
            "run-1",
        )
        assert (said["source"], said["count"], said["data"]) == ("api", 1, None)
    assert [said["actor_scope"] for said in events] == ["owner", "owner", "system"]
    assert [said["user_name"] for said in events] == ["name-of-owner", "name-of-owner-mate", CAST["operator"]["user_name"]]


@pytest.mark.parametrize("version", ["1.1", "1.77"])
def test_below_1_78_there_is_no_history(service: Service, node: str, version: str) -> None:
    for path in (f"/nodes/{service.uuid_of(node)}/history", f"/nodes/{service.uuid_of(node)}/history/{uuid.UUID(int=1)}"):
        assert service.by("auditor").get(path, version=version).status == 404


READERS = [
    ("admin", 200),
    ("auditor", 200),
    ("conductor", 200),
    ("owner", 200),
    ("owner-reader", 200),
    ("lessee", 403),
    ("lessee-mate", 403),
    ("lessee-reader", 403),
    ("stranger", 404),
]


@pytest.mark.parametrize(("login", "status"), READERS)
def test_it_is_read_by_whom_ironic_lets_a_lessee_gets_403(service: Service, node: str, login: str, status: int) -> None:
    event = service.events(node)[0]["uuid"]
    for path in (f"/nodes/{node}/history", f"/nodes/{node}/history/{event}"):
        answer = service.by(login).get(path)
        assert answer.status == status
        if status == 403:
            assert answer.said == "Access was denied to the following resource: baremetal:node:history:get"


def test_pages_follow_each_other(service: Service, node: str) -> None:
    auditor = service.by("auditor")
    path, seen = f"/nodes/{node}/history?limit=1&detail=true", []
    while path:
        answer = auditor.get(path).json
        assert len(answer["history"]) == 1
        seen += answer["history"]
        path = answer.get("next", "").removeprefix(f"{PUBLIC}/v1")
    assert seen == service.events(node)


def test_an_event_is_not_found_through_another_node_nor_if_there_is_none(service: Service, node: str) -> None:
    event, other = service.events(node)[0]["uuid"], service.node()
    for ident, wanted in ((other, event), (node, str(uuid.UUID(int=3)))):
        answer = service.by("auditor").get(f"/nodes/{ident}/history/{wanted}")
        assert (answer.status, answer.code) == (404, "not_found")
        assert answer.said == f"Node history record {wanted} could not be found."
    assert service.by("auditor").get(f"/nodes/{other}/history?marker={event}").status == 404


def test_a_long_text_is_cut_in_the_list_unless_details_are_asked_for(service: Service, owner: Client) -> None:
    node = service.node()
    owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold", "reason": "x" * 4096})
    [brief] = owner.get(f"/nodes/{node}/history").json["history"]
    [detail] = owner.get(f"/nodes/{node}/history?detail=true").json["history"]
    assert detail["event"] == "maintenance assert: type operator_hold, scope owner: " + "x" * 4096
    assert brief["event"] == detail["event"][:251] + "..."
    assert brief["maintenance"]["reason"] == "x" * 4096


def test_the_text_never_names_anyone(service: Service, node: str) -> None:
    people = {str(value) for person in CAST.values() for name, value in person.items() if name.endswith(("_id", "_name"))}
    service.by("engineer").put(f"/nodes/{node}/maintenance", {"reason": "script"})
    service.by("conductor").put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure"})
    service.by("admin").delete(f"/nodes/{node}/maintenance")
    events = service.events(node)
    assert len(events) == 7
    assert not any(identity in event["event"] for event in events for identity in people)


@pytest.mark.parametrize("fails", ["owner", "lessee"])
def test_what_is_refused_leaves_no_event(service: Service, fails: str) -> None:
    node = service.node()
    service.hold(node)
    service.by(fails).delete(f"/nodes/{node}/maintenance")
    assert len(service.events(node)) == 1


# The history of the fleet.


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> tuple[Service, list[str]]:
    """A service whose history has seven events: two nodes held, changed and released, one node removed since."""
    service = Service(tmp_path_factory.mktemp("past"))
    owner, operator, admin = service.by("owner"), service.by("operator"), service.by("admin")
    first, second = service.node(), service.node()
    a = owner.post(f"/nodes/{first}/maintenance", {"type": "operator_hold", "ticket": "CHG-1", "run": "run-1"}).json["uuid"]
    operator.post(f"/nodes/{second}/maintenance", {"type": "hardware_failure", "ticket": "CHG-2"})
    owner.patch(f"/nodes/{first}/maintenance/{a}", {"reason": "after"})
    operator.put(f"/nodes/{second}/maintenance", {"reason": "script"})
    owner.delete(f"/nodes/{first}/maintenance/{a}")
    admin.delete(f"/nodes/{second}")
    return service, [first, second]


def test_it_holds_the_events_of_every_node_also_of_removed_ones(past: tuple[Service, list[str]]) -> None:
    service, [first, second] = past
    answer = service.by("auditor").get("/maintenance/history")
    assert answer.status == 200
    assert [(event["node_name"], event["maintenance"]["action"], event["maintenance"]["type"]) for event in answer.json["history"]] == [
        (first, "assert", "operator_hold"),
        (second, "assert", "hardware_failure"),
        (first, "update", "operator_hold"),
        (second, "assert", "legacy"),
        (first, "release", "operator_hold"),
        (second, "release", "hardware_failure"),
        (second, "release", "legacy"),
    ]
    assert answer.json["next"] is None
    assert set(answer.json["history"][0]) == {"node_uuid", "node_name", *SHAPES[-1][2]}


@pytest.mark.parametrize(
    ("query", "places"),
    [
        ("node={first}", [0, 2, 4]),
        ("node={second}", [1, 3, 5, 6]),
        ("type=legacy", [3, 6]),
        ("action=release", [4, 5, 6]),
        ("action=update", [2]),
        ("user=id-of-owner", [0, 2, 4]),
        ("user=name-of-owner", [0, 2, 4]),
        ("ticket=CHG-1", [0, 2, 4]),
        ("run=run-1", [0, 2, 4]),
        ("ticket=CHG-1&action=assert", [0]),
        ("user=nobody", []),
    ],
)
def test_filters_keep_what_they_say(past: tuple[Service, list[str]], query: str, places: list[int]) -> None:
    service, [first, second] = past
    everything = service.by("auditor").get("/maintenance/history").json["history"]
    found = service.by("auditor").get(f"/maintenance/history?{query.format(first=first, second=second)}").json["history"]
    assert found == [everything[place] for place in places]


def test_since_is_included_and_until_is_not(past: tuple[Service, list[str]]) -> None:
    service, _nodes = past
    auditor = service.by("auditor")
    events = auditor.get("/maintenance/history").json["history"]
    times = [urllib.parse.quote(event["created_at"]) for event in events]
    assert auditor.get(f"/maintenance/history?since={times[2]}&until={times[4]}").json["history"] == events[2:4]
    assert auditor.get(f"/maintenance/history?since={times[4]}").json["history"] == events[4:]
    assert auditor.get(f"/maintenance/history?until={times[1]}").json["history"] == events[:1]
    # In another zone, and without one, which is UTC.
    moved = parse_time(events[2]["created_at"]).astimezone(datetime.timezone(datetime.timedelta(hours=5)))
    assert auditor.get(f"/maintenance/history?since={urllib.parse.quote(moved.isoformat())}").json["history"] == events[2:]
    assert auditor.get(f"/maintenance/history?since={times[2].removesuffix('%2B00%3A00')}").json["history"] == events[2:]


@pytest.mark.parametrize("name", ["since", "until"])
@pytest.mark.parametrize("value", ["", "x", "yesterday", "2026-13-01", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_time_that_is_none_is_refused(past: tuple[Service, list[str]], name: str, value: str) -> None:
    answer = past[0].by("auditor").get(f"/maintenance/history?{name}={urllib.parse.quote(value)}")
    assert (answer.status, answer.code) == (400, "invalid")
    assert f"The argument {name} is a time such as 2026-06-10T10:30:00+00:00" in answer.said


def test_a_cursor_goes_on_where_the_last_page_ended_and_misses_nothing(past: tuple[Service, list[str]]) -> None:
    service, _nodes = past
    auditor = service.by("auditor")
    everything = auditor.get("/maintenance/history").json["history"]
    seen: list[t.Any] = []
    page = auditor.get("/maintenance/history?limit=3").json
    while page["history"]:
        seen += page["history"]
        page = auditor.get(f"/maintenance/history?limit=3&after={page['cursor']}").json
    assert seen == everything
    seen, path = [], "/maintenance/history?limit=2&type=operator_hold"
    while path:
        page = auditor.get(path).json
        seen += page["history"]
        path = (page["next"] or "").removeprefix(f"{PUBLIC}/v1")
    assert seen == [everything[place] for place in (0, 2, 4)]


def test_a_cursor_past_the_end_waits_for_what_comes(build: Build) -> None:
    service = build()
    node = service.node()
    service.hold(node)
    auditor = service.by("auditor")
    cursor = auditor.get("/maintenance/history").json["cursor"]
    page = auditor.get(f"/maintenance/history?after={cursor}").json
    assert page == {"history": [], "cursor": cursor, "next": None}
    service.by("operator").delete(f"/nodes/{node}/maintenance")
    [event] = auditor.get(f"/maintenance/history?after={cursor}").json["history"]
    assert event["maintenance"]["action"] == "release"


def test_a_cursor_whose_next_events_retention_took_is_gone(build: Build) -> None:
    service = build()
    node = service.node()
    for _number in range(3):
        service.by("owner").delete(f"/nodes/{node}/maintenance/{service.hold(node, scope='owner', project=OWNER)}")
    auditor = service.by("auditor")
    cursors = [auditor.get(f"/maintenance/history?limit={number}").json["cursor"] for number in (1, 6)]
    service.hold(node)
    ahead = service.ahead(401 * 86400)
    ahead.hold(node, "hardware_failure")
    assert retention.purge(ahead.parts.store, maintenance_days=400, other_days=0, other_most=0) == 7
    answer = auditor.get(f"/maintenance/history?after={cursors[0]}")
    assert (answer.status, answer.code) == (410, "invalid")
    assert answer.said == f"Events after the cursor {cursors[0]} are gone by retention: start again without a cursor."
    assert auditor.get(f"/maintenance/history?after={cursors[1]}").status == 410
    fresh = auditor.get("/maintenance/history")
    assert (fresh.status, len(fresh.json["history"])) == (200, 1)
    assert auditor.get(f"/maintenance/history?after={fresh.json['cursor']}").status == 200
    # The history of what is still held is gone with it, so that what follows would be called a contradiction.
    service.by("admin").delete(f"/nodes/{node}")
    assert retention.purge(service.ahead(900 * 86400).parts.store, maintenance_days=1, other_days=0, other_most=0) > 0


@pytest.mark.parametrize("after", ["x", "-1", "", "1.5", "9" * 19, "٣"])
def test_a_cursor_is_a_number(past: tuple[Service, list[str]], after: str) -> None:
    answer = past[0].by("auditor").get(f"/maintenance/history?after={urllib.parse.quote(after)}")
    assert (answer.status, answer.code) == (400, "invalid")


FLEET_READERS = [
    ("admin", 200),
    ("operator", 200),
    ("auditor", 200),
    ("conductor", 200),
    ("owner", 403),
    ("owner-admin", 403),
    ("lessee", 403),
    ("stranger", 403),
]


@pytest.mark.parametrize(("login", "status"), FLEET_READERS)
def test_it_is_for_the_system_readers_included(past: tuple[Service, list[str]], login: str, status: int) -> None:
    answer = past[0].by(login).get("/maintenance/history")
    assert answer.status == status
    if status == 403:
        assert answer.said == "Access was denied to the following resource: baremetal:maintenance:history:get"
