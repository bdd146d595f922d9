# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""hardware_replacement: a node is held while a part is replaced, and that hold is released only if one was and the machine is well."""

from __future__ import annotations

import json
import pathlib
import typing as t
import uuid

import pytest

from tests.integration.playbooks.running import Site
from tests.lab.bmc import trees
from tests.lab.bmc.fake_ipmi import FakeIpmi
from tests.lab.bmc.static_redfish import StaticRedfish

from .replacing import DRIVE, KEY, SYSTEM, Node, lit, said, swap

# Several runs of ansible each, on a machine that may be busy.
pytestmark = pytest.mark.timeout(600)


@pytest.fixture
def redfish() -> t.Iterator[StaticRedfish]:
    """A machine with a failed disk."""
    with StaticRedfish(trees.machine()) as bmc:
        bmc.patch(DRIVE, {"Status.Health": "Critical"})
        yield bmc


@pytest.fixture
def node(site: Site, redfish: StaticRedfish, request: pytest.FixtureRequest) -> Node:
    """The node that it is."""
    return Node(site, f"n-{uuid.uuid4()}", redfish)


def test_every_answer_of_a_survey_is_a_string_and_check_mode_writes_nothing(node: Node, redfish: StaticRedfish) -> None:
    node.site.inventory({})
    texts = dict.fromkeys(("rules", "uuid", "events_since", "unchanged", "fewer", "power_mismatch"), "")
    # The login comes from a credential, which gives it to the whole job.
    login = {name: node.bmc.pop(name) for name in ("bmc_username", "bmc_password")}
    bmc = {name: str(value) for name, value in node.bmc.items()}
    answers = {**texts, **login, "bmcs": json.dumps({node.name: bmc}), "enforced_within": "60"}
    ran = node.run("before", "--check", **answers)
    assert ran.status == 0, ran.output
    assert "This is what would be said" in ran.output
    assert (node.held(), node.events(), redfish.writes()) == ([], [], [])
    ran = node.run("before", **answers)
    assert ran.status == 0, ran.output
    (hold,) = node.held()
    assert (hold["type"], hold["key"], hold["ticket"]) == ("hardware_failure", KEY, "CIDTEAM-3743")
    assert any(part.get("serial") == "SYS1-B1" for part in hold["extra"]["replacement"]["before"]["parts"])
    assert lit(redfish)
    assert f"-e uuid={hold['uuid']}" in ran.output
    assert "stops only those who ask" in ran.output
    others = [node.hold("night", type="operator_hold"), node.hold("dc", key="")]
    swap(redfish)
    events, writes = node.events(), redfish.writes()
    ran = node.run("after", "--check", **answers)
    assert ran.status == 0, ran.output
    assert "Would be released" in ran.output
    assert (len(node.held()), node.events(), redfish.writes()) == (3, events, writes)
    # As a workflow hands it on: what the run before left, under the name under which this run leaves its own.
    ran = node.run("after", **answers, hardware_replacement={"node": node.name, "uuid": hold["uuid"]})
    assert ran.status == 0, ran.output
    assert {entry["uuid"] for entry in node.held()} == {other["uuid"] for other in others}
    assert "not in service, it is still held by" in said(ran)
    assert "operator_hold" in ran.output
    assert not lit(redfish)
    comment = node.events()[-1]["maintenance"]["comment"]
    for word in ("drive", "SYS1-B1", "NEW-DISK", f"redfish BMC {redfish.address}", "power on"):
        assert word in comment


def test_over_ipmi_a_part_is_known_by_its_inventory_data(site: Site, bmcs: FakeIpmi) -> None:
    bmc = bmcs.bmcs[0]
    node = Node(site, f"n-{uuid.uuid4()}", bmc)
    ran = node.run("before")
    assert ran.status == 0, ran.output
    assert bmc.state()["identify"] is True
    same = node.run("after")
    assert same.status != 0
    assert "every part that is built in was there before" in said(same)
    assert len(node.held()) == 1
    assert bmc.state()["identify"] is True, "the LED stays lit while the hold does"
    bmc.set(serials={"1": "NEW-PSU"})
    ran = node.run("after")
    assert ran.status == 0, ran.output
    assert node.held() == []
    assert "it is in service" in ran.output
    assert bmc.state()["identify"] is False
    comment = node.events()[-1]["maintenance"]["comment"]
    assert f"PSU{bmc.port}" in comment and "NEW-PSU" in comment and "ipmi BMC" in comment


