# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One hold: beside the process of the command-line tool that sets the boolean today, on the same service."""

from __future__ import annotations

import pathlib
import statistics
import time
import typing as t

from fleet import BINARIES, Fleet
from measuring import Cost, Row, command, cpu, cpu_of, in_turn, wall

NODES: t.Final = 200


def rows(folder: pathlib.Path, rounds: int) -> list[Row]:
    """Measure. The service's processor time is on both sides; the tool's own is on its side."""
    with Fleet(folder, NODES) as fleet:

        def over_http(number: int) -> Cost:
            """Give the median of one assert on each node, and the mean of its processor time."""
            run = f"single-{number}"
            taken = []
            before = cpu_of(fleet.processes)
            for node in fleet.nodes:
                begun = time.perf_counter()
                body = {"type": "operator_hold", "reason": "the rack is moved", "run": run}
                fleet.call("POST", f"/v1/nodes/{node}/maintenance", body, 201)
                taken.append(time.perf_counter() - begun)
            spent = cpu_of(fleet.processes) - before
            fleet.free(run)
            return Cost(statistics.median(taken), spent / len(taken))

        def by_tool(number: int) -> Cost:
            tool = [str(BINARIES / "baremetal"), "--os-auth-type", "none", "--os-endpoint", fleet.url]
            before = cpu_of(fleet.processes)
            cost = command([*tool, "node", "maintenance", "set", fleet.nodes[0], "--reason", f"{number}"], fleet.environment(), folder)
            return Cost(cost.wall, cost.cpu + cpu_of(fleet.processes) - before)

        ours, theirs = in_turn(rounds, over_http, by_tool)
    instead = "the process of baremetal node maintenance set"
    milliseconds = 1000
    return [
        Row("one assert over HTTP", instead, milliseconds * wall(ours), milliseconds * wall(theirs), "ms", 0.01),
        Row("one assert, processor", instead, milliseconds * cpu(ours), milliseconds * cpu(theirs), "ms", 0.01),
    ]
