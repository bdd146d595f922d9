# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""hold: assert or release typed holds."""

from __future__ import annotations

import dataclasses
import typing as t

from ..client.api import Api
from . import prediction, targets
from .asserting import Asserter, Wanted
from .enforcement import Clock, wait_enforced
from .errors import OperationError
from .json_values import plain
from .operation import Operation, Params, Result
from .releasing import Releaser, Selection
from .rows import report


def hold(api: Api, params: Params, check_mode: bool, diff: bool) -> Result:
    """Make the hold be there, or be gone, on every node that params name. An empty list of nodes is nothing to do."""
    present = params["state"] == "present"
    wanted, selection = (_wanted(params), None) if present else (None, _selection(params))
    nodes = targets.several(params)
    if not nodes:
        return report([], single=False, diff=diff, prediction=None)
    service = api.service(nodes[0])
    warnings: list[str] = []
    if wanted is not None:
        if wanted.run and not service.has("labels"):
            warnings.append("The run is not recorded: the service has no place for it.")
            wanted = dataclasses.replace(wanted, run=None)
        rows = Asserter(api, wanted, nodes, on_error=params["on_error"], check=check_mode).rows()
        if params["wait_enforced"] and not check_mode:
            rows = wait_enforced(api, rows, params["wait_timeout"], Clock())
    else:
        rows = Releaser(api, t.cast(Selection, selection), nodes, on_error=params["on_error"], check=check_mode).rows()
    return report(
        rows,
        single=params["nodes"] is None,
        diff=diff,
        prediction=prediction.source(service, check_mode),
        warnings=warnings,
    )


def _wanted(params: Params) -> Wanted:
    for name in ("uuid", "all"):
        if params[name]:
            raise OperationError(f"`{name}` says what to release, and state is present: leave it out, or set state: absent.")
    if not params["reason"].strip():
        raise OperationError("`reason` is empty: say why the node is held, for whoever finds it held.")
    given = {name: params[name] or None for name in ("ticket", "run")}
    names = ("type", "reason", "key", "on_existing")
    return Wanted(extra=plain(params["extra"], "extra"), **given, **{name: params[name] for name in names})


def _selection(params: Params) -> Selection:
    given = [name for name in ("uuid", "type", "all") if params[name] not in (None, False)]
    if len(given) != 1:
        what = f"{' and '.join(given)} are given" if given else "none is given"
        raise OperationError(
            f"state: absent needs exactly one of `uuid`, `type` (your own hold of that type) or `all: true`, and {what}."
            " Nothing was released."
        )
    for name in ("uuid", "type", "ticket"):
        # Not taken for "not given": that would mean more holds, where a variable that was to narrow them is empty by mistake.
        if params[name] is not None and not params[name].strip():
            raise OperationError(f"`{name}` is an empty string: say which hold is meant, or leave it out. Nothing was released.")
    if params["uuid"] is not None and params["nodes"] is not None:
        raise OperationError("`uuid` is one entry of one node: name that by `node`, not by `nodes`. Nothing was released.")
    if params["all"]:
        narrowing = [name for name in ("key", "run", "ticket") if params[name]]
        if narrowing:
            raise OperationError(
                f"`all: true` releases every hold of a node, and {' and '.join(narrowing)} would not narrow that:"
                " release by `type`, or leave it out. Nothing was released."
            )
    labels = {name: params[name] for name in ("run", "ticket")}
    return Selection(uuid=params["uuid"], type=params["type"], all=params["all"], key=params["key"], comment=params["comment"], **labels)


OPERATION: t.Final = Operation(
    name="hold",
    run=hold,
    options={
        "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
        **targets.OPTIONS,
        "type": {"type": "str"},
        "reason": {"type": "str"},
        "extra": {"type": "dict"},
        "key": {"type": "str", "default": "", "no_log": False},
        "ticket": {"type": "str"},
        "run": {"type": "str"},
        "uuid": {"type": "str"},
        "all": {"type": "bool", "default": False},
        "comment": {"type": "str"},
        "on_existing": {"type": "str", "choices": ["auto", "update", "keep", "fail"], "default": "auto"},
        "on_error": {"type": "str", "choices": ["stop", "continue"], "default": "stop"},
        "wait_enforced": {"type": "bool", "default": True},
        "wait_timeout": {"type": "int", "default": 120},
    },
    targets=("node", "nodes"),
    mutually_exclusive=(("node", "nodes"),),
    required_if=(("state", "present", ("type", "reason")),),
    labels_run=True,
)
