# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Doing an operation as a task would: the options that are not given have their defaults, and a failure is a result."""

from __future__ import annotations

import typing as t

from ansible_collections.baremetal.maintenance.plugins.module_utils.client.errors import ClientError
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.operation import Operation


def do(operation: Operation, api: t.Any, *, check: bool = False, **options: t.Any) -> dict[str, t.Any]:
    """Give the result of the operation, with a diff."""
    params = {name: option.get("default") for name, option in operation.options.items()}
    try:
        return {"failed": False, **operation.run(api, {**params, **options}, check, True)}
    except ClientError as error:
        return {"changed": False, **error.to_result(), "failed": True}
