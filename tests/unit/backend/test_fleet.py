# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""GET /v1/maintenance: the active entries over the fleet that the caller sees (api.md 7), and nodes with their entries."""

from __future__ import annotations

import dataclasses
import typing as t
import urllib.parse

import pytest
from ansible_collections.baremetal.maintenance.tests.support.cast import LESSEE, NEXT_LESSEE, OPERATIONS, OWNER
from ansible_collections.baremetal.maintenance.tests.support.service import BELOW, PUBLIC, Build, Service


@dataclasses.dataclass(frozen=True)
class Fleet:
    """Three nodes, and their entries by a word for each."""

    service: Service
    leased: str
    other: str
    foreign: str
    entries: dict[str, str]

    def words(self, answer: t.Any) -> list[str]:
        """Give the words of the entries of an answer."""
        by_uuid = {uuid: word for word, uuid in self.entries.items()}
        return [by_uuid[row["uuid"]] for row in answer.json["maintenance"]]


HELD = {
    "leased": {
        "disk": {"type": "hardware_failure", "reason": "Disk 3", "ticket": "CHG-1", "user": "canary-id-of-operator"},
        "power": {"type": "operator_hold", "project": OPERATIONS, "key": "power", "run": "run-1", "ticket": "CHG-1"},
        "ours": {"type": "operator_hold", "scope": "owner", "project": OWNER, "user": "id-of-owner", "run": "run-1"},
        "theirs": {"type": "operator_hold", "scope": "lessee", "project": LESSEE, "user": "id-of-lessee"},
        "script": {"type": "legacy", "scope": "lessee", "project": LESSEE, "user": "id-of-lessee"},
        "fault": {"type": "fault", "extra": {"fault": "power failure"}},
    },
    "other": {
        "stale": {"type": "operator_hold", "scope": "lessee", "project": LESSEE, "user": "id-of-lessee", "key": "power"},
        "clean": {"type": "fault", "extra": {"fault": "clean failure"}},
    },
    "foreign": {"far": {"type": "hardware_failure", "scope": "owner", "project": "project-far", "ticket": "CHG-1"}},
}


@pytest.fixture(scope="module")
def fleet(service: Service) -> Fleet:
    """One node that the owner leases out, one that it leases to the next, one of somebody else."""
    nodes = {
        "leased": service.node(),
        "other": service.node(lessee=NEXT_LESSEE),
        "foreign": service.node(owner="project-far", lessee=None),
    }
    entries: dict[str, str] = {}
    for name, held in HELD.items():
        entries.update(zip(held, service.hold_all(nodes[name], list(held.values())), strict=True))
    return Fleet(service, **nodes, entries=entries)


ALL = ["disk", "power", "ours", "theirs", "script", "fault", "stale", "clean", "far"]

SEEN = [
    ("operator", ALL),
    ("auditor", ALL),
    ("conductor", ALL),
    ("owner", ALL[:-1]),
    ("owner-reader", ALL[:-1]),
    ("lessee-reader", ALL[:6]),
    ("next-lessee", ["stale", "clean"]),
    ("stranger", []),
]


@pytest.mark.parametrize(("login", "seen"), SEEN)
def test_everyone_sees_the_entries_of_the_nodes_it_sees_in_the_order_of_assertion(fleet: Fleet, login: str, seen: list[str]) -> None:
    answer = fleet.service.by(login).get("/maintenance")
    assert (answer.status, fleet.words(answer), answer.json["next"]) == (200, seen, None)


def test_a_row_is_the_entry_with_its_node(fleet: Fleet) -> None:
    service = fleet.service
    [row] = [row for row in service.by("owner").get("/maintenance").json["maintenance"] if row["uuid"] == fleet.entries["ours"]]
    entry = service.by("owner").get(f"/nodes/{fleet.leased}/maintenance/{fleet.entries['ours']}").json
    assert row == {"node_uuid": service.uuid_of(fleet.leased), "node_name": fleet.leased, **entry}


