# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""history_info: read the audit trail of a node or of the fleet."""

from __future__ import annotations

import datetime
import typing as t

from ..client.api import Api
from . import targets
from .errors import OperationError
from .operation import Operation, Params, Result

_LABELS: t.Final = ("type", "action", "ticket", "run")


def history_info(api: Api, params: Params, check_mode: bool, diff: bool) -> Result:
    """Give the events that match all filters, oldest first. since is included, until is not."""
    since, until = _moment(params, "since"), _moment(params, "until")
    if params["fleet"]:
        if params["node"] is not None:
            raise OperationError("`fleet: true` means every node: leave out `node`.")
        filters = {name: params[name] for name in (*_LABELS, "user")}
        times = {"since": since and since.isoformat(), "until": until and until.isoformat()}
        return {"changed": False, "events": api.fleet_history({**filters, **times})}
    node = targets.one(params)
    events = api.node_history(node)
    told = [name for name in _LABELS if params[name] is not None]
    if told and api.service(node).kind != "extended":
        # Nothing would match, which would read as if nothing had happened.
        raise OperationError(
            f"The history of node {node} does not say {' or '.join(told)} on this service: leave {'them' if told[1:] else 'it'} out."
        )
    return {"changed": False, "events": [event for event in events if _matches(event, params, since, until)]}


def _moment(params: Params, option: str) -> datetime.datetime | None:
    text = params[option]
    if text is None:
        return None
    try:
        return _parsed(text)
    except ValueError as error:
        raise OperationError(f"`{option}` is {text!r}: a time such as 2026-06-10T10:30:00+00:00 is needed.") from error


def _parsed(text: str) -> datetime.datetime:
    """Give a moment. Without an offset it is UTC, as the service's own times are."""
    moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return moment if moment.tzinfo else moment.replace(tzinfo=datetime.timezone.utc)


def _matches(event: t.Mapping[str, t.Any], params: Params, since: datetime.datetime | None, until: datetime.datetime | None) -> bool:
    about = event.get("maintenance") or {}
    if any(params[name] is not None and about.get(name) != params[name] for name in _LABELS):
        return False
    if params["user"] is not None and params["user"] not in (event.get("user"), about.get("user_name")):
        return False
    at = _parsed(event["created_at"])
    return (since is None or at >= since) and (until is None or at < until)


OPERATION: t.Final = Operation(
    name="history_info",
    run=history_info,
    options={
        "node": {"type": "str"},
        "fleet": {"type": "bool", "default": False},
        "type": {"type": "str"},
        "user": {"type": "str"},
        "action": {"type": "str"},
        "ticket": {"type": "str"},
        "run": {"type": "str"},
        "since": {"type": "str"},
        "until": {"type": "str"},
    },
    targets=("node", "fleet"),
)
