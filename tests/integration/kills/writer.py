# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Someone who writes to the service, one request after the other, and knows what every acknowledged one must have done.

What it knows is the model of the races' tests. A request without an answer leaves two possible pasts: it happened, or it did not.
"""

from __future__ import annotations

import copy
import dataclasses
import http.client
import json
import random
import threading
import typing as t

from ansible_collections.baremetal.maintenance.tests.integration.races.model import Answer, Hold, Model, ModelNode
from ansible_collections.baremetal.maintenance.tests.integration.races.people import Person
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend
from ansible_collections.baremetal.maintenance.tests.support.service import TYPED, authorization

TYPES: t.Final = ("operator_hold", "hardware_failure")


class Lost(Exception):
    """The request had no answer."""


@dataclasses.dataclass(frozen=True)
class Write:
    """A request, and what it does to the model."""

    method: str
    path: str
    body: t.Any
    apply: t.Callable[[Model], Answer]


class Counter:
    """How many writes were acknowledged, by all writers together."""

    def __init__(self) -> None:
        self._reached = threading.Condition()
        self._number = 0

    @property
    def number(self) -> int:
        """The number so far."""
        return self._number

    def count(self) -> None:
        """Add one."""
        with self._reached:
            self._number += 1
            self._reached.notify_all()

    def wait_for(self, number: int) -> None:
        """Wait until there are so many."""
        with self._reached:
            assert self._reached.wait_for(lambda: self._number >= number, 120), f"{self._number} writes in two minutes"


class Writer:
    """One writer, with nodes that nobody else writes to."""

    def __init__(self, backend: Backend, who: Person, names: t.Sequence[str], chosen: random.Random) -> None:
        self._backend = backend
        self._who = who
        self._names = names
        self._chosen = chosen
        self._texts = 0
        self._connection: http.client.HTTPConnection | None = None
        self._unanswered: Write | None = None
        self.model = Model({})

    def enrol(self) -> None:
        """Enrol its nodes."""
        uuids = {}
        for name in self._names:
            status, node = self.send("POST", "/v1/nodes", {"name": name})
            assert status == 201, node
            uuids[name] = node["uuid"]
        self.model = Model(uuids)

    def write(self, counter: Counter, most: int) -> None:
        """Write until there are so many acknowledged writes of all, or an answer does not come."""
        try:
            while counter.number < most:
                write = self._unanswered = self._next()
                status, body = self.send(write.method, write.path, write.body)
                answer = write.apply(self.model)
                assert status == answer.status, (write.method, write.path, write.body, body)
                self._unanswered = None
                counter.count()
        except Lost:
            pass
        finally:
            self.close()

    def mistakes(self) -> list[str]:
        """Say what the service shows that cannot have come from its writes. Takes over whichever past is the true one."""
        shown = {name: self._shown(name) for name in self._names}
        unanswered, self._unanswered = self._unanswered, None
        before = copy.deepcopy(self.model)
        pasts = [before]
        if unanswered is not None:
            after = copy.deepcopy(before)
            unanswered.apply(after)
            pasts.append(after)
        differences = []
        for past in pasts:
            found = [sentence for name in self._names for sentence in _differences(name, past.nodes[name], shown[name])]
            if not found:
                for name in self._names:
                    for hold, entry in zip(past.nodes[name].holds, shown[name]["entries"], strict=True):
                        hold.uuid = entry["uuid"]
                self.model = past
                return []
            differences += found
        return differences

    def send(self, method: str, path: str, body: t.Any = None) -> tuple[int, t.Any]:
        """Send a request over its connection; give status and body. Raises Lost."""
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self._backend.port, timeout=30)
        headers = {
            "X-OpenStack-Ironic-API-Version": TYPED,
            "Authorization": authorization(self._who.login),
            "Content-Type": "application/json",
        }
        try:
            self._connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = self._connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise Lost(str(error)) from error
        return response.status, json.loads(content) if content else None

    def close(self) -> None:
        """Close its connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _shown(self, name: str) -> dict[str, t.Any]:
        _status, listed = self.send("GET", f"/v1/nodes/{name}/maintenance")
        _status, node = self.send("GET", f"/v1/nodes/{name}")
        events: list[t.Any] = []
        path: str | None = f"/v1/maintenance/history?node={name}"
        while path is not None:
            _status, page = self.send("GET", path)
            events += page["history"]
            path = page["next"] and page["next"].removeprefix(self._backend.url)
        return {"entries": listed["maintenance"], "node": node, "history": events}

    def _next(self) -> Write:
        """Choose what to write next: everything that writes has its turn."""
        who, chosen = self._who, self._chosen
        name = chosen.choice(self._names)
        path = f"/v1/nodes/{name}"
        self._texts += 1
        text = f"reason {self._texts} of {who.login}"
        known = [hold for hold in self.model.nodes[name].holds if hold.uuid is not None]
        typed = [hold for hold in known if not hold.reserved]
        kind = chosen.choice(["power failure", "clean failure"])
        wish = {"type": chosen.choice(TYPES), "reason": text, "key": str(chosen.randrange(4))}
        do = chosen.choice(["add", "add", "add", "many", "put", "patch", "fault", "change", "release", "release", "clear"])
        if do == "many":
            names = list(self._names)

            def add_many(model: Model) -> Answer:
                answers = model.add_many(who, names, wish, "stop")
                return next((answer for answer in answers if answer.status >= 400), Answer(200))

            return Write("POST", "/v1/maintenance", {"nodes": names, **wish}, add_many)
        if do == "put":
            return Write("PUT", f"{path}/maintenance", {"reason": text}, lambda model: model.set_flag(who, name, text))
        if do == "patch":
            value = chosen.random() < 0.7
            body = [{"op": "replace", "path": "/maintenance", "value": value}]
            return Write("PATCH", path, body, lambda model: model.patch_flag(who, name, value))
        if do == "fault":
            body = {"fault": kind, "reason": text}
            return Write("PUT", f"{path}/maintenance/fault", body, lambda model: model.put_fault(who, name, kind, text))
        if do == "clear":
            return Write("DELETE", f"{path}/maintenance", None, lambda model: model.clear_flag(who, name))
        if do == "change" and typed:
            uuid = t.cast(str, chosen.choice(typed).uuid)
            return Write(
                "PATCH", f"{path}/maintenance/{uuid}", {"reason": text}, lambda model: model.change(who, name, uuid, {"reason": text})
            )
        if do == "release" and known:
            uuid = t.cast(str, chosen.choice(known).uuid)
            return Write("DELETE", f"{path}/maintenance/{uuid}", None, lambda model: model.release(who, name, uuid))
        return Write("POST", f"{path}/maintenance", wish, lambda model: model.add(who, name, wish))


def _differences(name: str, node: ModelNode, shown: t.Mapping[str, t.Any]) -> t.Iterator[str]:
    expected = [_of_hold(hold) for hold in node.holds]
    found = [(entry["type"], entry["key"], entry["reason"], entry["extra"].get("fault")) for entry in shown["entries"]]
    if found != expected:
        yield f"{name} has the entries {found}, not {expected}"
    if shown["node"]["maintenance"] != bool(expected):
        yield f"{name}: maintenance is {shown['node']['maintenance']} with {expected}"
    past = [(event["maintenance"]["action"], event["maintenance"]["type"], event["maintenance"]["reason"]) for event in shown["history"]]
    should = [(event.action, event.type, event.reason) for event in node.events]
    if past != should:
        yield f"{name} has {len(past)} events, ending in {past[-3:]}, and should have {len(should)}, ending in {should[-3:]}"
    if [event["maintenance"]["count"] for event in shown["history"]] != [event.count for event in node.events]:
        yield f"{name} counts its folded events otherwise"


def _of_hold(hold: Hold) -> tuple[t.Any, ...]:
    return hold.type, hold.key, hold.reason, hold.fault
