# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The fault of one node."""

from __future__ import annotations

import typing as t

from . import answers, paths
from .entries import ENTRY
from .verbs import Verbs


class Fault(Verbs):
    """The verb on a node's fault entry. It needs the extension `fault`."""

    def put_fault(self, node: str, fault: str, reason: str | None, dry_run: bool = False) -> tuple[dict[str, t.Any], bool]:
        """Assert a fault of a kind (rules.faults.KINDS) or update it in place. Give its entry, and whether it is a new one."""

        def read(answer: answers.Answer) -> tuple[dict[str, t.Any], bool]:
            return answer.row(ENTRY), answer.status == 201

        return self._link.call(
            "PUT",
            f"{paths.maintenance(node)}/fault",
            what=f"assert the fault {fault!r} on node {node}",
            node=node,
            body={"fault": fault, **({} if reason is None else {"reason": reason})},
            entries_of=(node, paths.maintenance(node)),
            needs=("fault",),
            dry_run=dry_run,
            read=read,
        )
