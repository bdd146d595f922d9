# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports of machines without a fault, for tests that spoil one thing."""

from __future__ import annotations

import typing as t

from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import report

SINCE: t.Final = "2026-06-10T10:30:00+00:00"
BEFORE: t.Final = "2026-06-10T10:29:59+00:00"
AFTER: t.Final = "2026-06-10T10:31:00+00:00"

#: What the healthy machine over Redfish has.
EXPECTED: t.Final = {
    "power_state": "on",
    "memory_mb": 65536,
    "cpus": 2,
    "psus": 2,
    "drives": 1,
    "serials": ["MACHINE", "DIMM1", "DISK1"],
    "firmware": "2.78",
}


def redfish() -> dict[str, t.Any]:
    """Give the report of a healthy machine over Redfish, with an empty bay and an empty socket that look like faults."""
    whole: t.Any = report.empty("redfish", "bmc.example.org:443", SINCE)
    whole.update(reachable=True, complete=True, clock_skew_s=2, sections=dict.fromkeys(report.DEFAULT_SECTIONS, "ok"))
    whole["power"]["reads"] = ["on", "on", "on"]
    whole["health"].update(rollup="ok", state="enabled")
    whole["system"].update(serial="MACHINE", memory_mb=65536, cpus=2, boot_override="none", virtual_media=[])
    whole["bmc"].update(firmware="2.78", pending=[])
    whole["events"].update(complete=True, overflow=False, read=9)
    part = report.component
    whole["components"] = [
        part("cpu", "CPU 1", state="enabled", health="ok"),
        part("cpu", "CPU 2", state="enabled", health="ok"),
        part("memory", "DIMM 1", state="enabled", health="ok", serial="DIMM1", size_mb=65536, location="A1"),
        part("memory", "DIMM 2", state="absent", health="critical"),
        part("drive", "Disk 1", state="enabled", health="ok", serial="DISK1", failure_predicted=False, media_life_left_pct=98.0),
        part("drive", "Disk 2", state="absent", health="critical", failure_predicted=True),
        part("controller", "RAID", state="enabled", health="ok"),
        part("psu", "PSU 1", state="enabled", health="ok", serial="PSU1"),
        part("psu", "PSU 2", state="enabled", health="ok", serial="PSU2"),
        part("psu", "PSU 3", state="absent", health="warning"),
        part("chassis", "Chassis", state="enabled", health="ok"),
        part("bmc", "Manager", state="enabled"),
    ]
    whole["sensors"] = [
        report.sensor("Inlet", "temperature", value=24.0, unit="C", critical_high=42.0, state="enabled", health="ok"),
        report.sensor("Fan 1", "fan", value=8100.0, unit="RPM", state="enabled", health="ok"),
        report.sensor("Fan 7", "fan", value=0.0, unit="RPM", state="absent", health="critical"),
        report.sensor("CPU margin", "temperature", value=0.0, unit="C", critical_high=0.0, state="enabled"),
    ]
    return finished(whole)


def ipmi() -> dict[str, t.Any]:
    """Give the report of a healthy machine over IPMI."""
    whole: t.Any = report.empty("ipmi", "bmc.example.org:623", SINCE)
    sections = dict.fromkeys(report.DEFAULT_SECTIONS, "ok")
    sections.update(dict.fromkeys(("cpu", "memory", "storage", "psu", "tasks"), "absent"))
    whole.update(reachable=True, complete=True, clock_skew_s=0, sections=sections)
    whole["power"].update(reads=["on", "on", "on"], faults_known=True)
    whole["system"].update(boot_override="none")
    whole["bmc"].update(firmware="1.10", cipher=17)
    whole["events"].update(complete=True, overflow=False, read=3)
    whole["components"] = [
        report.component("psu", "PSU 1", state="enabled", health="ok"),
        report.component("psu", "PSU 2", state="enabled", health="ok"),
    ]
    whole["sensors"] = [
        report.sensor("Inlet", "temperature", value=24.0, unit="C", critical_high=42.0, health="ok"),
        report.sensor("Fan 1", "fan", value=8100.0, unit="RPM", health="ok"),
        report.sensor("12V", "voltage", value=12.1, unit="V", health="ok"),
        report.sensor("PSU 1", "power supply", state="Present", health="ok"),
        report.sensor("PSU 2", "power supply", state="Present", health="ok"),
        report.sensor("DIMM A2", "memory", state="unavailable"),
    ]
    return finished(whole)


def finished(whole: dict[str, t.Any]) -> dict[str, t.Any]:
    """Give the report with what follows from the rest filled in again."""
    report.finish(whole)  # type: ignore[arg-type]
    return whole


def named(whole: dict[str, t.Any], name: str) -> dict[str, t.Any]:
    """Give the part or sensor of this name."""
    return next(part for part in (*whole["components"], *whole["sensors"]) if part["name"] == name)


def event(severity: str = "critical", **more: t.Any) -> dict[str, t.Any]:
    """Give an entry of a log, from after the hold began."""
    return {"id": "7", "log": "sel", "time": AFTER, "severity": severity, "about": None, "message": "Fan failed", "repaired": None, **more}


def failed(whole: dict[str, t.Any], section: str, msg: str = "HTTP status 500") -> None:
    """Have a section be one that could not be read."""
    whole["sections"][section] = "error"
    whole["errors"].append({"section": section, "kind": "bmc_error", "msg": msg, "hint": None})
    whole["complete"] = False
