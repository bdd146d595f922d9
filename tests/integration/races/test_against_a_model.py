# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random calls by everyone, one after the other, against a simple model: the service answers as the model, and is left as the model is.

The concurrent tests show that concurrent calls come out as some order of calls; this one shows that an order of calls comes out right.
"""

from __future__ import annotations

import os
import pathlib
import tempfile
import typing as t

import hypothesis
import pytest
from ansible_collections.baremetal.maintenance.tests.support import cast
from ansible_collections.baremetal.maintenance.tests.support.agreement import disagreements, synthesised
from ansible_collections.baremetal.maintenance.tests.support.service import BELOW, TYPED, Service
from hypothesis import stateful
from hypothesis import strategies as st

from .model import Answer, Hold, Model
from .people import ADMIN, EVERYONE, LESSEES, TENANCIES, WRITERS, Person

NAMES: t.Final = ("node-1", "node-2")
FIELDS: t.Final = ("name", "uuid", "lessee", "maintenance", "maintenance_reason", "fault", "maintenance_entries")

#: Those who may do something come more often, and most often those who can stand in each other's way.
anyone = st.sampled_from([*EVERYONE, *WRITERS, *WRITERS, *LESSEES])
nodes = st.sampled_from(NAMES)
several = st.lists(nodes, min_size=1, max_size=2, unique=True)
reasons = st.sampled_from([None, "", "broken fan", "Lüfter; 🔧", "fault: not one"])
types = st.sampled_from(["operator_hold", "hardware_failure", "x_burn_in"])
keys = st.sampled_from(["", "", "team-1"])
tickets = st.sampled_from([None, "CHG-1", "CHG-2"])
modes = st.sampled_from(["stop", "continue"])
kinds = st.sampled_from(["power failure", "clean failure"])
wishes = st.fixed_dictionaries({"type": types, "reason": reasons, "key": keys, "ticket": tickets})


class Machine(stateful.RuleBasedStateMachine):
    """The calls. Those that tell what they wrote are checked at once, everything after every step."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.service = Service(pathlib.Path(self.folder.name), types=("x_burn_in",))
        self.model = Model({name: self.enrol(name) for name in NAMES})
        self.lease(NAMES[0], cast.LESSEE)
        self.uuids: list[str] = ["00000000-0000-4000-8000-000000000000"]

    def call(self, who: Person, method: str, path: str, body: t.Any = None, *, typed: bool = True) -> tuple[int, t.Any]:
        """Send a request, in the typed version or in one below; give status and decoded body."""
        answer = self.service.by(who.login).send(method, path, body, version=TYPED if typed else BELOW)
        return answer.status, answer.json if answer.content else None

    def enrol(self, name: str) -> str:
        """Enrol a node of the owner; give its uuid."""
        status, node = self.call(ADMIN, "POST", "/nodes", {"name": name, "owner": cast.OWNER})
        assert status == 201, node
        return t.cast(str, node["uuid"])

    def expect(self, answer: Answer, got: tuple[int, t.Any]) -> t.Any:
        """Compare what came with what the model says; give the body."""
        status, body = got
        assert status == answer.status, body
        if status >= 400:
            blockers = tuple(blocker["uuid"] for blocker in body["refusal"]["blockers"])
            assert blockers == answer.blockers
        return body

    @stateful.rule(who=anyone, node=nodes, wish=wishes)
    def assert_one_for_real(self, who: Person, node: str, wish: dict[str, t.Any]) -> None:
        self.assert_one(who, node, wish, False)

    @stateful.rule(who=anyone, node=nodes, wish=wishes, dry=st.booleans())
    def assert_one(self, who: Person, node: str, wish: dict[str, t.Any], dry: bool) -> None:
        path = f"/nodes/{node}/maintenance" + ("?dry_run=true" if dry else "")
        kept = {**wish, "reason": wish["reason"] or None}
        body = self.expect(self.model.add(who, node, kept, dry=dry), self.call(who, "POST", path, wish))
        if "uuid" in body and not dry:
            self.model.nodes[node].holds[-1].uuid = body["uuid"]

    @stateful.rule(who=anyone, node=nodes, place=st.integers(0), reason=reasons, ticket=tickets, dry=st.booleans())
    def change_one(self, who: Person, node: str, place: int, reason: str | None, ticket: str | None, dry: bool) -> None:
        uuid = self.uuids[place % len(self.uuids)]
        path = f"/nodes/{node}/maintenance/{uuid}" + ("?dry_run=true" if dry else "")
        expected = self.model.change(who, node, uuid, {"reason": reason or None, "ticket": ticket}, dry=dry)
        self.expect(expected, self.call(who, "PATCH", path, {"reason": reason, "ticket": ticket}))

    @stateful.rule(who=anyone, node=nodes, place=st.integers(0), dry=st.booleans())
    def release_one(self, who: Person, node: str, place: int, dry: bool) -> None:
        uuid = self.uuids[place % len(self.uuids)]
        path = f"/nodes/{node}/maintenance/{uuid}" + ("?dry_run=true" if dry else "")
        self.expect(self.model.release(who, node, uuid, dry=dry), self.call(who, "DELETE", path))

    @stateful.rule(who=anyone, node=nodes, place=st.integers(0))
    def release_a_hold_that_is_there(self, who: Person, node: str, place: int) -> None:
        holds = self.model.nodes[node].holds
        if holds:
            uuid = holds[place % len(holds)].uuid
            assert uuid is not None
            path = f"/nodes/{node}/maintenance/{uuid}"
            self.expect(self.model.release(who, node, uuid), self.call(who, "DELETE", path))

    @stateful.rule(who=anyone, node=nodes, reason=reasons, typed=st.booleans(), dry=st.booleans())
    def set_flag(self, who: Person, node: str, reason: str | None, typed: bool, dry: bool) -> None:
        dry = dry and typed
        path = f"/nodes/{node}/maintenance" + ("?dry_run=true" if dry else "")
        got = self.call(who, "PUT", path, {"reason": reason}, typed=typed)
        self.expect(self.model.set_flag(who, node, reason, dry=dry), got)

    @stateful.rule(who=anyone, node=nodes, typed=st.booleans(), dry=st.booleans())
    def clear_flag(self, who: Person, node: str, typed: bool, dry: bool) -> None:
        dry = dry and typed
        path = f"/nodes/{node}/maintenance" + ("?dry_run=true" if dry else "")
        got = self.call(who, "DELETE", path, typed=typed)
        self.expect(self.model.clear_flag(who, node, typed=typed, dry=dry), got)

    @stateful.rule(who=anyone, node=nodes, value=st.booleans(), typed=st.booleans(), dry=st.booleans())
    def patch_flag(self, who: Person, node: str, value: bool, typed: bool, dry: bool) -> None:
        dry = dry and typed
        path = f"/nodes/{node}" + ("?dry_run=true" if dry else "")
        body = [{"op": "replace", "path": "/maintenance", "value": value}]
        got = self.call(who, "PATCH", path, body, typed=typed)
        shown = self.expect(self.model.patch_flag(who, node, value, dry=dry), got)
        if got[0] == 200:
            assert shown["maintenance"] is value

    @stateful.rule(who=anyone, node=nodes, kind=kinds, reason=reasons, dry=st.booleans())
    def put_fault(self, who: Person, node: str, kind: str, reason: str | None, dry: bool) -> None:
        path = f"/nodes/{node}/maintenance/fault" + ("?dry_run=true" if dry else "")
        expected = self.model.put_fault(who, node, kind, reason or None, dry=dry)
        self.expect(expected, self.call(who, "PUT", path, {"fault": kind, "reason": reason}))

    @stateful.rule(who=anyone, names=several, wish=wishes, mode=modes)
    def assert_many(self, who: Person, names: list[str], wish: dict[str, t.Any], mode: str) -> None:
        status, body = self.call(who, "POST", "/maintenance", {"nodes": names, **wish, "on_error": mode})
        kept = {**wish, "reason": wish["reason"] or None}
        expected = self.model.add_many(who, names, kept, mode)
        refused = [answer for answer in expected if answer.status >= 400]
        if mode == "stop" and refused:
            blockers = tuple(uuid for answer in refused for uuid in answer.blockers)
            self.expect(Answer(refused[0].status, blockers), (status, body))
        else:
            assert status == 200, body
            assert [(row["node"], row["status"]) for row in body["results"]] == [
                (name, answer.status) for name, answer in zip(names, expected, strict=True)
            ]

    @stateful.rule(who=anyone, names=several, type_=types, key=keys, ticket=tickets, mode=modes)
    def release_my_own_on_many(self, who: Person, names: list[str], type_: str, key: str, ticket: str | None, mode: str) -> None:
        body = {"nodes": names, "type": type_, "key": key, "on_error": mode} | ({"ticket": ticket} if ticket else {})
        got = self.call(who, "POST", "/maintenance/release", body)
        visible = [name for name in names if self.model.sees(who, name)]
        if mode == "stop" and len(visible) < len(names):
            assert got[0] == 404, got
            return

        def chosen(name: str, hold: Hold) -> bool:
            return self.model.owns(who, name, hold) and hold.type == type_ and hold.key == key and ticket in (None, hold.ticket)

        bare = [name for name in visible if not any(chosen(name, hold) for hold in self.model.nodes[name].holds)]
        results = self.model.release_many(who, chosen, visible, mode)
        results += [(name, 204) for name in bare] + [(name, 404) for name in names if name not in visible]
        self._released(mode, results, got)

    @stateful.rule(who=anyone, ticket=st.sampled_from(["CHG-1", "CHG-2"]), mode=modes)
    def release_my_own_by_ticket(self, who: Person, ticket: str, mode: str) -> None:
        got = self.call(who, "POST", "/maintenance/release", {"ticket": ticket, "on_error": mode})
        names = [name for name in NAMES if self.model.sees(who, name)]
        results = self.model.release_many(who, lambda name, hold: self.model.owns(who, name, hold) and hold.ticket == ticket, names, mode)
        self._released(mode, [(self.model.nodes[name].uuid, status) for name, status in results], got)

    @stateful.rule(who=anyone, places=st.lists(st.integers(0), min_size=1, max_size=3), mode=modes)
    def release_these(self, who: Person, places: list[int], mode: str) -> None:
        uuids = sorted({self.uuids[place % len(self.uuids)] for place in places})
        got = self.call(who, "POST", "/maintenance/release", {"entries": uuids, "on_error": mode})
        names = [name for name in NAMES if self.model.sees(who, name)]
        there = {hold.uuid for name in names for hold in self.model.nodes[name].holds}
        missing = [(uuid, 404) for uuid in uuids if uuid not in there]
        if mode == "stop" and missing:
            assert got[0] in (403, 404), got
            return
        results = self.model.release_many(who, lambda _name, hold: hold.uuid in uuids, names, mode)
        self._released(mode, missing + [(self.model.nodes[name].uuid, status) for name, status in results], got)

    def _released(self, mode: str, expected: list[tuple[str, int]], got: tuple[int, t.Any]) -> None:
        status, body = got
        if mode == "stop" and any(answer >= 400 for _name, answer in expected):
            assert status == next(answer for _name, answer in expected if answer >= 400), body
            return
        assert status == 200, body
        assert sorted((row["node"], row["status"]) for row in body["results"]) == sorted(expected)

    @stateful.rule(node=nodes, project=st.sampled_from(TENANCIES))
    def lease(self, node: str, project: str | None) -> None:
        body = [{"op": "replace", "path": "/lessee", "value": project}]
        status, _body = self.call(ADMIN, "PATCH", f"/nodes/{node}", body)
        assert status == 200
        self.model.lease(node, project)

    @stateful.rule(node=nodes, first=st.sampled_from(LESSEES), then=st.sampled_from(LESSEES), wish=wishes, place=st.integers(0))
    def change_hands(self, node: str, first: Person, then: Person, wish: dict[str, t.Any], place: int) -> None:
        """One tenant holds, the next one tries to release."""
        self.lease(node, first.project)
        self.assert_one(first, node, wish, False)
        self.nodes_are_as_the_model_has_them()
        self.lease(node, then.project)
        self.release_a_hold_that_is_there(then, node, place)

    @stateful.rule(node=nodes, really=st.integers(0, 4))
    def replace_node(self, node: str, really: int) -> None:
        if really:
            # An empty node shows little: most of the time its holds stay.
            return
        status, body = self.call(ADMIN, "DELETE", f"/nodes/{node}")
        assert status == 204, body
        self.model.replace(node, ADMIN, self.enrol(node))

    @stateful.invariant()
    def nodes_are_as_the_model_has_them(self) -> None:
        status, body = self.call(ADMIN, "GET", f"/nodes?fields={','.join(FIELDS)}")
        assert status == 200
        shown = {node["name"]: node for node in body["nodes"]}
        assert shown.keys() == self.model.nodes.keys()
        for name, expected in self.model.nodes.items():
            found = shown[name]["maintenance_entries"]
            assert [_as_hold(entry) for entry in found] == [_comparable(hold) for hold in expected.holds]
            for entry, hold in zip(found, expected.holds, strict=True):
                assert hold.uuid in (None, entry["uuid"])
                hold.uuid = entry["uuid"]
                if hold.uuid not in self.uuids:
                    self.uuids.append(entry["uuid"])
            assert [shown[name][member] for member in FIELDS[1:-1]] == [
                expected.uuid,
                expected.lessee,
                bool(expected.holds),
                synthesised([(hold.type, hold.reason) for hold in expected.holds]),
                next((hold.fault for hold in expected.holds if hold.type == "fault"), None),
            ]

    def teardown(self) -> None:
        """Compare the whole history, then forget the service."""
        try:
            _status, body = self.call(ADMIN, "GET", "/maintenance/history")
            for node in (*self.model.nodes.values(), *self.model.gone):
                past = [event for event in body["history"] if event["node_uuid"] == node.uuid]
                assert [
                    (event["maintenance"]["action"], event["maintenance"]["type"], event["maintenance"]["reason"], event["user"])
                    + (event["maintenance"]["count"],)
                    for event in past
                ] == [(event.action, event.type, event.reason, event.user, event.count) for event in node.events]
            assert disagreements(self.service.database) == []
        finally:
            self.folder.cleanup()


def _as_hold(entry: t.Mapping[str, t.Any]) -> tuple[t.Any, ...]:
    names = ("type", "scope", "reason", "asserted_by", "asserted_by_project", "key", "ticket")
    return (*(entry[name] for name in names), entry["extra"].get("fault"))


def _comparable(hold: Hold) -> tuple[t.Any, ...]:
    return hold.type, hold.scope, hold.reason, hold.user, hold.project, hold.key, hold.ticket, hold.fault


@pytest.mark.soak
def test_the_service_does_what_the_model_does(rounds: int, seed: str) -> None:
    hypothesis.seed(seed)(Machine)
    stateful.run_state_machine_as_test(
        Machine,
        settings=hypothesis.settings(
            max_examples=8 * rounds,
            stateful_step_count=30,
            deadline=None,
            database=None,
            # Making a failure smaller takes minutes: only `make soak` has them.
            phases=[hypothesis.Phase.generate, *([hypothesis.Phase.shrink] if "SOAK_ROUNDS" in os.environ else [])],
            suppress_health_check=list(hypothesis.HealthCheck),
        ),
    )
