# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fleet of a test's own, whose hosts run tasks on this machine."""

from __future__ import annotations

import pathlib
import typing as t

from .running import LOCAL, Site

TASKS: t.Final = pathlib.Path(__file__).with_name("deploy")


class Fleet:
    """Nodes whose hosts run tasks on this machine; what is deployed leaves a trace."""

    def __init__(self, site: Site, folder: pathlib.Path, prefix: str, number: int) -> None:
        self.site = site
        self.traces = folder / "traces"
        self.traces.mkdir()
        self.names = [f"{prefix}-n{place:02}" for place in range(1, number + 1)]
        for name in self.names:
            site.call("dc", "POST", "/v1/nodes", {"name": name, "owner": "storage-project"})
        self.hosts: dict[str, dict[str, t.Any]] = {name: {**LOCAL, "baremetal_node": name} for name in self.names}

    def remove(self) -> None:
        for name in self.names:
            self.site.call("dc", "DELETE", f"/v1/nodes/{name}/maintenance")
            self.site.call("dc", "DELETE", f"/v1/nodes/{name}")

    def hold(self, who: str, name: str, **labels: str) -> str:
        body = {"type": "operator_hold", "reason": "not yours", **labels}
        return self.site.call(who, "POST", f"/v1/nodes/{name}/maintenance", body)["uuid"]

    def lose(self, name: str) -> None:
        """Let the host be one that answers nowhere."""
        self.hosts[name] = {"ansible_host": "127.0.0.1", "ansible_port": 1, "baremetal_node": name}

    def variables(self, **more: t.Any) -> dict[str, t.Any]:
        return {
            "target": "fleet",
            "deploy_tasks": str(TASKS / "deploy.yml"),
            "verify_tasks": str(TASKS / "verify.yml"),
            "traces": str(self.traces),
            "sick": [],
            "reach_timeout": 2,
            **more,
        }

    @property
    def deployed(self) -> set[str]:
        return {path.name for path in self.traces.iterdir()}

    def held(self) -> dict[str, list[str]]:
        """Give the uuids of the entries by node, of held nodes only."""
        found = {name: [entry["uuid"] for entry in self.site.holds(name)] for name in self.names}
        return {name: uuids for name, uuids in found.items() if uuids}
