# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Row: what became of one node (or one entry of it) in a task that may work on many."""

from __future__ import annotations

import dataclasses
import typing as t

from ..client.errors import ClientError
from .errors import OperationError

Entry = dict[str, t.Any]

#: How many failed nodes the message of a task spells out; `nodes_result` has them all.
MOST_SENTENCES: t.Final = 5

_SHOWN = ("type", "key", "reason", "extra", "ticket", "run")


@dataclasses.dataclass(frozen=True)
class Row:
    """before, after: the entry as it was and as it is, None where there is none. uuid: the entry's, where no entry is at hand."""

    node: str
    changed: bool = False
    before: Entry | None = None
    after: Entry | None = None
    uuid: str | None = None
    error: ClientError | None = None
    #: Why nothing was done on this node, where that is no failure of its own.
    msg: str | None = None
    warning: str | None = None

    @property
    def entry(self) -> Entry | None:
        """The entry that the row is about: as it is now, or as it was before its release."""
        return self.after or self.before

    def to_dict(self) -> dict[str, t.Any]:
        """Give one member of `nodes_result`."""
        return {
            "node": self.node,
            "uuid": self.uuid or (self.entry or {}).get("uuid"),
            "changed": self.changed,
            "failed": self.error is not None,
            "msg": self.error.msg if self.error else self.msg,
            "blockers": self.error.blockers if self.error else [],
            "entry": self.entry,
        }


def attempt(node: str, act: t.Callable[[], Row]) -> Row:
    """Give the row that `act` gives, or a failed one if it raises a ClientError."""
    try:
        return act()
    except ClientError as error:
        return Row(node, error=error)


def untouched(node: str) -> Row:
    """Give the row of a node on which nothing was tried, because another one failed first."""
    return Row(node, msg="Nothing was done on this node: another one failed first.")


def failed(rows: t.Iterable[Row]) -> bool:
    """Tell whether any row failed."""
    return any(row.error for row in rows)


def report(
    rows: t.Sequence[Row], *, single: bool, diff: bool, prediction: str | None, warnings: t.Sequence[str] = ()
) -> dict[str, t.Any]:
    """Give the result of a task over nodes. Raise OperationError with the same fields if a node failed.

    single: the task named one node by `node`; where there is one row, `entry` is its entry. prediction: see prediction.source.
    """
    result: dict[str, t.Any] = {
        "changed": any(row.changed for row in rows),
        "nodes_result": [row.to_dict() for row in rows],
    }
    if single and len(rows) == 1:
        result["entry"] = rows[0].entry
    if prediction:
        result["prediction"] = prediction
    if diff:
        result["diff"] = [_diff(row) for row in rows if row.changed]
    said = [*warnings, *(row.warning for row in rows if row.warning)]
    if said:
        result["warnings"] = said
    errors = [(row, row.error) for row in rows if row.error]
    if errors:
        raise _failure(rows, errors, single, result)
    return result


def _failure(
    rows: t.Sequence[Row], errors: t.Sequence[tuple[Row, ClientError]], single: bool, result: dict[str, t.Any]
) -> ClientError:
    first = errors[0][1]
    if single and len(errors) == 1:
        return OperationError(first.msg, code=first.code, fields={**first.to_result(), **result})
    # One refusal of a call over many nodes is every row's error: it is said once.
    texts = list(dict.fromkeys(error.msg if error.node == row.node else f"{row.node}: {error.msg}" for row, error in errors))
    whole = len({id(error) for _row, error in errors}) == 1 and len(errors) > 1
    if whole:
        texts = [first.msg]
    sentences = " ".join(texts[:MOST_SENTENCES])
    more = f" … {len(texts) - MOST_SENTENCES} more in nodes_result." if len(texts) > MOST_SENTENCES else ""
    nodes = {row.node for row in rows}
    bad = {row.node for row, _error in errors}
    changed = {row.node for row in rows if row.changed}
    msg = f"{len(bad)} of {len(nodes)} nodes failed, {len(changed)} changed. {sentences}{more}"
    blockers = first.blockers if whole else [blocker for _row, error in errors for blocker in error.blockers]
    return OperationError(msg, code=first.code, fields={**first.to_result(), "msg": msg, "node": None, "blockers": blockers, **result})


def _diff(row: Row) -> dict[str, t.Any]:
    return node_diff(row.node, shown(row.before), shown(row.after))


def node_diff(node: str, before: t.Any, after: t.Any) -> dict[str, t.Any]:
    """Give one member of `diff`, headed by the node. before, after: mappings, or "" for nothing."""
    return {"before_header": f"node {node}", "after_header": f"node {node}", "before": before, "after": after}


def shown(entry: Entry | None) -> dict[str, t.Any] | str:
    """Give what a diff shows of an entry: what its asserter said, not when or as whom."""
    if entry is None:
        return ""
    return {name: entry[name] for name in _SHOWN if name in entry}
