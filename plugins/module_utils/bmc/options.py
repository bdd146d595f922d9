# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of the group `bmc`, as plain data: how one BMC is reached, given for a task or for each of its targets.

There is no environment behind them: a task that forgot to say which BMC it means must not read another one.
"""

from __future__ import annotations

import typing as t

PREFIX: t.Final = "bmc_"

Option = dict[str, t.Any]

ARGUMENT_SPEC: t.Final[dict[str, Option]] = {
    "bmc_protocol": {"type": "str", "choices": ["ipmi", "redfish"]},
    "bmc_address": {"type": "str"},
    "bmc_username": {"type": "str"},
    "bmc_password": {"type": "str", "no_log": True},
    "bmc_kg": {"type": "str", "no_log": True},
    "bmc_system": {"type": "str"},
    "bmc_manager": {"type": "str"},
    "bmc_validate_certs": {"type": "bool", "default": True},
    "bmc_ca_path": {"type": "path"},
    "bmc_auth": {"type": "str", "choices": ["basic", "session"], "default": "basic"},
    "bmc_deadline": {"type": "float"},
    "bmc_power_reads": {"type": "int", "default": 3},
    "bmc_power_read_interval": {"type": "float", "default": 10.0},
    "bmc_retries": {"type": "int", "default": 2},
}

#: The same for one target of many: what it leaves out is the task's.
OF_A_TARGET: t.Final[dict[str, Option]] = {
    name: {member: value for member, value in option.items() if member != "default"} for name, option in ARGUMENT_SPEC.items()
}

SECRETS: t.Final = tuple(name for name, option in ARGUMENT_SPEC.items() if option.get("no_log"))
#: Options that name files.
FILES: t.Final = ("bmc_ca_path",)


def of(params: t.Mapping[str, t.Any], target: t.Mapping[str, t.Any] | None = None) -> dict[str, t.Any]:
    """Give the options of one BMC as `target.target` takes them: the target's own, else the task's, without those that nobody gives."""
    found = {}
    for name in ARGUMENT_SPEC:
        value = (target or {}).get(name)
        value = params.get(name) if value is None else value
        if value is not None:
            found[name.removeprefix(PREFIX)] = value
    return found