def test_killed_between_any_two_steps_it_goes_on(node: Node, redfish: StaticRedfish) -> None:
    node.kill("before", "Hold the node")
    assert node.held() == []
    node.kill("before", "Keep it in the hold")
    (hold,) = node.held()
    assert hold["extra"] == {}
    node.kill("before", "Read the hold again, as it is now")
    (hold,) = node.held()
    assert "SYS1-B1" in json.dumps(hold["extra"])
    assert not lit(redfish), "nothing calls a person yet"
    node.kill("before", "Hand the hold on")
    assert lit(redfish)
    swap(redfish)
    ran = node.run("before")
    assert ran.status == 0, ran.output
    assert "changed=0" in ran.output
    assert node.held() == [hold], "there is one hold, and what was built in first stays"
    assert node.actions() == ["assert", "update"]
    node.kill("after", "Put the LED out")
    assert (node.held(), lit(redfish)) == ([hold], True)
    node.kill("after", "Release the hold of this playbook, and no other")
    assert (node.held(), lit(redfish)) == ([hold], False)
    node.kill("after", "Read who holds the node still", uuid=hold["uuid"])
    assert node.held() == []
    again = node.run("after", uuid=hold["uuid"])
    assert again.status == 0, again.output
    assert "Nothing to do" in again.output and "changed=0" in again.output
    assert node.actions() == ["assert", "update", "release"]


def test_a_machine_that_says_nothing_is_held_and_a_sick_one_is_not_released(node: Node, redfish: StaticRedfish) -> None:
    redfish.fault("/redfish/v1", status=500)
    assert node.run("before").status != 0
    (hold,) = node.held()
    assert "replacement" not in hold["extra"]
    redfish.faults.clear()
    refused = node.run("after")
    assert refused.status != 0
    assert "what was built in was not kept" in said(refused)
    redfish.fault("/redfish/v1", status=500)
    ran = node.run("before", inventory="none", may_warn=True)
    assert ran.status == 0, ran.output
    assert [(entry["uuid"], entry["extra"]) for entry in node.held()] == [(hold["uuid"], {"replacement": {"before": None}})]
    assert "could not be lit" in ran.output
    redfish.faults.clear()
    sick = node.run("after")
    assert sick.status != 0
    assert "R5" in sick.output
    assert len(node.held()) == 1


def test_a_power_state_that_would_be_forced_is_refused(node: Node, redfish: StaticRedfish, tmp_path: pathlib.Path) -> None:
    assert node.run("before").status == 0
    recorded = {**node.site.call("dc", "GET", f"/v1/nodes/{node.name}"), "power_state": "power off"}
    document = tmp_path / "nodes.json"
    document.write_text(json.dumps({"nodes": [recorded]}), encoding="utf-8")
    done = node.site.backend.run("import", str(document))
    assert done.returncode == 0, done.stderr
    swap(redfish)
    redfish.patch(SYSTEM, {"SerialNumber": "OTHER"})
    meant = {"other_system": "accept"}
    ran = node.run("after", **meant)
    assert ran.status != 0
    assert "the machine is on, and recorded is off" in said(ran)
    assert "Ironic forces its record on the machine and powers it off" in said(ran)
    assert len(node.held()) == 1 and lit(redfish)
    accepted = node.run("after", **meant, power_mismatch="accept")
    assert accepted.status == 0, accepted.output
    assert node.held() == []


def test_a_hold_of_somebody_else_is_not_released_by_its_uuid_alone(node: Node, redfish: StaticRedfish) -> None:
    foreign = node.hold("night", extra={"replacement": {"before": None}})
    ran = node.run("after", uuid=foreign["uuid"])
    assert ran.status != 0
    assert f"{foreign['uuid']} is not your hold of this playbook" in said(ran)
    slip = node.run("after", uuid=str(uuid.uuid4()))
    assert slip.status != 0
    assert "never had a hold" in said(slip)
    assert [entry["uuid"] for entry in node.held()] == [foreign["uuid"]]
    swap(redfish)
    meant = node.run("after", uuid=foreign["uuid"], take_over="accept")
    assert meant.status == 0, meant.output
    assert node.held() == []
