# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers: entries, events and errors as JSON (spec, "REST API impact"; api.md 2, 5, 8 and 10)."""

from __future__ import annotations

import datetime
import json
import typing as t

from ..errors import Refusal
from ..service.acting import Acting
from ..service.history import Past
from ..store.values import Entry, Node
from . import versions


def when(value: datetime.datetime | None) -> str | None:
    """Give a time of the store as Ironic writes times."""
    return None if value is None else value.isoformat() + "+00:00"


def links(base: str, path: str) -> list[dict[str, str]]:
    """Give a resource's links. path: below /v1, without a slash before it."""
    return [{"href": f"{base}/v1/{path}", "rel": "self"}, {"href": f"{base}/{path}", "rel": "bookmark"}]


#: The members of an entry, in order: the specification's, then ours.
ENTRY_FIELDS: t.Final = (
    "uuid",
    "type",
    "reason",
    "scope",
    "asserted_by",
    "asserted_by_project",
    "asserted_at",
    "extra",
    "links",
    "key",
    "ticket",
    "run",
    "asserted_by_name",
    "asserted_by_project_name",
    "own",
    "enforced",
    "enforced_by",
)


def entry(
    acting: Acting, node: Node, value: Entry, *, base: str, enforced: bool, enforced_by: str, dry_run: bool = False
) -> dict[str, t.Any]:
    """Give an entry as the caller may see it. dry_run: it was not written, so it has neither uuid nor time."""
    hidden = acting.hides(value.scope, node)
    unwritten = dry_run and value.id is None
    return {
        "uuid": None if unwritten else value.uuid,
        "type": value.type,
        "reason": value.reason,
        "scope": value.scope,
        "asserted_by": None if hidden else value.asserted_by,
        "asserted_by_project": None if hidden else value.asserted_by_project,
        "asserted_at": None if unwritten else when(value.asserted_at),
        "extra": value.extra,
        "links": [] if unwritten else links(base, f"nodes/{node.uuid}/maintenance/{value.uuid}"),
        "key": value.key,
        "ticket": value.ticket,
        "run": value.run,
        "asserted_by_name": None if hidden else value.asserted_by_name,
        "asserted_by_project_name": None if hidden else value.asserted_by_project_name,
        "own": acting.owns(node, value),
        "enforced": enforced,
        "enforced_by": enforced_by,
    }


#: What a list of events shows of an event's text without `detail`, as in Ironic.
BRIEF_TEXT: t.Final = 255


def event(past: Past, version: int, *, base: str, detail: bool = True) -> dict[str, t.Any]:
    """Give an event of a node's history: Ironic's fields, and from the typed version on what happened to which entry.

    detail False: as a list shows it that was not asked for details, with a long text cut.
    """
    columns = past.columns
    text = columns["event"] or ""
    answer = {
        "uuid": columns["uuid"],
        "created_at": when(columns["created_at"]),
        "severity": columns["severity"],
        "event": columns["event"] if detail or len(text) <= BRIEF_TEXT else text[: BRIEF_TEXT - 4] + "...",
        # It has no bookmark, as Ironic's has none.
        "links": links(base, f"nodes/{columns['node_uuid']}/history/{columns['uuid']}")[:1],
    }
    if detail:
        answer.update(event_type=columns["event_type"], conductor=columns["conductor"], user=columns["user"])
    if detail and version >= versions.HISTORY_PROJECT:
        answer["project"] = columns["project"]
    if detail and version >= versions.HISTORY_STATE:
        answer.update(state=None, target_provision_state=None, duration_seconds=None)
    if version >= versions.typed() and columns["event_type"] == "maintenance":
        answer["maintenance"] = {
            name: columns[name] for name in ("action", "entry_uuid", "type", "scope", "key", "ticket", "run", "reason", "comment")
        }
        answer["maintenance"].update(
            user_name=columns["user_name"],
            project_name=columns["project_name"],
            actor_scope=columns["actor_scope"],
            source=columns["source"],
            data=past.data,
            count=columns["count"],
            last_at=when(columns["updated_at"]),
        )
    return answer


def early_error(refusal: Refusal, title: str) -> dict[str, t.Any]:
    """Give the body of an error in the shape of Ironic's router, title being the words of the status."""
    said = {"code": refusal.status, "title": title, "description": refusal.text}
    return {"error_message": json.dumps(said), "refusal": refusal.to_refusal()}


def error(refusal: Refusal) -> dict[str, t.Any]:
    """Give the body of an error: Ironic's shape, and beside it what a client branches on."""
    fault = {
        "faultcode": "Client" if refusal.status < 500 else "Server",
        "faultstring": refusal.text,
        "debuginfo": None,
    }
    return {"error_message": json.dumps(fault), "refusal": refusal.to_refusal()}
