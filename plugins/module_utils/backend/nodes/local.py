# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The backend's own registry of nodes."""

from __future__ import annotations

import typing as t

from .. import libs
from ..schema.tables import tables
from ..store import rows
from ..store.store import CHUNK, Store
from ..store.values import Node

if t.TYPE_CHECKING:
    from ..service.acting import Acting


class LocalNodes:
    """Nodes enrolled over the API or imported. Nothing outside enforces their holds."""

    enforced_by = "none"

    def __init__(self, store: Store) -> None:
        self._store = store

    def find(self, ident: str, acting: Acting, *, by_name: bool = True) -> Node | None:
        """Give the node of this uuid, else of this name. A uuid is compared as it is written, as Ironic does."""
        with self._store.reading() as connection:
            nodes = tables().nodes
            for column in (nodes.c.uuid, nodes.c.name)[: 2 if by_name else 1]:
                row = connection.execute(libs.sqlalchemy.select(nodes).where(column == ident)).first()
                if row is not None:
                    return rows.node(row)
        return None

    def find_many(self, idents: t.Sequence[str], acting: Acting) -> dict[str, Node]:
        """Give the nodes of these uuids or names in a few queries."""
        found: dict[str, Node] = {}
        with self._store.reading() as connection:
            nodes = tables().nodes
            for column in (nodes.c.uuid, nodes.c.name):
                left = [ident for ident in idents if ident not in found]
                for start in range(0, len(left), CHUNK):
                    chunk = left[start : start + CHUNK]
                    for row in connection.execute(libs.sqlalchemy.select(nodes).where(column.in_(chunk))):
                        found[row._mapping[column]] = rows.node(row)
        return found

    def reveal(self, acting: Acting, uuids: t.Collection[str] | None) -> None:
        """Nothing to learn: policy decides."""

    def changed(self, node_ids: t.Collection[int]) -> None:
        """Nobody needs to be told."""

    def enforced(self, node_ids: t.Collection[int]) -> dict[int, bool]:
        """Nothing is enforced."""
        return dict.fromkeys(node_ids, False)
