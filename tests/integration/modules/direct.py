# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Doing an operation on the real client and backend, without Ansible around it: for what is about answers, not about tasks."""

from __future__ import annotations

import typing as t

from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.operation import Operation
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.perform import perform

from tests.support.backend import password

from .running import Stage


def do(stage: Stage, operation: Operation, *, who: str = "op", check: bool = False, **options: t.Any) -> dict[str, t.Any]:
    """Give the result of an operation as one of the users; the options that are not given have their defaults."""
    params = {name: option.get("default") for name, option in operation.spec()["argument_spec"].items()}
    login = {"api_url": stage.backend.url, "auth_type": "http_basic", "username": who, "password": password(who)}
    return {"failed": False, **perform(operation, {**params, **login, **options}, {}, check_mode=check, diff=True)}
