# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Columns of a listing: all of them for programs, and for people the few that fit their terminal.

The rule: a table for people is as wide as the terminal, 80 columns where there is none; names are wrapped, never cut; a uuid is shown by
its first part, by which `remove` takes it too; a reason is cut after three lines. `-f json`, `-f csv`, `-f value`, `-c` and `--long` give
every column in full.
"""

from __future__ import annotations

import argparse
import dataclasses
import shutil
import typing as t

from cliff import columns as cliff_columns

from . import text

Row = t.Mapping[str, t.Any]

_NO_TERMINAL: t.Final = (80, 24)
_REASON_LINES: t.Final = 3
_LEAST: t.Final = 10
_LEAST_REASON: t.Final = 16


@dataclasses.dataclass(frozen=True)
class Column:
    """One column. value: what programs get. shown: what people see of a row. brief: it is in the table for people.

    elastic: it takes the room that the others leave, in three lines at most.
    """

    name: str
    value: t.Callable[[Row], t.Any]
    shown: t.Callable[[Row], str] | None = None
    brief: bool = False
    elastic: bool = False

    def text(self, row: Row) -> str:
        """Give what people see."""
        return self.shown(row) if self.shown is not None else text.plain(self.value(row))


class Cell(cliff_columns.FormattableColumn):
    """A value for programs, and a text for people."""

    def __init__(self, value: t.Any, shown: str) -> None:
        super().__init__(value)
        self._shown = shown

    def human_readable(self) -> str:
        """Give the text."""
        return self._shown


def member(name: str) -> t.Callable[[Row], t.Any]:
    """Give the reader of a member of a row; None where the row lacks it."""
    return lambda row: row.get(name)


def tabulate(columns: t.Sequence[Column], rows: t.Sequence[Row], parsed_args: argparse.Namespace) -> tuple[list[str], list[list[Cell]]]:
    """Give the names of the columns and the cells, as a lister of cliff returns them."""
    if parsed_args.long or parsed_args.formatter != "table" or parsed_args.columns:
        return [column.name for column in columns], [[Cell(column.value(row), column.text(row)) for column in columns] for row in rows]
    chosen = [column for column in columns if column.brief]
    texts = [[column.text(row) for column in chosen] for row in rows]
    widths = _widths(chosen, texts, terminal_width(parsed_args))
    return [column.name for column in chosen], [
        [
            Cell(column.value(row), "\n".join(text.wrap(shown, room, _REASON_LINES if column.elastic else None)))
            for column, shown, room in zip(chosen, line, widths, strict=True)
        ]
        for row, line in zip(rows, texts, strict=True)
    ]


def terminal_width(parsed_args: argparse.Namespace) -> int:
    """Give the columns there are: what --max-width says, the terminal's, else 80."""
    return parsed_args.max_width if parsed_args.max_width > 0 else shutil.get_terminal_size(_NO_TERMINAL).columns


def _widths(columns: t.Sequence[Column], texts: t.Sequence[t.Sequence[str]], terminal: int) -> list[int]:
    """Give each column as much as it needs; where that is too much, take from the widest until all fit."""
    wanted = [max([text.width(column.name), *(text.width(line[at]) for line in texts)]) for at, column in enumerate(columns)]
    least = [max(text.width(column.name), _LEAST_REASON if column.elastic else _LEAST) for column in columns]
    room = terminal - 1 - 3 * len(columns)
    elastic = [at for at, column in enumerate(columns) if column.elastic]
    for at in elastic:
        others = sum(width for index, width in enumerate(wanted) if index != at)
        wanted[at] = min(wanted[at], max(room - others, least[at]))
    while sum(wanted) > room:
        shrinkable = [at for at, width in enumerate(wanted) if width > least[at]]
        if not shrinkable:
            break
        wanted[max(shrinkable, key=lambda at: wanted[at])] -= 1
    return wanted
