# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The base of the action plugins about BMCs. The libraries that talk to BMCs are never loaded in the process that it runs in."""

from __future__ import annotations

import typing as t

from ..module_utils.bmc import options as group
from ..module_utils.operations.bmc_operation import BmcFailure, BmcOperation, Result
from ..module_utils.operations.bmc_perform import failed, hidden, perform
from ..module_utils.operations.bmc_targets import logins
from .in_process import InProcessAction, Vars


class BmcAction(InProcessAction, is_base=True):
    """Runs one operation: here, or where the task is delegated to. Failures are results with fields, and no result holds a secret."""

    operation: t.ClassVar[BmcOperation]

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> Result:
        """Give the task's result."""
        super().run(tmp, task_vars)
        secrets: set[str] = set()
        params, problem = self._validated(secrets)
        if problem:
            return hidden(failed(BmcFailure(problem, "option")), (), secrets)
        if self._is_elsewhere():
            return hidden(self._delegated(params, task_vars or {}), logins(params), secrets)
        result = perform(
            self.operation, params, check_mode=self._task.check_mode, diff=bool(self._task.diff), progress=self._display.display
        )
        return hidden(result, (), secrets)

    def _delegated(self, params: dict[str, t.Any], task_vars: Vars) -> Result:
        """Run the module on the other machine."""
        files = self._files(params)
        if files and not params["remote_files"]:
            where = f"The task is delegated to {self._task.delegate_to}, where {' or '.join(f'`{name}`' for name in files)} would name"
            return failed(BmcFailure(f"{where} that machine's file: set remote_files: true if it is meant. Nothing was done.", "option"))
        result = self._execute_module(module_name=self._name, module_args=_given(params), task_vars=task_vars)
        result.pop("invocation", None)
        return result

    @staticmethod
    def _files(params: Vars) -> list[str]:
        """Give the options that name files and are given, for the task or a target."""
        return [name for name in group.FILES if any(options.get(name) for options in (params, *(params.get("targets") or ())))]


def _given(value: t.Any) -> t.Any:
    """Give options without those that are null, in targets too: a module takes a null for a value of the wrong type."""
    if isinstance(value, dict):
        return {name: _given(member) for name, member in value.items() if member is not None}
    return [_given(member) for member in value] if isinstance(value, list) else value
