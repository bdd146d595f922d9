# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Release authority over HTTP: the whole matrix, in every way in which an entry can end.

standing × scope of the entry × whose project × type × single, collection (typed and below), PATCH, DELETE of the node, bulk (stop and
continue), each for real and as a dry run. What is expected is the table of sentences in tests/support/release_table.py.
"""

from __future__ import annotations

import dataclasses
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.support.agreement import disagreements
from ansible_collections.baremetal.maintenance.tests.support.cast import CAST, LESSEE, OWNER
from ansible_collections.baremetal.maintenance.tests.support.release_table import (
    ALLOWED,
    NEEDS_STANDING,
    OTHER_PROJECT,
    SCOPE_ABOVE,
    SCOPES,
    TABLE,
)
from ansible_collections.baremetal.maintenance.tests.support.service import BELOW, TYPED, Answer, Client, Service

TYPES = ("hardware_failure", "operator_hold", "x_custom")
OTHER = "project-of-another"

#: Everything to everyone: only what is enforced in code is left.
EVERYTHING = {
    f"baremetal:{rule}": "@"
    for rule in (
        "node:get",
        "node:list",
        "node:list_all",
        "node:update",
        "node:update:owner",
        "node:update:lessee",
        "node:delete",
        "node:delete:self_owned_node",
        "node:set_maintenance",
        "node:clear_maintenance",
        "node:history:get",
        "node:maintenance:get",
        "node:maintenance:add",
        "node:maintenance:remove",
        "node:maintenance:update",
        "node:maintenance:fault",
        "maintenance:history:get",
    )
}


@dataclasses.dataclass(frozen=True)
class Case:
    """A caller, and what it is on the node."""

    login: str
    standing: str | None
    policy: str

    @property
    def project(self) -> str:
        """The caller's project, "" for none."""
        return t.cast(str, CAST[self.login].get("project_id", ""))


CASES = [
    Case("operator", "system", "defaults"),
    Case("engineer", "system", "defaults"),
    Case("conductor", "system", "defaults"),
    Case("owner", "owner", "defaults"),
    Case("lessee", "lessee", "defaults"),
    Case("operator", "system", "everything"),
    Case("owner", "owner", "everything"),
    Case("owner-reader", "owner", "everything"),
    Case("lessee", "lessee", "everything"),
    Case("lessee-reader", "lessee", "everything"),
    Case("stranger", None, "everything"),
    # A role on the system that only reads is no authority to write, whatever policy says.
    Case("auditor", None, "everything"),
]


def expected(case: Case, scope: str, project: str) -> str | None:
    """Read the table."""
    [(mine, theirs, nobodys)] = [row[2:] for row in TABLE if row[:2] == (case.standing, scope)]
    if project == "":
        return nobodys
    return mine if project == case.project else theirs


@dataclasses.dataclass(frozen=True)
class Held:
    """An entry that is on the node, and how the table says its release by the caller comes out."""

    uuid: str
    type: str
    scope: str
    project: str
    outcome: str | None

    def sentence(self, case: Case, node_uuid: str) -> str:
        """The refusal, in the words of the spec."""
        by = f", asserted by project {self.project}" if self.outcome == OTHER_PROJECT and self.project else ""
        why = {
            SCOPE_ABOVE: f"not permitted at {case.standing} scope",
            OTHER_PROJECT: "not asserted by your project",
            NEEDS_STANDING: f"not permitted without standing on node {node_uuid}",
        }[self.outcome or ""]
        return f"Cannot release maintenance entry {self.uuid} (type {self.type}, scope {self.scope}{by}): {why}"


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[dict[str, Service]]:
    """One backend with the default policy, one that grants everything to everyone."""
    made = {
        "defaults": Service(tmp_path_factory.mktemp("defaults")),
        "everything": Service(tmp_path_factory.mktemp("everything"), policy=EVERYTHING),
    }
    yield made
    for service in made.values():
        assert disagreements(service.database) == []


