# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A thousand nodes held by one request: beside a request for each."""

from __future__ import annotations

import pathlib
import time
import typing as t

from fleet import Fleet
from measuring import Cost, Row, cpu, cpu_of, in_turn, wall

NODES: t.Final = 1000
WISH: t.Final = {"type": "operator_hold", "reason": "the rack is moved"}


def rows(folder: pathlib.Path, rounds: int) -> list[Row]:
    """Measure."""
    with Fleet(folder, NODES) as fleet:

        def measured(run: str, assert_them: t.Callable[[], None]) -> Cost:
            before, begun = cpu_of(fleet.processes), time.perf_counter()
            assert_them()
            cost = Cost(time.perf_counter() - begun, cpu_of(fleet.processes) - before)
            fleet.free(run)
            return cost

        def at_once(number: int) -> Cost:
            run = f"bulk-{number}"
            return measured(run, lambda: fleet.call("POST", "/v1/maintenance", {"nodes": list(fleet.nodes), **WISH, "run": run}, 200))

        def one_by_one(number: int) -> Cost:
            run = f"single-{number}"

            def assert_them() -> None:
                for node in fleet.nodes:
                    fleet.call("POST", f"/v1/nodes/{node}/maintenance", {**WISH, "run": run}, 201)

            return measured(run, assert_them)

        ours, theirs = in_turn(rounds, at_once, one_by_one)
    work, instead = f"hold {NODES:,} nodes, one request", f"{NODES:,} requests, one connection"
    return [
        Row(work, instead, wall(ours), wall(theirs), "s", 0.25),
        Row(f"{work}, the service's processor", instead, cpu(ours), cpu(theirs), "s"),
    ]
