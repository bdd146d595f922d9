# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The maintenance flag of one node: the boolean of every Ironic."""

from __future__ import annotations

from . import errors, paths
from .verbs import Verbs, nothing


class Flag(Verbs):
    """Verbs on the maintenance flag. They work on every service; dry_run needs that extension."""

    def set_flag(self, node: str, reason: str | None, dry_run: bool = False) -> None:
        """Set the flag. Without a reason an earlier one is wiped, as Ironic does."""
        self._link.call(
            "PUT",
            paths.maintenance(node),
            what=f"set the maintenance flag of node {node}",
            node=node,
            body={} if reason is None else {"reason": reason},
            dry_run=dry_run,
            read=nothing,
        )

    def clear_flag(self, node: str, dry_run: bool = False) -> None:
        """Clear the flag. With typed entries that is all or nothing: the refusal names each one in the way.

        Where the reply was lost and the flag is set, it is not sent again: somebody may have set it since.
        """
        self._link.call(
            "DELETE",
            paths.maintenance(node),
            what=f"clear the maintenance flag of node {node}",
            node=node,
            dry_run=dry_run,
            read=nothing,
            recover=lambda error: True if error.outcome_unknown and self._is_clear(node) else None,
            resend_in_doubt=False,
        )

    def _is_clear(self, node: str) -> bool:
        try:
            found = self._link.call(
                "GET",
                paths.node(node),
                what=f"read the maintenance flag of node {node}",
                node=node,
                query={"fields": "uuid,maintenance"},
                read=lambda answer: answer.row(("maintenance",)),
            )
        except errors.ClientError:
            return False
        return found["maintenance"] is False
