# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""node: enrol, change or remove a node of the registry."""

from __future__ import annotations

import typing as t
import uuid as uuids

from ..client.api import Api
from ..client.errors import ClientError
from . import entries, prediction
from .errors import OperationError
from .json_values import plain, same
from .operation import Operation, Params, Result
from .releasing import Releaser, Selection
from .rows import node_diff, report

Node = dict[str, t.Any]

#: Members with one value; an empty string clears one.
_PLAIN: t.Final = ("name", "owner", "lessee", "resource_class", "driver", "description")

#: Members that are objects: keys that are not given stay, a key with null is removed.
_OBJECTS: t.Final = ("properties", "extra")


def node(api: Api, params: Params, check_mode: bool, diff: bool) -> Result:
    """Make the node be in the registry with what is given, leaving what is not given, or be gone from it."""
    for option in ("uuid", "name"):
        if params[option] is not None and not params[option].strip():
            raise OperationError(f"`{option}` is an empty string: a node's {option} is needed. Nothing was done.")
    ident = params["uuid"] or params["name"]
    if ident is None:
        raise OperationError("No node is named: give `name` or `uuid`.")
    params = {**params, **{name: plain(params[name], name) for name in _OBJECTS}}
    existing = _find(api, ident)
    if params["state"] == "absent":
        return _remove(api, ident, existing, params, check_mode, diff)
    if existing is None:
        return _enrol(api, params, check_mode, diff)
    return _change(api, ident, existing, params, check_mode, diff)


def fill_target(value: str) -> dict[str, t.Any]:
    """Name the node by `uuid` if the value is one, else by `name`."""
    try:
        uuids.UUID(value)
    except ValueError:
        return {"name": value}
    return {"uuid": value}


def _find(api: Api, ident: str) -> Node | None:
    try:
        return api.get_node(ident)
    except ClientError as error:
        if error.code == "not_found":
            return None
        raise


def _enrol(api: Api, params: Params, check: bool, diff: bool) -> Result:
    body: Node = {name: params[name] for name in ("uuid", *_PLAIN) if params[name]}
    for name in _OBJECTS:
        if params[name] is not None:
            body[name] = {key: value for key, value in params[name].items() if value is not None}
    predicted = _predicted(api, check)
    made = body if predicted else api.create_node(body, dry_run=check)
    return _result(body.get("name") or body["uuid"], made, check, predicted, diff and ("", body))


def _change(api: Api, ident: str, existing: Node, params: Params, check: bool, diff: bool) -> Result:
    patch, before, after = _differences(existing, params)
    if not patch:
        return {"changed": False, "node": existing, **_said(api, check)}
    predicted = _predicted(api, check)
    changed = {**existing, **after} if predicted else api.patch_node(ident, patch, dry_run=check)
    return _result(ident, changed, check, predicted, diff and (before, after))


def _differences(existing: Node, params: Params) -> tuple[list[dict[str, t.Any]], Node, Node]:
    """Give the JSON patch that makes the node say what is given, and the members it changes, before and after."""
    patch: list[dict[str, t.Any]] = []
    before: Node = {}
    after: Node = {}
    for name in _PLAIN:
        wanted = params[name]
        if wanted is None or (existing.get(name) or "") == wanted:
            continue
        before[name], after[name] = existing.get(name), wanted or None
        patch.append({"op": "add", "path": f"/{name}", "value": wanted} if wanted else {"op": "remove", "path": f"/{name}"})
    for name in _OBJECTS:
        stored = existing.get(name) or {}
        merged = dict(stored)
        for key, value in (params[name] or {}).items():
            pointer = f"/{name}/{key.replace('~', '~0').replace('/', '~1')}"
            if value is not None and (key not in stored or not same(stored[key], value)):
                merged[key] = value
                patch.append({"op": "add", "path": pointer, "value": value})
            elif value is None and key in stored:
                del merged[key]
                patch.append({"op": "remove", "path": pointer})
        if not same(merged, stored):
            before[name], after[name] = stored, merged
    return patch, before, after


def _remove(api: Api, ident: str, existing: Node | None, params: Params, check: bool, diff: bool) -> Result:
    if existing is None:
        return {"changed": False, "node": None, **_said(api, check)}
    service = api.service(ident)
    if service.typed:
        _end_holds(api, ident, params, check)
    elif existing.get("maintenance") and not params["release_holds"]:
        raise OperationError(
            f"Node {ident} is in maintenance ({existing.get('maintenance_reason')!r}) and is not removed:"
            " unset that first, or set `release_holds: true`.",
            code="held",
            node=ident,
        )
    predicted = check and not service.has("dry_run")
    if not predicted:
        api.delete_node(ident, dry_run=check)
    shown = {name: existing[name] for name in ("uuid", *_PLAIN, *_OBJECTS) if name in existing}
    return _result(ident, None, check, predicted, diff and (shown, ""))


def _end_holds(api: Api, ident: str, params: Params, check: bool) -> None:
    """Release every hold of the node through the normal checks, or refuse where that was not asked for."""
    active = api.list_entries(ident)
    if not active:
        return
    if not params["release_holds"]:
        names = "; ".join(entries.describe(entry) for entry in active)
        raise OperationError(
            f"Node {ident} is held and is not removed: {names}. Release them first, or set `release_holds: true`.",
            code="held",
            node=ident,
            blockers=[entries.blocker(entry, "it is active") for entry in active],
        )
    selection = Selection(all=True, comment=params["comment"])
    report(Releaser(api, selection, [ident], on_error="stop", check=check).rows(), single=True, diff=False, prediction=None)


def _predicted(api: Api, check: bool) -> bool:
    return check and not api.service().has("dry_run")


def _said(api: Api, check: bool) -> Result:
    return {"prediction": prediction.source(api.service(), check)} if check else {}


def _result(ident: str, node: Node | None, check: bool, predicted: bool, change: t.Any) -> Result:
    result: Result = {"changed": True, "node": node}
    if check:
        result["prediction"] = "client" if predicted else "server"
    if change:
        result["diff"] = [node_diff(ident, *change)]
    return result


OPERATION: t.Final = Operation(
    name="node",
    run=node,
    options={
        "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
        "name": {"type": "str"},
        "uuid": {"type": "str"},
        "owner": {"type": "str"},
        "lessee": {"type": "str"},
        "resource_class": {"type": "str"},
        "driver": {"type": "str"},
        "description": {"type": "str"},
        "properties": {"type": "dict"},
        "extra": {"type": "dict"},
        "release_holds": {"type": "bool", "default": False},
        "comment": {"type": "str"},
    },
    targets=("name", "uuid"),
    fill_target=fill_target,
)
