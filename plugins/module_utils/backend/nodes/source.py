# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The node source: where nodes live. The rest of the backend knows nodes by this interface only."""

from __future__ import annotations

import typing as t

from ..store.values import Node

if t.TYPE_CHECKING:
    from ..service.acting import Acting


class NodeSource(t.Protocol):
    """A registry of nodes. `enforced_by` says what a hold stops: `none` on local nodes, where it stops only those who ask."""

    enforced_by: str

    def find(self, ident: str, acting: Acting, *, by_name: bool = True) -> Node | None:
        """Give the node of this uuid, else of this name (by_name), else None. acting: whose eyes the source may look with."""

    def find_many(self, idents: t.Sequence[str], acting: Acting) -> dict[str, Node]:
        """Give the nodes of these uuids or names, by what they were asked as; the missing are absent."""

    def reveal(self, acting: Acting, uuids: t.Collection[str] | None) -> None:
        """Let `acting` know which of these nodes (None: of all) exist for it, where that is not policy's business."""

    def changed(self, node_ids: t.Collection[int]) -> None:
        """Learn, after the commit, that entries of these nodes changed."""

    def enforced(self, node_ids: t.Collection[int]) -> dict[int, bool]:
        """Tell for each node whether what enforces its holds has caught up with them."""
