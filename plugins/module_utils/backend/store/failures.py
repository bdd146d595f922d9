# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Failures of the database, in words for the caller: no SQL and no path ever leaves the backend."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import typing as t

from .. import libs
from ..errors import Refusal

LOG = logging.getLogger(__name__)

RETRY_AFTER: t.Final = {"Retry-After": "1"}


def locked() -> Refusal:
    """The answer when the database stayed locked for longer than the time-out."""
    return Refusal(503, "unavailable", "The database is busy: nothing was written; try again in a moment.", headers=RETRY_AFTER)


class Deadlock(Refusal):
    """Two transactions waited for each other and the database ended this one: done again, it gets its turn."""


@contextlib.contextmanager
def translated() -> t.Iterator[None]:
    """Turn what a database raises in the block into a Refusal 503; the cause goes to the log.

    A violated constraint is not a failure of the database and passes through.
    """
    try:
        yield
    except libs.sqlalchemy.exc.IntegrityError:
        raise
    except libs.sqlalchemy.exc.DBAPIError as error:
        raise _refusal(error.orig) from error
    except (sqlite3.Error, OSError) as error:
        raise _refusal(error) from error


@contextlib.contextmanager
def committing() -> t.Iterator[None]:
    """Say, where the connection breaks in the block, that nobody knows what became of the transaction."""
    try:
        yield
    except libs.sqlalchemy.exc.DBAPIError as error:
        if not error.connection_invalidated:
            raise
        LOG.error("database failure while it committed: %s", _one_line(error.orig))
        raise Refusal(
            503,
            "unavailable",
            "The database went away while this was being written: whether it was written is not known; look before you do it again.",
            headers=RETRY_AFTER,
        ) from error


def _refusal(cause: BaseException | None) -> Refusal:
    said = _one_line(cause)
    kind = _kind(getattr(cause, "sqlstate", None), said.lower())
    if kind == "locked":
        LOG.warning("database locked: %s", said)
        return locked()
    if kind == "deadlock":
        LOG.warning("database: %s", said)
        return Deadlock(503, "unavailable", locked().text, headers=RETRY_AFTER)
    LOG.error("database failure: %s", said)
    if kind == "full":
        whose = "backend's" if isinstance(cause, (sqlite3.Error, OSError)) else "database server's"
        return Refusal(503, "unavailable", f"The database's disk is full: nothing was written; free space on the {whose} disk.")
    if kind == "readonly":
        return Refusal(503, "unavailable", "The database is read-only: nothing was written; give the backend write access to its database.")
    if kind == "connections":
        return Refusal(
            503,
            "unavailable",
            "The database takes no more connections: nothing was written; let it take more, or the backend have fewer threads.",
            headers=RETRY_AFTER,
        )
    return Refusal(
        503, "unavailable", "The database does not answer: nothing was written; the backend's log says why.", headers=RETRY_AFTER
    )


#: PostgreSQL's conditions that are told apart.
_STATES: t.Final = {
    "55P03": "locked",
    "40P01": "deadlock",
    "40001": "deadlock",
    "53100": "full",
    "25006": "readonly",
    "53300": "connections",
}


def _kind(sqlstate: str | None, said: str) -> str | None:
    """Tell which failure it is, None for any other. said: the driver's text, in lower case; SQLite has nothing else."""
    if sqlstate is not None:
        return _STATES.get(sqlstate)
    for kind, words in (
        ("locked", ("locked", "busy")),
        ("connections", ("too many clients", "too many connections", "remaining connection slots")),
        ("full", ("full", "no space")),
        ("readonly", ("readonly", "read-only")),
    ):
        if any(word in said for word in words):
            return kind
    return None


def _one_line(cause: BaseException | None) -> str:
    return "; ".join(line.strip() for line in str(cause).splitlines() if line.strip())
