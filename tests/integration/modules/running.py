# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Running plays as a user does, against a real backend, and reading back what they did without the collection's client."""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import json
import os
import pathlib
import re
import sys
import time
import typing as t
import urllib.error
import urllib.request

import ansible_runner

from tests.support.backend import Backend, own_environment, password

USERS: t.Final = {
    "op": {"user_id": "op-id", "user_name": "op", "roles": ["admin"], "system": True},
    "night": {"user_id": "night-id", "user_name": "night", "roles": ["member"], "system": True},
    "watch": {"user_id": "watch-id", "user_name": "watch", "roles": ["service"], "system": True},
    "alice": {"user_id": "alice-id", "user_name": "alice", "project_id": "p-owner", "roles": ["member"]},
    "carol": {"user_id": "carol-id", "user_name": "carol", "project_id": "p-owner", "roles": ["member"]},
    "lee": {"user_id": "lee-id", "user_name": "lee", "project_id": "p-lessee", "roles": ["manager"]},
}

TYPED: t.Final = "1.116"

#: A machine that tasks can be delegated to, for Ansible not this one.
ELSEWHERE: t.Final = {"ansible_connection": "elsewhere", "ansible_python_interpreter": "{{ ansible_playbook_python }}"}

_HERE: t.Final = pathlib.Path(__file__).parent


@dataclasses.dataclass(frozen=True)
class Ran:
    """What a run left. results: of each task by its name, and of each host, in the order in which they ended."""

    status: int
    output: str
    results: dict[str, dict[str, dict[str, t.Any]]]
    events: str

    def of(self, task: str, host: str = "node1") -> dict[str, t.Any]:
        """Give the result of a task for a host."""
        return self.results[task][host]


class Stage:
    """A backend, and a folder to run plays in."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self._runs = 0
        self._marks = 0

    def call(self, method: str, path: str, body: t.Any = None, who: str = "op") -> t.Any:
        """Make a request past the collection; give the JSON of the answer, None for an empty one."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.backend.url + path, data=data, method=method)
        request.add_header("X-OpenStack-Ironic-API-Version", TYPED)
        request.add_header("Content-Type", "application/json")
        request.add_header("Authorization", f"Basic {basic(who)}")
        with urllib.request.urlopen(request, timeout=30) as answer:
            content = answer.read()
        return json.loads(content) if content else None

    def enrol(self, *names: str) -> None:
        """Make nodes that alice's project owns and lee's has on lease."""
        for name in names:
            self.call("POST", "/v1/nodes", {"name": name, "driver": "fake-hardware", "owner": "p-owner", "lessee": "p-lessee"})

    def held(self, node: str) -> list[dict[str, t.Any]]:
        """Give the node's active entries."""
        return self.call("GET", f"/v1/nodes/{node}/maintenance")["maintenance"]

    def requests(self) -> list[str]:
        """Give the requests that the backend has answered so far, as `GET /v1/nodes`, in order."""
        self._marks += 1
        mark = f"/healthz/mark{self._marks}"
        with contextlib.suppress(urllib.error.HTTPError):
            self.call("GET", mark)
        end = time.monotonic() + 10
        # The log is written a moment after the answer.
        while mark not in self.backend.log and time.monotonic() < end:
            time.sleep(0.02)
        return re.findall(r'"([A-Z]+ /\S*) HTTP', self.backend.log)

    def play(
        self,
        tasks: t.Sequence[t.Mapping[str, t.Any]],
        *,
        hosts: t.Mapping[str, t.Mapping[str, t.Any]] | None = None,
        group: str = "ungrouped",
        who: str | None = "op",
        arguments: str = "",
        may_warn: bool = False,
        **keywords: t.Any,
    ) -> Ran:
        """Run tasks on the hosts of a group (node1, without an address) as a user. Nothing may warn, unless the test is about that."""
        self._runs += 1
        folder = self.backend.folder / f"run{self._runs}"
        folder.mkdir()
        members = {**(hosts or {"node1": {"baremetal_node": "node1"}})}
        inventory = {"all": {"hosts": {"elsewhere": ELSEWHERE}, "children": {group: {"hosts": members}}}}
        play = {"hosts": "all:!elsewhere", "gather_facts": False, "tasks": list(tasks), **keywords}
        run = ansible_runner.run(
            private_data_dir=str(folder),
            playbook=[play],
            inventory=inventory,
            envvars=self._environment(who, folder),
            cmdline=arguments or None,
            quiet=True,
            suppress_env_files=True,
        )
        events = [json.loads(file.read_text(encoding="utf-8")) for file in sorted((folder / "artifacts").glob("*/job_events/*.json"))]
        results: dict[str, dict[str, dict[str, t.Any]]] = {}
        for event in sorted(events, key=lambda event: event["counter"]):
            data = event.get("event_data") or {}
            if event["event"] in ("runner_on_ok", "runner_on_failed", "runner_on_unreachable"):
                results.setdefault(data["task"], {})[data["host"]] = {"failed": event["event"] != "runner_on_ok", **data["res"]}
        output = "".join(event["stdout"] + "\n" for event in sorted(events, key=lambda event: event["counter"]))
        if not may_warn and ("[WARNING]" in output or "[DEPRECATION" in output):
            raise AssertionError(f"the play warns:\n{output}")
        return Ran(run.rc, output, results, "\n".join(json.dumps(event) for event in events))

    def _environment(self, who: str | None, folder: pathlib.Path) -> dict[str, str]:
        login = {}
        if who is not None:
            login = {
                "BAREMETAL_MAINTENANCE_AUTH_TYPE": "http_basic",
                "BAREMETAL_MAINTENANCE_USERNAME": who,
                "BAREMETAL_MAINTENANCE_PASSWORD": password(who),
            }
        return {
            **{name: value for name, value in own_environment().items() if not name.startswith(("ANSIBLE_", "BAREMETAL_"))},
            "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ.get('PATH', '')}",
            "ANSIBLE_CONFIG": str(folder / "ansible.cfg"),
            "ANSIBLE_HOME": str(self.backend.folder / "ansible"),
            "ANSIBLE_CONNECTION_PLUGINS": str(_HERE / "connection"),
            "ANSIBLE_NOCOLOR": "1",
            "ANSIBLE_PIPELINING": "1",
            "BAREMETAL_MAINTENANCE_URL": self.backend.url,
            **login,
        }


def basic(who: str) -> str:
    """Give what a basic login of the user sends."""
    return base64.b64encode(f"{who}:{password(who)}".encode()).decode()
