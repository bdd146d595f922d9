# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What our entries say of nodes is laid over what Ironic says of them.

It only ever adds: a node that our entries hold is shown in maintenance whatever Ironic's flag says in a gap; a node without entries is
shown as Ironic has it, since a flag that nobody has looked at yet holds it as well.
"""

from __future__ import annotations

import dataclasses
import functools
import logging
import typing as t

from .. import libs
from ..errors import Refusal
from ..schema.tables import tables
from ..store.store import CHUNK, Store

_log = logging.getLogger(__name__)

#: The members that are laid over.
MEMBERS: t.Final = ("maintenance", "maintenance_reason", "fault")


@dataclasses.dataclass(frozen=True)
class Held:
    """What the entries of a held node say."""

    node_id: int
    reason: str | None
    fault: str | None


@functools.cache
def _one() -> t.Any:
    sa, nodes = libs.sqlalchemy, tables().nodes
    columns = (nodes.c.uuid, nodes.c.id, nodes.c.maintenance_reason, nodes.c.fault)
    return sa.select(*columns).where(nodes.c.uuid == sa.bindparam("uuid"), nodes.c.maintenance)


class Overlay:
    """Reads what our table says of nodes."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def held(self, uuids: t.Collection[str]) -> dict[str, Held]:
        """Give the nodes among these that are held, by uuid. A database that fails is Refusal 503."""
        sa, nodes = libs.sqlalchemy, tables().nodes
        wanted = list(uuids)
        found: dict[str, Held] = {}
        columns = (nodes.c.uuid, nodes.c.id, nodes.c.maintenance_reason, nodes.c.fault)
        with self._store.reading() as connection:
            if len(wanted) == 1:
                # What is asked for most is not put together anew each time.
                row = connection.execute(_one(), {"uuid": wanted[0]}).first()
                return {} if row is None else {row.uuid: Held(row.id, row.maintenance_reason, row.fault)}
            for start in range(0, len(wanted), CHUNK):
                query = sa.select(*columns).where(nodes.c.uuid.in_(wanted[start : start + CHUNK]), nodes.c.maintenance)
                found |= {row.uuid: Held(row.id, row.maintenance_reason, row.fault) for row in connection.execute(query)}
        return found

    def lay(self, rows: t.Sequence[dict[str, t.Any]]) -> None:
        """Lay it over nodes as Ironic's answers have them, in place; only members that they have are changed.

        With the database away they stay as Ironic has them, which keeps its flag for whatever is held.
        """
        try:
            held = self.held([row["uuid"] for row in rows if isinstance(row.get("uuid"), str)])
        except Refusal as refusal:
            _log.warning("nodes are shown as Ironic has them: %s", refusal.text)
            return
        for row in rows:
            over = held.get(row.get("uuid", ""))
            if over is None:
                continue
            if "maintenance" in row:
                row["maintenance"] = True
            if "maintenance_reason" in row:
                row["maintenance_reason"] = over.reason
            if "fault" in row and over.fault is not None:
                row["fault"] = over.fault
