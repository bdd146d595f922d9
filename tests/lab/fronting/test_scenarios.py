# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The specification's seven scenarios with tokens of a real Keystone: after each step a real Ironic, read round us, says the synthesis."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.lab.direct import NEWEST, Answer, Flag
from ansible_collections.baremetal.maintenance.tests.lab.fronted import Fronted
from ansible_collections.baremetal.maintenance.tests.lab.fronting.holding import entries, events, flag, hold, said, typed, until
from ansible_collections.baremetal.maintenance.tests.support.backend import own_environment

pytestmark = [pytest.mark.lab, pytest.mark.timeout(600)]

DISK: t.Final = "Disk 3 has bad sectors, scheduled for replacement, see ticket https://myjira/CIDTEAM-3743"
ROW: t.Final = "Row C power work, change window CHG-2211"


class Node:
    """A node of the pair, and what is asked about it."""

    def __init__(self, pair: Fronted, name: str) -> None:
        self.pair = pair
        self.uuid = pair.enrol(name)
        self.path = f"/v1/nodes/{self.uuid}/maintenance"

    def holds(self, user: str, type: str, reason: str) -> str:
        """Assert, give the entry's uuid."""
        return t.cast(str, hold(self.pair, self.uuid, user, type=type, reason=reason)["uuid"])

    def releases(self, user: str, entry: str | None = None) -> Answer:
        """Release an entry, or all."""
        return typed(self.pair, user, "DELETE", f"{self.path}/{entry}" if entry else self.path)

    def old(self, user: str, method: str, body: t.Any = None) -> Answer:
        """Ask as a client of today does."""
        return self.pair.through(user).send(method, self.path, body, version=NEWEST)

    def says(self, reason: str | None) -> None:
        """Ironic itself says this, and so do we to a client of today. None: it is out of maintenance."""
        wanted = Flag(reason is not None, reason, None)
        until(lambda: flag(self.pair, self.uuid) == wanted, 120, f"{wanted} is wanted")
        assert self.pair.direct("system-admin").flag(self.uuid) == self.pair.through("owner-reader").flag(self.uuid) == wanted


def test_scenarios_1_to_4_holds_of_two_parties_come_and_go(fronted: Fronted) -> None:
    node = Node(fronted, "scenarios-1-4")
    assert node.old("owner-member", "PUT", {"reason": "HW_ERR: Disk 3 has bad sectors, see CIDTEAM-3743"}).status == 202
    node.says("HW_ERR: Disk 3 has bad sectors, see CIDTEAM-3743")
    assert node.old("owner-member", "DELETE").status == 202
    node.says(None)
    disk = node.holds("owner-member", "hardware_failure", DISK)
    node.says(f"hardware_failure: {DISK}")
    row = node.holds("system-member", "operator_hold", ROW)
    node.says(f"hardware_failure: {DISK}; operator_hold: {ROW}")
    for user in ("owner-member", "owner-admin"):
        again = typed(fronted, user, "POST", node.path, {"type": "hardware_failure", "reason": "again"})
        assert (again.status, [blocker["uuid"] for blocker in again.json["refusal"]["blockers"]]) == (409, [disk])
    node.says(f"hardware_failure: {DISK}; operator_hold: {ROW}")
    assert node.releases("system-admin", row).status == 204
    node.says(f"hardware_failure: {DISK}")
    assert events(fronted, node.uuid)[-1] == ("release", "operator_hold", None)
    node.holds("lessee-manager", "operator_hold", "debugging")
    node.says(f"hardware_failure: {DISK}; operator_hold: debugging")
    assert node.releases("owner-member").status == 204
    node.says(None)
    assert said(fronted, node.uuid) == []


def test_scenario_5_a_lessee_does_not_clear_what_an_operator_holds(fronted: Fronted) -> None:
    node = Node(fronted, "scenario-5")
    psu = node.holds("system-admin", "hardware_failure", "PSU 2 is dead")
    own = node.holds("lessee-admin", "operator_hold", "debugging")
    both = "hardware_failure: PSU 2 is dead; operator_hold: debugging"
    node.says(both)
    for refused in (node.releases("lessee-admin"), node.old("lessee-admin", "DELETE")):
        assert refused.status == 403
        assert (
            refused.said == f"Cannot release maintenance entry {psu} (type hardware_failure, scope system): not permitted at lessee scope"
        )
        assert fronted.keystone.user_id("system-admin").encode() not in refused.content
        node.says(both)
    assert node.releases("lessee-admin", own).status == 204
    node.says("hardware_failure: PSU 2 is dead")
    assert node.releases("system-member", psu).status == 204
    node.says(None)


