# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What every resource works with: the service's parts, and how an answer is made."""

from __future__ import annotations

import dataclasses
import typing as t

from ..service.acting import Acting
from ..service.holds import Held
from ..service.parts import Parts
from ..store.values import Entry, Node
from . import answers, bodies, versions


@dataclasses.dataclass(frozen=True)
class Site:
    """The service's parts and where clients reach it (None: where the request came to)."""

    parts: Parts
    public_endpoint: str | None

    def base(self, req: t.Any) -> str:
        """Give the URL before /v1 that links and `next` carry."""
        return self.public_endpoint or req.prefix

    def entries(
        self, req: t.Any, acting: Acting, node: Node, entries: t.Iterable[Entry], *, dry_run: bool = False
    ) -> list[dict[str, t.Any]]:
        """Give entries of one node as JSON."""
        enforced = self.parts.source.enforced([node.id])[node.id]
        return self.shown(req, acting, node, entries, enforced=enforced, dry_run=dry_run)

    def shown(
        self, req: t.Any, acting: Acting, node: Node, entries: t.Iterable[Entry], *, enforced: bool, dry_run: bool = False
    ) -> list[dict[str, t.Any]]:
        """Give entries of one node as JSON, whose enforcement is known."""
        source = self.parts.source
        return [
            answers.entry(
                acting,
                node,
                entry,
                base=self.base(req),
                enforced=enforced,
                enforced_by=source.enforced_by,
                dry_run=dry_run,
            )
            for entry in entries
        ]

    def held(self, req: t.Any, acting: Acting, held: Held, *, dry_run: bool = False) -> dict[str, t.Any]:
        """Give one entry as JSON."""
        return self.entries(req, acting, held.node, [held.entry], dry_run=dry_run)[0]


def dry_run(args: bodies.Arguments, version: int, *, typed: bool) -> bool:
    """Take the argument dry_run.

    Refusal 400 below the typed version on a boolean endpoint (typed: False), where it would be ignored, that is performed.
    """
    if not args.in_query("dry_run"):
        return False
    if not typed and version < versions.typed():
        return False
    return args.flag("dry_run")
