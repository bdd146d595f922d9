# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Leases: who does something that only one process at a time may do. They expire by the database's clock, so a dead holder's end too.

Where a holder is seen to be dead (holders.py) nobody waits for that.
"""

from __future__ import annotations

import datetime

from .. import libs
from ..schema.tables import tables
from . import holders
from .store import Store


def take(store: Store, name: str, holder: str, seconds: float) -> bool:
    """Take or prolong the lease for `seconds` from now; tell whether it is the holder's now."""
    sa, leases = libs.sqlalchemy, tables().leases
    with store.writing() as connection:
        now = store.now(connection)
        until = now + datetime.timedelta(seconds=seconds)
        free = [leases.c.holder == holder, leases.c.expires_at <= now]
        other = connection.execute(sa.select(leases.c.holder).where(leases.c.name == name)).scalar()
        if other is not None and other != holder and holders.is_dead(other):
            free.append(leases.c.holder == other)
        taken = connection.execute(sa.update(leases).where(leases.c.name == name, sa.or_(*free)).values(holder=holder, expires_at=until))
        if taken.rowcount:
            return True
        insert = store.insert(leases).values(name=name, holder=holder, expires_at=until)
        return bool(connection.execute(insert.on_conflict_do_nothing()).rowcount)


def release(store: Store, name: str, holder: str) -> None:
    """Give the lease back, if it is still the holder's."""
    sa, leases = libs.sqlalchemy, tables().leases
    with store.writing() as connection:
        connection.execute(sa.delete(leases).where(leases.c.name == name, leases.c.holder == holder))
