# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A simple model of the service, written from the specification and api.md alone: what every call answers, and what it leaves behind."""

from __future__ import annotations

import dataclasses
import typing as t

from ansible_collections.baremetal.maintenance.tests.support import cast

from .people import Person

RANK: t.Final = {"lessee": 1, "owner": 2, "system": 3}


@dataclasses.dataclass
class Hold:
    """An active entry. uuid is None until it was seen in a listing: the boolean endpoints do not answer with one."""

    type: str
    scope: str
    reason: str | None
    user: str
    project: str
    key: str = ""
    ticket: str | None = None
    fault: str | None = None
    uuid: str | None = None

    @property
    def reserved(self) -> bool:
        """Tell whether policy alone governs its release."""
        return self.type in ("legacy", "fault")


@dataclasses.dataclass
class Event:
    """An event of the history."""

    action: str
    hold: Hold
    type: str
    reason: str | None
    user: str
    count: int = 1
    fault: str | None = None


@dataclasses.dataclass
class ModelNode:
    """A node: its lessee, its holds in order, its history."""

    uuid: str
    lessee: str | None
    holds: list[Hold] = dataclasses.field(default_factory=list)
    events: list[Event] = dataclasses.field(default_factory=list)

    def record(self, action: str, hold: Hold, who: Person, **more: t.Any) -> None:
        """Add an event."""
        self.events.append(Event(action, hold, hold.type, hold.reason, who.user, **more))


@dataclasses.dataclass(frozen=True)
class Answer:
    """What a call answers: its status, and the uuids of the entries that a refusal names."""

    status: int
    blockers: tuple[str | None, ...] = ()


