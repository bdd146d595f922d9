# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Waiting until an Ironic enforces a hold: before that, nobody may be told that the machine is safe to touch."""

from __future__ import annotations

import dataclasses
import time
import typing as t

from ..client.api import Api
from ..client.errors import ClientError
from .errors import OperationError
from .rows import Entry, Row

POLL_SECONDS: t.Final = 1.0
#: Of how many nodes that are waited for it is asked, and told, what they wait for.
MOST_NAMED: t.Final = 5


@dataclasses.dataclass(frozen=True)
class Clock:
    """Time that only moves forward, in seconds, and a way to let it pass."""

    now: t.Callable[[], float] = time.monotonic
    sleep: t.Callable[[float], None] = time.sleep


def pending(entry: Entry | None) -> bool:
    """Tell whether an entry is recorded but not yet enforced by the Ironic behind the service."""
    return bool(entry) and entry.get("enforced_by") == "ironic" and not entry.get("enforced")


def wait_enforced(api: Api, rows: t.Sequence[Row], timeout: float, clock: Clock) -> list[Row]:
    """Give the rows with their entries as enforced, and a warning where that took more than a look: what was waited for, how long.

    A row whose entry is not enforced after `timeout` seconds fails; its hold stays.
    """
    began = clock.now()
    deadline = began + timeout
    waiting = {index: row for index, row in enumerate(rows) if not row.error and pending(row.after)}
    settled = list(rows)
    obstacles: dict[int, str] | None = None
    while waiting:
        for index, row in list(waiting.items()):
            try:
                entry = api.get_entry(row.node, row.after["uuid"]) if row.after else None
            except ClientError as error:
                if error.retryable and clock.now() < deadline:
                    continue  # it may answer again before the time is over
                settled[index] = dataclasses.replace(row, error=_unknown(row, error))
                del waiting[index]
                continue
            settled[index] = dataclasses.replace(row, after=entry)
            if not pending(entry):
                del waiting[index]
                if obstacle := (obstacles or {}).get(index):
                    said = f"Node {row.node}: Ironic enforces the hold after {clock.now() - began:.0f} s; before, {obstacle}."
                    settled[index] = dataclasses.replace(settled[index], warning=" ".join(filter(None, (row.warning, said))))
        if waiting and clock.now() >= deadline:
            for index, row in waiting.items():
                settled[index] = dataclasses.replace(settled[index], error=_timed_out(api, row, timeout))
            break
        if waiting:
            if obstacles is None:
                # Once: what a node waits for when the waiting begins is what its user can do something about.
                obstacles = {index: _obstacle(api, waiting[index].node) for index in list(waiting)[:MOST_NAMED]}
            clock.sleep(POLL_SECONDS)
    return settled


def _locked_by(api: Api, node: str) -> str | None:
    try:
        return t.cast("str | None", api.get_node(node, fields=["reservation"]).get("reservation"))
    except ClientError:
        return None


def _obstacle(api: Api, node: str) -> str:
    reservation = _locked_by(api, node)
    return f"the node was locked by {reservation}" if reservation else "Ironic had not taken the flag, though the node was not locked"


def _timed_out(api: Api, row: Row, timeout: float) -> OperationError:
    reservation = _locked_by(api, row.node)
    lock = f"the node is locked by {reservation}" if reservation else "the node is not locked, and Ironic has not taken the flag yet"
    return OperationError(
        f"Hold {(row.after or {}).get('uuid')} on node {row.node} stays, but Ironic does not enforce it after {timeout:g} s: {lock}."
        " Do not touch the machine before it is enforced.",
        code="not_enforced",
        node=row.node,
    )


def _unknown(row: Row, error: ClientError) -> OperationError:
    return OperationError(
        f"Whether Ironic enforces hold {(row.after or {}).get('uuid')} on node {row.node} is not known: {error.msg}",
        code="not_enforced",
        node=row.node,
        blockers=error.blockers,
    )
