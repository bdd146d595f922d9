# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The entries of one node: read, asserted, changed, released (specification, "REST API impact")."""

from __future__ import annotations

import functools
import typing as t

from . import errors, paths
from .verbs import Verbs, nothing

#: What every entry has, on every typed service; a dry run has a null uuid.
ENTRY: t.Final = ("uuid", "type", "scope")

Entry = dict[str, t.Any]


class Entries(Verbs):
    """Verbs on the entries of one node. They need a service with typed entries; dry_run and the extension fields need those extensions."""

    def list_entries(self, node: str) -> list[Entry]:
        """Give the active entries of a node, oldest first."""
        return self._link.call(
            "GET",
            paths.maintenance(node),
            what=f"list the holds of node {node}",
            node=node,
            entries_of=(node, paths.maintenance(node)),
            read=lambda answer: answer.rows("maintenance", ENTRY),
        )

    def get_entry(self, node: str, uuid: str) -> Entry:
        """Give one entry. Raises Refused with code not_found if the node has none of this uuid."""
        path = paths.entry(node, uuid)
        what = f"read hold {uuid} of node {node}"
        if self._link.probed(node, paths.maintenance(node)).kind != "native":
            return self._link.call(
                "GET", path, what=what, node=node, entries_of=(node, paths.maintenance(node)), read=lambda answer: answer.row(ENTRY)
            )
        # The specification has no request for one entry.
        for entry in self.list_entries(node):
            if entry["uuid"] == uuid:
                return entry
        raise errors.Refused(f"Cannot {what}: the node has no hold of this uuid", code="not_found", status=404, node=node)

    def assert_entry(
        self,
        node: str,
        *,
        type: str,
        reason: str | None = None,
        extra: t.Mapping[str, t.Any] | None = None,
        key: str = "",
        ticket: str | None = None,
        run: str | None = None,
        dry_run: bool = False,
    ) -> Entry:
        """Assert a hold and give its entry. Raises Refused with code duplicate, whose blocker is the existing entry, if there is one.

        Where a reply was lost, an own entry that is as asked for is taken for this one.
        """
        labels = {name: value for name, value in (("key", key), ("ticket", ticket), ("run", run)) if value}
        body = {"type": type, **{name: value for name, value in (("reason", reason), ("extra", extra)) if value is not None}, **labels}
        path = paths.maintenance(node)
        what = f"assert a hold of type {type} on node {node}"

        def recover(error: errors.ClientError) -> Entry | None:
            if not error.outcome_unknown and not _duplicate(error):
                return None
            return next((entry for entry in self._entries_now(node) if is_asserted(entry, {**body, "key": key})), None)

        try:
            return self._link.call(
                "POST",
                path,
                what=what,
                node=node,
                body=body,
                entries_of=(node, path),
                needs=("labels",) if labels else (),
                dry_run=dry_run,
                read=lambda answer: answer.row(ENTRY),
                recover=recover,
            )
        except errors.Refused as error:
            if _duplicate(error):
                # Of a native service's two 409 the other one is the lock.
                error.code = "duplicate"
            raise

    def update_entry(self, node: str, uuid: str, changes: t.Mapping[str, t.Any], dry_run: bool = False) -> Entry:
        """Change one's own hold and give its entry. Needs `patch`.

        changes: of `reason`, `extra`, `ticket`, `run`; what is left out stays.
        """
        labelled = "ticket" in changes or "run" in changes
        return self._link.call(
            "PATCH",
            paths.entry(node, uuid),
            what=f"change hold {uuid} of node {node}",
            node=node,
            body=dict(changes),
            entries_of=(node, paths.maintenance(node)),
            needs=("patch", "labels") if labelled else ("patch",),
            dry_run=dry_run,
            read=lambda answer: answer.row(ENTRY),
        )

    def release_entry(self, node: str, uuid: str, *, comment: str | None = None, dry_run: bool = False) -> None:
        """Release one hold. comment: why; without the `bulk` extension there is no place for it, and a warning says so."""
        what = f"release hold {uuid} of node {node}"
        method, path, body = "DELETE", paths.entry(node, uuid), None
        if comment and self._takes_comment(node):
            # That request does not name the node, and a hold of another node must not be released by a mistaken uuid.
            self.get_entry(node, uuid)
            method, path, body = "POST", "/v1/maintenance/release", {"entries": [uuid], "comment": comment, "on_error": "stop"}
        self._link.call(
            method,
            path,
            what=what,
            node=node,
            body=body,
            entries_of=(node, paths.maintenance(node)),
            dry_run=dry_run,
            read=nothing,
            recover=lambda error: True if error.status == 404 else None,
        )

    def release_all(self, node: str, *, only: t.Collection[str] | None = None, comment: str | None = None, dry_run: bool = False) -> None:
        """Release every hold of a node, or none: the refusal names each one in the way. With a comment: every hold that is there now.

        only: the uuids of the holds as they were read before, so that what was asserted since stays; without the `bulk` extension there is
        no way to say that. Where the reply was lost and holds are there, it is not sent again: they may be new ones, and nobody asked to
        release those.
        """
        what = f"release every hold of node {node}"
        path = paths.maintenance(node)
        if comment and not self._takes_comment(node):
            comment = None
        if comment or (only is not None and self._has_bulk(node)):
            self._release_listed(node, only, comment, what, dry_run)
            return
        self._link.call(
            "DELETE",
            path,
            what=what,
            node=node,
            entries_of=(node, path),
            dry_run=dry_run,
            read=nothing,
            recover=lambda error: True if error.outcome_unknown and self._are_gone(node, None) else None,
            resend_in_doubt=False,
        )

    def _release_listed(self, node: str, only: t.Collection[str] | None, comment: str | None, what: str, dry_run: bool) -> None:
        """Release the holds that a listing shows; when somebody else releases one meanwhile, list again."""
        said = {} if comment is None else {"comment": comment}
        for left in range(self._link.settings.retries, -1, -1):
            uuids = [entry["uuid"] for entry in self.list_entries(node) if only is None or entry["uuid"] in only]
            if not uuids:
                return
            try:
                self._link.call(
                    "POST",
                    "/v1/maintenance/release",
                    what=what,
                    node=node,
                    body={"entries": uuids, **said, "on_error": "stop"},
                    dry_run=dry_run,
                    read=nothing,
                    recover=functools.partial(self._released, node, frozenset(uuids)),
                )
                return
            except errors.Refused as error:
                if error.status != 404 or not left:
                    raise

    def _released(self, node: str, uuids: frozenset[str], error: errors.ClientError) -> t.Literal[True] | None:
        return True if (error.outcome_unknown or error.status == 404) and self._are_gone(node, uuids) else None

    def _takes_comment(self, node: str) -> bool:
        if self._has_bulk(node):
            return True
        self._link.warn("The comment of a release is not recorded: the service has no place for it.")
        return False

    def _has_bulk(self, node: str) -> bool:
        return self._link.probed(node, paths.maintenance(node)).has("bulk")

    def _entries_now(self, node: str) -> list[Entry]:
        """Read a node's entries after trouble; none if that fails too, since the trouble is what will be reported."""
        try:
            return self.list_entries(node)
        except errors.ClientError:
            return []

    def _are_gone(self, node: str, uuids: frozenset[str] | None) -> bool:
        """Tell whether a node has none of these entries, None for none at all. False too if that cannot be read."""
        try:
            return not any(uuids is None or entry["uuid"] in uuids for entry in self.list_entries(node))
        except errors.ClientError:
            return False


def is_asserted(entry: Entry, asked: t.Mapping[str, t.Any]) -> bool:
    """Tell whether an entry is what an assertion with these members asked for, and the caller's own as far as the service tells."""
    if entry.get("own", True) is not True or entry.get("type") != asked["type"]:
        return False
    if (entry.get("reason") or None) != (asked.get("reason") or None):
        return False
    if asked.get("extra") is not None and entry.get("extra") != asked["extra"]:
        return False
    return entry.get("key", "") == (asked.get("key") or "") and all(
        entry.get(name) == asked[name] for name in ("ticket", "run") if asked.get(name) is not None
    )


def _duplicate(error: errors.ClientError) -> bool:
    return error.code == "duplicate" or (error.status == 409 and error.code == "conflict" and not error.explained)