def test_scenario_6_a_hold_outlives_the_lease(fronted: Fronted) -> None:
    node = Node(fronted, "scenario-6")
    stale = node.holds("lessee-manager", "operator_hold", "keep the disk")
    lease = [{"op": "replace", "path": "/lessee", "value": fronted.keystone.project_id("stranger")}]
    assert fronted.through("owner-member").patch(f"/v1/nodes/{node.uuid}", lease).status == 200
    node.says("operator_hold: keep the disk")
    assert node.releases("lessee-manager", stale).status == 404
    refused = node.old("stranger-admin", "DELETE")
    assert (refused.status, "not asserted by your project" in refused.said) == (403, True)
    node.says("operator_hold: keep the disk")
    [seen] = entries(fronted, node.uuid, "stranger-admin")
    assert seen["uuid"] == stale
    assert node.releases("owner-member", stale).status == 204
    node.says(None)


def test_scenario_7_automation_of_today_is_unchanged_and_ends_nobody_elses_hold(fronted: Fronted) -> None:
    node = Node(fronted, "scenario-7")
    for user in ("owner-member", "lessee-manager"):
        assert node.old(user, "PUT", {"reason": "rebalancing; HW_ERR: rack"}).status == 202
        node.says("rebalancing; HW_ERR: rack")
        assert node.old(user, "DELETE").status == 202
        node.says(None)
    assert node.old("lessee-manager", "PUT", {"reason": "rebalancing"}).status == 202
    blocking = [node.holds("system-admin", "hardware_failure", "PSU"), node.holds("owner-admin", "operator_hold", "audit")]
    held = "legacy: rebalancing; hardware_failure: PSU; operator_hold: audit"
    node.says(held)
    refused = node.old("lessee-manager", "DELETE")
    assert refused.status == 403 and all(uuid in refused.said for uuid in blocking)
    node.says(held)
    assert node.old("system-admin", "DELETE").status == 202
    node.says(None)


def test_the_shipped_playbook_plays_them_with_clouds(fronted: Fronted, tmp_path: pathlib.Path) -> None:
    people = {"system": "system-admin", "owner": "owner-member", "lessee_a": "lessee-manager", "lessee_b": "stranger-manager"}
    clouds = fronted.keystone.clouds_yaml(tmp_path / "clouds.yaml", *people.values())
    projects = {party: user.partition("-")[0] for party, user in people.items() if party != "system"}
    identities = {
        party: {"cloud": user, **({"project": fronted.keystone.project_id(projects[party])} if party in projects else {})}
        for party, user in people.items()
    }
    variables = {"scenarios_url": fronted.backend.url, "scenarios_auth_type": "keystone", "scenarios_identities": identities}
    (tmp_path / "variables.json").write_text(json.dumps(variables), encoding="utf-8")
    (tmp_path / "ansible.cfg").write_text("[defaults]\n", encoding="utf-8")
    world = {name: value for name, value in own_environment().items() if not name.startswith(("ANSIBLE_", "BAREMETAL_"))}
    world.update(ANSIBLE_CONFIG=str(tmp_path / "ansible.cfg"), ANSIBLE_HOME=str(tmp_path / "ansible"), ANSIBLE_NOCOLOR="1")
    done = subprocess.run(
        [str(pathlib.Path(sys.executable).with_name("ansible-playbook")), "baremetal.maintenance.scenarios", "-e", "@variables.json"],
        env={**world, "OS_CLIENT_CONFIG_FILE": str(clouds)},
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert [number for number in range(1, 8) if f"PLAY [Scenario {number}:" in done.stdout] == list(range(1, 8))
    assert not any(fronted.keystone.password(user) in done.stdout for user in people.values())
