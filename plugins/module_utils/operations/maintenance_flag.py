# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""maintenance_flag: the boolean of today, on any Ironic."""

from __future__ import annotations

import typing as t

from ..client.api import Api
from ..rules import types
from . import prediction, targets
from .operation import Operation, Params, Result
from .rows import node_diff

#: Ironic and the typed API cut a reason here.
REASON_LIMIT: t.Final = 4096

State = dict[str, t.Any]


def maintenance_flag(api: Api, params: Params, check_mode: bool, diff: bool) -> Result:
    """Set the flag with a reason, or unset it: with typed holds that is all or nothing, and the failure names the blockers.

    Setting touches the legacy entry only, and `changed` is about it where the service has typed holds. A reason that is not given leaves
    the one that is stored.
    """
    node = targets.one(params)
    service = api.service(node)
    before = _typed_state(api, node) if service.typed else _flag_state(api, node)
    after = _set(before, params["reason"], service.typed) if params["state"] == "present" else _unset(before)
    result: Result = {"changed": before != after, "node": node, "before": before, "after": after}
    if check_mode:
        result["prediction"] = prediction.source(service, check_mode)
    if result["changed"]:
        if diff:
            result["diff"] = [node_diff(node, before, after)]
        if service.has("dry_run") or not check_mode:
            if params["state"] == "present":
                api.set_flag(node, params["reason"], dry_run=check_mode)
            else:
                api.clear_flag(node, dry_run=check_mode)
    return result


def _typed_state(api: Api, node: str) -> State:
    entries = [{"type": entry["type"], "reason": entry.get("reason")} for entry in api.list_entries(node)]
    return {"maintenance": bool(entries), "entries": entries}


def _flag_state(api: Api, node: str) -> State:
    found = api.get_node(node, fields=["maintenance", "maintenance_reason"])
    return {"maintenance": found["maintenance"], "maintenance_reason": found["maintenance_reason"]}


def _set(before: State, reason: str | None, typed: bool) -> State:
    wanted = None if reason is None else reason[:REASON_LIMIT]
    if not typed:
        return before if before["maintenance"] and wanted is None else {"maintenance": True, "maintenance_reason": wanted}
    legacy = {"type": types.LEGACY, "reason": wanted}
    if not any(entry["type"] == types.LEGACY for entry in before["entries"]):
        return {"maintenance": True, "entries": [*before["entries"], legacy]}
    if wanted is None:
        return before
    return {"maintenance": True, "entries": [legacy if entry["type"] == types.LEGACY else entry for entry in before["entries"]]}


def _unset(before: State) -> State:
    cleared: State = {"entries": []} if "entries" in before else {"maintenance_reason": None}
    return {"maintenance": False, **cleared} if before["maintenance"] else before


OPERATION: t.Final = Operation(
    name="maintenance_flag",
    run=maintenance_flag,
    options={
        "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
        "node": {"type": "str"},
        "reason": {"type": "str"},
    },
    targets=("node",),
)
