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


def _refusal(cause: BaseException | None) -> Refusal:
    said = str(cause).lower()
    if "locked" in said or "busy" in said:
        LOG.warning("database locked: %s", cause)
        return locked()
    LOG.error("database failure: %s", cause)
    if "full" in said or "no space" in said:
        return Refusal(503, "unavailable", "The database's disk is full: nothing was written; free space on the backend's disk.")
    if "readonly" in said or "read-only" in said:
        return Refusal(503, "unavailable", "The database is read-only: nothing was written; give the backend write access to its database.")
    return Refusal(
        503, "unavailable", "The database does not answer: nothing was written; the backend's log says why.", headers=RETRY_AFTER
    )