def place(service: Service, case: Case, wanted: t.Callable[[str | None], bool]) -> tuple[str, list[Held]]:
    """Make a node with every typed entry whose outcome is wanted, and a legacy and a fault entry between them."""
    projects = dict.fromkeys((case.project, OTHER, ""))
    members = [
        {"type": type, "scope": scope, "project": project, "key": f"{scope}-{project}"}
        for scope in SCOPES
        for project in projects
        for type in TYPES
        if wanted(expected(case, scope, project))
    ]
    exempt = [{"type": "legacy", "scope": "system"}, {"type": "fault", "scope": "system", "extra": {"fault": "power failure"}}]
    everything = [exempt[0], *members, exempt[1]]
    node = service.node()
    uuids = service.hold_all(node, everything)
    held = [
        Held(
            uuid,
            entry["type"],
            entry["scope"],
            entry.get("project", ""),
            ALLOWED if entry in exempt else expected(case, entry["scope"], entry["project"]),
        )
        for uuid, entry in zip(uuids, everything, strict=True)
    ]
    return node, held


#: Every way to end all entries of a node at once: how it is asked for, and what it answers when it is done.
WHOLE: dict[str, tuple[t.Callable[[Client, str, list[str], str], Answer], int]] = {
    "collection": (lambda who, node, _entries, dry: who.delete(f"/nodes/{node}/maintenance{dry}"), 204),
    "collection below": (lambda who, node, _entries, _dry: who.delete(f"/nodes/{node}/maintenance", version=BELOW), 202),
    "patch": (
        lambda who, node, _entries, dry: who.patch(f"/nodes/{node}{dry}", [{"op": "replace", "path": "/maintenance", "value": False}]),
        200,
    ),
    "patch below": (
        lambda who, node, _entries, _dry: who.patch(
            f"/nodes/{node}", [{"op": "replace", "path": "/maintenance", "value": "false"}], version=BELOW
        ),
        200,
    ),
    "bulk stop": (lambda who, _node, entries, dry: who.post(f"/maintenance/release{dry}", {"entries": entries}), 200),
    "node": (lambda who, node, _entries, dry: who.delete(f"/nodes/{node}{dry}"), 204),
}


def case_id(case: Case) -> str:
    return f"{case.login}-{case.policy}"


#: By default only a system admin removes nodes.
CASES_AND_WAYS = [
    pytest.param(case, way, id=f"{case_id(case)}-{way}")
    for case in CASES
    for way in WHOLE
    if not (way == "node" and case.policy == "defaults")
]


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_each_entry_by_itself(services: dict[str, Service], case: Case) -> None:
    service = services[case.policy]
    node, entries = place(service, case, lambda _outcome: True)
    who, node_uuid = service.by(case.login), service.uuid_of(node)
    assert len(entries) == len(SCOPES) * len(TYPES) * len({case.project, OTHER, ""}) + 2
    allowed = {entry.uuid for entry in entries if entry.outcome is ALLOWED}
    before = service.commits()
    for entry in entries:
        for dry in ("?dry_run=true", ""):
            if dry == "" and entry.outcome is ALLOWED:
                continue
            answer = who.delete(f"/nodes/{node}/maintenance/{entry.uuid}{dry}")
            if entry.outcome is ALLOWED:
                assert (answer.status, answer.content) == (204, b""), entry
            else:
                assert (answer.status, answer.code) == (403, "not_permitted"), entry
                assert answer.said == entry.sentence(case, node_uuid)
                assert [blocker["uuid"] for blocker in answer.blockers] == [entry.uuid]
    assert service.commits() == before
    for uuid in allowed:
        assert who.delete(f"/nodes/{node}/maintenance/{uuid}").status == 204
    assert service.uuids(node) == [entry.uuid for entry in entries if entry.outcome is not ALLOWED]


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_each_entry_in_a_bulk_call_that_continues(services: dict[str, Service], case: Case) -> None:
    service = services[case.policy]
    node, entries = place(service, case, lambda _outcome: True)
    who, node_uuid = service.by(case.login), service.uuid_of(node)
    body = {"entries": [entry.uuid for entry in entries], "on_error": "continue"}
    before = service.commits()
    dry = who.post("/maintenance/release?dry_run=true", body)
    assert service.commits() == before
    real = who.post("/maintenance/release", body)
    assert (dry.status, dry.json) == (real.status, real.json) == (200, real.json)
    for entry, result in zip(entries, real.json["results"], strict=True):
        assert result["node"] == node_uuid
        if entry.outcome is ALLOWED:
            assert (result["status"], result["entry"]["uuid"]) == (204, entry.uuid)
        else:
            assert result["status"] == 403
            assert result["error"]["refusal"]["blockers"][0]["uuid"] == entry.uuid
            assert entry.sentence(case, node_uuid) in result["error"]["error_message"]
    assert service.uuids(node) == [entry.uuid for entry in entries if entry.outcome is not ALLOWED]


