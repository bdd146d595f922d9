# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Histories for the tests of retention: events of any age, written straight into the table."""

from __future__ import annotations

import datetime
import typing as t
import uuid

import sqlalchemy as sa
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema.tables import tables
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store import retention
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.store import Store

NOW: t.Final = datetime.datetime(2026, 6, 10, 12, 0, 0, 123456)
TICK: t.Final = datetime.timedelta(microseconds=1)


class StoppedClock(Store):
    """A store whose clock stands still at NOW."""

    def now(self, connection: t.Any) -> datetime.datetime:
        """Give NOW."""
        return NOW


def days(number: float) -> datetime.timedelta:
    """So many days."""
    return datetime.timedelta(days=number)


def happened(
    store: Store,
    name: str,
    age: datetime.timedelta,
    *,
    node: str = "node-1",
    kind: str | None = "maintenance",
    again: datetime.timedelta | None = None,
) -> int:
    """Write an event of this age before NOW; give its id. name: its uuid. again: the age of its last occurrence, if it was folded."""
    with store.writing() as connection:
        return connection.execute(
            sa.insert(tables().node_history).values(
                uuid=name,
                created_at=NOW - age,
                node_uuid=node,
                event_type=kind,
                event=name,
                count=1 if again is None else 2,
                updated_at=None if again is None else NOW - again,
            )
        ).inserted_primary_key[0]


def provisioned(store: Store, number: int, age: datetime.timedelta, *, node: str = "node-1", kind: str | None = "provisioning") -> None:
    """Write so many other events of a node, all of this age, named node/0, node/1 … in the order in which they happened."""
    rows = [
        {"uuid": f"{node}/{place}", "created_at": NOW - age, "node_uuid": node, "event_type": kind, "event": str(uuid.uuid4())}
        for place in range(number)
    ]
    with store.writing() as connection:
        connection.execute(sa.insert(tables().node_history), rows)


def left(store: Store) -> list[str]:
    """The names of the events that are there, in order."""
    history = tables().node_history
    with store.reading() as connection:
        return list(connection.execute(sa.select(history.c.uuid).order_by(history.c.id)).scalars())


def purge(store: Store, *, maintenance_days: int = 400, other_days: int = 0, other_most: int = 300) -> int:
    """Run retention with the defaults of the configuration, but for what is given."""
    return retention.purge(store, maintenance_days=maintenance_days, other_days=other_days, other_most=other_most)
