# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The active entries over the whole fleet (api.md 7)."""

from __future__ import annotations

import dataclasses
import datetime
import typing as t

from .. import libs
from ..errors import Refusal
from ..schema.tables import tables
from ..store import rows
from ..store.values import Entry, Node
from . import acting as act
from . import visibility
from .acting import Acting
from .parts import Parts

#: Rows that one query brings; policy may drop some of them.
BATCH = 1000


@dataclasses.dataclass(frozen=True)
class Filters:
    """What to keep. older_than: seconds. node: a uuid or a name. fault: a kind of fault."""

    type: str | None = None
    scope: str | None = None
    project: str | None = None
    asserted_by: str | None = None
    node: str | None = None
    owner: str | None = None
    lessee: str | None = None
    older_than: int | None = None
    fault: str | None = None
    key: str | None = None
    ticket: str | None = None
    run: str | None = None


def list_entries(
    parts: Parts, acting: Acting, filters: Filters, *, limit: int, marker: str | None
) -> tuple[list[tuple[Node, Entry]], bool]:
    """Give up to `limit` entries after the one of uuid `marker`, in the order of their ids, and whether there are more.

    A masked asserter counts as null: no filter finds an entry by it. Refusal 404: the marker is not an entry that the caller sees.
    """
    entries = tables().node_maintenance
    parts.source.reveal(acting, None)
    with parts.store.reading() as connection:
        query = _filtered(_listed(acting).order_by(entries.c.id), acting, filters, parts.store.now(connection))
        after = _after(connection, acting, marker)
        found: list[tuple[Node, Entry]] = []
        while len(found) <= limit:
            batch = connection.execute(query.where(entries.c.id > after).limit(BATCH)).all()
            for row in batch:
                after = row.entry_id
                node, entry = _pair(row)
                if _reads(acting, node, entry):
                    found.append((node, entry))
            if len(batch) < BATCH:
                break
    return found[:limit], len(found) > limit


def _after(connection: t.Any, acting: Acting, marker: str | None) -> int:
    if marker is None:
        return 0
    row = connection.execute(_listed(acting).where(tables().node_maintenance.c.uuid == marker)).first()
    if row is None or not _reads(acting, *_pair(row)):
        raise Refusal(
            404,
            "not_found",
            f"Maintenance entry {marker} could not be found: it was released while you paged; list again from the start.",
        )
    return row.entry_id


def _listed(acting: Acting) -> t.Any:
    """Give the query of all entries with their nodes, as far as SQL can tell what the caller may list; policy is asked for each."""
    sa, table = libs.sqlalchemy, tables()
    entries, nodes = table.node_maintenance, table.nodes
    columns = (*nodes.c, *(column.label(f"entry_{column.key}") for column in entries.c))
    return sa.select(*columns).join_from(entries, nodes).where(visibility.nodes(acting))


def _reads(acting: Acting, node: Node, entry: Entry) -> bool:
    return acting.may(act.GET, node, entry) and acting.sees(node)


def _filtered(query: t.Any, acting: Acting, filters: Filters, now: datetime.datetime) -> t.Any:
    sa, table = libs.sqlalchemy, tables()
    entries, nodes = table.node_maintenance, table.nodes
    for name in ("type", "scope", "key", "ticket", "run"):
        value = getattr(filters, name)
        if value is not None:
            query = query.where(entries.c[name] == value)
    for name in ("owner", "lessee", "fault"):
        value = getattr(filters, name)
        if value is not None:
            query = query.where(nodes.c[name] == value)
    if filters.fault is not None:
        query = query.where(entries.c.type == "fault")
    if filters.node is not None:
        query = query.where(sa.or_(nodes.c.uuid == filters.node, nodes.c.name == filters.node))
    if filters.older_than is not None:
        since_ever = int((now - datetime.datetime.min).total_seconds())
        before = now - datetime.timedelta(seconds=min(filters.older_than, since_ever))
        query = query.where(entries.c.asserted_at < before)
    for column, value in ((entries.c.asserted_by_project, filters.project), (entries.c.asserted_by, filters.asserted_by)):
        if value is not None:
            query = query.where(column == value, visibility.asserter(acting, entries.c.scope))
    return query


class _Columns:
    """The columns of one table out of a joined row, in the shape that rows.node and rows.entry read."""

    def __init__(self, columns: dict[str, t.Any]) -> None:
        self._mapping = columns
        self.__dict__.update(columns)


def _pair(row: t.Any) -> tuple[Node, Entry]:
    mapping = row._mapping
    node = rows.node(_Columns({column.key: mapping[column.key] for column in tables().nodes.c}))
    entry = rows.entry(_Columns({column.key: mapping[f"entry_{column.key}"] for column in tables().node_maintenance.c}))
    return node, entry
