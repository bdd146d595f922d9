# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Row: what the role fault_recovery knows about one node, from finding it to reporting on it.

Rows travel through Ansible's facts, so they are plain JSON, and hold no secret. Functions that take rows give new ones.
"""

from __future__ import annotations

import typing as t

Json = dict[str, t.Any]
Found = t.Mapping[str, t.Any]

#: Types of the entries that the role may release: what a service asserted, and what the service turned such an entry into.
FAULT: t.Final = "fault"
REVIEW: t.Final = "x_fault_review"

#: The kind that a BMC which stays silent is evidence for.
POWER_FAILURE: t.Final = "power failure"

#: The role's own hold on a flapping node: nobody else's hold has this key by chance, and its release starts the count again.
FLAP_TYPE: t.Final = "operator_hold"
FLAP_KEY: t.Final = "fault_recovery"

DUE, CLEAN, DONE = "due", "clean", "done"

#: What becomes of a node whose faults the Ironic behind the service asserts and releases by itself.
LEFT: t.Final = "left_to_ironic"


class Row(t.TypedDict):
    """One node.

    state: `due` is to be checked (again), `clean` may be released, `done` is decided. outcome: released, would_release, not_released,
    unreachable, skipped, failed, asserted, would_assert, watched, left_to_ironic; null while it is due for the first time.
    """

    node: str
    node_uuid: str
    #: Whether the node has nothing to be released and is only looked at, to find out that its BMC is silent.
    watch: bool
    #: The kind of fault by whose rules the BMC is judged; null means by all rules.
    fault: str | None
    #: The entries that a clean verdict releases, and since when the earliest of them is there.
    entries: list[Json]
    since: str | None
    #: The holds beside them, which stay.
    others: list[Json]
    expected: Json
    ignore: list[Json]
    #: The members of the node that must not change between check and release.
    node_state: Json
    bmc: str | None
    #: How often a fault was asserted on it of late; null: that is not counted, or can't be read.
    flaps: int | None
    state: str
    outcome: str | None
    why: str
    #: How often the BMC was checked, and in which of these attempts it was silent.
    attempts: int
    silent: list[int]
    verdict: Json | None
    evidence: str
    #: `operator_hold` or `power failure`, if that is what should be asserted.
    proposal: str | None


def updated(row: Row, **changes: t.Any) -> Row:
    """Give the row with these fields changed."""
    return t.cast(Row, {**row, **changes})
