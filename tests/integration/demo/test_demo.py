# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo tells what it promises, on the example fleet and on others, and leaves nothing behind however it ends."""

from __future__ import annotations

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import typing as t
import urllib.error
import urllib.request

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
DEMO = [sys.executable, str(ROOT / "tooling" / "demo.py")]
EXAMPLE = ROOT / "examples" / "fleet" / "nodes-detail.json"


def environment(folder: pathlib.Path, **more: str) -> dict[str, str]:
    """Give an environment whose temporary folder is `folder`, and that has what could lead a demo astray."""
    return {**os.environ, "TMPDIR": str(folder), "ANSIBLE_STDOUT_CALLBACK": "json", "OS_ENDPOINT": "http://127.0.0.1:9", **more}


def run(folder: pathlib.Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the demo to its end."""
    return subprocess.run([*DEMO, *arguments], env=environment(folder, **env), cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def folder() -> t.Iterator[pathlib.Path]:
    """A folder whose path is short: Ansible keeps a socket in its temporary folder, and a socket's path has at most 107 bytes."""
    with tempfile.TemporaryDirectory(prefix="demo-") as name:
        yield pathlib.Path(name)


@pytest.fixture(scope="module")
def told(folder: pathlib.Path) -> str:
    """What the demo prints on the example fleet."""
    done = run(folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    assert list(folder.iterdir()) == []
    return done.stdout


def scenario(told: str, number: int) -> str:
    """Give what the demo prints for one scenario."""
    return re.split(r"^Scenario \d: |^What the history kept", told, flags=re.MULTILINE)[number]


def rows(text: str) -> list[list[str]]:
    """Give the first three columns of each row of each table of holds."""
    found = re.findall(
        r"^  (hardware_failure|operator_hold) +(system|owner|lessee) +(dana|omar|lena|\(not shown\))", text, flags=re.MULTILINE
    )
    return [list(row) for row in found]


def test_it_fits_a_terminal(told: str) -> None:
    assert max(map(len, told.splitlines())) <= 100
    assert "WARNING" not in told
    assert "\x1b" not in told


def test_it_begins_with_who_is_held(told: str) -> None:
    assert "9 of 40 nodes are held, 4 of them by a fault." in told
    for kind in ("power failure", "clean failure", "rescue abort failure", "service failure"):
        assert re.search(rf"^  \S+ +fault +{kind} ", told, flags=re.MULTILINE)
    assert re.search(r"^  k1-n03 +legacy +HW_ERR: ", told, flags=re.MULTILINE)


def test_scenario_1_is_a_typed_hold_of_the_owner(told: str) -> None:
    assert rows(scenario(told, 1)) == [["hardware_failure", "owner", "omar"]]
    assert 'an old client reads: maintenance true, reason "hardware_failure: Disk 3' in scenario(told, 1)


def test_scenario_2_is_a_second_hold_and_not_a_third(told: str) -> None:
    assert rows(scenario(told, 2)) == [["hardware_failure", "owner", "omar"], ["operator_hold", "system", "dana"]]
    assert "  ok        The DC operator asks for the same hold once more" in scenario(told, 2)


def test_scenario_3_releases_one(told: str) -> None:
    assert rows(scenario(told, 3)) == [["hardware_failure", "owner", "omar"]]
    assert "maintenance true" in scenario(told, 3)


def test_scenario_4_releases_all(told: str) -> None:
    assert rows(scenario(told, 4)) == []
    assert "an old client reads: maintenance false" in scenario(told, 4)


def test_scenario_5_shows_the_refusal_as_it_is(told: str) -> None:
    text = " ".join(scenario(told, 5).split())
    assert re.search(
        r"refused .* Cannot release maintenance entry [0-9a-f-]{36} \(type hardware_failure, scope system\): not permitted at lessee scope",
        text,
    )
    assert "a system operator" in text
    assert rows(scenario(told, 5)) == [
        ["hardware_failure", "system", "(not shown)"],
        ["operator_hold", "lessee", "lena"],
        ["hardware_failure", "system", "dana"],
    ]


def test_it_ends_with_the_inventory_the_limits_and_how_to_go_on(told: str) -> None:
    assert re.search(r"\|--@hold_any:\n(    \|  \|--\S+\n){10}    \|--@hold_none:", told)
    assert "|--@hold_fault_service_failure:" in told
    assert "`enforced: false`" in told
    assert "make serve" in told


def test_a_fleet_without_a_leased_node_gets_one_of_its_own(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    fleet = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    for node in fleet["nodes"]:
        node["lessee"] = None
    (tmp_path / "fleet.json").write_text(json.dumps(fleet), encoding="utf-8")
    done = run(folder, NODES=str(tmp_path / "fleet.json"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "so the DC operator enrols demo-n01" in done.stdout
    assert rows(scenario(done.stdout, 5))[-1] == ["hardware_failure", "system", "dana"]


@pytest.mark.parametrize("content", ["", "[]", '{"nodes": 1}', '{"nodes": [{"name": "n1"}]}', None])
def test_a_file_that_is_no_fleet_is_refused_in_one_sentence(tmp_path: pathlib.Path, content: str | None) -> None:
    path = tmp_path / "fleet.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    done = run(tmp_path, "--nodes", str(path))
    assert done.returncode == 2
    assert done.stdout == ""
    assert re.fullmatch(rf"demo: {re.escape(str(path))} .*\n", done.stderr)


def test_what_does_not_come_out_as_told_is_a_failure(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    fleet = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    fleet["nodes"][1]["name"] = fleet["nodes"][0]["name"]
    (tmp_path / "fleet.json").write_text(json.dumps(fleet), encoding="utf-8")
    done = run(folder, "--nodes", str(tmp_path / "fleet.json"))
    assert done.returncode == 1
    assert done.stderr.startswith("demo: not as told: backend import ")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("by", ["Ctrl-C", "SIGTERM"])
def test_interrupted_it_leaves_no_process_and_no_file(folder: pathlib.Path, by: str) -> None:
    # With a session of its own the demo and its children are the foreground job of nobody; Ctrl-C reaches all of a job.
    process = subprocess.Popen(
        DEMO, env=environment(folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    url = None
    for line in t.cast("t.Iterable[str]", process.stdout):
        url = url or next(iter(re.findall(r"http://127\.0\.0\.1:\d+", line)), None)
        if line.startswith("Scenario 1"):
            break
    if by == "Ctrl-C":
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.terminate()
    _rest, errors = process.communicate()
    assert process.returncode == 130, errors
    assert errors.endswith("demo: interrupted; nothing is left running\n")
    assert "Traceback" not in errors
    assert list(folder.iterdir()) == []
    assert url
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(f"{url}/healthz", timeout=5)
