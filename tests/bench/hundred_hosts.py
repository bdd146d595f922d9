# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A hundred hosts that do not exist, held by one task: beside a task that does nothing, and beside a module on the controller."""

from __future__ import annotations

import json
import pathlib
import typing as t

from fleet import BINARIES, Fleet
from measuring import Cost, Row, command, cpu, in_turn, wall

HOSTS: t.Final = 100


def rows(folder: pathlib.Path, rounds: int) -> list[Row]:
    """Measure."""
    with Fleet(folder, HOSTS) as fleet:
        hosts = {name: {"baremetal_node": name, "ansible_host": "192.0.2.1"} for name in fleet.nodes}
        inventory = folder / "hosts.json"
        inventory.write_text(json.dumps({"all": {"hosts": hosts}}), encoding="utf-8")

        def play(name: str, task: dict[str, t.Any]) -> Cost:
            playbook = folder / f"{name}.json"
            playbook.write_text(json.dumps([{"hosts": "all", "gather_facts": False, "tasks": [task]}]), encoding="utf-8")
            arguments = [str(BINARIES / "ansible-playbook"), "-i", str(inventory), str(playbook)]
            return command(arguments, fleet.environment(), folder)

        def hold(number: int) -> Cost:
            run = f"run-{number}"
            cost = play("hold", {"baremetal.maintenance.hold": {"type": "operator_hold", "reason": "the rack is moved", "run": run}})
            held = fleet.call("GET", f"/v1/maintenance?run={run}", None, 200)["maintenance"]
            if len(held) != HOSTS:
                raise SystemExit(f"{len(held)} of {HOSTS} nodes are held")
            fleet.free(run)
            return cost

        def nothing(_number: int) -> Cost:
            return play("noop", {"noop": {}})

        def module(_number: int) -> Cost:
            request = {
                "url": f"{fleet.url}/v1/nodes/{{{{ baremetal_node }}}}/maintenance",
                "method": "PUT",
                "body": {"reason": "the rack is moved"},
                "body_format": "json",
                "headers": {"X-OpenStack-Ironic-API-Version": "1.115"},
                "status_code": 202,
            }
            return play("uri", {"ansible.builtin.uri": request, "delegate_to": "localhost"})

        ours, floor, uri = in_turn(rounds, hold, nothing, module)
    work, nothing_done = f"a play of one hold task, {HOSTS} hosts", "of a task that does nothing"
    return [
        Row(work, nothing_done, wall(ours), wall(floor), "s", 1.9),
        Row(f"{work}, processor", nothing_done, cpu(ours), cpu(floor), "s"),
        Row(work, "of uri (PUT the boolean) on localhost", wall(ours), wall(uri), "s", 0.25),
    ]
