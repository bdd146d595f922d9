# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random calls of everyone on the same nodes, and what each call's answer promises of the database afterwards."""

from __future__ import annotations

import dataclasses
import random
import typing as t

from .people import CONDUCTOR, EVERYONE, OPERATORS, TENANCIES, WRITERS, Person
from .talking import Answer, Client

TYPES: t.Final = ("operator_hold", "hardware_failure")
TICKETS: t.Final = ("CHG-1", "CHG-2", "CHG-3")
KEYS: t.Final = ("", "", "team-1")


@dataclasses.dataclass
class Promises:
    """What the answers of one caller promise: entries that were asserted and released, and runs of `stop` that were or were not."""

    calls: int = 0
    asserted: list[str] = dataclasses.field(default_factory=list)
    released: list[str] = dataclasses.field(default_factory=list)
    #: The run of each bulk call in one transaction, with the number of nodes that it got: all or none.
    whole: dict[str, int] = dataclasses.field(default_factory=dict)
    #: Answers that no call may have.
    wrong: list[str] = dataclasses.field(default_factory=list)


class Caller:
    """One connection that calls at random, as anyone."""

    def __init__(self, client: Client, nodes: t.Sequence[str], chosen: random.Random, name: str) -> None:
        self._client = client
        self._nodes = nodes
        self._chosen = chosen
        self._name = name
        self._seen: list[tuple[str, str]] = []
        self.promises = Promises()

    def call(self) -> None:
        """Call once."""
        chosen = self._chosen
        self.promises.calls += 1
        do = chosen.choice(
            [self._assert] * 5
            + [self._release] * 5
            + [self._change, self._put, self._clear, self._patch, self._fault]
            + [self._assert_many, self._assert_many, self._release_many, self._release_by_ticket, self._release_these, self._lease]
        )
        do(chosen.choice([*EVERYONE, *WRITERS]), chosen.choice(self._nodes))

    def _send(self, who: Person, method: str, path: str, body: t.Any, *allowed: int, typed: bool = True) -> Answer:
        answer = self._client.send(who.login, method, path, body, typed=typed)
        if answer.status not in (*allowed, 403, 404):
            self.promises.wrong.append(f"{who.login} {method} {path} {body}: {answer}")
        return answer

    def _wish(self) -> dict[str, t.Any]:
        chosen = self._chosen
        return {
            "type": chosen.choice(TYPES),
            "reason": f"{self._name}, call {self.promises.calls}",
            "key": chosen.choice(KEYS),
            "ticket": chosen.choice((None, *TICKETS)),
        }

    def _asserted(self, node: str, uuid: str) -> None:
        self.promises.asserted.append(uuid)
        self._seen.append((node, uuid))

    def _some(self) -> list[str]:
        return self._chosen.sample(self._nodes, self._chosen.randint(1, 6))

    def _pick(self, who: Person, node: str) -> tuple[str, str] | None:
        """Give a node and an entry: one that it asserted, or one that somebody else did and it reads of."""
        if self._seen and self._chosen.random() < 0.3:
            return self._chosen.choice(self._seen)
        listed = self._send(who, "GET", f"/nodes/{node}/maintenance", None, 200)
        entries = listed.body["maintenance"] if listed.status == 200 else []
        return (node, self._chosen.choice(entries)["uuid"]) if entries else None

    def _assert(self, who: Person, node: str) -> None:
        answer = self._send(who, "POST", f"/nodes/{node}/maintenance", self._wish(), 201, 409)
        if answer.status == 201:
            self._asserted(node, answer.body["uuid"])

    def _release(self, who: Person, node: str) -> None:
        found = self._pick(who, node)
        if found is not None and self._send(who, "DELETE", "/nodes/{}/maintenance/{}".format(*found), None, 204).status == 204:
            self.promises.released.append(found[1])

    def _change(self, who: Person, node: str) -> None:
        found = self._pick(who, node)
        if found is not None:
            wish = self._wish()
            changes = {"reason": wish["reason"], "ticket": wish["ticket"]}
            self._send(who, "PATCH", "/nodes/{}/maintenance/{}".format(*found), changes, 200, 400)

    def _put(self, who: Person, node: str) -> None:
        typed = self._chosen.random() < 0.5
        self._send(who, "PUT", f"/nodes/{node}/maintenance", {"reason": self._wish()["reason"]}, 202, typed=typed)

    def _clear(self, who: Person, node: str) -> None:
        typed = self._chosen.random() < 0.5
        self._send(who, "DELETE", f"/nodes/{node}/maintenance", None, 204 if typed else 202, typed=typed)

    def _patch(self, who: Person, node: str) -> None:
        value = self._chosen.random() < 0.5
        self._send(who, "PATCH", f"/nodes/{node}", [{"op": "replace", "path": "/maintenance", "value": value}], 200)

    def _fault(self, who: Person, node: str) -> None:
        body = {"fault": self._chosen.choice(["power failure", "clean failure"]), "reason": self._wish()["reason"]}
        answer = self._send(self._chosen.choice([who, CONDUCTOR]), "PUT", f"/nodes/{node}/maintenance/fault", body, 200, 201)
        if answer.status == 201:
            self._asserted(node, answer.body["uuid"])

    def _assert_many(self, who: Person, _node: str) -> None:
        nodes, mode = self._some(), self._chosen.choice(["stop", "continue"])
        run = f"{self._name}/{self.promises.calls}"
        answer = self._send(who, "POST", "/maintenance", {"nodes": nodes, **self._wish(), "run": run, "on_error": mode}, 200, 409)
        results = answer.body["results"] if answer.status == 200 else []
        for result in results:
            if result["status"] == 201:
                self._asserted(result["node"], result["entry"]["uuid"])
        if mode == "stop":
            self.promises.whole[run] = len(nodes) if answer.status == 200 else 0

    def _release_many(self, who: Person, _node: str) -> None:
        body = {"nodes": self._some(), "type": self._chosen.choice(TYPES), "key": self._chosen.choice(KEYS)}
        self._released(who, body)

    def _release_by_ticket(self, who: Person, _node: str) -> None:
        self._released(who, {"ticket": self._chosen.choice(TICKETS)})

    def _release_these(self, who: Person, _node: str) -> None:
        if self._seen:
            self._released(who, {"entries": sorted({self._chosen.choice(self._seen)[1] for _number in range(3)})})

    def _released(self, who: Person, body: dict[str, t.Any]) -> None:
        body["on_error"] = self._chosen.choice(["stop", "continue"])
        answer = self._send(who, "POST", "/maintenance/release", body, 200)
        for result in answer.body["results"] if answer.status == 200 else []:
            if result["status"] == 204 and result["entry"] is not None:
                self.promises.released.append(result["entry"]["uuid"])

    def _lease(self, _who: Person, node: str) -> None:
        body = [{"op": "replace", "path": "/lessee", "value": self._chosen.choice(TENANCIES)}]
        self._send(OPERATORS[0], "PATCH", f"/nodes/{node}", body, 200)
