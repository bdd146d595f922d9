# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Connections to the database: one engine a process, and how its transactions begin."""

from __future__ import annotations

import typing as t

from .. import libs


def create(url: str, *, busy_timeout: float) -> t.Any:
    """Make the engine for a database URL. busy_timeout: seconds that a SQLite write waits for another process's.

    Execution options of a connection: `immediate`, it is about to write; `patience`, seconds in place of busy_timeout.
    """
    # As many connections as there are threads that ask at once: a request never fails because it waited for one.
    engine = libs.sqlalchemy.create_engine(url, max_overflow=-1)
    if engine.dialect.name == "sqlite":
        _sqlite(engine, busy_timeout)
    return engine


def _sqlite(engine: t.Any, busy_timeout: float) -> None:
    event = libs.sqlalchemy.event

    def connect(connection: t.Any, _record: t.Any) -> None:
        # The driver's own transaction handling commits before DDL and begins deferred: both are wrong for us.
        connection.isolation_level = None
        for pragma in (
            f"busy_timeout = {int(busy_timeout * 1000)}",
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
        ):
            connection.execute(f"PRAGMA {pragma}")

    def begin(connection: t.Any) -> None:
        options = connection.get_execution_options()
        # A write that has waited for its turn in this process waits so much less for other processes.
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {int(options.get('patience', busy_timeout) * 1000)}")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("immediate", False) else "BEGIN")

    event.listen(engine, "connect", connect)
    event.listen(engine, "begin", begin)