# a filter, and what of ALL a system reader finds with it
FILTERS = [
    ("type=operator_hold", ["power", "ours", "theirs", "stale"]),
    ("type=no_such_type", []),
    ("scope=system", ["disk", "power", "fault", "clean"]),
    ("scope=owner", ["ours", "far"]),
    ("scope=lessee", ["theirs", "script", "stale"]),
    (f"project={OWNER}", ["ours"]),
    (f"project={LESSEE}", ["theirs", "script", "stale"]),
    (f"project={OPERATIONS}", ["power"]),
    ("asserted_by=id-of-lessee", ["theirs", "script", "stale"]),
    ("asserted_by=canary-id-of-operator", ["disk"]),
    ("owner=project-far", ["far"]),
    (f"lessee={NEXT_LESSEE}", ["stale", "clean"]),
    ("fault=power%20failure", ["fault"]),
    ("fault=clean+failure", ["clean"]),
    ("key=power", ["power", "stale"]),
    ("ticket=CHG-1", ["disk", "power", "far"]),
    ("run=run-1", ["power", "ours"]),
    ("ticket=CHG-1&run=run-1", ["power"]),
    ("type=operator_hold&scope=lessee&key=power", ["stale"]),
    ("ticket=CHG-%25", []),
    ("type=operator_hold' OR '1'='1", []),
]


@pytest.mark.parametrize(("query", "found"), FILTERS)
def test_filters_keep_what_they_say_and_are_combined(fleet: Fleet, query: str, found: list[str]) -> None:
    answer = fleet.service.by("auditor").get(f"/maintenance?{query.replace(' ', '%20')}")
    assert (answer.status, fleet.words(answer)) == (200, found)


def test_an_empty_filter_is_a_filter(fleet: Fleet) -> None:
    """Nothing is left out because a value was: an empty key is a key, an empty project that of whoever has none."""
    auditor = fleet.service.by("auditor")
    assert fleet.words(auditor.get("/maintenance?key=")) == [word for word in ALL if word not in ("power", "stale")]
    assert fleet.words(auditor.get("/maintenance?project=")) == ["disk", "fault", "clean"]
    assert fleet.words(auditor.get("/maintenance?ticket=")) == []


@pytest.mark.parametrize("by", ["name", "uuid"])
def test_one_node_by_name_or_uuid(fleet: Fleet, by: str) -> None:
    ident = fleet.other if by == "name" else fleet.service.uuid_of(fleet.other)
    assert fleet.words(fleet.service.by("auditor").get(f"/maintenance?node={ident}")) == ["stale", "clean"]
    assert fleet.words(fleet.service.by("lessee").get(f"/maintenance?node={ident}")) == []
    assert fleet.words(fleet.service.by("lessee").get("/maintenance?node=no-such-node")) == []


@pytest.mark.parametrize(("login", "hidden"), [("lessee-reader", [OWNER, OPERATIONS]), ("owner", [OPERATIONS]), ("next-lessee", [OWNER])])
def test_a_masked_project_is_found_by_no_filter(fleet: Fleet, login: str, hidden: list[str]) -> None:
    for project in hidden:
        assert fleet.words(fleet.service.by(login).get(f"/maintenance?project={project}")) == []
    assert fleet.words(fleet.service.by(login).get("/maintenance?project=")) == []


def test_who_is_below_finds_what_is_not_masked(fleet: Fleet) -> None:
    assert fleet.words(fleet.service.by("lessee-reader").get(f"/maintenance?project={LESSEE}")) == ["theirs", "script"]
    assert fleet.words(fleet.service.by("owner").get(f"/maintenance?project={LESSEE}")) == ["theirs", "script", "stale"]
    assert fleet.words(fleet.service.by("owner").get("/maintenance?asserted_by=id-of-owner")) == ["ours"]


def test_older_than_is_in_seconds(fleet: Fleet) -> None:
    auditor = fleet.service.by("auditor")
    assert fleet.words(auditor.get("/maintenance?older_than=0")) == ALL
    assert fleet.words(auditor.get("/maintenance?older_than=3600")) == []
    assert fleet.words(fleet.service.ahead(3601).by("auditor").get("/maintenance?older_than=3600")) == ALL
    assert fleet.words(fleet.service.ahead(3500).by("auditor").get("/maintenance?older_than=3600")) == []


@pytest.mark.parametrize("value", ["999999999999999999", "100000000000", "9" * 17])
def test_older_than_time_itself_is_nothing(fleet: Fleet, value: str) -> None:
    answer = fleet.service.by("auditor").get(f"/maintenance?older_than={value}")
    assert (answer.status, fleet.words(answer)) == (200, [])


