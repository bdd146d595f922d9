# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operation: one verb of the collection, as its module and its action plugin both run it."""

from __future__ import annotations

import dataclasses
import typing as t

from ..client import options as connection
from ..client.api import Api

Params = t.Mapping[str, t.Any]
Result = dict[str, t.Any]

#: For a task that is delegated to another machine; the action plugin acts on it, the module only knows it.
REMOTE_FILES: t.Final[dict[str, t.Any]] = {"type": "bool", "default": False}


class Run(t.Protocol):
    """Do the verb. Gives the task's result, or raises ClientError. Writes nothing when check_mode is set."""

    def __call__(self, api: Api, params: Params, check_mode: bool, diff: bool) -> Result:
        """params are validated; diff asks for before and after."""


def fill_node(value: str) -> dict[str, t.Any]:
    """Name the target of a task by the option `node`."""
    return {"node": value}


@dataclasses.dataclass(frozen=True)
class Operation:
    """A verb: its options, the rules between them, and the function that does it."""

    #: The name of its module and action plugin.
    name: str
    run: Run
    #: The argument spec of the verb's own options; the connection's are added.
    options: t.Mapping[str, t.Mapping[str, t.Any]]
    #: Options that say which nodes are meant. A task that gives none of them means its host's own node.
    targets: tuple[str, ...]
    #: How the host's own node is written into the options.
    fill_target: t.Callable[[str], dict[str, t.Any]] = fill_node
    mutually_exclusive: tuple[tuple[str, ...], ...] = ()
    required_if: tuple[tuple[str, t.Any, tuple[str, ...]], ...] = ()
    #: The verb labels what it asserts with `run`, which stands for the AWX job if the task does not say it.
    labels_run: bool = False

    def spec(self) -> dict[str, t.Any]:
        """Give the keyword arguments of AnsibleModule and of ArgumentSpecValidator."""
        return {
            "argument_spec": {**connection.ARGUMENT_SPEC, "remote_files": REMOTE_FILES, **self.options},
            "mutually_exclusive": list(self.mutually_exclusive),
            "required_if": list(self.required_if),
        }
