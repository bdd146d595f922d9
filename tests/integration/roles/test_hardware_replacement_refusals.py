# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What hardware_replacement refuses: no release because an answer was left out, and no person called to a machine that is not held."""

from __future__ import annotations

import json
import pathlib
import subprocess
import typing as t
import uuid

import pytest
import yaml

from tests.integration.playbooks.running import ANSIBLE, Site
from tests.lab.bmc import trees
from tests.lab.bmc.static_redfish import StaticRedfish

from .replacing import Node, lit, said
from .unenforced import InFrontOfIronic

# Several runs of ansible each, on a machine that may be busy.
pytestmark = pytest.mark.timeout(600)

PLAYBOOKS: t.Final = pathlib.Path(__file__).resolve().parents[3] / "playbooks"

START: t.Final = "Refuse to start without a phase and one node"
OTHER_JOB: t.Final = "Refuse to go on with another replacement"
OTHER_MACHINE: t.Final = "Refuse to release another machine"
LESS: t.Final = "Refuse to release a machine with less in it"
SAME: t.Final = "Refuse to release a machine in which nothing was replaced"
POWER: t.Final = "Refuse to release a machine whose power is not what the service has recorded"
NO_BMC: t.Final = "Refuse to release without the run before, or without a BMC"

BEFORE: t.Final = {"phase": "before", "target": "n1", "reason": "Disk 1"}
SWAPPED: t.Final = {"changed": True, "same_system": True, "fewer": [], "text": "drive 1 replaced", "text_fewer": "", "not_compared": []}

