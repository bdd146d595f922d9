# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asserting a hold: on one node, or on many at once where the service can do that."""

from __future__ import annotations

import dataclasses
import functools
import typing as t

from ..client.api import Api
from ..client.errors import ClientError
from . import entries
from .bulk import error_of
from .errors import OperationError
from .identity import Whoami
from .json_values import same
from .rows import Entry, Row, attempt, failed, untouched


@dataclasses.dataclass(frozen=True)
class Wanted:
    """The hold as the task wants it. extra, ticket and run are None where the task does not give them: what is stored stays."""

    type: str
    reason: str
    extra: dict[str, t.Any] | None = None
    key: str = ""
    ticket: str | None = None
    run: str | None = None
    on_existing: str = "auto"

    def body(self) -> dict[str, t.Any]:
        """Give the keyword arguments of assert_entry and assert_many."""
        return {name: getattr(self, name) for name in ("type", "reason", "extra", "key", "ticket", "run")}

    def text_changes(self, entry: Entry) -> dict[str, t.Any]:
        """Give the members that would have to change for an entry to say what is wanted."""
        wanted = {"reason": self.reason, "extra": self.extra, "ticket": self.ticket}
        return {name: value for name, value in wanted.items() if value is not None and not same(entry.get(name) or None, value or None)}


