# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The URL of a PostgreSQL database, as the configuration has it: checked before anything connects, shown without its password."""

from __future__ import annotations

import typing as t

from . import libs

SCHEME: t.Final = "postgresql+psycopg"
_ACCEPTED: t.Final = (SCHEME, "postgresql")


def is_postgresql(database: str) -> bool:
    """Tell whether a setting `database`, as `normal` gives it or a path, is a PostgreSQL."""
    return database.startswith(f"{SCHEME}://")


def normal(url: str) -> str:
    """Give the URL with the one driver that there is. Raises ValueError with a sentence that has no password in it; MissingPackage."""
    scheme, _separator, rest = url.partition("://")
    if scheme not in _ACCEPTED:
        raise ValueError(f"names {scheme!r}: of PostgreSQL's schemes give {SCHEME} or postgresql")
    libs.psycopg()
    try:
        parsed = libs.sqlalchemy.make_url(f"{SCHEME}://{rest}")
    except (libs.sqlalchemy.exc.ArgumentError, ValueError):
        raise ValueError(f"must be {SCHEME}://USER:PASSWORD@HOST:PORT/DATABASE, with %-escapes in the password") from None
    if not parsed.database:
        raise ValueError("names no database: its name stands after the last slash")
    for name, value in parsed.query.items():
        problem = _problem_of_option(name, value)
        if problem:
            raise ValueError(problem)
    return f"{SCHEME}://{rest}"


def has_password(database: str) -> bool:
    """Tell whether a setting `database` holds a password."""
    if not is_postgresql(database):
        return False
    parsed = libs.sqlalchemy.make_url(database)
    return bool(parsed.password) or "password" in parsed.query


def shown(database: str) -> str:
    """Give a setting `database` as it may be shown: a path as it is, of a URL what tells it from others."""
    if not is_postgresql(database):
        return database
    parsed = libs.sqlalchemy.make_url(database)
    host = parsed.host or ",".join(_values(parsed.query.get("host", "")))
    port = f":{parsed.port}" if parsed.port else ""
    return f"postgresql://{host}{port}/{parsed.database}"


def _problem_of_option(name: str, value: t.Any) -> str | None:
    psycopg = libs.psycopg()
    try:
        psycopg.conninfo.make_conninfo("", **{name: ",".join(_values(value))})
    except psycopg.Error:
        return f"has the option {name!r}, which PostgreSQL's client does not know"
    return None


def _values(value: str | t.Sequence[str]) -> t.Sequence[str]:
    return (value,) if isinstance(value, str) else value
