# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asserting and releasing many holds with one request."""

from __future__ import annotations

import typing as t

from . import answers, connection, errors
from .entries import is_asserted
from .fleet import Fleet
from .verbs import Verbs

Result = dict[str, t.Any]
OnError = t.Literal["stop", "continue"]

#: How many nodes or entries the service takes at once in the mode `continue`, where it decides on each by itself.
_CHUNK: t.Final = 1000


class Bulk(Verbs):
    """Verbs on many nodes. They need the extension `bulk`.

    on_error `stop`: all or nothing, and a refusal is raised with every blocker. `continue`: one result for each node or entry,
    {"node", "status", "entry"} or {"node", "status", "error"}; a status of 0 means that no answer came.
    """

    def assert_many(
        self,
        nodes: t.Sequence[str],
        *,
        type: str,
        reason: str | None = None,
        extra: t.Mapping[str, t.Any] | None = None,
        key: str = "",
        ticket: str | None = None,
        run: str | None = None,
        on_error: OnError = "stop",
        dry_run: bool = False,
    ) -> list[Result]:
        """Assert a hold of one kind on many nodes. No nodes, no request."""
        labels = {name: value for name, value in (("key", key), ("ticket", ticket), ("run", run)) if value}
        body = {"type": type, **{name: value for name, value in (("reason", reason), ("extra", extra)) if value is not None}, **labels}

        def send(part: t.Sequence[str]) -> list[Result]:
            return _Assertion(self._link, part, body, on_error).send(dry_run, ("bulk", "labels") if labels else ("bulk",))

        _check_names(nodes, "node")
        return _send(nodes, on_error, send)

    def release_many(
        self,
        *,
        entries: t.Sequence[str] | None = None,
        nodes: t.Sequence[str] | None = None,
        type: str | None = None,
        key: str | None = None,
        run: str | None = None,
        ticket: str | None = None,
        comment: str | None = None,
        on_error: OnError = "stop",
        dry_run: bool = False,
    ) -> list[Result]:
        """Release the entries of these uuids, or the caller's own: on these nodes of a type (and key), run or ticket, or wherever they are
        of a run or ticket. An empty list is nothing to do, never everything.

        Not sent again after a lost reply: own holds asserted in between would be released too.
        """
        if entries is not None:
            if nodes is not None or type or key or run or ticket:
                raise errors.BadOption("Cannot release holds: entries says which, so nodes, type, key, run and ticket may not be given too")
        elif not (run or ticket or (type and nodes is not None)):
            raise errors.BadOption("Cannot release holds: select them by entries, by nodes and type, or by run or ticket")
        selector = {"type": type, "key": key, "run": run, "ticket": ticket, "comment": comment}
        body = {**{name: value for name, value in selector.items() if value is not None}, "on_error": on_error}
        member, names = ("entries", entries) if entries is not None else ("nodes", nodes)

        def send(part: t.Sequence[str] | None) -> list[Result]:
            return self._link.call(
                "POST",
                "/v1/maintenance/release",
                what="release holds",
                body=body if part is None else {**body, member: list(part)},
                needs=("bulk", "labels") if key or run or ticket else ("bulk",),
                dry_run=dry_run,
                read=_results,
                resend_in_doubt=False,
            )

        if names is None:
            return send(None)
        _check_names(names, "uuid" if entries is not None else "node")
        return _send(names, on_error, send)


class _Assertion:
    """One request that asserts on some nodes, and what became of it when a reply is lost."""

    def __init__(self, link: connection.Connection, nodes: t.Sequence[str], body: t.Mapping[str, t.Any], on_error: OnError) -> None:
        self._link = link
        self._nodes = list(nodes)
        self._body = body
        self._on_error = on_error
        self._in_doubt = False

    def send(self, dry_run: bool, needs: t.Sequence[str]) -> list[Result]:
        return self._link.call(
            "POST",
            "/v1/maintenance",
            what=f"assert a hold of type {self._body['type']} on {len(self._nodes)} nodes",
            body={"nodes": self._nodes, **self._body, "on_error": self._on_error},
            needs=needs,
            dry_run=dry_run,
            read=self._read,
            recover=self._recover,
        )

    def _read(self, answer: answers.Answer) -> list[Result]:
        results = _results(answer)
        if self._in_doubt and any(_is_duplicate(result) for result in results):
            asserted = self._asserted()
            results = [
                {"node": result["node"], "status": 201, "entry": asserted[result["node"]]}
                if _is_duplicate(result) and result["node"] in asserted
                else result
                for result in results
            ]
        return results

    def _recover(self, error: errors.ClientError) -> list[Result] | None:
        self._in_doubt = True
        if not error.outcome_unknown and error.code != "duplicate":
            return None
        asserted = self._asserted()
        if not all(node in asserted for node in self._nodes):
            return None
        return [{"node": node, "status": 201, "entry": asserted[node]} for node in self._nodes]

    def _asserted(self) -> dict[str, t.Any]:
        """Give the own entries that are as asked for, by the uuid and by the name of their node; none if that cannot be read."""
        try:
            rows = Fleet(self._link).fleet_entries({name: self._body.get(name) for name in ("type", "key", "ticket", "run")})
        except errors.ClientError:
            return {}
        found = [row for row in rows if is_asserted(row, self._body)]
        return {row[name]: row for row in found for name in ("node_uuid", "node_name") if row.get(name)}


def _send(names: t.Sequence[str], on_error: OnError, send: t.Callable[[t.Sequence[str]], list[Result]]) -> list[Result]:
    """Send all at once, or where each stands for itself in parts that the service takes. What was done before a failure is never lost."""
    if not names:
        return []
    if on_error == "stop":
        return send(names)
    results: list[Result] = []
    for start in range(0, len(names), _CHUNK):
        try:
            results += send(names[start : start + _CHUNK])
        except errors.ClientError as error:
            if not results:
                raise
            results += [_unanswered(name, error) for name in names[start:]]
            break
    return results


def _unanswered(name: str, error: errors.ClientError) -> Result:
    refusal = {"code": error.code, "node": name, "blockers": error.blockers}
    return {"node": name, "status": error.status or 0, "error": {"error_message": error.msg, "refusal": refusal}}


def _results(answer: answers.Answer) -> list[Result]:
    return answer.rows("results", ("node", "status"))


def _is_duplicate(result: Result) -> bool:
    error = result.get("error")
    refusal = error.get("refusal") if isinstance(error, dict) else None
    return isinstance(refusal, dict) and refusal.get("code") == "duplicate"


def _check_names(names: t.Sequence[str], what: str) -> None:
    if any(not isinstance(name, str) or not name.strip() for name in names):
        raise errors.BadOption(f"a {what} in the list is empty: name one, or leave it out")
