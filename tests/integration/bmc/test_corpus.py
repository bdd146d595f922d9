# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`make corpus` reads every recorded tree below a folder, in either form."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

from ansible_collections.baremetal.maintenance.tests.lab.bmc import machines, trees

RUN = pathlib.Path(__file__).resolve().parents[2] / "corpus" / "run.py"


def corpus(*arguments):
    return subprocess.run([sys.executable, str(RUN), *map(str, arguments)], capture_output=True, text=True, check=False)


def record(tree, folder):
    """Write a tree as folders with index.json files."""
    for path, resource in tree.items():
        place = folder / path.removeprefix("/redfish/v1").lstrip("/")
        place.mkdir(parents=True, exist_ok=True)
        (place / "index.json").write_text(json.dumps(resource))


def record_flat(tree, folder):
    """Write a tree as flat files."""
    folder.mkdir(parents=True)
    for path, resource in tree.items():
        (folder / f"{path.replace('/', '_')}.json").write_text(json.dumps({"@odata.id": path, **resource}))


def test_trees_of_either_form_are_read(tmp_path):
    record(trees.machine(), tmp_path / "sound")
    sick = trees.machine(serial="SYS2")
    sick["/redfish/v1/Systems/1/Memory/D1"]["Status"]["Health"] = "Critical"
    record_flat(sick, tmp_path / "below" / "sick.flat")
    done = corpus(tmp_path, "--json", tmp_path / "reports.json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 released, 1 refused for what is reported, 0 for what the recording lacks; 0 false refusals." in done.stdout
    assert "2 readings of 2 trees: 2 complete, 0 with named errors, 0 without a result." in done.stdout
    assert "sick.flat: released after power failure or rescue abort failure\n    R5 reported: memory DIMM 1 is critical" in done.stdout
    assert "sound: complete" in done.stdout and "sick.flat: complete" in done.stdout
    assert "critical: memory DIMM 1" in done.stdout
    assert done.stdout.count("verdict: release") == 1 and "R5: " in done.stdout
    reports = json.loads((tmp_path / "reports.json").read_text())
    assert {name: report["system"]["serial"] for name, report in reports.items()} == {"sound": "SYS1", "sick.flat": "SYS2"}


def test_each_system_of_a_tree_is_read(tmp_path):
    tree = trees.machine()
    trees.collection(tree, "/redfish/v1/Systems", [tree["/redfish/v1/Systems/1"], {"Id": "GPU", "PowerState": "On", "Status": trees.ok()}])
    record(tree, tmp_path / "two")
    done = corpus(tmp_path)
    assert done.returncode == 0, done.stdout
    assert "several_systems" in done.stdout
    assert "R1 ambiguous" in done.stdout and "2 released, 0 refused for what is reported, 1 for what the recording lacks" in done.stdout
    assert "two 1: complete" in done.stdout and "two GPU: complete" in done.stdout


def test_a_tree_with_holes_names_them(tmp_path):
    tree = trees.machine()
    del tree["/redfish/v1/Systems/1/Memory/D2"], tree["/redfish/v1/Systems/1/Storage/1/Drives/Bay1"]
    record(tree, tmp_path / "half")
    done = corpus(tmp_path)
    assert done.returncode == 0, done.stdout
    assert "half: not complete" in done.stdout
    assert "memory: bmc_error" in done.stdout and "storage: bmc_error" in done.stdout
    assert "Refused, if every rule counts:\n  none\n" in done.stdout


def test_a_refusal_for_no_good_reason_is_told_from_one_for_want_of_a_recording(tmp_path):
    known = {name: tree for name, (_rule, tree) in machines.sick().items()}
    record(known["no log"], tmp_path / "hole")
    record(known["pages of a longer log"], tmp_path / "pages")
    done = corpus(tmp_path)
    assert done.returncode == 1
    assert "R8 not recorded: " in done.stdout and "R8 unexplained: " in done.stdout
    assert "0 released, 0 refused for what is reported, 1 for what the recording lacks; 1 false refusals." in done.stdout


def test_a_folder_without_a_tree(tmp_path):
    done = corpus(tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "holds no Redfish tree" in done.stderr
