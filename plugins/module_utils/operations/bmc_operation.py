# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""BmcOperation: one verb about BMCs, as its module and its action plugin both run it. It knows no API, and shares no option with one."""

from __future__ import annotations

import dataclasses
import typing as t

from ..bmc import options as group

Params = t.Mapping[str, t.Any]
Result = dict[str, t.Any]
#: Takes a line for whoever watches the task.
Progress = t.Callable[[str], None]

#: For a task that is delegated to another machine; the action plugin acts on it, the module only knows it.
REMOTE_FILES: t.Final[dict[str, t.Any]] = {"type": "bool", "default": False}


class BmcFailure(Exception):
    """A task fails. msg: one sentence. code: `option`, `not_released`, or the kind of the error. fields: further members of the result."""

    def __init__(self, msg: str, code: str, **fields: t.Any) -> None:
        super().__init__(msg)
        self.msg = msg
        self.code = code
        self.fields = fields


class Run(t.Protocol):
    """Do the verb. Gives the task's result, or raises BmcFailure. Changes nothing when check_mode is set."""

    def __call__(self, params: Params, check_mode: bool, diff: bool, progress: Progress) -> Result:
        """params are validated; diff asks for before and after."""


@dataclasses.dataclass(frozen=True)
class BmcOperation:
    """A verb: its options, the rules between them, and the function that does it."""

    #: The name of its module and action plugin.
    name: str
    run: Run
    #: The argument spec of the verb's own options; those of the group `bmc` are added.
    options: t.Mapping[str, t.Mapping[str, t.Any]]
    mutually_exclusive: tuple[tuple[str, ...], ...] = ()

    def spec(self) -> dict[str, t.Any]:
        """Give the keyword arguments of AnsibleModule and of ArgumentSpecValidator."""
        return {
            "argument_spec": {**group.ARGUMENT_SPEC, "remote_files": REMOTE_FILES, **self.options},
            "mutually_exclusive": list(self.mutually_exclusive),
        }
