# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds as requests describe them: the members of POST and PATCH, checked (spec, "REST API impact"; api.md 2 and 5)."""

from __future__ import annotations

import json
import typing as t

from ...rules import faults, types
from ..errors import Refusal
from ..service.decisions import Wish
from .bodies import MISSING

MOST_REASON: t.Final = 4096
MOST_EXTRA: t.Final = 64 * 1024
MOST_KEY: t.Final = 64
MOST_LABEL: t.Final = 255

WISH_MEMBERS: t.Final = ("type", "reason", "extra", "key", "ticket", "run")
CHANGE_MEMBERS: t.Final = ("reason", "extra", "ticket", "run")
#: What the backend derives from who the caller is; refused with a sentence of its own.
DERIVED: t.Final = (
    "uuid",
    "scope",
    "asserted_by",
    "asserted_by_name",
    "asserted_by_project",
    "asserted_by_project_name",
    "asserted_at",
    "links",
    "own",
    "enforced",
    "enforced_by",
)


def members(body: t.Any, allowed: t.Collection[str], node: str | None) -> dict[str, t.Any]:
    """Give the body's members. Refusal 400: it is not an object, or has a member that is not allowed."""
    if body is MISSING or not isinstance(body, dict):
        raise Refusal(400, "invalid", f"The body must be a JSON object with {', '.join(allowed)}.", node=node)
    for name in body:
        if name in DERIVED:
            raise Refusal(
                400,
                "invalid",
                f"The member {name!r} is derived from who you are and can't be given; leave it out.",
                node=node,
            )
        if name not in allowed:
            raise Refusal(400, "invalid", f"The member {name!r} is not known here; known are {', '.join(allowed)}.", node=node)
    return body


def wish(body: t.Mapping[str, t.Any], registry: types.Registry, node: str | None = None) -> Wish:
    """Give the hold that the members ask for. Refusal 400: each mistake has its own sentence."""
    name = body.get("type")
    where = f" on node {node}" if node else ""
    if not isinstance(name, str) or not name:
        raise Refusal(
            400, "invalid", f"Cannot assert a hold{where}: type is required; known types are {', '.join(registry.assertable)}.", node=node
        )
    if name in types.RESERVED:
        remedy = {
            types.LEGACY: "set maintenance through the boolean endpoint (PUT) instead",
            types.FAULT: "a service identity asserts it through PUT maintenance/fault",
        }[name]
        raise Refusal(400, "reserved_type", f"Cannot assert type {name!r}{where}: it is reserved; {remedy}.", node=node)
    if name not in registry:
        raise Refusal(
            400,
            "unknown_type",
            f"Cannot assert type {name[:80]!r}{where}: it is not a known type; known types are {', '.join(registry.assertable)}.",
            node=node,
        )
    return Wish(
        type=name,
        reason=reason(body.get("reason"), node),
        extra=extra(body.get("extra"), node),
        key=label(body.get("key"), "key", MOST_KEY, node) or "",
        ticket=label(body.get("ticket"), "ticket", MOST_LABEL, node),
        run=label(body.get("run"), "run", MOST_LABEL, node),
    )


def changes(body: t.Mapping[str, t.Any], node: str | None = None) -> dict[str, t.Any]:
    """Give what a PATCH of an entry changes: only the members that are there."""
    given: dict[str, t.Any] = {}
    if "reason" in body:
        given["reason"] = reason(body["reason"], node)
    if "extra" in body:
        given["extra"] = extra(body["extra"], node)
    for name in ("ticket", "run"):
        if name in body:
            given[name] = label(body[name], name, MOST_LABEL, node)
    return given


def reason(value: t.Any, node: str | None) -> str | None:
    """Give a typed entry's reason; "" counts as none."""
    if value is not None and not isinstance(value, str):
        raise Refusal(400, "invalid", "The member 'reason' is a text or null.", node=node)
    if value and len(value) > MOST_REASON:
        raise Refusal(
            400,
            "invalid",
            f"The reason has {len(value)} characters, {MOST_REASON} at most are kept: shorten it, or put it into extra.",
            node=node,
        )
    return value or None


def comment(value: t.Any) -> str | None:
    """Give why entries are released; "" counts as nothing said."""
    if value is not None and not isinstance(value, str):
        raise Refusal(400, "invalid", "The member 'comment' is a text or null.")
    if value and len(value) > MOST_REASON:
        raise Refusal(400, "invalid", f"The comment has {len(value)} characters, {MOST_REASON} at most are kept: shorten it.")
    return value or None


def extra(value: t.Any, node: str | None) -> dict[str, t.Any]:
    """Give an entry's extra."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Refusal(400, "invalid", "The member 'extra' is a JSON object.", node=node)
    size = len(json.dumps(value, ensure_ascii=False).encode())
    if size > MOST_EXTRA:
        raise Refusal(400, "invalid", f"The member 'extra' has {size} bytes of JSON, {MOST_EXTRA} at most are kept.", node=node)
    return value


def label(value: t.Any, name: str, most: int, node: str | None) -> str | None:
    """Give a label; "" counts as none."""
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise Refusal(400, "invalid", f"The member {name!r} is a text.", node=node)
    if len(value) > most:
        raise Refusal(400, "invalid", f"The member {name!r} has {len(value)} characters, {most} at most are kept.", node=node)
    return value


def fault(value: t.Any, node: str | None) -> str:
    """Give a kind of fault."""
    if value not in faults.KINDS:
        raise Refusal(
            400, "invalid", f"Cannot assert a fault on node {node}: fault is one of {', '.join(map(repr, faults.KINDS))}.", node=node
        )
    return value
