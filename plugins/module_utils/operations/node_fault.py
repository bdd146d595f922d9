# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""node_fault: assert or update a node's fault, or release it."""

from __future__ import annotations

import typing as t

from ..client.api import Api
from ..rules import faults, types
from . import prediction, targets
from .operation import Operation, Params, Result
from .releasing import Releaser, Selection
from .rows import Row, report


def node_fault(api: Api, params: Params, check_mode: bool, diff: bool) -> Result:
    """Make the node's one fault entry say the kind and the reason, or be gone. Releasing another's fault needs a comment."""
    node = targets.one(params)
    existing = next((entry for entry in api.list_entries(node) if entry["type"] == types.FAULT), None)
    if params["state"] == "present":
        if existing and (existing.get("extra") or {}).get("fault") == params["fault"] and existing.get("reason") == params["reason"]:
            rows = [Row(node, before=existing, after=existing)]
        else:
            entry, _created = api.put_fault(node, params["fault"], params["reason"], dry_run=check_mode)
            rows = [Row(node, changed=True, before=existing, after=entry)]
    elif existing is None:
        rows = [Row(node)]
    else:
        selection = Selection(uuid=existing["uuid"], comment=params["comment"])
        rows = Releaser(api, selection, [node], on_error="stop", check=check_mode).rows()
    return report(rows, single=True, diff=diff, prediction=prediction.source(api.service(node), check_mode))


OPERATION: t.Final = Operation(
    name="node_fault",
    run=node_fault,
    options={
        "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
        "node": {"type": "str"},
        "fault": {"type": "str", "choices": list(faults.KINDS)},
        "reason": {"type": "str"},
        "comment": {"type": "str"},
    },
    targets=("node",),
    required_if=(("state", "present", ("fault", "reason")),),
)