#: Each: the task that refuses, what it sees, and a word of its refusal, or None where it lets go on.
CASES: t.Final[list[tuple[str, dict[str, t.Any], str | None]]] = [
    (START, BEFORE, None),
    (START, {"phase": "after", "target": "n1"}, None),
    (START, {**BEFORE, "phase": "during"}, "phase"),
    (START, {**BEFORE, "phase": ""}, "phase"),
    (START, {"phase": "after"}, "target"),
    (START, {**BEFORE, "target": " "}, "target"),
    (START, {**BEFORE, "target": "a,b"}, "target"),
    (START, {**BEFORE, "reason": " "}, "reason"),
    (START, {**BEFORE, "power_mismatch": "maybe"}, "power_mismatch"),
    (START, {**BEFORE, "unchanged": "yes"}, "unchanged"),
    (START, {**BEFORE, "take_over": "true"}, "take_over"),
    (START, {**BEFORE, "inventory": "optional"}, "inventory"),
    (START, {**BEFORE, "enforced_within": "soon"}, "enforced_within"),
    (OTHER_JOB, {**BEFORE, "replacement_hold": {"reason": "Disk 1", "uuid": "u"}}, None),
    (OTHER_JOB, {**BEFORE, "replacement_hold": {"reason": "DIMM A1", "uuid": "u"}}, "DIMM A1"),
    (NO_BMC, {"replacement_hold": {"extra": {"replacement": {}}}, "replacement_access": {"problem": None}}, None),
    (NO_BMC, {"replacement_hold": {"extra": {}}, "replacement_access": {"problem": None}}, "phase=before"),
    (NO_BMC, {"replacement_hold": {"extra": {"replacement": {}}}, "replacement_access": {"problem": "no host"}}, "no host"),
    (OTHER_MACHINE, {"replacement_parts": SWAPPED}, None),
    (OTHER_MACHINE, {"replacement_parts": {**SWAPPED, "same_system": None}}, None),
    (OTHER_MACHINE, {"replacement_parts": {**SWAPPED, "same_system": False}}, "another serial number"),
    (OTHER_MACHINE, {"replacement_parts": {**SWAPPED, "same_system": False}, "other_system": "accept"}, None),
    (LESS, {"replacement_parts": SWAPPED}, None),
    (LESS, {"replacement_parts": {**SWAPPED, "fewer": [{}], "text_fewer": "memory 4 before, 3 now"}}, "memory 4 before"),
    (LESS, {"replacement_parts": {**SWAPPED, "fewer": [{}]}, "fewer": "accept"}, None),
    (SAME, {"replacement_parts": SWAPPED}, None),
    (SAME, {"replacement_parts": {**SWAPPED, "changed": False, "not_compared": ["psu"]}}, "not compared: psu"),
    (SAME, {"replacement_parts": {**SWAPPED, "changed": False}, "unchanged": "accept"}, None),
    (POWER, {"replacement_recorded": "", "replacement_found": "on"}, None),
    (POWER, {"replacement_recorded": "on", "replacement_found": "on"}, None),
    (POWER, {"replacement_recorded": "off", "replacement_found": "on"}, "and powers it off"),
    (POWER, {"replacement_recorded": "on", "replacement_found": "off"}, "and powers it on"),
    (POWER, {"replacement_recorded": "rebooting", "replacement_found": "on"}, "recorded is rebooting"),
    (POWER, {"replacement_recorded": "on", "replacement_found": "off", "power_mismatch": "accept"}, None),
]


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, t.Any]]:
    """What became of each case, all in one run of the tasks as they stand in the playbook."""
    folder = tmp_path_factory.mktemp("refusals")
    (play,) = yaml.safe_load((PLAYBOOKS / "hardware_replacement.yml").read_text(encoding="utf-8"))
    tasks = {task["name"]: task for task in _all(play["tasks"])}
    for name in ("before", "after"):
        found = yaml.safe_load((PLAYBOOKS / "tasks" / f"replacement_{name}.yml").read_text(encoding="utf-8"))
        tasks.update({task["name"]: task for task in _all(found)})
    plays = []
    for name, seen, _word in CASES:
        task = {**tasks[name], "register": "outcome", "ignore_errors": True}
        keep = {"ansible.builtin.set_fact": {"outcomes": "{{ outcomes | default([]) + [outcome] }}"}}
        fixed = {"replacement_node": {"uuid": "u-1", "name": "n1"}, "replacement_before": {}}
        plays.append({**{key: play[key] for key in ("hosts", "connection", "gather_facts")}, "tasks": [task, keep]})
        plays[-1]["vars"] = {**play["vars"], **fixed, **seen}
    told = folder / "outcomes.json"
    plays[-1]["tasks"].append({"ansible.builtin.copy": {"content": "{{ outcomes | to_json }}", "dest": str(told), "mode": "0600"}})
    (folder / "play.yml").write_text(yaml.safe_dump(plays), encoding="utf-8")
    done = subprocess.run([ANSIBLE, folder / "play.yml"], cwd=folder, capture_output=True, text=True, timeout=170, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    outcomes = json.loads(told.read_text(encoding="utf-8"))
    assert len(outcomes) == len(CASES)
    return outcomes


def _all(tasks: t.Sequence[dict[str, t.Any]]) -> t.Iterator[dict[str, t.Any]]:
    for task in tasks:
        yield task
        yield from _all(task.get("block", ()))


@pytest.mark.parametrize("number", range(len(CASES)))
def test_what_is_left_out_lets_nothing_go(refused: list[dict[str, t.Any]], number: int) -> None:
    _name, seen, word = CASES[number]
    outcome = refused[number]
    assert outcome["failed"] is (word is not None), (seen, outcome)
    if word is not None:
        assert word in outcome["msg"]


def test_nobody_is_called_before_ironic_has_taken_the_hold(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    with StaticRedfish(trees.machine()) as bmc, InFrontOfIronic(site.backend.url) as front:
        node = Node(site, f"n-{uuid.uuid4()}", bmc)
        through = {**site.environment("dc"), "BAREMETAL_MAINTENANCE_URL": front.url}
        monkeypatch.setattr(site, "environment", lambda who: through)
        waiting = node.run("before", enforced_within="1")
        assert waiting.status != 0
        assert "stays, but Ironic does not enforce it after 1 s" in said(waiting)
        (hold,) = node.held()
        # As a run leaves it that was killed while it waited.
        kept = {"replacement": {"before": None}}
        site.call("dc", "PATCH", f"/v1/nodes/{node.name}/maintenance/{hold['uuid']}", {"extra": kept})
        again = node.run("before")
        assert again.status != 0
        assert "not kept in maintenance by Ironic yet: nobody may touch the machine" in said(again)
        for ran in (waiting, again):
            assert "Replace the part now" not in ran.output
        assert not lit(bmc)
        front.enforced = True
        held = node.run("before")
        assert held.status == 0, held.output
        assert "Ironic keeps the node in maintenance" in held.output and "Replace the part now" in held.output
        assert lit(bmc)
        assert [entry["uuid"] for entry in node.held()] == [hold["uuid"]]
