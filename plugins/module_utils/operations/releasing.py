# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Releasing holds: one, the caller's own of a type, or all of a node; on one node, or on many at once where the service can do that."""

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
from .rows import Entry, Row, failed, untouched


@dataclasses.dataclass(frozen=True)
class Selection:
    """What to release of a node: the entry `uuid`, the caller's own of `type` and `key`, or (`all`) everything.

    run, ticket: what the caller's own entry must carry for it to be the one that is meant, "" for none, None for any. comment: why it
    is released.
    """

    uuid: str | None = None
    type: str | None = None
    all: bool = False
    key: str = ""
    run: str | None = None
    ticket: str | None = None
    comment: str | None = None

    def pick(self, node: str, active: t.Sequence[Entry]) -> list[Entry]:
        """Give the entries that are meant, none if there is nothing to release.

        OperationError: the caller's own entry is there, but of another run or ticket; or the service does not tell whose is whose.
        """
        if self.all:
            return list(active)
        if self.uuid is not None:
            return [entry for entry in active if entry["uuid"] == self.uuid]
        same = [entry for entry in active if entry["type"] == self.type and entry.get("key", "") == self.key]
        if any("own" not in entry for entry in same):
            raise entries.untold(node, same)
        picked = [entry for entry in same if entry["own"]]
        for entry in picked:
            for name in ("run", "ticket"):
                wanted, has = getattr(self, name), entry.get(name)
                if wanted is not None and (has or "") != wanted:
                    raise _of_another(node, entry, name, wanted)
        return picked


def _of_another(node: str, entry: Entry, name: str, wanted: str) -> OperationError:
    has = entry.get(name)
    found, remedy = (f"its {name} is {has}", f"`uuid` or `{name}: {has}`") if has else (f"it has no {name}", "`uuid`")
    return OperationError(
        f"Node {node}: your hold {entries.describe(entry)} is not released, because {found} and not {wanted or 'none'}."
        f" If it is meant, give its {remedy}.",
        code=f"other_{name}",
        node=node,
        blockers=[entries.blocker(entry, f"it is of another {name}")],
    )


