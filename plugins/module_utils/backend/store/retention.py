# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Retention of history: what may go, and when (api.md 6)."""

from __future__ import annotations

import datetime
import typing as t

from .. import libs
from ..schema.tables import tables
from .store import Store

#: The mark that keeps the highest id of a maintenance event that retention took.
PURGED = "history_purged"


def purge(store: Store, *, maintenance_days: int, other_days: int, other_most: int) -> int:
    """Delete the events that are past their time; give their number.

    Maintenance events go when older than maintenance_days (0: never), whatever their number. Other events go as in Ironic:
    beyond the newest other_most of a node (0: no limit), if older than other_days.
    """
    sa, history = libs.sqlalchemy, tables().node_history
    kind = sa.func.coalesce(history.c.event_type, "") == "maintenance"
    with store.writing() as connection:
        now = store.now(connection)
        taken = 0
        if maintenance_days:
            # A folded event is as old as its newest occurrence.
            last = sa.func.coalesce(history.c.updated_at, history.c.created_at)
            old = sa.and_(kind, last < now - datetime.timedelta(days=maintenance_days))
            newest = connection.execute(sa.select(sa.func.max(history.c.id)).where(old)).scalar()
            if newest is not None:
                _mark(store, connection, newest)
                taken += connection.execute(sa.delete(history).where(old)).rowcount
        if other_most:
            taken += _beyond(connection, sa.not_(kind), now - datetime.timedelta(days=other_days), other_most)
        return taken


def _beyond(connection: t.Any, kind: t.Any, before: datetime.datetime, most: int) -> int:
    sa, history = libs.sqlalchemy, tables().node_history
    ranked = (
        sa.select(
            history.c.id,
            history.c.created_at,
            sa.func.row_number().over(partition_by=history.c.node_uuid, order_by=history.c.id.desc()).label("place"),
        )
        .where(kind)
        .subquery()
    )
    gone = sa.select(ranked.c.id).where(ranked.c.place > most, ranked.c.created_at < before)
    return connection.execute(sa.delete(history).where(history.c.id.in_(gone))).rowcount


def _mark(store: Store, connection: t.Any, newest: int) -> None:
    sa, marks = libs.sqlalchemy, tables().marks
    # Another backend on the same database may be doing the same.
    connection.execute(store.insert(marks).values(name=PURGED, value=newest).on_conflict_do_nothing())
    connection.execute(sa.update(marks).where(marks.c.name == PURGED, marks.c.value < newest).values(value=newest))
