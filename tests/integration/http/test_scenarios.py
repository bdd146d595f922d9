# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The seven usage scenarios of the specification over HTTP, one test each, in its own words; each identity has its own credential."""

from __future__ import annotations

import datetime
import re

from ansible_collections.baremetal.maintenance.tests.support.cast import CANARY, CAST, LESSEE, NEXT_LESSEE, OWNER
from ansible_collections.baremetal.maintenance.tests.support.talking import OLD, Talk, said

DISK = "Disk 3 has bad sectors, scheduled for replacement, see ticket https://myjira/CIDTEAM-3743"


def test_scenario_1_hardware_replacement_hold(talk: Talk) -> None:
    """A project owner knows a machine is going for hardware replacement."""
    node = talk.node()
    # Today the category is a naming convention inside free text; it works on.
    before = "HW_ERR: Disk 3 has bad sectors, see CIDTEAM-3743"
    assert talk("owner", "PUT", f"/nodes/{node}/maintenance", {"reason": before}, version=OLD).status_code == 202
    assert talk.as_of_old("owner", node) == (True, before)
    assert talk("owner", "DELETE", f"/nodes/{node}/maintenance", version=OLD).status_code == 202
    # After upgrade the category is a first-class typed entry.
    answer = talk("owner", "POST", f"/nodes/{node}/maintenance", {"type": "hardware_failure", "reason": DISK})
    assert answer.status_code == 201
    entry = answer.json()
    assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", entry["uuid"])
    assert (entry["type"], entry["reason"], entry["scope"], entry["extra"]) == ("hardware_failure", DISK, "owner", {})
    assert (entry["asserted_by"], entry["asserted_by_project"]) == ("id-of-owner", OWNER)
    assert datetime.datetime.fromisoformat(entry["asserted_at"]).utcoffset() == datetime.timedelta(0)
    # "A client at an older microversion reading the node still sees maintenance: true and a maintenance_reason
    # synthesised from the entry".
    assert talk.as_of_old("owner", node) == (True, f"hardware_failure: {DISK}")


def test_scenario_2_a_second_hold_on_an_already_maintained_node(talk: Talk) -> None:
    """While the disk replacement is pending, the DC team needs to hold the same node for electrical work."""
    node = talk.node()
    disk = talk("owner", "POST", f"/nodes/{node}/maintenance", {"type": "hardware_failure", "reason": DISK}).json()
    power = talk(
        "operator",
        "POST",
        f"/nodes/{node}/maintenance",
        {"type": "operator_hold", "reason": "Row C power work, change window CHG-2211"},
    )
    assert power.status_code == 201
    listed = [(entry["uuid"], entry["type"], entry["scope"]) for entry in talk.entries("owner", node)]
    assert listed == [(disk["uuid"], "hardware_failure", "owner"), (power.json()["uuid"], "operator_hold", "system")]
    # "Re-asserting an identical entry returns 409 Conflict rather than stacking duplicates: a project's hold is one logical
    # entry no matter which member asserted it."
    for login in ("owner", "owner-mate"):
        again = talk(login, "POST", f"/nodes/{node}/maintenance", {"type": "hardware_failure", "reason": "again"})
        assert again.status_code == 409
        assert [blocker["uuid"] for blocker in again.json()["refusal"]["blockers"]] == [disk["uuid"]]
    # "node.maintenance stays true until both entries are released."
    for login, entry in (("operator", power.json()), ("owner", disk)):
        assert talk.as_of_old("owner", node)[0] is True
        assert talk(login, "DELETE", f"/nodes/{node}/maintenance/{entry['uuid']}").status_code == 204
    assert talk.as_of_old("owner", node) == (False, None)


def test_scenario_3_releasing_one_hold_at_a_time(talk: Talk) -> None:
    """The electrical work finishes first; the disk is still bad."""
    node = talk.node()
    talk("owner", "POST", f"/nodes/{node}/maintenance", {"type": "hardware_failure", "reason": DISK})
    power = talk("operator", "POST", f"/nodes/{node}/maintenance", {"type": "operator_hold", "reason": "Row C power work"}).json()
    answer = talk("operator", "DELETE", f"/nodes/{node}/maintenance/{power['uuid']}")
    assert (answer.status_code, answer.content) == (204, b"")
    assert talk.as_of_old("owner", node) == (True, f"hardware_failure: {DISK}")
    # "The release is recorded in node history with the releasing identity and the released entry's type and reason."
    events = talk("auditor", "GET", f"/nodes/{node}/history?detail=true").json()["history"]
    assert (events[-1]["event_type"], events[-1]["user"]) == ("maintenance", CAST["operator"]["user_id"])
    recorded = events[-1]["maintenance"]
    assert (recorded["action"], recorded["type"], recorded["reason"]) == ("release", "operator_hold", "Row C power work")


def test_scenario_4_releasing_everything_at_once(talk: Talk) -> None:
    """The node is fully repaired and should return to service."""
    for version, status in ((OLD, 202), ("latest", 204)):
        node = talk.node()
        talk("owner", "POST", f"/nodes/{node}/maintenance", {"type": "hardware_failure", "reason": DISK})
        talk("lessee", "POST", f"/nodes/{node}/maintenance", {"type": "operator_hold"})
        talk("owner", "PUT", f"/nodes/{node}/maintenance", {"reason": "script"}, version=OLD)
        answer = talk("owner", "DELETE", f"/nodes/{node}/maintenance", version=version)
        assert (answer.status_code, answer.content) == (status, b"")
        assert talk.as_of_old("owner", node) == (False, None)
        assert talk.entries("owner", node) == []
        # "succeeding only when the caller may release all of them": "a partial release never masquerades as a full one".
        for login in ("owner", "operator"):
            talk(login, "POST", f"/nodes/{node}/maintenance", {"type": "operator_hold"})
        held = talk.entries("owner", node)
        assert talk("owner", "DELETE", f"/nodes/{node}/maintenance", version=version).status_code == 403
        assert talk.entries("owner", node) == held