class Asserter:
    """Asserts one wanted hold on nodes. check: say what would happen, write nothing."""

    def __init__(self, api: Api, wanted: Wanted, nodes: t.Sequence[str], *, on_error: str, check: bool) -> None:
        self._api = api
        self._wanted = wanted
        self._nodes = nodes
        self._stop = on_error == "stop"
        self._check = check
        self._service = api.service(nodes[0])
        self._whoami = Whoami(api, self._service)

    def rows(self) -> list[Row]:
        """Give a row for each node. on_error stop: nothing is written if a node refuses; if one fails later, the rows say what changed."""
        if len(self._nodes) == 1:
            return self._one_by_one(self._check)
        if self._service.has("bulk"):
            return self._at_once()
        if self._stop:
            checked = self._one_by_one(True)
            if failed(checked):
                return [row if row.error else untouched(row.node) for row in checked]
        return self._one_by_one(self._check)

    def _one_by_one(self, check: bool) -> list[Row]:
        rows: list[Row] = []
        for node in self._nodes:
            if self._stop and not check and failed(rows):
                rows.append(untouched(node))
            else:
                rows.append(attempt(node, functools.partial(self._one, node, check)))
        return rows

    def _one(self, node: str, check: bool) -> Row:
        wanted = self._wanted
        if check and not self._service.has("dry_run"):
            existing = entries.find_own(self._api, node, wanted.type, wanted.key)
            if existing is None:
                return Row(node, changed=True, after={**wanted.body(), "extra": wanted.extra or {}, "uuid": None})
            return self._settle(node, existing, check)
        try:
            # Most nodes have no such hold yet: asserting first and reading only after a refusal halves the requests.
            entry = self._api.assert_entry(node, **wanted.body(), dry_run=check)
        except ClientError as error:
            return self._refused(node, error, check)
        return Row(node, changed=True, after=entry)

    def _refused(self, node: str, error: ClientError, check: bool) -> Row:
        if error.code != "duplicate":
            raise error
        if error.blockers:
            existing = self._api.get_entry(node, error.blockers[0]["uuid"])
        else:
            found = entries.find_own(self._api, node, self._wanted.type, self._wanted.key)
            if found is None:
                raise error
            existing = found
        return self._settle(node, existing, check)

    def _settle(self, node: str, entry: Entry, check: bool) -> Row:
        """Do with the existing entry what `on_existing` says. OperationError: it is another's, and only `keep` makes do with that."""
        wanted = self._wanted
        row = Row(node, before=entry, after=entry)
        if wanted.on_existing == "keep":
            return dataclasses.replace(row, warning=self._kept(node, entry))
        if entry.get("own") is False:
            raise self._of_another(node, entry)
        if wanted.on_existing == "fail":
            raise self._exists(node, entry, "on_existing: fail refuses even an identical one.")
        changes = wanted.text_changes(entry)
        if wanted.on_existing == "update" and wanted.run is not None and entry.get("run") != wanted.run:
            changes["run"] = wanted.run
        if not changes:
            return dataclasses.replace(row, warning=self._of_another_run(node, entry))
        names = " and ".join(changes)
        if wanted.on_existing == "auto" and not self._is_mine(node, entry):
            raise self._exists(
                node,
                entry,
                f"Its {names} would change: on_existing: update does that, keep leaves it as it is, another key adds a hold beside it.",
            )
        if not self._service.has("patch"):
            stored = "; ".join(f"its {name} is {entry.get(name)!r}, wanted is {value!r}" for name, value in changes.items())
            raise self._exists(node, entry, f"This service can't change an entry: {stored}.", code="not_supported")
        if check and not self._service.has("dry_run"):
            return dataclasses.replace(row, changed=True, after={**entry, **changes})
        after = self._api.update_entry(node, entry["uuid"], changes, dry_run=check)
        return dataclasses.replace(row, changed=True, after=after)

    def _is_mine(self, node: str, entry: Entry) -> bool:
        return entry.get("run") == self._wanted.run and self._whoami.asserted(node, entry)

    def _exists(self, node: str, entry: Entry, then: str, code: str = "exists") -> OperationError:
        return OperationError(
            f"Node {node} has your hold {entries.describe(entry)} already. {then}",
            code=code,
            node=node,
            blockers=[entries.blocker(entry, "the same hold is active")],
        )

    def _of_another(self, node: str, entry: Entry) -> OperationError:
        return OperationError(
            f"Node {node}: hold {entries.describe(entry)} is another's, of the same type, scope and key, and ends when they release it."
            " Give another `key` to hold the node beside it.",
            code="exists",
            node=node,
            blockers=[entries.blocker(entry, "the same hold is active, and another's")],
        )

    def _of_another_run(self, node: str, entry: Entry) -> str | None:
        if self._wanted.run is None or entry.get("run") == self._wanted.run:
            return None
        return (
            f"Node {node}: hold {entries.describe(entry)} was there already and is not run {self._wanted.run}'s: it ends when whoever"
            " asserted it releases it. Give another `key` to hold the node beside it."
        )

    def _kept(self, node: str, entry: Entry) -> str | None:
        if self._is_mine(node, entry):
            return None
        return f"Node {node}: kept hold {entries.describe(entry)}, which is another's; what this task says of it is not recorded."

    def _at_once(self) -> list[Row]:
        existing = entries.own_of_nodes(self._api, self._nodes, self._wanted.type, self._wanted.key)
        missing = [node for node in self._nodes if node not in existing]
        if self._stop:
            checked = self._settle_all(existing, True)
            if failed(checked.values()):
                return [checked[node] if node in checked and checked[node].error else untouched(node) for node in self._nodes]
        asserted = self._assert_all(missing) if missing else {}
        if self._stop and failed(asserted.values()):
            settled = {node: untouched(node) for node in existing}
        else:
            settled = self._settle_all(existing, self._check)
        return [asserted[node] if node in asserted else settled[node] for node in self._nodes]

    def _settle_all(self, existing: t.Mapping[str, Entry], check: bool) -> dict[str, Row]:
        rows: dict[str, Row] = {}
        for node, entry in existing.items():
            if self._stop and not check and failed(rows.values()):
                rows[node] = untouched(node)
            else:
                rows[node] = attempt(node, functools.partial(self._settle, node, entry, check))
        return rows

    def _assert_all(self, nodes: t.Sequence[str]) -> dict[str, Row]:
        try:
            on_error: t.Literal["stop", "continue"] = "stop" if self._stop else "continue"
            results = self._api.assert_many(nodes, **self._wanted.body(), on_error=on_error, dry_run=self._check)
        except ClientError as error:
            return {node: Row(node, error=error) for node in nodes}
        return {result["node"]: attempt(result["node"], functools.partial(self._asserted, result)) for result in results}

    def _asserted(self, result: t.Mapping[str, t.Any]) -> Row:
        node = result["node"]
        if "error" not in result:
            return Row(node, changed=True, after=result["entry"])
        return self._refused(node, error_of(result, f"assert a hold of type {self._wanted.type} on node {node}"), self._check)
