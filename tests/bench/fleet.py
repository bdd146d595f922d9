# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A service with a fleet, and the environment in which commands speak to it."""

from __future__ import annotations

import http.client
import json
import os
import pathlib
import sys
import time
import typing as t

from ansible_collections.baremetal.maintenance.tests.integration.server.processes import children_of
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend, own_environment

BINARIES: t.Final = pathlib.Path(sys.executable).parent
TYPED: t.Final = "1.116"


class Fleet:
    """So many nodes in a service of their own. Everyone is a system admin."""

    def __init__(self, folder: pathlib.Path, number: int) -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        self.nodes = tuple(f"node-{place:05}" for place in range(number))
        self._backend = Backend(folder, log_level="warning")
        document = {
            "nodes": [
                {
                    "uuid": f"00000000-0000-4000-8000-{place:012}",
                    "name": name,
                    "maintenance": False,
                    "owner": f"project-{place % 10}",
                    "lessee": f"tenant-{place % 50}",
                    "resource_class": ("small", "large", "gpu")[place % 3],
                    "provision_state": "active",
                    "power_state": "power on",
                }
                for place, name in enumerate(self.nodes)
            ]
        }
        nodes = folder / "nodes.json"
        nodes.write_text(json.dumps(document), encoding="utf-8")
        imported = self._backend.run("import", str(nodes))
        if imported.returncode:
            raise SystemExit(imported.stderr)

    def __enter__(self) -> Fleet:
        self._backend.start()
        self._connection = http.client.HTTPConnection("127.0.0.1", self._backend.port, timeout=300)
        self._used = time.monotonic()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._connection.close()
        self._backend.stop()

    @property
    def url(self) -> str:
        """Where the service is."""
        return self._backend.url

    @property
    def processes(self) -> list[int]:
        """The processes of the service."""
        return [self._backend.pid, *children_of(self._backend.pid)]

    def call(self, method: str, path: str, body: t.Any, *allowed: int) -> t.Any:
        """Send a request over the one connection; give the decoded body."""
        # The service closes a connection that is idle for half a minute.
        if time.monotonic() - self._used > 5:
            self._connection.close()
        headers = {"X-OpenStack-Ironic-API-Version": TYPED, "Content-Type": "application/json"}
        self._connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = self._connection.getresponse()
        content = response.read()
        self._used = time.monotonic()
        if response.status not in allowed:
            raise SystemExit(f"{method} {path} was answered {response.status}: {content[:500]!r}")
        return json.loads(content) if content else None

    def free(self, run: str) -> None:
        """Release what a run holds."""
        self.call("POST", "/v1/maintenance/release", {"run": run}, 200)

    def environment(self) -> dict[str, str]:
        """Give the environment of a command that speaks to the service."""
        return {
            **own_environment(),
            "PATH": os.pathsep.join([str(BINARIES), os.environ["PATH"]]),
            "HOME": str(self.folder),
            "ANSIBLE_HOME": str(self.folder / "ansible"),
            "ANSIBLE_ACTION_PLUGINS": str(pathlib.Path(__file__).with_name("action_plugins")),
            "ANSIBLE_NOCOLOR": "1",
            "BAREMETAL_MAINTENANCE_URL": self.url,
            "BAREMETAL_MAINTENANCE_AUTH_TYPE": "none",
        }
