# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes of a test's own, each with its BMC in the inventory, and what a run of fault_recovery says of them."""

from __future__ import annotations

import json
import sqlite3
import typing as t

from tests.integration.playbooks.running import Ran, Site
from tests.lab.bmc.fake_ipmi import PASSWORD, USER, FakeBmc

#: Chassis bits of a main power fault.
SICK: t.Final = [0x08, 0, 0]
#: What makes a run quick, and faults of other tests no part of an outage; a test's own variables come on top.
QUICK: t.Final = {"fault_recovery_attempts": 1, "fault_recovery_retry_delay": 0, "fault_recovery_storm_window": 0}

#: Seconds for one run, on a machine that is busy with other things.
PATIENCE: t.Final = 500

#: The commands of IPMI that change nothing: chassis status, boot options, device id, sensors and thresholds, records, log, clock,
#: inventory, and the reservations that reading a repository or log needs.
READS: t.Final = frozenset("0:1 0:9 6:1 6:42 4:2d 4:27 a:10 a:11 a:20 a:22 a:23 a:40 a:42 a:43 a:48".split())


def nowhere(number: int) -> str:
    """Give one of many hosts on which nothing listens. A free port of the usual one may be somebody else's a moment later."""
    return f"127.9.{number // 250}.{number % 250 + 1}"


class Rack:
    """Nodes of one test."""

    def __init__(self, site: Site, prefix: str) -> None:
        self.site = site
        self.prefix = prefix
        self.hosts: dict[str, dict[str, t.Any]] = {}
        (site.folder / "ansible.cfg").write_text("[defaults]\nshow_custom_stats = true\n", encoding="utf-8")

    def node(self, name: str, bmc: FakeBmc | None = None, **variables: t.Any) -> str:
        """Enrol a node. Without a BMC there is one in the inventory that answers nobody."""
        full = f"{self.prefix}-{name}"
        self.site.call("dc", "POST", "/v1/nodes", {"name": full, "owner": "storage-project"})
        self.hosts[full] = {
            "baremetal_node": full,
            "bmc_protocol": "ipmi",
            "bmc_address": bmc.address if bmc else nowhere(len(self.hosts)),
            "bmc_username": USER,
            "bmc_password": PASSWORD,
            "bmc_power_reads": 2,
            "bmc_power_read_interval": 0,
            "bmc_retries": 0,
            # A BMC that answers takes a second or two; one that does not takes all of this.
            "bmc_deadline": 60 if bmc else 3,
            **variables,
        }
        self.site.inventory(self.hosts)
        return full

    def fault(self, node: str, kind: str = "power failure", times: int = 1) -> str:
        """Have a fault asserted on a node, as often as said; give its uuid."""
        for left in range(times, 0, -1):
            uuid = self.site.call("dc", "PUT", f"/v1/nodes/{node}/maintenance/fault", {"fault": kind, "reason": "no answer"})["uuid"]
            if left > 1:
                self.site.call("dc", "DELETE", f"/v1/nodes/{node}/maintenance/{uuid}")
        return uuid

    def hold(self, node: str) -> str:
        """Have somebody else hold a node; give the uuid of that hold."""
        body = {"type": "operator_hold", "reason": "not yours"}
        return self.site.call("night", "POST", f"/v1/nodes/{node}/maintenance", body)["uuid"]

    def held(self) -> dict[str, list[str]]:
        """Give the uuids of the entries by node, of held nodes only."""
        found = {name: sorted(entry["uuid"] for entry in self.site.holds(name)) for name in self.hosts}
        return {name: uuids for name, uuids in found.items() if uuids}

    def history(self, node: str) -> list[dict[str, t.Any]]:
        """Give the node's events, oldest first."""
        return self.site.call("dc", "GET", f"/v1/nodes/{node}/history?detail=true")["history"]

    def stored(self) -> list[str]:
        """Give everything that the service has written down, to be compared."""
        with sqlite3.connect(f"file:{self.site.backend.database}?mode=ro", uri=True) as database:
            return list(database.iterdump())

    def recover(self, *arguments: str, who: str = "dc", target: t.Any = None, **variables: t.Any) -> Ran:
        """Run the playbook on all nodes of this rack, or on `target`."""
        given = {"target": ",".join(self.hosts) if target is None else target, **QUICK, **variables}
        return self.site.play("fault_recovery", *arguments, who=who, variables=given, timeout=PATIENCE)

    def remove(self) -> None:
        """Take the nodes away again."""
        for name in self.hosts:
            self.site.call("dc", "DELETE", f"/v1/nodes/{name}/maintenance")
            self.site.call("dc", "DELETE", f"/v1/nodes/{name}")


def lines(ran: Ran) -> dict[str, str]:
    """Give the table by node: what stands after its name."""
    found = (line.strip().strip('",').split(None, 1) for line in ran.output.splitlines() if line.startswith("        "))
    return {words[0]: words[1] for words in found if len(words) == 2}


def report(ran: Ran) -> dict[str, t.Any]:
    """Give the report that the run hands on as data."""
    (line,) = (line for line in ran.output.splitlines() if line.startswith("\tRUN: "))
    return json.loads(line.removeprefix("\tRUN: "))["fault_recovery_report"]


def writes(bmc: FakeBmc) -> list[str]:
    """Give the commands to a BMC that are no mere reads. Logging in and out are none of its commands."""
    commands = (line.split()[0] for line in bmc.asked() if ":" in line.split()[0])
    return [command for command in commands if command not in READS]
