# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading a listing to its end: every row, or an error, never a short list."""

from __future__ import annotations

import typing as t
import urllib.parse

from . import answers, connection, errors, paths

Row = dict[str, t.Any]
Query = dict[str, str]


def collect(
    link: connection.Connection,
    path: str,
    name: str,
    *,
    what: str,
    query: t.Mapping[str, t.Any],
    required: t.Collection[str] = (),
    node: str | None = None,
    needs: t.Sequence[str] = (),
) -> list[Row]:
    """Give all rows of the listing at `path`, whose pages hold them in the member `name`. query: as paths.query takes it.

    Of an absolute `next` only the query is taken: a service behind another address than it knows of itself is read all the same, and no
    request ever goes elsewhere. Where the row after which a page begins is gone meanwhile, the listing is read again from its start, as
    often as there are retries. Raises BadAnswer if the pages lead to no end.
    """
    first = paths.query({"limit": link.settings.page_size, **query})

    def page(current: Query) -> tuple[list[Row], Query | None]:
        return link.call("GET", path, what=what, query=current, node=node, needs=needs, read=lambda answer: _page(answer, name, required))

    restarts = 0
    while True:
        try:
            return _to_the_end(page, first, f"Cannot {what}: the pages of {path}", node)
        except _RowGone as gone:
            if restarts >= link.settings.retries:
                raise gone.error from None
            restarts += 1


class _RowGone(Exception):
    """The row after which a page begins is not there any more."""

    def __init__(self, error: errors.Refused) -> None:
        super().__init__(error.msg)
        self.error = error


def _to_the_end(page: t.Callable[[Query], tuple[list[Row], Query | None]], first: Query, pages: str, node: str | None) -> list[Row]:
    rows, following = page(first)
    seen = [first]
    while following is not None:
        current = {**first, **following}
        if current in seen:
            raise errors.BadAnswer(f"{pages} lead in a circle, so the listing has no end", code="bad_answer", node=node)
        seen.append(current)
        try:
            more, following = page(current)
        except errors.Refused as error:
            if error.status == 404:
                raise _RowGone(error) from error
            raise
        rows += more
    return rows


def _page(answer: answers.Answer, name: str, required: t.Collection[str]) -> tuple[list[Row], Query | None]:
    document = answer.object()
    rows = answer.rows_of(document, name, required)
    following = document.get("next")
    if following is None:
        return rows, None
    if not isinstance(following, str):
        raise answer.bad("a 'next' that is not an address")
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(following).query))
    if not query:
        raise answer.bad("a 'next' that says nothing about where to go on")
    return rows, query