def test_scenario_5_scoped_holds_and_rbac_denials(talk: Talk) -> None:
    """A system operator has asserted a hardware_failure entry; the lessee has its own hold and tries to clear the node."""
    node = talk.node()
    system = talk("operator", "POST", f"/nodes/{node}/maintenance", {"type": "hardware_failure", "reason": DISK}).json()["uuid"]
    own = talk("lessee", "POST", f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json()["uuid"]
    answer = talk("lessee", "DELETE", f"/nodes/{node}/maintenance")
    assert answer.status_code == 403
    assert said(answer) == f"Cannot release maintenance entry {system} (type hardware_failure, scope system): not permitted at lessee scope"
    assert CANARY not in answer.text
    assert [entry["uuid"] for entry in talk.entries("lessee", node)] == [system, own]
    # "Releasing their own entry by UUID succeeds". "The node remains in maintenance under the operator's entry alone."
    assert talk("lessee", "DELETE", f"/nodes/{node}/maintenance/{own}").status_code == 204
    assert talk.as_of_old("lessee", node) == (True, f"hardware_failure: {DISK}")
    [seen] = talk.entries("lessee", node)
    assert (seen["uuid"], seen["asserted_by"], seen["asserted_by_project"]) == (system, None, None)


def test_scenario_6_holds_across_a_lease_change(talk: Talk) -> None:
    """Lessee project A holds its node when the lease ends, and the owner re-assigns node.lessee to project B."""
    for cleaner in ("owner", "operator"):
        node = talk.node()
        stale = talk("lessee", "POST", f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json()["uuid"]
        change = [{"op": "replace", "path": "/lessee", "value": NEXT_LESSEE}]
        assert talk("owner", "PATCH", f"/nodes/{node}", change).status_code == 200
        # "project A's standing on the node ended with the lease"
        assert talk("lessee", "DELETE", f"/nodes/{node}/maintenance/{stale}").status_code == 404
        answer = talk("next-lessee", "DELETE", f"/nodes/{node}/maintenance")
        assert answer.status_code == 403
        assert said(answer) == (
            f"Cannot release maintenance entry {stale} (type operator_hold, scope lessee, asserted by project {LESSEE}):"
            " not asserted by your project"
        )
        assert talk.as_of_old("next-lessee", node) == (True, "operator_hold")
        # "The owner or a system operator, outranking lessee scope, cleans up the stale hold".
        assert talk(cleaner, "DELETE", f"/nodes/{node}/maintenance/{stale}").status_code == 204
        assert talk.as_of_old("next-lessee", node) == (False, None)
    # "The same situation one rank up … is releasable only at system".
    node = talk.node()
    stale = talk("owner", "POST", f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json()["uuid"]
    transfer = [{"op": "replace", "path": "/owner", "value": "project-stranger"}]
    assert talk("operator", "PATCH", f"/nodes/{node}", transfer).status_code == 200
    assert talk("stranger", "DELETE", f"/nodes/{node}/maintenance/{stale}").status_code == 403
    assert talk("lessee", "DELETE", f"/nodes/{node}/maintenance/{stale}").status_code == 403
    assert talk("operator", "DELETE", f"/nodes/{node}/maintenance/{stale}").status_code == 204


def test_scenario_7_legacy_automation_unchanged(talk: Talk) -> None:
    """A fleet-management script sets and clears maintenance through the boolean API and never upgrades its client."""
    node = talk.node()
    for login in ("owner", "lessee"):
        for _round in range(2):
            answer = talk(login, "PUT", f"/nodes/{node}/maintenance", {"reason": "rebalancing rack"}, version=OLD)
            assert (answer.status_code, answer.content) == (202, b"")
            # "maintenance_reason is reproduced verbatim, so the script reads back exactly the string it wrote"
            assert talk.as_of_old(login, node) == (True, "rebalancing rack")
        answer = talk(login, "DELETE", f"/nodes/{node}/maintenance", version=OLD)
        assert (answer.status_code, answer.content) == (202, b"")
        assert talk.as_of_old(login, node) == (False, None)
    # "should a typed entry outside its authority appear, its unset fails with a 403 that names every blocking entry rather than
    # silently releasing someone else's hold"
    talk("lessee", "PUT", f"/nodes/{node}/maintenance", {"reason": "rebalancing rack"}, version=OLD)
    blocking = [
        talk(login, "POST", f"/nodes/{node}/maintenance", {"type": type}).json()["uuid"]
        for login, type in (("operator", "hardware_failure"), ("owner", "operator_hold"))
    ]
    answer = talk("lessee", "DELETE", f"/nodes/{node}/maintenance", version=OLD)
    assert answer.status_code == 403
    assert all(uuid in said(answer) for uuid in blocking)
    assert talk.as_of_old("lessee", node) == (True, "legacy: rebalancing rack; hardware_failure; operator_hold")
