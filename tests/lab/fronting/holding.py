# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Typed holds through the backend of a pair, and what is waited for."""

from __future__ import annotations

import time
import typing as t

from ansible_collections.baremetal.maintenance.tests.lab.direct import Answer, Flag
from ansible_collections.baremetal.maintenance.tests.lab.fronted import TYPED, Fronted


def typed(pair: Fronted, user: str, method: str, path: str, body: t.Any = None) -> Answer:
    """Ask through us at the typed version."""
    return pair.through(user).send(method, path, body, version=TYPED)


def hold(pair: Fronted, node: str, user: str = "owner-member", **body: t.Any) -> dict[str, t.Any]:
    """Assert an operator hold, or what the body says instead; give the entry."""
    answer = typed(pair, user, "POST", f"/v1/nodes/{node}/maintenance", {"type": "operator_hold", **body})
    assert answer.status == 201, (answer.status, answer.content)
    return t.cast("dict[str, t.Any]", answer.json)


def entries(pair: Fronted, node: str, user: str = "system-admin") -> list[dict[str, t.Any]]:
    """Give a node's active entries, oldest first."""
    answer = typed(pair, user, "GET", f"/v1/nodes/{node}/maintenance")
    assert answer.status == 200, (answer.status, answer.content)
    return t.cast("list[dict[str, t.Any]]", answer.json["maintenance"])


def said(pair: Fronted, node: str) -> list[tuple[str, str | None]]:
    """Give type and reason of a node's active entries."""
    return [(entry["type"], entry["reason"]) for entry in entries(pair, node)]


def events(pair: Fronted, node: str) -> list[tuple[str, str, str | None]]:
    """Give action, type and comment of a node's maintenance events, oldest first."""
    answer = typed(pair, "system-admin", "GET", f"/v1/nodes/{node}/history?detail=true&limit=1000")
    assert answer.status == 200, (answer.status, answer.content)
    ours = sorted((event for event in answer.json["history"] if event.get("maintenance")), key=lambda event: event["created_at"])
    return [(event["maintenance"]["action"], event["maintenance"]["type"], event["maintenance"].get("comment")) for event in ours]


def release_all(pair: Fronted, nodes: t.Collection[str], seconds: float = 90.0) -> None:
    """Release everything on these nodes and wait until Ironic has their flags cleared."""
    for node in nodes:
        for entry in entries(pair, node):
            assert typed(pair, "system-admin", "DELETE", f"/v1/nodes/{node}/maintenance/{entry['uuid']}").status in (204, 404)
    until(lambda: not any(pair.ironic.nodes.flags()[node][0] for node in nodes), seconds, "the flags are not cleared")


def flag(pair: Fronted, node: str) -> Flag:
    """Give what Ironic has of a node, from its database."""
    return Flag(*pair.ironic.nodes.flags()[node])


def until(true: t.Callable[[], bool], seconds: float, what: str) -> float:
    """Wait until it is true; give how long that took. Raises AssertionError, saying what, when the time is over."""
    began = time.monotonic()
    while not true():
        assert time.monotonic() - began < seconds, what
        time.sleep(0.05)
    return time.monotonic() - began
