# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service makes of nodes that were in maintenance before there were typed entries."""

from __future__ import annotations

import pathlib

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema import migrate
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.store import Store
from ansible_collections.baremetal.maintenance.tests.support.agreement import disagreements
from ansible_collections.baremetal.maintenance.tests.support.service import Service

from .old_nodes import put_nodes


def migrated(old: Store, store_url: str, tmp_path: pathlib.Path, reason: str | None, fault: str | None = None) -> tuple[Service, str]:
    """Give the service on a migrated database of one maintained node, and the node."""
    [node] = put_nodes(old, [reason], fault=fault)
    migrate.upgrade(old)
    return Service(tmp_path, database=store_url), node


@pytest.mark.parametrize("reason", [None, "", "broken fan", "Lüfter 🔧\n", "x" * 5000], ids=["null", "empty", "plain", "unicode", "long"])
def test_an_old_client_sees_what_it_saw_before(old: Store, store_url: str, tmp_path: pathlib.Path, reason: str | None) -> None:
    service, node = migrated(old, store_url, tmp_path, reason)
    assert service.flag(node) == (True, reason)


def test_the_entry_is_listed_as_asserted_by_the_migration(old: Store, store_url: str, tmp_path: pathlib.Path) -> None:
    service, node = migrated(old, store_url, tmp_path, "broken fan")
    [entry] = service.entries(node)
    shown = {name: entry[name] for name in ("type", "scope", "reason", "asserted_by", "asserted_by_project")}
    assert shown == {
        "type": "legacy",
        "scope": "system",
        "reason": "broken fan",
        "asserted_by": "migration",
        "asserted_by_project": "",
    }


def test_its_end_is_the_end_of_the_maintenance_and_of_the_fault(old: Store, store_url: str, tmp_path: pathlib.Path) -> None:
    service, node = migrated(old, store_url, tmp_path, "no power", fault="power failure")
    assert service.by("operator").delete(f"/nodes/{node}/maintenance").status == 204
    shown = service.by("admin").get(f"/nodes/{node}").json
    assert (shown["maintenance"], shown["maintenance_reason"], shown["fault"]) == (False, None, None)
    assert [event["maintenance"]["action"] for event in service.events(node)] == ["assert", "release"]
    assert disagreements(store_url) == []


def test_a_hold_beside_it_keeps_the_node_and_its_fault(old: Store, store_url: str, tmp_path: pathlib.Path) -> None:
    """Nobody knows any more what the fault was about: it stays as long as anything holds the node."""
    service, node = migrated(old, store_url, tmp_path, "no power", fault="power failure")
    service.by("operator").post(f"/nodes/{node}/maintenance", {"type": "operator_hold", "reason": "mine"})
    [legacy, _typed] = service.uuids(node)
    assert service.by("operator").delete(f"/nodes/{node}/maintenance/{legacy}").status == 204
    shown = service.by("admin").get(f"/nodes/{node}").json
    assert (shown["maintenance"], shown["maintenance_reason"], shown["fault"]) == (True, "operator_hold: mine", "power failure")
    assert disagreements(store_url) == []


def test_an_asserted_fault_takes_the_place_of_the_old_one(old: Store, store_url: str, tmp_path: pathlib.Path) -> None:
    service, node = migrated(old, store_url, tmp_path, "no power", fault="power failure")
    put = service.by("conductor").put(f"/nodes/{node}/maintenance/fault", {"fault": "clean failure", "reason": "step failed"})
    assert put.status == 201
    assert service.by("admin").get(f"/nodes/{node}").json["fault"] == "clean failure"
    assert service.by("operator").delete(f"/nodes/{node}/maintenance/{put.json['uuid']}").status == 204
    shown = service.by("admin").get(f"/nodes/{node}").json
    assert (shown["maintenance"], shown["fault"]) == (True, None)
    assert disagreements(store_url) == []
