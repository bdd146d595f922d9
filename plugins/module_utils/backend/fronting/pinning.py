# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the service is pinned to boolean-only behaviour, for a rolling upgrade (`pin`, `unpin`). A row, so that all replicas agree."""

from __future__ import annotations

import typing as t

from .. import libs
from ..schema.tables import tables
from ..store.store import Store

_NAME: t.Final = "pinned"


def is_pinned(store: Store) -> bool:
    """Tell whether the service is pinned."""
    sa, marks = libs.sqlalchemy, tables().marks
    with store.reading() as connection:
        return bool(connection.execute(sa.select(marks.c.value).where(marks.c.name == _NAME)).scalar())


def pin(store: Store, pinned: bool) -> bool:
    """Pin or unpin; tell whether that changed anything."""
    sa, marks = libs.sqlalchemy, tables().marks
    with store.writing() as connection:
        before = bool(connection.execute(sa.select(marks.c.value).where(marks.c.name == _NAME)).scalar())
        connection.execute(sa.delete(marks).where(marks.c.name == _NAME))
        if pinned:
            connection.execute(sa.insert(marks).values(name=_NAME, value=1))
    return before != pinned
