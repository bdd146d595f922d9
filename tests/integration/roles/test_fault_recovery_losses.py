# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""fault_recovery when requests and answers are lost: nothing is released for that, and what was released is told."""

from __future__ import annotations

import functools
import pathlib
import random
import re
import typing as t

import pytest

from tests.integration.playbooks.running import Ran, Site
from tests.lab.bmc.fake_ipmi import FakeIpmi
from tests.support.lossy import KINDS, Lossy

from .rack import PATIENCE, QUICK, SICK, Rack, report

#: How many requests in a row are spoiled: one, which the client makes good by asking again; more than it asks again; all that follow.
LENGTHS: t.Final = (1, 4, 10**6)


def _spoil(kind: str, numbers: range, number: int, method: str, path: str) -> str | None:
    return kind if number in numbers else None


class Through(Site):
    """Runs whose requests go by the way."""

    def __init__(self, folder: pathlib.Path, way: Lossy, rack: Rack, flap_threshold: int) -> None:
        super().__init__(folder, way)  # type: ignore[arg-type]
        (folder / "ansible.cfg").write_text("[defaults]\nshow_custom_stats = true\n", encoding="utf-8")
        self._nodes, self._flap_threshold = list(rack.hosts), flap_threshold
        self.inventory(rack.hosts)

    def recover(self) -> Ran:
        given = {**QUICK, "target": self._nodes, "fault_recovery_flap_threshold": self._flap_threshold}
        return self.play("fault_recovery", variables=given, may_warn=True, timeout=PATIENCE)


@pytest.mark.soak
@pytest.mark.timeout(3 * PATIENCE)
def test_whatever_is_lost_only_the_healthy_are_released_and_that_is_told(
    rack: Rack, bmcs: FakeIpmi, tmp_path: pathlib.Path, rounds: int, seed: str
) -> None:
    chance = random.Random(seed)
    well, shared, often, sick = (rack.node(name, bmcs.bmcs[place]) for place, name in enumerate(("well", "shared", "often", "sick")))
    bmcs.bmcs[3].set(chassis=SICK)
    # The others' faults come back in every round.
    flaps = rounds + 3
    stay = {rack.hold(shared), rack.fault(often, times=flaps), rack.fault(sick)}
    with Lossy(rack.site.backend.url) as way:
        through = Through(tmp_path, way, rack, flaps)
        first_fault = rack.fault(well)
        assert through.recover().status == 0
        assert first_fault not in {uuid for uuids in rack.held().values() for uuid in uuids}
        usual = len(way.seen)
        for number in range(rounds):
            held = {uuid for uuids in rack.held().values() for uuid in uuids}
            mine = {node: rack.fault(node) for node in (well, shared)}
            kind, length = chance.choice(KINDS), chance.choice(LENGTHS)
            start = len(way.seen) + chance.randrange(usual)
            way.spoil = functools.partial(_spoil, kind, range(start, start + length))
            ran = through.recover()
            way.spoil = functools.partial(_spoil, kind, range(0))
            what = f"round {number}: {kind} lost {length} times from {way.seen[start : start + 1]} on\n{ran.output}"
            left = {uuid for uuids in rack.held().values() for uuid in uuids}
            assert stay <= left, what
            gone = {node for node, uuid in mine.items() if uuid not in left}
            assert held - left <= set(mine.values()), what
            told = {one["node"]: one["outcome"] for one in report(ran)["nodes"]} if re.search(r"^\tRUN: ", ran.output, re.M) else {}
            assert {node for node, outcome in told.items() if outcome == "released"} <= gone, what
            # Whoever is not told of as released by name is told of by the job's failure.
            assert ran.status != 0 or all(told.get(node) == "released" for node in gone), what
            for node, uuid in mine.items():
                if uuid in left:
                    rack.site.call("dc", "DELETE", f"/v1/nodes/{node}/maintenance/{uuid}")
