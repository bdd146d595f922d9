# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The log: one line an event, on stderr."""

from __future__ import annotations

import logging
import logging.config
import typing as t

_ACCESS = "granian.access"
#: What granian's access log says of a request. The query is left out, and so is every header.
ACCESS_FORMAT: t.Final = '%(addr)s "%(method)s %(path)s %(protocol)s" %(status)d %(dt_ms).1f ms'


class Line(logging.Formatter):
    """Time, process, level, where in the backend, message; a traceback on lines of its own.

    A message may hold what a client sent, such as a path with an encoded line break: what cannot be printed is escaped.
    """

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Give the record as a line; a module of ours is named from `backend` on."""
        line = logging.makeLogRecord(record.__dict__)
        line.name = record.name.rpartition(".module_utils.")[2]
        line.msg, line.args = _printable(record.getMessage()), ()
        return super().format(line)


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


def dictionary(level: str) -> dict[str, t.Any]:
    """Give the configuration of the log for logging.config. level: debug, info, warning or error."""
    name = level.upper()
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {"()": Line},
        },
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": "line", "stream": "ext://sys.stderr"},
        },
        "root": {"handlers": ["stderr"], "level": name},
        "loggers": {
            # Its own start and stop are told by the supervisor, and its advice on the number of threads does not fit a database.
            "_granian": {"level": "ERROR"},
            _ACCESS: {"level": name},
            # It warns of what is meant (a cache in the process, options of the login) and of every wrong token.
            "keystonemiddleware": {"level": "ERROR"},
            "keystoneauth": {"level": "WARNING"},
            # These say nothing about this service.
            "alembic": {"level": "WARNING"},
            "stevedore": {"level": "WARNING"},
        },
    }


def set_up(level: str) -> None:
    """Log to stderr from this level on."""
    logging.config.dictConfig(dictionary(level))
