# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""bmc_identify: light the locator LED of a machine, or put it out."""

from __future__ import annotations

import typing as t

from ..bmc import checking, target
from ..bmc import options as group
from .bmc_operation import BmcFailure, BmcOperation, Params, Progress, Result


def bmc_identify(params: Params, check_mode: bool, diff: bool, progress: Progress) -> Result:
    """Set the LED and give what it was and is. In check mode it is only read."""
    options = group.of(params)
    deadline = options.pop("deadline", None)
    try:
        found = checking.identify(options, params["state"], seconds=params["duration"], check=check_mode, deadline=deadline)
    except target.BadTarget as error:
        raise BmcFailure(str(error), "option") from error
    errors = found["errors"]
    result: Result = {name: found[name] for name in ("changed", "address", "before", "after", "method")}
    if diff and found["changed"]:
        result["diff"] = {
            "before_header": found["address"],
            "after_header": found["address"],
            "before": {"led": found["before"]},
            "after": {"led": found["after"]},
        }
    if errors:
        said = " ".join(part for part in (errors[0]["msg"], errors[0]["hint"]) if part)
        raise BmcFailure(said, errors[0]["kind"], **result)
    return result


OPERATION: t.Final = BmcOperation(
    name="bmc_identify",
    run=bmc_identify,
    options={
        "state": {"type": "str", "choices": ["on", "off"], "default": "on"},
        "duration": {"type": "int"},
    },
)
