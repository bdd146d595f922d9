# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the BMC has yet to do: tasks (DSP2046, Task) and jobs (Job) that wait or run, such as a configuration for the next start."""

from __future__ import annotations

import typing as t

from ..errors import NotOffered
from ..report import Json
from . import values
from .machine import Machine
from .walk import Walk

#: Of each of the two lists the last so many are read one by one: some BMCs keep hundreds that are long over.
MOST: t.Final = 10
#: The states of the standard that are no end. `service` is none of these: such a job runs for ever.
_UNDER_WAY: t.Final = frozenset(
    {
        "new",
        "starting",
        "running",
        "suspended",
        "interrupted",
        "pending",
        "stopping",
        "cancelling",
        "userintervention",
        "continue",
        "scheduled",
    }
)


def read(machine: Machine, walk: Walk, piece: Json) -> None:
    """The section `tasks`. Raises NotOffered if there is no list of either kind."""
    lists = [
        walk.try_follow((walk.try_follow(machine.root.get(service)) or {}).get(name))
        for service, name in (("Tasks", "Tasks"), ("JobService", "Jobs"))
    ]
    offered = [one for one in lists if one is not None]
    if not offered:
        if not piece.get("errors"):
            raise NotOffered
        return
    whole, pending = True, []
    for one in offered:
        refs = values.items(one.get("Members"))
        whole = whole and len(refs) <= MOST and not one.get("Members@odata.nextLink")
        for ref in refs[-MOST:]:
            found = ref if set(ref) - {"@odata.id"} else walk.try_follow(ref)
            if found:
                state = values.text(found.get("TaskState")) or values.text(found.get("JobState")) or "unknown"
                if state.lower() in _UNDER_WAY:
                    pending.append(f"{values.text(found.get('Name')) or values.text(found.get('Id')) or 'unnamed'} ({state})")
    piece["bmc"] = {"pending": pending if pending or whole and not piece.get("errors") else None}
