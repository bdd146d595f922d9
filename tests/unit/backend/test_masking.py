# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Masking (spec, "Security impact"; api.md 4): whoever is below learns that a hold exists and why, never who asserted it.

Everything that identifies an operator in these tests begins with the canary. It must not be in any byte, headers included, that a
lessee or an owner gets, whatever they ask.
"""

from __future__ import annotations

import json
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.support.cast import CANARY, CAST, LESSEE, OPERATIONS, OWNER
from ansible_collections.baremetal.maintenance.tests.support.service import BELOW, Answer, Client, Service

#: Who asserted above the lessee: operators, with and without a project, a service, and the owner.
OPERATOR_IDS = sorted(
    {
        str(person[name])
        for login, person in CAST.items()
        if person["user_id"].startswith(CANARY)
        for name in person
        if name.endswith(("_id", "_name"))
    }
)
OWNER_IDS = ["id-of-owner", "name-of-owner"]


class Stage(t.NamedTuple):
    """A node with holds of everyone, and the fleet that it is in."""

    node: str
    uuid: str
    entries: dict[str, str]


@pytest.fixture(scope="module")
def stage(service: Service) -> Stage:
    """Operators, the conductor and the owner hold the node, set its boolean, change and release holds; the lessee holds it too."""
    node = service.node()
    entries = {}
    for login, body in {
        "operator": {"type": "operator_hold", "reason": "Row C power work", "ticket": "CHG-2211", "run": "run-1"},
        "engineer": {"type": "hardware_failure", "reason": "Disk 3"},
        "owner": {"type": "operator_hold", "reason": "ours"},
        "lessee": {"type": "operator_hold", "reason": "mine"},
    }.items():
        entries[login] = service.by(login).post(f"/nodes/{node}/maintenance", body).json["uuid"]
    service.by("night-operator").put(f"/nodes/{node}/maintenance", {"reason": "script"})
    service.by("conductor").put(f"/nodes/{node}/maintenance/fault", {"fault": "power failure", "reason": "BMC is silent"})
    service.by("engineer-mate").patch(f"/nodes/{node}/maintenance/{entries['engineer']}", {"reason": "Disk 4"})
    # An operator ends a hold of the owner and one of the lessee, with a comment.
    for scope, project in (("owner", OWNER), ("lessee", LESSEE)):
        ended = service.hold(node, "hardware_failure", scope=scope, project=project, user=f"id-of-{scope}")
        service.by("admin").post("/maintenance/release", {"entries": [ended], "comment": "repaired"})
    for entry in service.entries(node):
        entries.setdefault(entry["type"], entry["uuid"])
    return Stage(node, service.uuid_of(node), entries)


def asked_by_a_reader(who: Client, stage: Stage) -> t.Iterator[Answer]:
    """Ask everything that reads."""
    node = stage.node
    for version in (BELOW, "latest"):
        yield who.get(f"/nodes/{node}", version=version)
        yield who.get("/nodes", version=version)
        yield who.get("/nodes/detail", version=version)
        yield who.get(f"/nodes/{node}/history", version=version)
        yield who.get(f"/nodes/{node}/history?detail=true", version=version)
    yield who.get(f"/nodes/{node}/maintenance")
    for entry in stage.entries.values():
        yield who.get(f"/nodes/{node}/maintenance/{entry}")
    yield who.get("/nodes?fields=uuid,name,maintenance_entries")
    yield who.get(f"/nodes/{node}?fields=uuid,maintenance_entries")
    yield who.get("/maintenance")
    yield who.get("/maintenance?fields=uuid,asserted_by,asserted_by_name,asserted_by_project,asserted_by_project_name,scope")
    for sort in ("maintenance_reason", "fault", "updated_at", "owner"):
        yield who.get(f"/nodes?sort_key={sort}&sort_dir=desc")
    yield who.get("/maintenance/types")
    yield who.get("/maintenance/history")
    yield who.get("", version="latest")


def asked_by_a_writer(who: Client, stage: Stage) -> t.Iterator[Answer]:
    """Try everything that writes, and have everything refused that can be."""
    node, entries = stage.node, list(stage.entries.values())
    false = [{"op": "replace", "path": "/maintenance", "value": False}]
    for dry in ("?dry_run=true", ""):
        yield who.delete(f"/nodes/{node}/maintenance{dry}")
        yield who.patch(f"/nodes/{node}{dry}", false)
        yield who.delete(f"/nodes/{node}{dry}")
        for entry in (stage.entries["operator"], stage.entries["engineer"]):
            yield who.delete(f"/nodes/{node}/maintenance/{entry}{dry}")
            yield who.patch(f"/nodes/{node}/maintenance/{entry}{dry}", {"reason": "x"})
        yield who.post(f"/nodes/{node}/maintenance{dry}", {"type": "operator_hold"})
        yield who.post(f"/maintenance{dry}", {"nodes": [node], "type": "operator_hold"})
        yield who.put(f"/nodes/{node}/maintenance/fault{dry}", {"fault": "power failure"})
        yield who.post(f"/maintenance/release{dry}", {"entries": entries})
    yield who.post("/maintenance/release?dry_run=true", {"entries": entries, "on_error": "continue"})
    yield who.post("/maintenance/release?dry_run=true", {"nodes": [node], "type": "operator_hold"})
    yield who.post("/maintenance/release?dry_run=true", {"run": "run-1"})
    yield who.delete(f"/nodes/{node}/maintenance", version=BELOW)
    yield who.patch(f"/nodes/{node}", false, version=BELOW)


def asked_with_filters(who: Client, identities: t.Iterable[str]) -> t.Iterator[tuple[str, Answer]]:
    """Look for what one knows already, to see whether the service confirms it."""
    for identity in identities:
        for name in ("asserted_by", "project"):
            yield identity, who.get(f"/maintenance?{name}={identity}")
            yield identity, who.get(f"/maintenance?{name}={identity}&limit=1")
            yield identity, who.get(f"/maintenance?{name}={identity}&type=operator_hold&scope=system")


@pytest.mark.parametrize("login", ["lessee", "lessee-mate", "lessee-member", "lessee-reader"])
def test_a_lessee_learns_neither_an_operator_nor_an_owner(service: Service, stage: Stage, login: str) -> None:
    who = service.by(login)
    seen = 0
    for answer in (*asked_by_a_reader(who, stage), *asked_by_a_writer(who, stage)):
        assert CANARY not in answer.everything
        assert not any(identity in answer.everything for identity in OWNER_IDS)
        seen += stage.entries["operator"] in answer.everything
    assert seen > 12


@pytest.mark.parametrize("login", ["owner", "owner-mate", "owner-admin", "owner-reader"])
def test_an_owner_learns_no_operator(service: Service, stage: Stage, login: str) -> None:
    who = service.by(login)
    seen = 0
    for answer in (*asked_by_a_reader(who, stage), *asked_by_a_writer(who, stage)):
        assert CANARY not in answer.everything
        seen += stage.entries["operator"] in answer.everything
    assert seen > 12


@pytest.mark.parametrize("login", ["lessee", "lessee-reader", "owner", "owner-reader"])
def test_a_filter_never_finds_an_entry_by_what_is_masked(service: Service, stage: Stage, login: str) -> None:
    hidden = [*OPERATOR_IDS, "migration", *(["id-of-owner", OWNER] if login.startswith("lessee") else [])]
    for identity, answer in asked_with_filters(service.by(login), hidden):
        assert answer.status == 200
        assert answer.json == {"maintenance": [], "next": None}, identity


@pytest.mark.parametrize("login", ["lessee", "owner"])
def test_a_masked_field_counts_as_null_before_limit_and_marker(service: Service, stage: Stage, login: str) -> None:
    """Filtered after the page was cut, the first page would be empty and still have a next: that would tell."""
    project = LESSEE if login == "lessee" else OWNER
    answer = service.by(login).get(f"/maintenance?project={project}&limit=1")
    assert len(answer.json["maintenance"]) == 1
    assert answer.json["maintenance"][0]["asserted_by_project"] == project
    empty = service.by(login).get(f"/maintenance?project={OPERATIONS}&limit=1")
    assert empty.json == {"maintenance": [], "next": None}


def test_what_is_not_masked_stays(service: Service, stage: Stage) -> None:
    """A lessee can see that a system hold exists, and why."""
    seen = {entry["uuid"]: entry for entry in service.by("lessee").get(f"/nodes/{stage.node}/maintenance").json["maintenance"]}
    system = seen[stage.entries["operator"]]
    names = ("asserted_by", "asserted_by_project", "asserted_by_name", "asserted_by_project_name")
    assert [system[name] for name in names] == [None] * 4
    assert (system["type"], system["scope"], system["reason"]) == ("operator_hold", "system", "Row C power work")
    assert (system["ticket"], system["run"]) == ("CHG-2211", "run-1")
    own = seen[stage.entries["lessee"]]
    assert [own[name] for name in names] == ["id-of-lessee", LESSEE, "name-of-lessee", f"name-of-{LESSEE}"]


def test_the_owner_sees_who_of_its_lessees_and_of_its_own_asserted(service: Service, stage: Stage) -> None:
    seen = {entry["uuid"]: entry for entry in service.by("owner").get(f"/nodes/{stage.node}/maintenance").json["maintenance"]}
    assert seen[stage.entries["lessee"]]["asserted_by"] == "id-of-lessee"
    assert seen[stage.entries["owner"]]["asserted_by"] == "id-of-owner"
    assert seen[stage.entries["operator"]]["asserted_by"] is None


@pytest.mark.parametrize("login", ["admin", "operator", "auditor", "conductor"])
def test_the_system_sees_everyone_auditors_included(service: Service, stage: Stage, login: str) -> None:
    who = service.by(login)
    for answer in (
        who.get(f"/nodes/{stage.node}/maintenance"),
        who.get("/maintenance"),
        who.get(f"/nodes/{stage.node}?fields=maintenance_entries"),
        who.get(f"/nodes/{stage.node}/history?detail=true"),
        who.get("/maintenance/history"),
    ):
        for identity in (CAST["operator"]["user_id"], CAST["engineer"]["user_id"], "id-of-owner", "id-of-lessee"):
            assert identity in answer.everything
    found = who.get(f"/maintenance?asserted_by={CAST['engineer']['user_id']}").json["maintenance"]
    assert [row["uuid"] for row in found] == [stage.entries["engineer"]]
    found = who.get(f"/maintenance?project={OPERATIONS}").json["maintenance"]
    assert [row["uuid"] for row in found] == [stage.entries["engineer"]]


def test_history_masks_the_actor_who_outranks_the_reader_also_on_an_entry_that_does_not(service: Service, stage: Stage) -> None:
    """An operator ended the owner's own hold: the owner reads that and why, not by whom."""
    events = service.by("owner").get(f"/nodes/{stage.node}/history?detail=true").json["history"]
    [ended] = [event for event in events if event["maintenance"]["action"] == "release" and event["maintenance"]["scope"] == "owner"]
    assert (ended["user"], ended["project"], ended["maintenance"]["comment"]) == (None, None, "repaired")
    [asserted] = [event for event in events if event["maintenance"]["entry_uuid"] == ended["maintenance"]["entry_uuid"]][:1]
    assert asserted["user"] == "id-of-owner"
    for event in events:
        one = service.by("owner").get(f"/nodes/{stage.node}/history/{event['uuid']}")
        assert CANARY not in one.everything


