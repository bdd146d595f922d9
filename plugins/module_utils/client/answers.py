# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests and answers of one HTTP exchange, as values."""

from __future__ import annotations

import dataclasses
import json
import typing as t

from . import errors


@dataclasses.dataclass(frozen=True)
class Request:
    """One request. path begins with /v1 and is encoded. what: the deed as words that follow "Cannot", such as `list the holds of node n1`.

    microversion: the value of the version header, None to send none. body: what is sent as JSON, None for no body.
    """

    method: str
    path: str
    what: str
    node: str | None = None
    query: t.Mapping[str, str] = dataclasses.field(default_factory=dict)
    body: t.Any = None
    microversion: str | None = None

    @property
    def writes(self) -> bool:
        """Whether the service may have changed something when no answer came."""
        return self.method != "GET" and "dry_run" not in self.query


@dataclasses.dataclass(frozen=True)
class Answer:
    """One answer, complete. headers are looked up in lower case."""

    request: Request
    status: int
    headers: t.Mapping[str, str]
    body: bytes

    @property
    def looks_like_html(self) -> bool:
        """Whether a person's page came where data was asked for: a proxy, a login page, a wrong address."""
        return "html" in self.headers.get("content-type", "").lower() or self.body[:256].lstrip().lower().startswith(
            (b"<!doctype", b"<html")
        )

    def json(self) -> t.Any:
        """Give the decoded body. Raises BadAnswer if it is not JSON in UTF-8."""
        if self.looks_like_html:
            raise self.bad("a web page; check that api_url is the address of the API and not of a web site or login page in front of it")
        if not self.body:
            raise self.bad("an empty body")
        try:
            return json.loads(self.body.decode("utf-8"), parse_constant=_no_constant)
        except UnicodeDecodeError as error:
            raise self.bad("a body that is not UTF-8") from error
        except RecursionError as error:
            raise self.bad("JSON that is nested too deeply") from error
        except ValueError as error:
            raise self.bad("a body that is not JSON") from error

    def object(self) -> dict[str, t.Any]:
        """Give the decoded body, which must be a JSON object."""
        decoded = self.json()
        if not isinstance(decoded, dict):
            raise self.bad("JSON that is not an object")
        return decoded

    def rows(self, name: str, required: t.Collection[str] = ()) -> list[dict[str, t.Any]]:
        """Give the list of objects in the member `name` of the body; each must have the required members."""
        return self.rows_of(self.object(), name, required)

    def rows_of(self, document: t.Mapping[str, t.Any], name: str, required: t.Collection[str] = ()) -> list[dict[str, t.Any]]:
        """Give the same from the body that `object` gave."""
        rows = document.get(name)
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise self.bad(f"JSON without a list of objects called {name!r}")
        for row in rows:
            self.check(row, required)
        return rows

    def row(self, required: t.Collection[str] = ()) -> dict[str, t.Any]:
        """Give the decoded body, which must be one object with the required members."""
        row = self.object()
        self.check(row, required)
        return row

    def check(self, row: t.Mapping[str, t.Any], required: t.Collection[str]) -> None:
        """Raise BadAnswer if a row lacks one of the members."""
        lacking = [name for name in required if name not in row]
        if lacking:
            raise self.bad(f"JSON in which {' and '.join(repr(name) for name in lacking)} is missing")

    def bad(self, what: str) -> errors.BadAnswer:
        """Give the error that says that the answer was `what`. After a write, whether it was done is then not known."""
        return errors.BadAnswer(
            f"Cannot {self.request.what}: the service answered {self.request.method} {self.request.path} "
            f"with HTTP {self.status} and {what}",
            code="bad_answer",
            status=self.status,
            node=self.request.node,
            outcome_unknown=self.request.writes,
        )


def _no_constant(name: str) -> t.NoReturn:
    raise ValueError(f"{name} is not JSON")