class Model:
    """Nodes by name. Every method does to the model what its call does to the service, unless `dry`, and gives the expected answer."""

    def __init__(self, uuids: t.Mapping[str, str]) -> None:
        self.nodes = {name: ModelNode(node_uuid, None) for name, node_uuid in uuids.items()}
        self.gone: list[ModelNode] = []

    def standing(self, who: Person, name: str) -> str | None:
        """Give the scope at which somebody acts on a node."""
        if who.system:
            return "system"
        if who.project == cast.OWNER:
            return "owner"
        return "lessee" if who.project and who.project == self.nodes[name].lessee else None

    def sees(self, who: Person, name: str) -> bool:
        """Tell whether the node exists for somebody."""
        return who.audits or self.standing(who, name) is not None

    def owns(self, who: Person, name: str, hold: Hold) -> bool:
        """Tell whether a hold is somebody's own."""
        same = hold.scope == self.standing(who, name) and hold.project == who.project
        return same and (bool(who.project) or hold.user == who.user)

    def may_release(self, who: Person, name: str, hold: Hold) -> bool:
        """Tell whether somebody may release a hold by itself."""
        if not who.writes:
            return False
        if hold.reserved:
            return True
        return self._above(who, name, hold)

    def _above(self, who: Person, name: str, hold: Hold) -> bool:
        standing = self.standing(who, name)
        if standing is None:
            return False
        if RANK[standing] != RANK[hold.scope]:
            return RANK[standing] > RANK[hold.scope]
        return standing == "system" or hold.project == who.project

    def _find(self, uuid: str, name: str) -> Hold | None:
        return next((hold for hold in self.nodes[name].holds if hold.uuid == uuid), None)

    def add(self, who: Person, name: str, wanted: t.Mapping[str, t.Any], *, dry: bool = False) -> Answer:
        """POST."""
        if not self.sees(who, name):
            return Answer(404)
        if not who.writes:
            return Answer(403)
        scope = self.standing(who, name)
        assert scope is not None
        hold = Hold(scope=scope, user=who.user, project=who.project, **wanted)
        for other in self.nodes[name].holds:
            if (other.type, other.scope, other.project, other.key) == (hold.type, hold.scope, hold.project, hold.key):
                return Answer(409, (other.uuid,))
        if not dry:
            self.nodes[name].holds.append(hold)
            self.nodes[name].record("assert", hold, who)
        return Answer(201)

    def change(self, who: Person, name: str, uuid: str, changes: t.Mapping[str, t.Any], *, dry: bool = False) -> Answer:
        """PATCH of an entry."""
        hold = self._find(uuid, name)
        if not self.sees(who, name) or hold is None:
            return Answer(404)
        if hold.reserved:
            return Answer(400)
        if not self.owns(who, name, hold):
            return Answer(403, (uuid,))
        if not who.writes:
            return Answer(403)
        if not dry and any(getattr(hold, member) != value for member, value in changes.items()):
            for member, value in changes.items():
                setattr(hold, member, value)
            self.nodes[name].record("update", hold, who)
        return Answer(200)

    def release(self, who: Person, name: str, uuid: str, *, dry: bool = False) -> Answer:
        """DELETE of an entry."""
        hold = self._find(uuid, name)
        if not self.sees(who, name) or hold is None:
            return Answer(404)
        if not self.may_release(who, name, hold):
            return Answer(403, (uuid,))
        if not dry:
            self._end(who, name, [hold])
        return Answer(204)

    def set_flag(self, who: Person, name: str, reason: str | None, *, dry: bool = False) -> Answer:
        """PUT."""
        if not self.sees(who, name):
            return Answer(404)
        if not who.writes:
            return Answer(403)
        if not dry:
            self._legacy(who, name, reason)
        return Answer(202)

    def clear_flag(self, who: Person, name: str, *, typed: bool = True, dry: bool = False) -> Answer:
        """DELETE of the collection."""
        if not self.sees(who, name):
            return Answer(404)
        if not who.writes:
            return Answer(403)
        holds = self.nodes[name].holds
        blockers = tuple(hold.uuid for hold in holds if not hold.reserved and not self._above(who, name, hold))
        if blockers:
            return Answer(403, blockers)
        if not dry:
            self._end(who, name, list(holds))
        return Answer(204 if typed else 202)

    def patch_flag(self, who: Person, name: str, value: bool, *, dry: bool = False) -> Answer:
        """PATCH of the node's /maintenance."""
        if not value:
            answer = self.clear_flag(who, name, dry=dry)
        elif self.sees(who, name) and who.writes and self.nodes[name].holds:
            answer = Answer(202)
        else:
            answer = self.set_flag(who, name, None, dry=dry)
        return Answer(200) if answer.status < 300 else answer

    def put_fault(self, who: Person, name: str, kind: str, reason: str | None, *, dry: bool = False) -> Answer:
        """PUT of the fault."""
        if not self.sees(who, name):
            return Answer(404)
        if not who.faults:
            return Answer(403)
        node = self.nodes[name]
        found = next((hold for hold in node.holds if hold.type == "fault"), None)
        if dry:
            return Answer(201 if found is None else 200)
        if found is None:
            node.holds.append(Hold("fault", "system", reason, who.user, "", fault=kind))
            node.record("assert", node.holds[-1], who, fault=kind)
            return Answer(201)
        found.reason, found.fault = reason, kind
        for event in node.events:
            if event.hold is found and event.action == "update" and event.fault == kind:
                event.count, event.reason = event.count + 1, reason
                return Answer(200)
        node.record("update", found, who, fault=kind)
        return Answer(200)

    def add_many(self, who: Person, names: t.Sequence[str], wanted: t.Mapping[str, t.Any], on_error: str) -> list[Answer]:
        """POST of the bulk. Give an answer per node; with `stop`, those of a trial if one of them is a refusal."""
        trial = [self.add(who, name, wanted, dry=True) for name in names]
        if on_error == "stop" and any(answer.status >= 400 for answer in trial):
            return trial
        return [self.add(who, name, wanted) for name in names]

    def release_many(
        self, who: Person, chosen: t.Callable[[str, Hold], bool], names: t.Sequence[str], on_error: str
    ) -> list[tuple[str, int]]:
        """POST of the bulk release: of the holds that are chosen on these nodes. Give node and status of each."""
        picked = [(name, hold) for name in names for hold in self.nodes[name].holds if chosen(name, hold)]
        answers = [(name, 204 if self.may_release(who, name, hold) else 403) for name, hold in picked]
        if on_error == "stop" and any(status >= 400 for _name, status in answers):
            return answers
        for name, hold in picked:
            if self.may_release(who, name, hold):
                self._end(who, name, [hold])
        return answers

    def lease(self, name: str, project: str | None) -> None:
        """PATCH of the lessee by an operator."""
        self.nodes[name].lessee = project

    def replace(self, name: str, who: Person, node_uuid: str) -> None:
        """DELETE of the node, and enrolment of another under its name."""
        self._end(who, name, list(self.nodes[name].holds))
        self.gone.append(self.nodes[name])
        self.nodes[name] = ModelNode(node_uuid, None)

    def _legacy(self, who: Person, name: str, reason: str | None) -> None:
        node = self.nodes[name]
        found = next((hold for hold in node.holds if hold.type == "legacy"), None)
        if found is None:
            scope = self.standing(who, name)
            assert scope is not None
            node.holds.append(Hold("legacy", scope, reason, who.user, who.project))
            node.record("assert", node.holds[-1], who)
        elif found.reason != reason:
            found.reason = reason
            node.record("update", found, who)

    def _end(self, who: Person, name: str, holds: list[Hold]) -> None:
        node = self.nodes[name]
        for hold in holds:
            node.holds.remove(hold)
            node.record("release", hold, who)
