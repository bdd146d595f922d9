# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Running a shipped playbook as a user does, against a backend with one credential for each party."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import subprocess
import sys
import typing as t

import requests

from tests.support.backend import Backend, own_environment, password

ANSIBLE: t.Final = pathlib.Path(sys.executable).with_name("ansible-playbook")

USERS: t.Final = {
    "dc": {"user_id": "dc-id", "user_name": "dc-operator", "roles": ["admin"], "system": True},
    "night": {"user_id": "night-id", "roles": ["member"], "system": True},
    "alice": {"user_id": "alice-id", "project_id": "storage-project", "roles": ["member"]},
    "lee": {"user_id": "lee-id", "project_id": "lee-project", "roles": ["manager"]},
    "bo": {"user_id": "bo-id", "project_id": "bo-project", "roles": ["manager"]},
}

TYPED: t.Final = {"X-OpenStack-Ironic-API-Version": "1.116"}


@dataclasses.dataclass(frozen=True)
class Ran:
    """What a run left: its exit status and all that it printed."""

    status: int
    output: str


class Site:
    """A backend, the parties that use it, and a folder for inventories and variables."""

    def __init__(self, folder: pathlib.Path, backend: Backend) -> None:
        self.folder = folder
        self.backend = backend
        (folder / "ansible.cfg").write_text("[defaults]\n", encoding="utf-8")
        # Hosts a test does not name are for localhost plays only.
        self.inventory({})

    def call(self, who: str, method: str, path: str, body: t.Any = None) -> t.Any:
        """Make a request as one of the parties, past the collection; give the JSON of the answer, None for none."""
        answer = requests.request(method, self.backend.url + path, json=body, headers=TYPED, auth=(who, password(who)), timeout=30)
        answer.raise_for_status()
        return answer.json() if answer.content else None

    def holds(self, node: str) -> list[dict[str, t.Any]]:
        """Give the node's active entries."""
        return self.call("dc", "GET", f"/v1/nodes/{node}/maintenance")["maintenance"]

    def inventory(self, hosts: t.Mapping[str, t.Mapping[str, t.Any]]) -> None:
        """Write the inventory of the next runs: hosts of the group `fleet`."""
        document = {"all": {"hosts": {"localhost": LOCAL}, "children": {"fleet": {"hosts": dict(hosts)}}}}
        (self.folder / "inventory.json").write_text(json.dumps(document), encoding="utf-8")

    def command(self, playbook: str, *arguments: str, variables: t.Mapping[str, t.Any] | None = None) -> list[str]:
        """Give the command line of a playbook: one of the collection, or a path."""
        path = self.folder / "variables.json"
        path.write_text(json.dumps(dict(variables or {})), encoding="utf-8")
        inventory = str(self.folder / "inventory.json")
        name = playbook if "/" in playbook else f"baremetal.maintenance.{playbook}"
        return [str(ANSIBLE), name, "-i", inventory, "-e", f"@{path}", *arguments]

    def environment(self, who: str) -> dict[str, str]:
        """Give the environment of a run as one of the parties: warnings and colours as on a plain terminal."""
        own = {name: value for name, value in own_environment().items() if not name.startswith("ANSIBLE_")}
        return {
            **own,
            "ANSIBLE_CONFIG": str(self.folder / "ansible.cfg"),
            "ANSIBLE_HOME": str(self.folder / "ansible"),
            "ANSIBLE_HOST_KEY_CHECKING": "false",
            "ANSIBLE_NOCOLOR": "1",
            "BAREMETAL_MAINTENANCE_URL": self.backend.url,
            "BAREMETAL_MAINTENANCE_AUTH_TYPE": "http_basic",
            "BAREMETAL_MAINTENANCE_USERNAME": who,
            "BAREMETAL_MAINTENANCE_PASSWORD": password(who),
        }

    def play(
        self,
        playbook: str,
        *arguments: str,
        who: str = "dc",
        variables: t.Mapping[str, t.Any] | None = None,
        may_warn: bool = False,
        timeout: float = 170,
    ) -> Ran:
        """Run a playbook to its end. No run may warn, unless that is what the test is about. timeout: in seconds."""
        done = subprocess.run(
            self.command(playbook, *arguments, variables=variables),
            env=self.environment(who),
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=timeout,
            check=False,
        )
        if not may_warn and ("[WARNING]" in done.stdout or "[DEPRECATION" in done.stdout):
            raise AssertionError(f"the play warns:\n{done.stdout}")
        return Ran(done.returncode, done.stdout)


LOCAL: t.Final = {"ansible_connection": "local", "ansible_python_interpreter": "{{ ansible_playbook_python }}"}
