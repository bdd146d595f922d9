# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""hardware_replacement: a node is held while a part is replaced, and that hold is released only if one was and the machine is well."""

from __future__ import annotations

import json
import pathlib
import typing as t

import pytest

from tests.integration.playbooks.running import Ran, Site
from tests.lab.bmc import trees
from tests.lab.bmc.static_redfish import StaticRedfish

SYSTEM: t.Final = "/redfish/v1/Systems/1"
DRIVE: t.Final = f"{SYSTEM}/Storage/1/Drives/Bay1"


class Machine:
    """A node whose BMC speaks Redfish."""

    def __init__(self, site: Site, bmc: StaticRedfish, name: str) -> None:
        self.site, self.bmc, self.name = site, bmc, name
        site.call("dc", "POST", "/v1/nodes", {"name": name})
        self.variables = {
            "baremetal_node": name,
            "bmc_protocol": "redfish",
            "bmc_address": bmc.url,
            "bmc_username": bmc.user,
            "bmc_password": bmc.password,
            "bmc_power_reads": 1,
        }
        site.inventory({"some-host": self.variables})

    def run(self, when: str, *arguments: str, may_warn: bool = False, **more: t.Any) -> Ran:
        usual = {"reason": "Disk 1 has bad sectors", "ticket": "CIDTEAM-3743"} if when == "before" else {}
        variables = {"phase": when, "target": self.name, **usual, **more}
        return self.site.play("hardware_replacement", *arguments, variables=variables, may_warn=may_warn)

    def held(self) -> list[dict[str, t.Any]]:
        return self.site.holds(self.name)

    def events(self) -> list[dict[str, t.Any]]:
        return self.site.call("dc", "GET", f"/v1/nodes/{self.name}/history?detail=true")["history"]

    def swap(self) -> None:
        """Have another disk in the first bay."""
        self.bmc.patch(DRIVE, {"SerialNumber": "NEW-DISK", "Status.Health": "OK"})

    @property
    def lit(self) -> bool:
        return bool(self.bmc.resource(SYSTEM)["LocationIndicatorActive"])


@pytest.fixture
def machine(site: Site, request: pytest.FixtureRequest) -> t.Iterator[Machine]:
    """A node with a failed disk."""
    name = f"t{abs(hash(request.node.nodeid)) % 10**6}"
    with StaticRedfish(trees.machine()) as bmc:
        bmc.patch(DRIVE, {"Status.Health": "Critical"})
        yield Machine(site, bmc, name)
    site.call("dc", "DELETE", f"/v1/nodes/{name}/maintenance")
    site.call("dc", "DELETE", f"/v1/nodes/{name}")


def test_hold_swap_release_and_another_hold_stays(machine: Machine) -> None:
    ran = machine.run("before")
    assert ran.status == 0, ran.output
    (hold,) = machine.held()
    assert (hold["type"], hold["key"], hold["ticket"]) == ("hardware_failure", "hardware_replacement", "CIDTEAM-3743")
    assert any(part.get("serial") == "SYS1-B1" for part in hold["extra"]["replacement"]["before"]["parts"])
    assert machine.lit
    assert f"-e uuid={hold['uuid']}" in ran.output
    assert "stops only those who ask" in ran.output
    others = machine.site.call("night", "POST", f"/v1/nodes/{machine.name}/maintenance", {"type": "operator_hold", "reason": "mine"})
    machine.swap()
    ran = machine.run("after", uuid=hold["uuid"])
    assert ran.status == 0, ran.output
    assert [entry["uuid"] for entry in machine.held()] == [others["uuid"]]
    assert "not in service, it is still held by operator_hold" in ran.output
    assert not machine.lit
    comment = machine.events()[-1]["maintenance"]["comment"]
    assert "drive" in comment and "SYS1-B1" in comment and "NEW-DISK" in comment
    again = machine.run("after", uuid=hold["uuid"])
    assert again.status == 0, again.output
    assert "Nothing to do" in again.output and "changed=0" in again.output
    assert machine.bmc.password not in ran.output


def test_with_nothing_swapped_it_refuses_and_says_so(machine: Machine) -> None:
    assert machine.run("before").status == 0
    sick = machine.run("after")
    assert sick.status != 0
    assert "R5" in sick.output
    machine.bmc.patch(DRIVE, {"Status.Health": "OK"})
    same = machine.run("after")
    assert same.status != 0
    assert "every part that is built in was there before" in " ".join(same.output.split())
    assert len(machine.held()) == 1
    assert machine.lit, "the LED stays lit while the hold does"
    accepted = machine.run("after", unchanged="accept")
    assert accepted.status == 0, accepted.output
    assert machine.held() == []
    assert "it is in service" in accepted.output


