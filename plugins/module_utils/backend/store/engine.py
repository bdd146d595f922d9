# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Connections to the database: one engine a process, and how its transactions begin."""

from __future__ import annotations

import typing as t

from .. import libs

#: Connections to a server that are kept open while nobody asks; there are more while more ask at once.
KEPT: t.Final = 16
#: Seconds after which a server that does not say a word counts as away.
SILENCE: t.Final = 10


def create(url: str, *, busy_timeout: float) -> t.Any:
    """Make the engine for a database URL. busy_timeout: seconds that a write waits for another process's; on a server, for each lock.

    Execution options of a connection: `immediate`, it is about to write; `patience`, seconds in place of busy_timeout (SQLite only);
    `durable`, false if its commit need not wait for the disk (SQLite only).
    """
    create_engine = libs.sqlalchemy.create_engine
    # As many connections as there are threads that ask at once: a request never fails because it waited for one.
    if url.startswith("sqlite"):
        engine = create_engine(url, max_overflow=-1)
        _sqlite(engine, busy_timeout)
        return engine
    # The ping finds connections that a restarted server has forgotten, before a request meets one.
    engine = create_engine(
        url,
        pool_size=KEPT,
        max_overflow=-1,
        pool_use_lifo=True,
        pool_pre_ping=True,
        isolation_level="READ COMMITTED",
        connect_args=_defaults(url),
    )
    _postgresql(engine, busy_timeout)
    return engine


def snapshot(engine: t.Any) -> dict[str, t.Any]:
    """Give the execution options of a connection that reads, and all of it as of one moment."""
    return {} if engine.dialect.name == "sqlite" else {"isolation_level": "REPEATABLE READ"}


def _defaults(url: str) -> dict[str, t.Any]:
    """Give what libpq takes unless the URL says otherwise: a server that is away must not keep a request for minutes."""
    usual = {
        "application_name": "baremetal.maintenance",
        "client_encoding": "utf8",
        "connect_timeout": SILENCE,
        "keepalives_idle": SILENCE,
        "keepalives_interval": SILENCE,
        "keepalives_count": 3,
        "tcp_user_timeout": 1000 * SILENCE,
    }
    given = libs.sqlalchemy.make_url(url).query
    return {name: value for name, value in usual.items() if name not in given}


def _postgresql(engine: t.Any, busy_timeout: float) -> None:
    def connect(connection: t.Any, _record: t.Any) -> None:
        connection.autocommit = True
        connection.execute(f"SET lock_timeout = {int(busy_timeout * 1000)}")
        # Where the server does without, a crash loses what was acknowledged; any stricter setting of it stays.
        connection.execute("SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'")
        connection.autocommit = False

    libs.sqlalchemy.event.listen(engine, "connect", connect)


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
        if not options.get("immediate", False):
            connection.exec_driver_sql("BEGIN")
            return
        # The commits before it are not lost without this one: the log is written in order.
        connection.exec_driver_sql(f"PRAGMA synchronous = {'FULL' if options.get('durable', True) else 'NORMAL'}")
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    event.listen(engine, "connect", connect)
    event.listen(engine, "begin", begin)
