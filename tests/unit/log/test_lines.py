# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The log: one line an event, whatever a client sends."""

from __future__ import annotations

import logging

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend import log

HERE = "ansible_collections.baremetal.maintenance.plugins.module_utils.backend.server"


def line(message: str, *arguments: object, name: str = HERE) -> str:
    """Give the line of an event."""
    return log.Line().format(logging.LogRecord(name, logging.INFO, __file__, 1, message, arguments, None))


def test_a_line_says_where_in_the_backend() -> None:
    assert line("stopped").endswith(" INFO backend.server: stopped")
    assert line("took", name="granian.access").endswith(" INFO granian.access: took")


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("/a\n2026-01-01 ERROR forged", "/a\\n2026-01-01 ERROR forged"),
        ("/a\r\x1b[2J\0", "/a\\r\\x1b[2J\\x00"),
        ("/\u2028\ud800", "/\\u2028\\ud800"),
        ("/größe/機", "/größe/機"),
    ],
)
def test_what_cannot_be_printed_is_escaped(sent: str, shown: str) -> None:
    assert line('"GET %s"', sent).endswith(f'"GET {shown}"')


def test_the_record_itself_stays_as_it_was() -> None:
    record = logging.LogRecord(HERE, logging.INFO, __file__, 1, "%s", ("a\nb",), None)
    log.Line().format(record)
    assert (record.name, record.msg, record.args) == (HERE, "%s", ("a\nb",))