@pytest.mark.parametrize(("case", "way"), CASES_AND_WAYS)
def test_all_at_once_is_refused_naming_exactly_the_blocking_ones_and_releases_nothing(
    services: dict[str, Service], case: Case, way: str
) -> None:
    service = services[case.policy]
    node, entries = place(service, case, lambda _outcome: True)
    blocking = [entry for entry in entries if entry.outcome is not ALLOWED]
    call, done = WHOLE[way]
    who, node_uuid = service.by(case.login), service.uuid_of(node)
    uuids = [entry.uuid for entry in entries]
    before = service.commits()
    for dry in [] if "below" in way else ["?dry_run=true"]:
        answer = call(who, node, uuids, dry)
        assert answer.status == (403 if blocking else done)
        assert service.commits() == before
    answer = call(who, node, uuids, "")
    if blocking:
        assert (answer.status, answer.code) == (403, "not_permitted")
        assert [blocker["uuid"] for blocker in answer.blockers] == [entry.uuid for entry in blocking]
        assert answer.said == ". ".join(entry.sentence(case, node_uuid) for entry in blocking)
        assert service.commits() == before
    else:
        assert case.standing == "system"
        assert answer.status == done
        assert service.active(entry.uuid for entry in entries) == []


@pytest.mark.parametrize(("case", "way"), CASES_AND_WAYS)
def test_all_at_once_is_done_where_every_entry_may_be_released(services: dict[str, Service], case: Case, way: str) -> None:
    service = services[case.policy]
    node, entries = place(service, case, lambda outcome: outcome is ALLOWED)
    call, done = WHOLE[way]
    node_uuid = service.uuid_of(node)
    assert call(service.by(case.login), node, [entry.uuid for entry in entries], "").status == done
    assert service.active(entry.uuid for entry in entries) == []
    released = service.by("admin").get(f"/maintenance/history?node={node_uuid}&action=release").json["history"]
    assert [event["maintenance"]["entry_uuid"] for event in released] == [entry.uuid for entry in entries]
    assert {event["user"] for event in released} == {CAST[case.login]["user_id"]}
    if way != "node":
        assert service.flag(node) == (False, None)


ENDS = ["single", "bulk", *WHOLE]


@pytest.mark.parametrize("way", ENDS)
@pytest.mark.parametrize("scope", ["system", "owner"])
def test_with_a_policy_that_grants_everything_a_lessee_still_ends_no_hold_above_its_own(
    services: dict[str, Service], scope: str, way: str
) -> None:
    service = services["everything"]
    lessee = service.by("lessee")
    node = service.node()
    entry = service.hold(node, "hardware_failure", scope=scope, project=OWNER if scope == "owner" else "")
    own = service.hold(node, scope="lessee", project=LESSEE)
    if way == "single":
        answer = lessee.delete(f"/nodes/{node}/maintenance/{entry}")
    elif way == "bulk":
        answer = lessee.post("/maintenance/release", {"entries": [own, entry]})
    else:
        answer = WHOLE[way][0](lessee, node, [entry, own], "")
    assert answer.status == 403
    assert answer.said == f"Cannot release maintenance entry {entry} (type hardware_failure, scope {scope}): not permitted at lessee scope"
    assert service.uuids(node) == [entry, own]
    assert lessee.patch(f"/nodes/{node}/maintenance/{entry}", {"reason": "x"}, version=TYPED).status == 403
