# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Node history and the fleet's history of maintenance (api.md 6, 7 and 10)."""

from __future__ import annotations

import dataclasses
import datetime
import json
import typing as t

from .. import libs
from ..errors import Refusal
from ..schema.tables import tables
from ..store.retention import PURGED
from ..store.values import Node
from . import acting as act
from .acting import Acting
from .parts import Parts

NODE_HISTORY = "baremetal:node:history:get"


@dataclasses.dataclass(frozen=True)
class Past:
    """An event as it is stored, the actor already masked for the reader. Its members are the columns of `node_history`."""

    columns: dict[str, t.Any]

    @property
    def data(self) -> dict[str, t.Any] | None:
        """The event's data, None if it has none."""
        return json.loads(self.columns["data"]) if self.columns["data"] else None


@dataclasses.dataclass(frozen=True)
class Filters:
    """What of the fleet's history to keep. since, until: UTC without a zone; since is included, until is not."""

    node: str | None = None
    type: str | None = None
    user: str | None = None
    action: str | None = None
    ticket: str | None = None
    run: str | None = None
    since: datetime.datetime | None = None
    until: datetime.datetime | None = None


def of_node(
    parts: Parts, acting: Acting, ident: str, *, limit: int, marker: str | None, by_name: bool = True
) -> tuple[Node, list[Past], bool]:
    """Give up to `limit` events of the node after the one of uuid `marker`, oldest first, and whether there are more."""
    sa, history = libs.sqlalchemy, tables().node_history
    node = acting.require_sight(parts.source.find(ident, acting, by_name=by_name), ident)
    acting.require(NODE_HISTORY, node, ident)
    query = sa.select(history).where(history.c.node_uuid == node.uuid).order_by(history.c.id)
    with parts.store.reading() as connection:
        if marker is not None:
            query = query.where(history.c.id > _event(connection, node, marker).id)
        found = connection.execute(query.limit(limit + 1)).all()
    return node, [_masked(acting, node, row) for row in found[:limit]], len(found) > limit


def event_of_node(parts: Parts, acting: Acting, ident: str, event_uuid: str) -> tuple[Node, Past]:
    """Give one event of the node. Refusal: 404 node or event, 403 policy."""
    node = acting.require_sight(parts.source.find(ident, acting), ident)
    acting.require(NODE_HISTORY, node, ident)
    with parts.store.reading() as connection:
        return node, _masked(acting, node, _event(connection, node, event_uuid))


@dataclasses.dataclass(frozen=True)
class Around:
    """Events of a node from a time on, and the time and uuid of the marker where it is one of them."""

    events: list[Past]
    marker: tuple[datetime.datetime, str] | None


def around(
    parts: Parts, acting: Acting, node: Node, *, after: tuple[datetime.datetime, str] | None, marker: str | None, most: int
) -> Around:
    """Give up to `most` maintenance events of a node from the time of `after`, or of the event `marker`, on, oldest first.

    Who asks has made sure that the caller may read the node's history. Refusal 404: the marker is no event of the node.
    """
    sa, history = libs.sqlalchemy, tables().node_history
    query = sa.select(history).where(history.c.node_uuid == node.uuid).order_by(history.c.created_at, history.c.id)
    position = None
    with parts.store.reading() as connection:
        if marker is not None:
            row = _event(connection, node, marker)
            position = (row.created_at, row.uuid)
        since = after or position
        if since is not None:
            query = query.where(history.c.created_at >= since[0])
        found = connection.execute(query.limit(most)).all()
    return Around([_masked(acting, node, row) for row in found], position)


def one(parts: Parts, acting: Acting, node: Node, event_uuid: str) -> Past:
    """Give one maintenance event of a node whose history the caller may read. Refusal 404: there is none."""
    with parts.store.reading() as connection:
        return _masked(acting, node, _event(connection, node, event_uuid))


def of_fleet(parts: Parts, acting: Acting, filters: Filters, *, limit: int, after: int) -> tuple[list[Past], bool]:
    """Give up to `limit` maintenance events past the cursor `after`, in the order in which they were committed, and whether there are more.

    Refusal: 403 not for the caller; 410 retention has taken events past the cursor, so that reading on would miss them.
    """
    if not acting.may(act.FLEET_HISTORY):
        raise Refusal(403, "not_permitted", f"Access was denied to the following resource: {act.FLEET_HISTORY}")
    sa, history, marks = libs.sqlalchemy, tables().node_history, tables().marks
    query = sa.select(history).where(history.c.event_type == "maintenance", history.c.id > after).order_by(history.c.id)
    for name in ("type", "action", "ticket", "run"):
        value = getattr(filters, name)
        if value is not None:
            query = query.where(history.c[name] == value)
    if filters.node is not None:
        query = query.where(sa.or_(history.c.node_uuid == filters.node, history.c.node_name == filters.node))
    if filters.user is not None:
        query = query.where(sa.or_(history.c.user == filters.user, history.c.user_name == filters.user))
    if filters.since is not None:
        query = query.where(history.c.created_at >= filters.since)
    if filters.until is not None:
        query = query.where(history.c.created_at < filters.until)
    # Policy may open the fleet's history to more than system readers; they still don't learn who acted above them.
    if filters.user is not None and not acting.reads_all:
        query = query.where(sa.false())
    with parts.store.reading() as connection:
        purged = connection.execute(sa.select(marks.c.value).where(marks.c.name == PURGED)).scalar() or 0
        if after and after < purged:
            raise Refusal(
                410,
                "invalid",
                f"Events after the cursor {after} are gone by retention: start again without a cursor.",
            )
        found = connection.execute(query.limit(limit + 1)).all()
    return [_masked(acting, None, row) for row in found[:limit]], len(found) > limit


def _event(connection: t.Any, node: Node, event_uuid: str) -> t.Any:
    sa, history = libs.sqlalchemy, tables().node_history
    row = connection.execute(sa.select(history).where(history.c.uuid == event_uuid, history.c.node_uuid == node.uuid)).first()
    if row is None:
        raise Refusal(404, "not_found", f"Node history record {event_uuid} could not be found.", node=node.uuid)
    return row


def _masked(acting: Acting, node: Node | None, row: t.Any) -> Past:
    columns = dict(row._mapping)
    hidden = not acting.reads_all if node is None else acting.hides(columns["actor_scope"] or "system", node)
    if hidden and columns["event_type"] == "maintenance":
        columns.update(user=None, project=None, user_name=None, project_name=None)
    return Past(columns)
