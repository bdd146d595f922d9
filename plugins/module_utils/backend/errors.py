# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Refusals: errors as values until the edge of the backend, where they become Ironic's error shape (api.md 8)."""

from __future__ import annotations

import dataclasses
import typing as t

Code = t.Literal[
    "not_permitted",
    "duplicate",
    "locked",
    "budget",
    "gated",
    "reserved_type",
    "unknown_type",
    "invalid",
    "not_supported",
    "not_found",
    "unauthenticated",
    "unavailable",
]


@dataclasses.dataclass(frozen=True)
class Blocker:
    """An entry that stands in the way, as the caller may see it. project is None where it is masked."""

    uuid: str | None
    type: str
    scope: str
    project: str | None
    why: str
    who_can: str

    def to_dict(self) -> dict[str, t.Any]:
        """Give the members of `refusal.blockers[]`."""
        return dataclasses.asdict(self)


class Refusal(Exception):
    """A request is refused: `text` says in one sentence what, on which node, and what would make it work.

    status: the HTTP status. code: what a client branches on. node: the node's identifier as the caller gave it, or None.
    """

    def __init__(
        self,
        status: int,
        code: Code,
        text: str,
        *,
        node: str | None = None,
        blockers: t.Sequence[Blocker] = (),
        headers: t.Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(text)
        self.status = status
        self.code: Code = code
        self.text = text
        self.node = node
        self.blockers = tuple(blockers)
        self.headers = dict(headers or {})

    def to_refusal(self) -> dict[str, t.Any]:
        """Give the `refusal` object of the error body."""
        return {"code": self.code, "node": self.node, "blockers": [blocker.to_dict() for blocker in self.blockers]}


def not_found(node: str) -> Refusal:
    """The answer for a node that does not exist or that the caller may not see: they must not differ."""
    return Refusal(404, "not_found", f"Node {node} could not be found.", node=node)
