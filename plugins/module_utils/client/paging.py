# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading a listing to its end: every row, or an error, never a short list."""

from __future__ import annotations

import typing as t
import urllib.parse

from . import answers, connection, errors, paths


def collect(
    link: connection.Connection,
    path: str,
    name: str,
    *,
    what: str,
    query: t.Mapping[str, t.Any],
    required: t.Collection[str] = (),
    node: str | None = None,
    entries_of: tuple[str, str] | None = None,
    needs: t.Sequence[str] = (),
) -> list[dict[str, t.Any]]:
    """Give all rows of the listing at `path`, whose pages hold them in the member `name`, as paths.query has the query.

    Of an absolute `next` only the query is taken: a service behind another address than it knows of itself is read all the same, and no
    request ever goes elsewhere. Raises BadAnswer if the pages do not lead to an end.
    """
    first = paths.query({"limit": link.settings.page_size, **query})
    rows: list[dict[str, t.Any]] = []
    seen: set[tuple[tuple[str, str], ...]] = set()
    current: dict[str, str] | None = first
    while current is not None:
        seen.add(tuple(sorted(current.items())))
        page, following = link.call(
            "GET",
            path,
            what=what,
            query=current,
            read=lambda answer: _page(answer, name, required),
            node=node,
            entries_of=entries_of,
            needs=needs,
        )
        rows += page
        current = None if following is None else {**first, **following}
        if current is not None and tuple(sorted(current.items())) in seen:
            raise errors.BadAnswer(
                f"Cannot {what}: the pages of {path} lead in a circle after {len(rows)} rows, so the listing has no end",
                code="bad_answer",
                node=node,
            )
    return rows


def _page(answer: answers.Answer, name: str, required: t.Collection[str]) -> tuple[list[dict[str, t.Any]], dict[str, str] | None]:
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
