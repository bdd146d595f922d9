# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""migrate_reasons: reasons that follow a prefix convention become typed holds, and no node is out of maintenance meanwhile."""

from __future__ import annotations

import typing as t

import pytest

from .running import Site

REASONS: t.Final = {
    "disk": "HW_ERR: Disk 3 has bad sectors, see CIDTEAM-3743",
    "both": "LK_OP|HW_ERR: row C power work and PSU 2 dead, CHG-2211",
    "free": "rebalancing rack; {{ 1 + 1 }}: as it is",
    "unknown": "XX_YY: not a convention of ours",
    "none": None,
}


@pytest.fixture
def legacy(site: Site) -> t.Iterator[None]:
    """Nodes with legacy entries, one of them owned."""
    for name, reason in REASONS.items():
        site.call("dc", "POST", "/v1/nodes", {"name": f"migrate-{name}"})
        site.call("night", "PUT", f"/v1/nodes/migrate-{name}/maintenance", {"reason": reason})
    site.call("dc", "POST", "/v1/nodes", {"name": "migrate-owned", "owner": "storage-project"})
    site.call("alice", "PUT", "/v1/nodes/migrate-owned/maintenance", {"reason": "HW_ERR: fan"})
    yield
    for name in (*REASONS, "owned"):
        site.call("dc", "DELETE", f"/v1/nodes/migrate-{name}/maintenance")
        site.call("dc", "DELETE", f"/v1/nodes/migrate-{name}")


def types(site: Site, name: str) -> list[str]:
    return [entry["type"] for entry in site.holds(f"migrate-{name}")]


@pytest.mark.usefixtures("legacy")
def test_the_plan_writes_nothing_and_names_who_would_lose_what(site: Site) -> None:
    ran = site.play("migrate_reasons")
    assert ran.status == 0, ran.output
    assert "3 of 6 reasons follow a known convention; 2 would be migrated" in ran.output
    assert "would lose the right to release it: storage-project" in ran.output
    assert all(types(site, name) == ["legacy"] for name in (*REASONS, "owned"))


@pytest.mark.usefixtures("legacy")
def test_what_follows_the_convention_is_typed_and_the_rest_is_left(site: Site) -> None:
    ran = site.play("migrate_reasons", variables={"apply": "true"})
    assert ran.status == 0, ran.output
    assert types(site, "disk") == ["hardware_failure"]
    assert types(site, "both") == ["operator_hold", "hardware_failure"]
    assert all(types(site, name) == ["legacy"] for name in ("free", "unknown", "none", "owned"))
    entry = site.holds("migrate-disk")[0]
    assert entry["reason"] == "Disk 3 has bad sectors, see CIDTEAM-3743"
    assert entry["extra"] == {"migrated_reason": REASONS["disk"]}
    history = site.call("dc", "GET", "/v1/nodes/migrate-disk/history?detail=true")["history"]
    actions = [(event["maintenance"]["action"], event["maintenance"]["type"]) for event in history]
    assert actions == [("assert", "legacy"), ("assert", "hardware_failure"), ("release", "legacy")]
    again = site.play("migrate_reasons", variables={"apply": "true"})
    assert again.status == 0, again.output
    assert "changed=0" in again.output


@pytest.mark.usefixtures("legacy")
def test_a_hold_of_the_same_type_about_something_else_never_stands_for_the_legacy_entry(site: Site) -> None:
    """Once that hold is released nothing would say that the disk is bad: the legacy entry stays, and the run fails naming the node."""
    site.call("dc", "POST", "/v1/nodes/migrate-disk/maintenance", {"type": "hardware_failure", "reason": "PSU 1"})
    ran = site.play("migrate_reasons", variables={"apply": "true"})
    assert ran.status != 0, ran.output
    assert "migrate-disk" in ran.output.partition("Fail if")[2]
    assert types(site, "disk") == ["legacy", "hardware_failure"]
    assert [entry["reason"] for entry in site.holds("migrate-disk")] == [REASONS["disk"], "PSU 1"]
    assert types(site, "both") == ["operator_hold", "hardware_failure"]


@pytest.mark.usefixtures("legacy")
def test_owned_nodes_are_included_where_that_is_asked(site: Site) -> None:
    ran = site.play("migrate_reasons", variables={"apply": True, "include_owned": "yes", "conventions": {"HW_ERR": "hardware_failure"}})
    assert ran.status == 0, ran.output
    assert types(site, "owned") == ["hardware_failure"]
    assert types(site, "both") == ["legacy"]