def test_run_again_it_goes_on_and_what_was_built_in_first_stays(machine: Machine) -> None:
    machine.bmc.fault("/redfish/v1", status=500)
    dead = machine.run("before")
    assert dead.status != 0
    (hold,) = machine.held()
    assert "replacement" not in hold["extra"]
    refused = machine.run("after")
    assert refused.status != 0
    assert "what was built in was not kept" in " ".join(refused.output.split())
    machine.bmc.faults.clear()
    assert machine.run("before").status == 0
    (same,) = machine.held()
    assert same["uuid"] == hold["uuid"]
    machine.swap()
    ran = machine.run("before")
    assert ran.status == 0, ran.output
    assert "changed=0" in ran.output
    assert machine.held()[0]["extra"] == same["extra"]
    assert machine.run("after").status == 0
    assert machine.held() == []


def test_a_machine_that_says_nothing_is_held_without_its_parts_where_that_is_asked(machine: Machine) -> None:
    machine.bmc.fault("/redfish/v1", status=500)
    ran = machine.run("before", inventory="none", may_warn=True)
    assert ran.status == 0, ran.output
    assert machine.held()[0]["extra"] == {"replacement": {"before": None}}
    assert "could not be lit" in ran.output
    machine.bmc.faults.clear()
    assert machine.run("after").status != 0, "the failed disk is still there"
    machine.swap()
    assert machine.run("after").status == 0
    assert machine.held() == []


def test_another_machine_is_not_released(machine: Machine) -> None:
    assert machine.run("before").status == 0
    machine.swap()
    machine.bmc.patch(SYSTEM, {"SerialNumber": "OTHER"})
    ran = machine.run("after")
    assert ran.status != 0
    assert "another serial number" in ran.output
    assert len(machine.held()) == 1


def test_a_power_state_that_would_be_forced_is_refused_unless_it_is_meant(machine: Machine, tmp_path: pathlib.Path) -> None:
    recorded = {**machine.site.call("dc", "GET", f"/v1/nodes/{machine.name}"), "power_state": "power off"}
    document = tmp_path / "nodes.json"
    document.write_text(json.dumps({"nodes": [recorded]}), encoding="utf-8")
    done = machine.site.backend.run("import", str(document))
    assert done.returncode == 0, done.stderr
    assert machine.run("before").status == 0
    machine.swap()
    ran = machine.run("after")
    assert ran.status != 0
    assert "the machine is on, and recorded is off" in " ".join(ran.output.split())
    assert "powers it off" in " ".join(ran.output.split())
    assert len(machine.held()) == 1
    assert machine.run("after", power_mismatch="accept").status == 0
    assert machine.held() == []


def test_check_mode_writes_nothing_anywhere(machine: Machine) -> None:
    ran = machine.run("before", "--check")
    assert ran.status == 0, ran.output
    assert (machine.held(), machine.events(), machine.bmc.writes()) == ([], [], [])
    assert machine.run("before").status == 0
    machine.swap()
    events, writes = machine.events(), machine.bmc.writes()
    ran = machine.run("after", "--check")
    assert ran.status == 0, ran.output
    assert "Would be released" in ran.output
    assert (len(machine.held()), machine.events(), machine.bmc.writes()) == (1, events, writes)


def test_the_bmc_may_come_from_an_answer_of_a_survey(machine: Machine) -> None:
    machine.site.inventory({})
    answers = {"bmcs": json.dumps({machine.name: {k: v for k, v in machine.variables.items() if k.startswith("bmc_")}}), "rules": ""}
    assert machine.run("before", **answers).status == 0
    machine.swap()
    ran = machine.run("after", **answers, uuid="", events_since="")
    assert ran.status == 0, ran.output
    assert machine.held() == []


@pytest.mark.parametrize(
    "wrong", [{"phase": "during"}, {"target": ""}, {"target": "a,b"}, {"reason": " "}, {"power_mismatch": "maybe"}]
)
def test_an_unclear_answer_changes_nothing(machine: Machine, wrong: dict[str, str]) -> None:
    ran = machine.run("before", **wrong)
    assert ran.status != 0
    assert machine.held() == []
