# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The native groups: which exist, and which of them a node is in."""

from __future__ import annotations

import re
import typing as t

from ...module_utils.rules import faults, scopes
from . import snapshot
from .errors import InventoryError

_UNSAFE = re.compile(r"[^A-Za-z0-9_]")
_PREFIX = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)?")


def safe(text: str) -> str:
    """Give the text with every character that a group name can't have replaced by an underscore."""
    return _UNSAFE.sub("_", text)


class NativeGroups:
    """The groups that are made of holds. All exist in every inventory, empty or not: a pattern never fails open for want of one."""

    def __init__(self, fleet: snapshot.Snapshot, prefix: str) -> None:
        """Raise InventoryError if the prefix can't begin a group name, or if two types, scopes or faults would share a group."""
        if not _PREFIX.fullmatch(prefix):
            raise InventoryError(f"group_prefix {prefix!r} can't begin the name of a group: use letters, digits and underscores")
        self.any = f"{prefix}any"
        self.none = f"{prefix}none"
        self._types = _family(f"{prefix}type_", fleet.types, fleet.nodes, snapshot.hold_types)
        self._scopes = _family(f"{prefix}scope_", scopes.SCOPES, fleet.nodes, snapshot.hold_scopes)
        self._faults = _family(f"{prefix}fault_", faults.KINDS, fleet.nodes, snapshot.faults)

    @property
    def names(self) -> list[str]:
        """All groups, in the order in which they are made."""
        return [self.any, self.none, *self._types.values(), *self._scopes.values(), *self._faults.values()]

    def of(self, node: snapshot.Node) -> list[str]:
        """Give the groups of one node of the fleet."""
        return [
            self.any if snapshot.is_held(node) else self.none,
            *(self._types[type] for type in snapshot.hold_types(node)),
            *(self._scopes[scope] for scope in snapshot.hold_scopes(node)),
            *(self._faults[kind] for kind in snapshot.faults(node)),
        ]


def _family(
    prefix: str,
    known: t.Iterable[str],
    nodes: t.Iterable[snapshot.Node],
    of_node: t.Callable[[snapshot.Node], list[str]],
) -> dict[str, str]:
    """Give word → group for the known words and those met on nodes (a type taken out of the registry may still be held)."""
    met = {word for node in nodes for word in of_node(node)}
    groups: dict[str, str] = {}
    words: dict[str, str] = {}
    for word in (*known, *sorted(met)):
        group = f"{prefix}{safe(word)}"
        if words.setdefault(group, word) != word:
            raise InventoryError(f"{words[group]!r} and {word!r} would both be group {group}: rename one of them at the service")
        groups[word] = group
    return groups
