# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What every action plugin of the collection has in common: it runs in-process on the controller, without a connection to the host."""

from __future__ import annotations

import typing as t

from ansible.module_utils.common.arg_spec import ArgumentSpecValidator, ValidationResult
from ansible.module_utils.errors import UnsupportedError
from ansible.plugins.action import ActionBase

COLLECTION: t.Final = "baremetal.maintenance"

Vars = t.Mapping[str, t.Any]


class _Operation(t.Protocol):
    name: str

    def spec(self) -> dict[str, t.Any]:
        """Give the argument spec and the rules between the options."""


class InProcessAction(ActionBase):
    """Knows its task. A class for one module, which is every subclass but a base, names its `operation` and declares
    `_supports_check_mode`."""

    operation: t.ClassVar[_Operation]

    _requires_connection = False
    _supports_async = False

    def __init_subclass__(cls, *, is_base: bool = False, **kwargs: t.Any) -> None:
        super().__init_subclass__(**kwargs)
        if not is_base and ("_supports_check_mode" not in vars(cls) or "operation" not in vars(cls)):
            raise TypeError(f"{cls.__module__} must declare its operation and _supports_check_mode")

    @property
    def _name(self) -> str:
        return f"{COLLECTION}.{self.operation.name}"

    def _validated(self, secrets: set[str]) -> tuple[dict[str, t.Any], str | None]:
        """Give the task's options as validated, and what is wrong with them; add the values that must not be shown."""
        checked = ArgumentSpecValidator(**self.operation.spec()).validate(self._task.args)
        secrets.update(checked._no_log_values)
        return checked.validated_parameters, f"{self._name}: {_explain(checked)}" if checked.error_messages else None

    def _is_elsewhere(self) -> bool:
        """Tell whether the task is delegated to a machine that Ansible connects to."""
        return bool(self._task.delegate_to) and self._connection.transport != "local"

    def _task_environment(self) -> dict[str, str]:
        """Give the variables that play, blocks and task set, the innermost winning: they arrive as a list of mappings."""
        merged: dict[str, t.Any] = {}
        self._compute_environment_string(merged)
        return {name: str(value) for name, value in merged.items()}


def _explain(checked: ValidationResult) -> str:
    """Say what is wrong with a task's options."""
    texts = []
    for error in checked.errors:
        prefix = "unsupported option: " if isinstance(error, UnsupportedError) else ""
        texts.append(f"{prefix}{error}")
    return "; ".join(texts)
