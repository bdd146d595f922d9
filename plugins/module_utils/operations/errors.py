# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""OperationError: a task fails by a rule of the collection, not of the service."""

from __future__ import annotations

import typing as t

from ..client.errors import ClientError


class OperationError(ClientError):
    """What was asked is refused here, or did not come to pass.

    msg, node and blockers are as in ClientError. code: `option` (options that can't be used so), `exists`, `other_run`, `other_ticket`,
    `needs_comment`, `not_enforced`, `held`, `not_supported`, `failed`. fields: further members of the task's result.
    """

    def __init__(
        self,
        msg: str,
        *,
        code: str = "option",
        node: str | None = None,
        blockers: t.Sequence[t.Mapping[str, t.Any]] = (),
        fields: t.Mapping[str, t.Any] | None = None,
    ) -> None:
        super().__init__(msg, code=code, node=node, blockers=blockers)
        self.fields = dict(fields or {})

    def to_result(self) -> dict[str, t.Any]:
        """Give the fields of a failed result: those of ClientError, then the further ones."""
        return {**super().to_result(), **self.fields}