def test_the_text_of_an_event_holds_no_identity_for_anyone(service: Service, stage: Stage) -> None:
    people = {str(person[name]) for person in CAST.values() for name in person if name.endswith(("_id", "_name"))}
    events = service.by("auditor").get("/maintenance/history").json["history"]
    assert len(events) > 8
    for event in events:
        assert not any(identity in event["event"] for identity in people), event["event"]


def test_who_is_nobody_on_a_node_that_policy_shows_it_learns_no_one(service: Service, stage: Stage, tmp_path_factory) -> None:
    policy = {
        "baremetal:node:get": "@",
        "baremetal:node:list_all": "@",
        "baremetal:node:maintenance:get": "@",
        "baremetal:node:history:get": "@",
        "baremetal:maintenance:history:get": "@",
    }
    folder = tmp_path_factory.mktemp("open")
    opened = Service(folder, policy=policy)
    node = opened.node()
    for login in ("operator", "owner", "lessee"):
        opened.by(login).post(f"/nodes/{node}/maintenance", {"type": "operator_hold"})
    stranger = opened.by("stranger")
    for answer in (
        stranger.get(f"/nodes/{node}/maintenance"),
        stranger.get("/maintenance"),
        stranger.get(f"/nodes/{node}/history?detail=true"),
        stranger.get("/maintenance/history"),
        stranger.get("/nodes?fields=name,maintenance_entries"),
    ):
        assert answer.status == 200
        assert CANARY not in answer.everything
        assert "id-of-" not in answer.everything
        assert "name-of-" not in answer.everything
    for identity in ("id-of-owner", OWNER, LESSEE, CAST["operator"]["user_id"]):
        assert stranger.get(f"/maintenance?asserted_by={identity}").json["maintenance"] == []
        assert stranger.get(f"/maintenance?project={identity}").json["maintenance"] == []
        assert stranger.get(f"/maintenance/history?user={identity}").json["history"] == []


def test_dry_run_of_a_bulk_release_masks_what_it_would_release(service: Service) -> None:
    """The owner may release its lessee's hold and sees whose it is; of an operator's legacy entry it does not."""
    node = service.node()
    service.by("operator").put(f"/nodes/{node}/maintenance", {"reason": "x"})
    [legacy] = service.uuids(node)
    hold = service.hold(node, scope="lessee", project=LESSEE, user="id-of-lessee")
    for path in ("/maintenance/release?dry_run=true", "/maintenance/release"):
        answer = service.by("owner").post(path, {"entries": [legacy, hold]})
        assert CANARY not in answer.everything
        shown = {result["entry"]["type"]: result["entry"] for result in json.loads(answer.content)["results"]}
        assert shown["legacy"]["asserted_by"] is None
        assert shown["operator_hold"]["asserted_by"] == "id-of-lessee"
