# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults of local nodes: the entry that a service identity asserts when it finds a node broken (api.md 5)."""

from __future__ import annotations

import dataclasses

from ...rules import scopes, types
from ..errors import Refusal
from ..store.values import Changes, Locked
from . import acting as act
from . import decisions
from .acting import Acting
from .decisions import Wish
from .holds import Held, locked_node
from .parts import Parts


def put_fault(parts: Parts, acting: Acting, ident: str, kind: str, reason: str | None, *, dry_run: bool = False) -> Held:
    """Assert the node's fault, or update it in place: asserter and time stay. Refusal: 404 node, 403 maintenance:fault."""
    found = acting.require_sight(parts.source.find(ident, acting), ident)
    # Whoever asserts it does so as the service: history says where it comes from.
    service = acting.from_source("fault")

    def decide(locked: Locked) -> Changes:
        node, entries = locked_node(locked, ident)
        acting.require_sight(node, ident)
        # What policy sees is the entry to come, also where there is one already, which is then updated in place.
        coming = dataclasses.replace(
            decisions.new_entry(acting, node, Wish(types.FAULT, reason, {"fault": kind}), scopes.SYSTEM, locked.now[node.id]),
            asserted_by_project="",
            asserted_by_project_name=None,
        )
        if not acting.may(act.FAULT, node, coming):
            raise Refusal(
                403,
                "not_permitted",
                f"Cannot assert a fault on node {ident}: policy {act.FAULT} does not permit it to you; a service identity or a"
                " system administrator may",
                node=ident,
            )
        for entry in entries:
            if entry.type == types.FAULT:
                after = dataclasses.replace(entry, reason=reason, extra={**entry.extra, "fault": kind})
                event = decisions.event(service, node, after, "update", data={"fault": kind}, fold=True)
                return Changes(answer=Held(node, after), update=[after], events=[event])
        event = decisions.event(service, node, coming, "assert", data={"fault": kind})
        return Changes(answer=Held(node, coming, created=True), insert=[coming], events=[event])

    held = parts.store.change([found.id], decide, dry_run=dry_run)
    if not dry_run:
        parts.source.changed([found.id])
    return held
