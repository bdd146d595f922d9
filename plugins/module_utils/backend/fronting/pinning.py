# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the service is pinned to boolean-only behaviour, for a rolling upgrade (`pin`, `unpin`). A row, so that all replicas agree."""

from __future__ import annotations

import contextlib
import time
import typing as t

from .. import libs
from ..errors import Refusal
from ..schema.tables import tables
from ..store.store import Store

_NAME: t.Final = "pinned"


def is_pinned(store: Store) -> bool:
    """Tell whether the service is pinned."""
    sa, marks = libs.sqlalchemy, tables().marks
    with store.reading() as connection:
        return bool(connection.execute(sa.select(marks.c.value).where(marks.c.name == _NAME)).scalar())


class Pinned:
    """Whether the service is pinned, as a web worker asks it with every request: the row is read once a second."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._until = 0.0
        self._value = False

    def __call__(self) -> bool:
        """Tell it. A database that fails leaves it as it was last."""
        now = time.monotonic()
        if now >= self._until:
            self._until = now + 1.0
            with contextlib.suppress(Refusal):
                self._value = is_pinned(self._store)
        return self._value


def pin(store: Store, pinned: bool) -> bool:
    """Pin or unpin; tell whether that changed anything."""
    sa, marks = libs.sqlalchemy, tables().marks
    with store.writing() as connection:
        before = bool(connection.execute(sa.select(marks.c.value).where(marks.c.name == _NAME)).scalar())
        connection.execute(sa.delete(marks).where(marks.c.name == _NAME))
        if pinned:
            connection.execute(store.insert(marks).values(name=_NAME, value=1).on_conflict_do_nothing())
    return before != pinned
