# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""hold_info: read the active holds of nodes or of the fleet."""

from __future__ import annotations

import datetime
import typing as t

from ..client.api import Api
from ..client.errors import ClientError
from . import durations, entries, query, targets
from .errors import OperationError
from .operation import Operation, Params, Result
from .rows import Entry

#: The labels by which entries are found again.
LABELS: t.Final = ("ticket", "run")


def hold_info(api: Api, params: Params, check_mode: bool, diff: bool) -> Result:
    """Give the entries that match all filters, each with `node`: the node as the task named it, or in the fleet its name, or its uuid."""
    age = None if params["older_than"] is None else durations.seconds(params["older_than"], "older_than")
    if params["fleet"]:
        found = _of_fleet(api, params, age)
    else:
        found = _of_nodes(api, targets.several(params), age)
    kept = [entry for entry in found if _matches(entry, params)]
    result: Result = {"changed": False, "entries": kept}
    if params["query"] is not None:
        result["query_result"] = query.search(params["query"], kept)
    return result


def _of_fleet(api: Api, params: Params, age: int | None) -> list[Entry]:
    if params["node"] is not None or params["nodes"] is not None:
        raise OperationError("`fleet: true` means every node: leave out `node` and `nodes`.")
    filters: dict[str, t.Any] = {"older_than": age}
    for option, name in (("types", "type"), ("scopes", "scope"), ("projects", "project")):
        # The service filters by one value; of several, _matches takes its pick.
        if params[option] and len(params[option]) == 1:
            filters[name] = params[option][0]
    filters |= {name: params[name] for name in LABELS if params[name] is not None}
    return [{"node": row.get("node_name") or row["node_uuid"], **row} for row in api.fleet_entries(filters)]


def _of_nodes(api: Api, nodes: t.Sequence[str], age: int | None) -> list[Entry]:
    found: list[Entry] = []
    for node, active in entries.of_nodes(api, nodes).items():
        if isinstance(active, ClientError):
            raise active
        old = active if age is None else _older(api, node, active, age)
        found += [{"node": node, **entry} for entry in old]
    return found


def _older(api: Api, node: str, active: t.Sequence[Entry], age: int) -> list[Entry]:
    """Give the entries older than `age` seconds, by the service's clock where it offers that, else by ours."""
    if active and api.service(node).has("fleet"):
        old = {row["uuid"] for row in api.fleet_entries({"node": node, "older_than": age})}
        return [entry for entry in active if entry["uuid"] in old]
    limit = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(seconds=age)
    return [entry for entry in active if datetime.datetime.fromisoformat(entry["asserted_at"].replace("Z", "+00:00")) < limit]


def _matches(entry: Entry, params: Params) -> bool:
    wanted = (("types", "type"), ("scopes", "scope"), ("projects", "asserted_by_project"))
    if any(params[name] is not None and entry.get(name) != params[name] for name in LABELS):
        return False
    return all(params[option] is None or entry.get(name) in params[option] for option, name in wanted)


OPERATION: t.Final = Operation(
    name="hold_info",
    run=hold_info,
    options={
        **targets.OPTIONS,
        "fleet": {"type": "bool", "default": False},
        "types": {"type": "list", "elements": "str"},
        "scopes": {"type": "list", "elements": "str", "choices": ["system", "owner", "lessee"]},
        "projects": {"type": "list", "elements": "str"},
        "older_than": {"type": "str"},
        "ticket": {"type": "str"},
        "run": {"type": "str"},
        "query": {"type": "str"},
    },
    targets=("node", "nodes", "fleet"),
    mutually_exclusive=(("node", "nodes"),),
)
