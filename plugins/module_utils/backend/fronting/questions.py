# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the reconciler does not do without an operator's word: asked once, shown by `reconcile --show`, done after `--accept ID`."""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import json
import logging
import typing as t

from .. import libs
from ..schema.tables import tables
from ..store.store import Store

_log = logging.getLogger(__name__)

#: An operator's word holds for so long; what is asked later is another question.
GOOD_FOR = datetime.timedelta(hours=1)
#: A question that nobody has asked again for so long is over.
_OVER = datetime.timedelta(days=7)


@dataclasses.dataclass(frozen=True)
class Question:
    """kind: what is asked for. data: what exactly it is about, as JSON."""

    id: str
    kind: str
    asked_at: datetime.datetime
    text: str
    data: dict[str, t.Any]
    accepted: bool


def accepted(store: Store, kind: str, text: str, data: dict[str, t.Any]) -> bool:
    """Tell whether an operator has accepted just this within the last hour, and use that word up; else ask, with one alert in the log.

    data: what exactly it is about. If that changes it is another question, with another id.
    """
    sa, table = libs.sqlalchemy, tables().questions
    raw = json.dumps(data, sort_keys=True)
    id_ = hashlib.sha256(f"{kind} {raw}".encode()).hexdigest()[:12]
    with store.writing() as connection:
        now = store.now(connection)
        connection.execute(sa.delete(table).where(table.c.asked_at < now - _OVER))
        row = connection.execute(sa.select(table).where(table.c.id == id_)).first()
        if row is not None and row.accepted_at is not None and row.accepted_at > now - GOOD_FOR:
            connection.execute(sa.delete(table).where(table.c.id == id_))
            return True
        if row is None:
            asked = store.insert(table).values(id=id_, kind=kind, asked_at=now, text=text, data=raw)
            connection.execute(asked.on_conflict_do_nothing())
    if row is None:
        _log.error("ALERT: %s See `reconcile --show`, then `reconcile --accept %s`.", text, id_)
    return False


def open_ones(store: Store) -> list[Question]:
    """Give the questions, oldest first."""
    sa, table = libs.sqlalchemy, tables().questions
    with store.reading() as connection:
        now = store.now(connection)
        return [
            Question(
                id=row.id,
                kind=row.kind,
                asked_at=row.asked_at,
                text=row.text,
                data=json.loads(row.data),
                accepted=row.accepted_at is not None and row.accepted_at > now - GOOD_FOR,
            )
            for row in connection.execute(sa.select(table).order_by(table.c.asked_at, table.c.id))
        ]


def accept(store: Store, id_: str) -> Question | None:
    """Give an operator's word for a question. None: there is no such question."""
    sa, table = libs.sqlalchemy, tables().questions
    with store.writing() as connection:
        now = store.now(connection)
        if not connection.execute(sa.update(table).where(table.c.id == id_).values(accepted_at=now)).rowcount:
            return None
    return next((question for question in open_ones(store) if question.id == id_), None)
