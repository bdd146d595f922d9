# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What others do to the flag of a real Ironic, round us: adopted where it holds something, undone where it lets something go."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.lab.direct import Flag
from ansible_collections.baremetal.maintenance.tests.lab.fronted import Fronted
from ansible_collections.baremetal.maintenance.tests.lab.fronting.holding import (
    entries,
    events,
    flag,
    hold,
    release_all,
    said,
    typed,
    until,
)

pytestmark = [pytest.mark.lab, pytest.mark.timeout(900)]

SOON: t.Final = 120.0
HELD: t.Final = [("legacy", "old script"), ("operator_hold", "moving")]
REASON: t.Final = "legacy: old script; operator_hold: moving"


def test_what_is_cleared_round_us(fronted: Fronted) -> None:
    """The fault goes, the holds stay and the flag is set again; each time is recorded, and the fourth alerts, once."""
    round_us = fronted.direct("system-admin")
    # The same happens to several nodes at once, so that the alert is seen to be each node's own.
    nodes = [fronted.enrol(f"cleared-{number}") for number in range(3)]
    for node in nodes:
        assert fronted.through("owner-member").put(f"/v1/nodes/{node}/maintenance", {"reason": "old script"}).status == 202
        hold(fronted, node, reason="moving")
    fronted.ironic.nodes.put_fault(nodes, "clean failure", "step failed")
    until(lambda: all(len(entries(fronted, node)) == 3 for node in nodes), SOON, "the faults are not adopted")
    for time in range(1, 6):
        until(lambda: all(flag(fronted, node).maintenance for node in nodes), SOON, "the flags are not set")
        for node in nodes if time < 3 else nodes[:1]:
            assert round_us.delete(f"/v1/nodes/{node}/maintenance").status == 202
            until(lambda node=node: flag(fronted, node) == Flag(True, REASON, None), SOON, "the flag is not set again")
            assert said(fronted, node) == HELD
    for node, times in zip(nodes, (5, 2, 2), strict=True):
        # What happens often is one line of the history, and its count says how often.
        happened = [event for event in _history(fronted, node) if event["action"] == "external_clear"]
        assert {event["type"] for event in happened} == {"fault", "legacy", "operator_hold"}
        assert {event.get("count", 1) for event in happened if event["type"] != "fault"} == {times}
    alerts = [line for line in fronted.backend.log.splitlines() if "ALERT" in line and "cleared round us" in line]
    assert [sum(node in line for line in alerts) for node in nodes] == [1, 0, 0]
    release_all(fronted, nodes)


def test_what_is_set_round_us(fronted: Fronted) -> None:
    round_us = fronted.direct("owner-member")
    free, held = nodes = [fronted.enrol(f"set-{number}") for number in range(2)]
    hold(fronted, held, reason="moving")
    for reason in ("somebody's", "somebody's again"):
        for node in nodes:
            assert round_us.put(f"/v1/nodes/{node}/maintenance", {"reason": reason}).status == 202
        adopted = [[("legacy", reason)], [("operator_hold", "moving"), ("legacy", reason)]]
        until(lambda adopted=adopted: [said(fronted, node) for node in nodes] == adopted, SOON, "the flags are not adopted")
    until(lambda: flag(fronted, held) == Flag(True, "operator_hold: moving; legacy: somebody's again", None), SOON, "Ironic is not told")
    # Nothing is told where there is nothing to add.
    assert flag(fronted, free) == Flag(True, "somebody's again", None)
    release_all(fronted, nodes)


def test_the_entry_of_a_fault_is_released_through_us(fronted: Fronted) -> None:
    """The fault ends in Ironic too, and the flag only where nobody else holds the node."""
    held, alone = nodes = [fronted.enrol(f"released-{number}") for number in range(2)]
    hold(fronted, held, reason="moving")
    fronted.ironic.nodes.put_fault(nodes, "service failure", "step failed")
    until(lambda: all(("fault", "step failed") in said(fronted, node) for node in nodes), SOON, "the faults are not adopted")
    for node in nodes:
        [fault] = [entry for entry in entries(fronted, node) if entry["type"] == "fault"]
        answer = typed(fronted, "system-admin", "DELETE", f"/v1/nodes/{node}/maintenance/{fault['uuid']}")
        assert answer.status == 204
    assert flag(fronted, held) == Flag(True, "operator_hold: moving", None)
    assert flag(fronted, alone) == Flag(False, None, None)
    assert said(fronted, held) == [("operator_hold", "moving")]
    assert not [event for node in nodes for event in events(fronted, node) if event[0] == "external_clear"]
    release_all(fronted, nodes)


def test_a_hold_on_a_node_in_a_clean_step_is_enforced_without_anybody_asking(fronted: Fronted) -> None:
    node = fronted.enrol("cleaned", state="manageable")
    fronted.ironic.nodes.clean(node)
    made = hold(fronted, node, reason="moving")
    assert (made["enforced"], made["enforced_by"]) == (False, "ironic")
    until(lambda: flag(fronted, node) == Flag(True, "operator_hold: moving", None), SOON, "it is not enforced by itself")
    until(lambda: [entry["enforced"] for entry in entries(fronted, node)] == [True], SOON, "it is not said to be enforced")
    assert [entry["uuid"] for entry in entries(fronted, node)] == [made["uuid"]]
    release_all(fronted, [node])


def _history(fronted: Fronted, node: str) -> list[dict[str, t.Any]]:
    answer = typed(fronted, "system-admin", "GET", f"/v1/nodes/{node}/history?detail=true&limit=1000")
    assert answer.status == 200, answer.content
    return [event["maintenance"] for event in answer.json["history"] if event.get("maintenance")]