class Releaser:
    """Releases a selection on nodes. check: say what would happen, write nothing."""

    def __init__(self, api: Api, selection: Selection, nodes: t.Sequence[str], *, on_error: str, check: bool) -> None:
        self._api = api
        self._selection = selection
        self._nodes = nodes
        self._stop = on_error == "stop"
        self._check = check
        self._service = api.service(nodes[0])
        self._whoami = Whoami(api, self._service)

    def rows(self) -> list[Row]:
        """Give a row for each entry released, one for each node without any.

        on_error stop: nothing is written if a node refuses; if one fails later, the rows say what changed.
        """
        picked = self._pick_all()
        refused = [node for node, found in picked.items() if isinstance(found, ClientError)]
        if self._stop and refused:
            return [Row(node, error=found) if isinstance(found, ClientError) else untouched(node) for node, found in picked.items()]
        at_once = len(self._nodes) > 1 and self._service.has("bulk")
        # Everything of a node, or nothing, is what only the node's own call promises when other nodes may fail.
        if at_once and (self._stop or not self._selection.all):
            return self._at_once(picked)
        if self._stop and len(self._nodes) > 1 and not self._check:
            checked = self._one_by_one(picked, True)
            if failed(checked):
                return [row if row.error else untouched(row.node) for row in checked]
        return self._one_by_one(picked, self._check)

    def _pick_all(self) -> dict[str, list[Entry] | ClientError]:
        picked: dict[str, list[Entry] | ClientError] = {}
        for node, active in entries.of_nodes(self._api, self._nodes).items():
            try:
                picked[node] = active if isinstance(active, ClientError) else self._pick(node, active)
            except ClientError as error:
                picked[node] = error
        return picked

    def _pick(self, node: str, active: t.Sequence[Entry]) -> list[Entry]:
        picked = self._selection.pick(node, active)
        # Where the service can't record a comment, asking for one would be for nothing.
        if self._selection.comment or not self._service.has("bulk"):
            return picked
        of_others = [entry for entry in picked if not self._whoami.asserted(node, entry)]
        if of_others:
            names = "; ".join(entries.describe(entry) for entry in of_others)
            raise OperationError(
                f"Node {node}: {names} {'was' if len(of_others) == 1 else 'were'} not asserted by you:"
                " say in `comment` why you release what another user holds.",
                code="needs_comment",
                node=node,
                blockers=[entries.blocker(entry, "another user asserted it and no comment is given") for entry in of_others],
            )
        return picked

    def _one_by_one(self, picked: t.Mapping[str, list[Entry] | ClientError], check: bool) -> list[Row]:
        rows: list[Row] = []
        for node, found in picked.items():
            if isinstance(found, ClientError):
                rows.append(Row(node, error=found))
            elif not found:
                rows.append(Row(node, uuid=self._selection.uuid))
            elif self._stop and not check and failed(rows):
                rows.append(untouched(node))
            elif self._selection.all:
                seen = frozenset(entry["uuid"] for entry in found)
                rows += self._guarded(node, found, check, functools.partial(self._api.release_all, node, only=seen))
            else:
                for entry in found:
                    rows += self._guarded(node, [entry], check, functools.partial(self._api.release_entry, node, entry["uuid"]))
        return rows

    def _guarded(self, node: str, found: t.Sequence[Entry], check: bool, release: t.Callable[..., None]) -> list[Row]:
        """Release entries of a node with one call, and give a row for each. What somebody else released meanwhile is nothing to do."""
        if check and not self._service.has("dry_run"):
            return [Row(node, changed=True, before=entry) for entry in found]
        try:
            release(comment=self._selection.comment, dry_run=check)
        except ClientError as error:
            if error.code == "not_found" and self._are_gone(node, found):
                return [Row(node, uuid=entry["uuid"]) for entry in found]
            return [Row(node, uuid=found[0]["uuid"] if len(found) == 1 else None, error=error)]
        return [Row(node, changed=True, before=entry) for entry in found]

    def _are_gone(self, node: str, found: t.Sequence[Entry]) -> bool:
        try:
            active = {entry["uuid"] for entry in self._api.list_entries(node)}
        except ClientError:
            return False
        return not active.intersection(entry["uuid"] for entry in found)

    def _at_once(self, picked: t.Mapping[str, list[Entry] | ClientError]) -> list[Row]:
        node_of = {entry["uuid"]: node for node, found in picked.items() if not isinstance(found, ClientError) for entry in found}
        outcome = self._release_all(list(node_of)) if node_of else {}
        rows: list[Row] = []
        for node, found in picked.items():
            if isinstance(found, ClientError):
                rows.append(Row(node, error=found))
            elif not found:
                rows.append(Row(node, uuid=self._selection.uuid))
            else:
                for entry in found:
                    rows.append(self._released(node, entry, outcome.get(entry["uuid"])))
        return rows

    def _released(self, node: str, entry: Entry, error: ClientError | None) -> Row:
        if error is None:
            return Row(node, changed=True, before=entry)
        if error.code == "not_found" and self._are_gone(node, [entry]):
            return Row(node, uuid=entry["uuid"])
        return Row(node, uuid=entry["uuid"], error=error)

    def _release_all(self, uuids: t.Sequence[str]) -> dict[str, ClientError]:
        """Give the error of each entry that was not released."""
        try:
            results = self._api.release_many(
                entries=uuids,
                comment=self._selection.comment,
                on_error="stop" if self._stop else "continue",
                dry_run=self._check,
            )
        except ClientError as error:
            return dict.fromkeys(uuids, error)
        released = {result["entry"]["uuid"] for result in results if result.get("entry")}
        errors: dict[str, ClientError] = {}
        for result in results:
            if "error" in result:
                error = error_of(result, f"release a hold of node {result['node']}")
                # A refused entry is named by its blocker, one that is gone stands where the node's name does.
                for uuid in [blocker["uuid"] for blocker in error.blockers] or [result["node"]]:
                    errors[uuid] = error
        return {uuid: errors.get(uuid) or _no_result(uuid) for uuid in uuids if uuid not in released}


def _no_result(uuid: str) -> OperationError:
    return OperationError(f"The service does not say what became of hold {uuid}: read the node before going on.", code="failed")
