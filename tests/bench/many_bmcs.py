# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two hundred BMCs checked by one task: beside what the checks alone cost, and beside loops over
community.general.redfish_info for the same facts.

The BMCs are a process of their own on the same processors, and have a row of their own for what they take. The time on the clock is
compared with the checks' processor seconds shared out over eight workers, or over as many processors as there are if those are fewer.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import typing as t

import redfish_farm
import redfish_info
from ansible_collections.baremetal.maintenance.tests.support.backend import own_environment
from ansible_collections.baremetal.maintenance.tests.support.certificates import Authority
from fleet import BINARIES
from measuring import Cost, Row, command, cpu, cpu_of, in_turn, wall

BMCS: t.Final = 200
WORKERS: t.Final = 8
#: The loops take more than a second for each.
LOOPED: t.Final = 20
_HERE: t.Final = pathlib.Path(__file__).parent


def rows(folder: pathlib.Path, rounds: int) -> list[Row]:
    """Measure."""
    folder.mkdir(parents=True)
    theirs_python = redfish_info.python()
    authority = Authority(folder)
    with _farm(authority, folder) as (process, ports):
        served: list[float] = []

        def check(count: int) -> Cost:
            play = [{"hosts": "localhost", "gather_facts": False, "tasks": [_check(authority.certificate, ports[:count])]}]
            before = cpu_of([process])
            cost = _play(folder, BINARIES, "ours", play)
            served.append(cpu_of([process]) - before)
            return cost

        def alone(_number: int) -> Cost:
            targets = [_target(authority.certificate, port) for port in ports]
            done = subprocess.run(
                [sys.executable, str(_HERE / "read_alone.py")], input=json.dumps(targets), capture_output=True, text=True, check=False
            )
            if done.returncode:
                raise SystemExit(done.stderr)
            spent = float(done.stdout)
            return Cost(spent / min(WORKERS, os.cpu_count() or 1), spent)

        def loop(_number: int) -> Cost:
            play = [{"hosts": "localhost", "gather_facts": False, "tasks": redfish_info.tasks(authority.certificate, ports[:LOOPED])}]
            return _play(folder, theirs_python.parent, "theirs", play)

        many, floor = in_turn(rounds, lambda _number: check(BMCS), alone)
        of_the_bmcs = [Cost(spent, spent) for spent in served]
        few, looped = in_turn(rounds, lambda _number: check(LOOPED), loop)
    processors = min(WORKERS, os.cpu_count() or 1)
    work, fewer = f"a play of one bmc_check, {BMCS} Redfish BMCs", f"a play of one bmc_check, {LOOPED} Redfish BMCs"
    return [
        Row(work, f"the checks' processor seconds / {processors}", wall(many), wall(floor), "s", 3),
        Row(f"{work}, processor", "of the checks alone, one process", cpu(many), cpu(floor), "s", 2.3),
        Row(f"{work}, processor", "of the emulated BMCs meanwhile", cpu(many), cpu(of_the_bmcs), "s"),
        Row(fewer, "loops of community.general.redfish_info", wall(few), wall(looped), "s", 0.1),
        Row(f"{fewer}, processor", "loops of community.general.redfish_info", cpu(few), cpu(looped), "s"),
    ]


@contextlib.contextmanager
def _farm(authority: Authority, folder: pathlib.Path) -> t.Iterator[tuple[int, list[int]]]:
    """Start the BMCs; give their process and ports."""
    pair = authority.issue("bmcs")
    errors = folder / "farm.log"
    with errors.open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, str(_HERE / "redfish_farm.py"), pair.certificate, pair.key, str(BMCS)], stdout=subprocess.PIPE, stderr=log
        )
    try:
        said = process.stdout.readline() if process.stdout else b""
        if not said:
            raise SystemExit(errors.read_text(encoding="utf-8", errors="replace"))
        yield process.pid, json.loads(said)
    finally:
        process.terminate()
        process.wait()


def _target(ca: str, port: int) -> dict[str, t.Any]:
    login = {"username": redfish_farm.USER, "password": redfish_farm.PASSWORD}
    return {"protocol": "redfish", "address": f"127.0.0.1:{port}", **login, "ca_path": ca, "power_reads": 1}


def _check(ca: str, ports: t.Sequence[int]) -> dict[str, t.Any]:
    targets = [{f"bmc_{name}": value for name, value in _target(ca, port).items()} for port in ports]
    return {
        "baremetal.maintenance.bmc_check": {"targets": targets, "workers": WORKERS, "fail_on": "block"},
        "no_log": True,
    }


def _play(folder: pathlib.Path, binaries: pathlib.Path, name: str, play: list[dict[str, t.Any]]) -> Cost:
    playbook = folder / f"{name}.json"
    playbook.write_text(json.dumps(play), encoding="utf-8")
    environment = {
        **{key: value for key, value in own_environment().items() if not key.startswith("ANSIBLE_")},
        "HOME": str(folder),
        "ANSIBLE_HOME": str(folder / "ansible"),
        "ANSIBLE_NOCOLOR": "1",
        "ANSIBLE_PIPELINING": "1",
        "ANSIBLE_LOCALHOST_WARNING": "false",
        "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
    }
    here = ["-i", "localhost,", "-c", "local", "-e", "ansible_python_interpreter={{ ansible_playbook_python }}"]
    return command([str(binaries / "ansible-playbook"), *here, str(playbook)], environment, folder)
