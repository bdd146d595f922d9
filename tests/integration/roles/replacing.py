# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A node of a test's own whose parts can be replaced, and runs of hardware_replacement on it: to their end, or killed before it."""

from __future__ import annotations

import pathlib
import signal
import subprocess
import typing as t

from tests.integration.playbooks.running import Ran, Site
from tests.lab.bmc.fake_ipmi import PASSWORD, USER, FakeBmc
from tests.lab.bmc.static_redfish import StaticRedfish

SYSTEM: t.Final = "/redfish/v1/Systems/1"
DRIVE: t.Final = f"{SYSTEM}/Storage/1/Drives/Bay1"
KEY: t.Final = "hardware_replacement"

_CALLBACKS: t.Final = pathlib.Path(__file__).with_name("callback")


class Node:
    """A node and its BMC."""

    def __init__(self, site: Site, name: str, bmc: StaticRedfish | FakeBmc) -> None:
        self.site, self.name = site, name
        self.uuid = site.call("dc", "POST", "/v1/nodes", {"name": name})["uuid"]
        over_redfish = isinstance(bmc, StaticRedfish)
        self.bmc = {
            "bmc_protocol": "redfish" if over_redfish else "ipmi",
            "bmc_address": bmc.url if isinstance(bmc, StaticRedfish) else bmc.address,
            "bmc_username": USER,
            "bmc_password": PASSWORD,
            "bmc_power_reads": 1,
            "bmc_retries": 0,
        }
        site.inventory({f"host-of-{name}": {"baremetal_node": name, **self.bmc}})

    def run(self, phase: str, *arguments: str, may_warn: bool = False, **answers: t.Any) -> Ran:
        return self.site.play(KEY, *arguments, variables=self._answers(phase, answers), may_warn=may_warn)

    def kill(self, phase: str, task: str, **answers: t.Any) -> None:
        """Run it until the task of this name is to begin, and kill it with every process of its group."""
        kill = {"ANSIBLE_CALLBACK_PLUGINS": str(_CALLBACKS), "ANSIBLE_CALLBACKS_ENABLED": "kill_at", "KILL_AT": task}
        ended = subprocess.run(
            self.site.command(KEY, variables=self._answers(phase, answers)),
            env={**self.site.environment("dc"), **kill},
            cwd=self.site.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=170,
            check=False,
            start_new_session=True,
        )
        assert ended.returncode == -signal.SIGKILL, ended.stdout + ended.stderr

    def held(self) -> list[dict[str, t.Any]]:
        return self.site.holds(self.name)

    def hold(self, who: str = "dc", **members: t.Any) -> dict[str, t.Any]:
        """Have it held past the playbook, as it would."""
        body = {"type": "hardware_failure", "key": KEY, "reason": "Disk 1 has bad sectors", **members}
        return self.site.call(who, "POST", f"/v1/nodes/{self.name}/maintenance", body)

    def events(self) -> list[dict[str, t.Any]]:
        return self.site.call("dc", "GET", f"/v1/nodes/{self.name}/history?detail=true")["history"]

    def actions(self) -> list[str]:
        """Give what was done to its holds."""
        return [event["maintenance"]["action"] for event in self.events()]

    def _answers(self, phase: str, answers: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
        usual = {"reason": "Disk 1 has bad sectors", "ticket": "CIDTEAM-3743"} if phase == "before" else {}
        return {"phase": phase, "target": self.name, **usual, **answers}


def swap(bmc: StaticRedfish) -> None:
    """Have another disk in the first bay, which is well."""
    bmc.patch(DRIVE, {"SerialNumber": "NEW-DISK", "Status.Health": "OK"})


def lit(bmc: StaticRedfish) -> bool:
    return bool(bmc.resource(SYSTEM)["LocationIndicatorActive"])


def said(ran: Ran) -> str:
    """Give the output without its line breaks."""
    return " ".join(ran.output.split())
