# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A play over a hundred hosts that do not exist: every node is held, and nobody tried to reach a host."""

from __future__ import annotations

import collections
import contextlib
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import time
import typing as t

import pytest
import yaml
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend, own_environment, password

HOSTS: t.Final = 100
NODES: t.Final = tuple(f"node-{number:03}" for number in range(HOSTS))
OPERATOR: t.Final = {"op": {"user_id": "op-id", "roles": ["admin"], "system": True}}

HOLD: t.Final = {
    "name": "Hold every node of the fleet",
    "hosts": "all",
    "gather_facts": False,
    "tasks": [
        {
            "name": "Hold it",
            "baremetal.maintenance.hold": {"type": "operator_hold", "reason": "the rack is moved", "run": "move-1"},
        }
    ],
}
#: What a module does that is not an action: it connects.
PING: t.Final = {"name": "Ping", "hosts": "all", "gather_facts": False, "tasks": [{"name": "Ping it", "ansible.builtin.ping": {}}]}

#: Stands before the real ssh and notes that it was called.
SSH: t.Final = """#!/bin/sh
echo "$0 $*" >> {calls}
echo "no such host" >&2
exit 255
"""


class Controller:
    """A folder with an inventory of hosts that do not exist, and an ssh that only notes its calls."""

    def __init__(self, folder: pathlib.Path, backend: Backend) -> None:
        self._folder = folder
        self._backend = backend
        self._calls = folder / "ssh-calls"
        self._programs = folder / "bin"
        self._programs.mkdir()
        for name in ("ssh", "scp", "sftp", "sshpass"):
            program = self._programs / name
            program.write_text(SSH.format(calls=self._calls), encoding="utf-8")
            program.chmod(0o755)
        hosts = {name: {"ansible_host": "192.0.2.1", "baremetal_node": name} for name in NODES}
        (folder / "hosts.yml").write_text(yaml.safe_dump({"all": {"hosts": hosts}}), encoding="utf-8")

    def play(self, play: t.Mapping[str, t.Any], *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a play."""
        playbook = self._folder / "play.yml"
        playbook.write_text(yaml.safe_dump([dict(play)]), encoding="utf-8")
        binaries = pathlib.Path(sys.executable).parent
        environ = {
            **own_environment(),
            "PATH": os.pathsep.join([str(self._programs), str(binaries), os.environ["PATH"]]),
            "HOME": str(self._folder),
            "ANSIBLE_HOME": str(self._folder / "ansible"),
            "BAREMETAL_MAINTENANCE_URL": self._backend.url,
            "BAREMETAL_MAINTENANCE_AUTH_TYPE": "http_basic",
            "BAREMETAL_MAINTENANCE_USERNAME": "op",
            "BAREMETAL_MAINTENANCE_PASSWORD": password("op"),
        }
        command = [str(binaries / "ansible-playbook"), "-i", str(self._folder / "hosts.yml"), str(playbook), *arguments]
        return subprocess.run(command, check=False, env=environ, capture_output=True, text=True, timeout=150, stdin=subprocess.DEVNULL)

    @property
    def connections(self) -> list[str]:
        """How ssh was called."""
        return self._calls.read_text(encoding="utf-8").splitlines() if self._calls.exists() else []


@pytest.fixture
def backend(tmp_path: pathlib.Path) -> t.Iterator[Backend]:
    """A service with a hundred nodes."""
    folder = tmp_path / "backend"
    folder.mkdir()
    nodes = [{"uuid": f"00000000-0000-4000-8000-{number:012}", "name": name, "maintenance": False} for number, name in enumerate(NODES)]
    (folder / "nodes.json").write_text(json.dumps({"nodes": nodes}), encoding="utf-8")
    running = Backend(folder, users=OPERATOR)
    imported = running.run("import", str(folder / "nodes.json"))
    assert imported.returncode == 0, imported.stderr
    with running:
        yield running


@pytest.fixture
def controller(tmp_path: pathlib.Path, backend: Backend) -> Controller:
    """A controller that knows the service and the hosts."""
    folder = tmp_path / "controller"
    folder.mkdir()
    return Controller(folder, backend)


def requests(backend: Backend) -> dict[str, int]:
    """How often each request stands in the service's log; a node's name is left out of it."""
    found = re.findall(r'granian\.access: \S+ "(\w+ \S+) HTTP', backend.log)
    return dict(collections.Counter(re.sub(r"node-\d+", "NODE", line) for line in found if "/healthz" not in line))


def test_every_node_is_held_without_a_connection_and_with_one_version_request(backend: Backend, controller: Controller) -> None:
    ran = controller.play(HOLD)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "WARNING" not in ran.stdout + ran.stderr
    assert controller.connections == []
    assert held(backend) == [(name, "operator_hold", "the rack is moved", "move-1") for name in NODES]
    deadline = time.monotonic() + 10
    # The log's last lines come a moment after the answers.
    while sum(requests(backend).values()) < HOSTS + 1 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert requests(backend) == {"GET /v1": 1, "POST /v1/nodes/NODE/maintenance": HOSTS}


def test_the_recorder_of_connections_records(controller: Controller) -> None:
    """The same hosts, with a module that connects: what the other test does not find is found."""
    ran = controller.play(PING, "--limit", NODES[0])
    assert ran.returncode != 0
    assert "192.0.2.1" in controller.connections[0]


def held(backend: Backend) -> list[tuple[str, ...]]:
    """What the database holds, by node."""
    with contextlib.closing(sqlite3.connect(f"file:{backend.database}?mode=ro", uri=True)) as connection:
        query = "SELECT n.name, e.type, e.reason, e.run FROM node_maintenance e JOIN nodes n ON n.id = e.node_id ORDER BY n.name"
        return connection.execute(query).fetchall()