@pytest.mark.parametrize("value", ["", "x", "-1", "1.5", "4h", "1e3", "٣", "9" * 19])
def test_older_than_is_a_whole_number(fleet: Fleet, value: str) -> None:
    answer = fleet.service.by("auditor").get(f"/maintenance?older_than={urllib.parse.quote(value)}")
    assert (answer.status, answer.code) == (400, "invalid")
    assert "older_than" in answer.said


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 8, 9, 10])
def test_pages_follow_each_other_without_a_gap_and_end(fleet: Fleet, limit: int) -> None:
    auditor = fleet.service.by("auditor")
    path, words = f"/maintenance?limit={limit}", []
    for _page in range(20):
        answer = auditor.get(path)
        page = fleet.words(answer)
        words += page
        if answer.json["next"] is None:
            break
        assert len(page) == limit
        assert answer.json["next"].startswith(f"{PUBLIC}/v1/maintenance?")
        path = answer.json["next"].removeprefix(f"{PUBLIC}/v1")
    assert words == ALL


def test_next_keeps_the_filters_and_the_fields(fleet: Fleet) -> None:
    answer = fleet.service.by("auditor").get("/maintenance?type=operator_hold&fields=uuid,type&limit=3")
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(answer.json["next"]).query))
    assert query == {"type": "operator_hold", "fields": "uuid,type", "limit": "3", "marker": fleet.entries["theirs"]}
    last = fleet.service.by("auditor").get(answer.json["next"].removeprefix(f"{PUBLIC}/v1"))
    assert (fleet.words(last), last.json["next"]) == (["stale"], None)


@pytest.mark.parametrize("login", ["owner", "lessee-reader", "next-lessee"])
def test_pages_are_of_what_one_sees(fleet: Fleet, login: str) -> None:
    who = fleet.service.by(login)
    path, words = "/maintenance?limit=1", []
    while path:
        answer = who.get(path)
        words += fleet.words(answer)
        path = (answer.json["next"] or "").removeprefix(f"{PUBLIC}/v1")
    assert words == dict(SEEN)[login]


def test_a_limit_over_1000_is_capped(build: Build) -> None:
    service = build(max_entries_per_node=2000)
    node = service.node()
    service.hold_all(node, [{"type": "operator_hold", "key": f"{number}"} for number in range(1001)])
    for query in ("", "?limit=1000", "?limit=1001", "?limit=999999999"):
        answer = service.by("auditor").get(f"/maintenance{query}").json
        assert len(answer["maintenance"]) == 1000
        rest = service.by("auditor").get(answer["next"].removeprefix(f"{PUBLIC}/v1")).json
        assert (len(rest["maintenance"]), rest["next"]) == (1, None)


@pytest.mark.parametrize(
    ("limit", "said"), [("0", "Limit must be positive"), ("-1", "Limit must be positive"), ("x", "Expected an integer for limit: x")]
)
def test_a_limit_is_a_positive_number(fleet: Fleet, limit: str, said: str) -> None:
    answer = fleet.service.by("auditor").get(f"/maintenance?limit={limit}")
    assert (answer.status, answer.code, answer.said) == (400, "invalid", said)


def test_a_marker_that_was_released_meanwhile_is_an_error_never_a_short_list(build: Build) -> None:
    service = build()
    operator, node = service.by("operator"), service.node()
    first, _second = service.hold_all(node, [{"type": "operator_hold"}, {"type": "hardware_failure"}])
    page = operator.get(f"/maintenance?node={node}&limit=1").json
    operator.delete(f"/nodes/{node}/maintenance/{first}")
    answer = operator.get(page["next"].removeprefix(f"{PUBLIC}/v1"))
    assert (answer.status, answer.code) == (404, "not_found")
    assert answer.said == f"Maintenance entry {first} could not be found: it was released while you paged; list again from the start."


def test_fields_keep_what_they_name_in_their_order(fleet: Fleet) -> None:
    answer = fleet.service.by("auditor").get("/maintenance?fields=type,node_name,uuid&ticket=CHG-1&scope=owner")
    assert answer.json["maintenance"] == [{"type": "hardware_failure", "node_name": fleet.foreign, "uuid": fleet.entries["far"]}]
    assert list(answer.json["maintenance"][0]) == ["type", "node_name", "uuid"]


@pytest.mark.parametrize("fields", ["nope", "uuid,nope", "", ",", "uuid,", "id", "node_id"])
def test_an_unknown_field_is_refused_also_where_nothing_is_found(fleet: Fleet, fields: str) -> None:
    for query in ("", "&type=no_such_type"):
        answer = fleet.service.by("auditor").get(f"/maintenance?fields={fields}{query}")
        assert (answer.status, answer.code) == (400, "invalid")
        assert "is not a valid field" in answer.said


