# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a node is derived from its entries: the flag, its reason, the kind of its fault."""

from __future__ import annotations

import typing as t

from ...rules import reasons, types
from .values import Entry, Node


def columns(node: Node, entries: t.Sequence[Entry], deleted: t.Iterable[Entry]) -> dict[str, t.Any]:
    """Give the node's derived columns. entries: those that stay, oldest first. deleted: those that the change releases, of any node.

    A fault of before revision 002 has no entry: it ends with the node's maintenance.
    """
    kinds = [entry.extra.get("fault") for entry in entries if entry.type == types.FAULT]
    released = any(entry.type == types.FAULT and entry.node_id == node.id for entry in deleted)
    if kinds:
        fault = kinds[0]
    else:
        fault = node.fault if entries and not released else None
    return {
        "maintenance": bool(entries),
        "maintenance_reason": reasons.synthesise([(entry.type, entry.reason) for entry in entries]),
        "fault": fault,
    }
