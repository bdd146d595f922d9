# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The node source: where nodes live. The rest of the backend knows nodes by this interface only."""

from __future__ import annotations

import typing as t

from ..store.values import Node


class NodeSource(t.Protocol):
    """A registry of nodes. `enforced_by` says what a hold stops: `none` on local nodes, where it stops only those who ask."""

    enforced_by: str

    def find(self, ident: str, *, by_name: bool = True) -> Node | None:
        """Give the node of this uuid, else of this name (by_name), else None."""

    def find_many(self, idents: t.Sequence[str]) -> dict[str, Node]:
        """Give the nodes of these uuids or names, by what they were asked as; the missing are absent."""

    def changed(self, node_ids: t.Collection[int]) -> None:
        """Learn, after the commit, that entries of these nodes changed."""

    def enforced(self, node_ids: t.Collection[int]) -> dict[int, bool]:
        """Tell for each node whether what enforces its holds has caught up with them."""