@pytest.mark.parametrize("query", ["foo=1", "sort_key=asserted_by", "dry_run=true", "detail=true", "Type=x", "asserted_by_project=x"])
def test_an_unknown_argument_is_refused(fleet: Fleet, query: str) -> None:
    answer = fleet.service.by("auditor").get(f"/maintenance?{query}")
    assert (answer.status, answer.said) == (400, f"Unexpected arguments: {query.partition('=')[0]}")


def test_policy_is_asked_for_each_node(build: Build) -> None:
    service = build(policy={"baremetal:node:maintenance:get": "project_id:%(node.owner)s or ('node-2':%(node.name)s and role:reader)"})
    nodes = [service.node() for _number in range(3)]
    for node in nodes:
        service.hold(node)
    seen = [row["node_name"] for row in service.by("lessee").get("/maintenance").json["maintenance"]]
    assert seen == ["node-2"]
    page = service.by("lessee").get("/maintenance?limit=1").json
    assert (len(page["maintenance"]), page["next"]) == (1, None)
    assert len(service.by("owner").get("/maintenance").json["maintenance"]) == 3
    rows = service.by("lessee").get("/nodes?fields=name,maintenance_entries").json["nodes"]
    assert [row["maintenance_entries"] is None for row in rows] == [True, False, True]
    assert service.by("lessee").get("/nodes/node-1?fields=maintenance_entries").status == 403


@pytest.mark.parametrize("rule", ["baremetal:node:get", "baremetal:node:maintenance:get"])
def test_a_marker_that_policy_hides_is_none(build: Build, rule: str) -> None:
    service = build(policy={rule: "'node-2':%(node.name)s"})
    hidden, seen = service.hold(service.node()), service.hold(service.node())
    owner = service.by("owner")
    assert [row["uuid"] for row in owner.get("/maintenance").json["maintenance"]] == [seen]
    answers = [owner.get(f"/maintenance?marker={marker}") for marker in (hidden, "no-such-entry")]
    assert [(answer.status, answer.code) for answer in answers] == [(404, "not_found")] * 2
    assert answers[0].said.replace(hidden, "") == answers[1].said.replace("no-such-entry", "")


def test_who_may_list_nothing_gets_403_not_an_empty_list(build: Build) -> None:
    service = build(policy={"baremetal:node:list": "!"})
    service.hold(service.node())
    for path in ("/maintenance", "/nodes"):
        answer = service.by("owner").get(path)
        assert (answer.status, answer.code) == (403, "not_permitted")


def test_nodes_carry_their_entries_in_the_page(fleet: Fleet) -> None:
    service = fleet.service
    free = service.node()
    rows = service.by("owner").get("/nodes?fields=name,maintenance_entries").json["nodes"]
    by_name = {row["name"]: row["maintenance_entries"] for row in rows}
    assert by_name[free] == []
    for node in (fleet.leased, fleet.other):
        assert by_name[node] == service.by("owner").get(f"/nodes/{node}/maintenance").json["maintenance"]
    shown = service.by("owner").get(f"/nodes/{fleet.leased}?fields=maintenance_entries,uuid").json
    assert shown["maintenance_entries"] == by_name[fleet.leased]


@pytest.mark.parametrize("version", ["1.8", BELOW])
def test_below_the_typed_version_nodes_have_no_such_field(fleet: Fleet, version: str) -> None:
    service = fleet.service
    for path in ("/nodes?fields=uuid,maintenance_entries", f"/nodes/{fleet.leased}?fields=maintenance_entries"):
        answer = service.by("owner").get(path, version=version)
        assert (answer.status, answer.code) == (406, "not_supported")


def test_details_of_nodes_have_no_entries_unless_asked(fleet: Fleet) -> None:
    for path in ("/nodes", "/nodes/detail", f"/nodes/{fleet.leased}"):
        assert "maintenance_entries" not in fleet.service.by("owner").get(path).everything


def test_types_are_listed_with_the_reserved_ones_marked(build: Build) -> None:
    service = build(types=("x_legal_hold", "x_window"))
    for login in ("operator", "lessee-reader", "stranger"):
        answer = service.by(login).get("/maintenance/types")
        assert (answer.status, answer.json) == (
            200,
            {
                "types": [
                    {"name": "legacy", "reserved": True},
                    {"name": "fault", "reserved": True},
                    {"name": "hardware_failure", "reserved": False},
                    {"name": "operator_hold", "reserved": False},
                    {"name": "x_legal_hold", "reserved": False},
                    {"name": "x_window", "reserved": False},
                ]
            },
        )
    assert service.by(None).get("/maintenance/types").status == 401
