# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes, entries, rows and what BMCs said, for tests that change one thing."""

from __future__ import annotations

import typing as t

from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import report
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc.judge import judge
from ansible_collections.baremetal.maintenance.plugins.plugin_utils.recovery import plan
from ansible_collections.baremetal.maintenance.plugins.plugin_utils.recovery.access import Access
from ansible_collections.baremetal.maintenance.plugins.plugin_utils.recovery.row import Row

SINCE: t.Final = "2026-06-10T10:30:00.123456+00:00"


def node(name: str, **more: t.Any) -> dict[str, t.Any]:
    return {"uuid": f"uuid-{name}", "name": name, "power_state": None, "properties": {}, **more}


def entry(name: str, type_: str = "fault", **more: t.Any) -> dict[str, t.Any]:
    """Give an active entry on the node of that name."""
    usual = {
        "node": f"uuid-{name}",
        "uuid": f"{type_}-on-{name}",
        "type": type_,
        "reason": "No answer",
        "extra": {"fault": "power failure"} if type_ != "operator_hold" else {},
        "asserted_at": SINCE,
        "scope": "system",
        "key": "",
        "asserted_by": "watch-id",
        "asserted_by_name": "watch",
        "ticket": None,
        "own": False,
        "enforced": False,
        "enforced_by": "none",
    }
    return {**usual, **more}


def access(port: int = 1, claim: str = "", **more: t.Any) -> Access:
    return Access({"bmc_protocol": "ipmi", "bmc_address": f"127.0.0.1:{port}", "bmc_password": "canary", **more}, claim=claim or str(port))


def fell(name: str, at: str, entry_uuid: str | None = None) -> dict[str, t.Any]:
    """Give the event of a fault that was asserted; of the one that is active if no other uuid is given."""
    about = {"action": "assert", "type": "fault", "key": "", "entry_uuid": entry_uuid or f"fault-on-{name}"}
    return {"node_uuid": f"uuid-{name}", "created_at": at, "maintenance": about}


def rows(*names: str, watch: bool = False, histories: t.Any = None, **more: t.Any) -> list[Row]:
    """Give rows of nodes with a fault each, or where `watch` says so without any entry."""
    known = {name: access(port) for port, name in enumerate(names, 1)}
    given = {"history": [], **more} if histories is None else {"history": None, "histories": histories, **more}
    entries = [] if watch else [entry(name) for name in names]
    return plan.plan([node(name) for name in names], entries, known, **planning(watch=watch, **given))


def planning(**more: t.Any) -> dict[str, t.Any]:
    """Give the options of the plan as far as they are not given."""
    usual = {"watch": False, "history": [], "histories": None, "since": None, "flap_threshold": 3, "ironic_recovers": True}
    return {**usual, "storm_threshold": 10, "storm_window": 600.0, **more}


def healthy() -> dict[str, t.Any]:
    whole: t.Any = report.empty("ipmi", "127.0.0.1:1", SINCE)
    sections = dict.fromkeys(report.DEFAULT_SECTIONS, "ok")
    whole.update(reachable=True, complete=True, clock_skew_s=0, sections=sections)
    whole["power"].update(reads=["on", "on", "on"], faults_known=True)
    whole["events"].update(complete=True, overflow=False)
    whole["sensors"] = [report.sensor("Inlet", "temperature", value=24.0, unit="C", health="ok")]
    report.finish(whole)
    return whole


def sick() -> dict[str, t.Any]:
    whole = healthy()
    whole["power"]["faults"] = ["main_power_fault"]
    report.finish(whole)
    return whole


def silent(kind: str = "unreachable") -> dict[str, t.Any]:
    whole: t.Any = report.empty("ipmi", "127.0.0.1:1", SINCE)
    whole["errors"].append({"section": "connect", "kind": kind, "msg": f"{kind} at 127.0.0.1:1", "hint": None})
    return whole


def said(name: str, about: t.Mapping[str, t.Any], **judging: t.Any) -> dict[str, t.Any]:
    """Give what bmc_check says of a node."""
    verdict = judge(about, fault="power failure", since=SINCE, **judging)
    return {"node": f"uuid-{name}", "report": about, "verdict": verdict, "evidence": "power on in 3 reads"}
