# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What `ansible-inventory --list` prints, whole, for each kind of service. The files in golden/ are the expectation.

To write them anew after a change that is meant: GOLDEN=write pytest tests/integration/inventory/test_golden.py, then read the difference.
"""

from __future__ import annotations

import json
import os
import pathlib
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.integration.inventory import fleet, wire
from ansible_collections.baremetal.maintenance.tests.integration.inventory.running import Ran, Sources

GOLDEN = pathlib.Path(__file__).with_name("golden")

CONSTRUCTED: t.Final = {
    "hostname": "baremetal_node_name or 'spare-' ~ baremetal_node_uuid[-3:]",
    "node_fields": ["extra"],
    "group_prefix": "bm_",
    "compose": {"rack": "baremetal_extra.rack", "ansible_host": "inventory_hostname | default(baremetal_node_name) ~ '.mgmt.example.org'"},
    "groups": {"waiting_for_parts": "'hardware_failure' in baremetal_hold_types"},
    "keyed_groups": [
        {"key": "baremetal_provision_state", "prefix": "state", "parent_group": "states"},
        {"key": "rack", "prefix": "rack"},
        {"key": "baremetal_lessee", "prefix": "lessee", "default_value": "nobody"},
        {"key": "baremetal_hold_types", "prefix": "by_type"},
    ],
}


def without_paths(listed: dict[str, t.Any]) -> dict[str, t.Any]:
    """Give the inventory without the path of its source, which differs in each run."""
    for variables in listed["_meta"]["hostvars"].values():
        for name in ("inventory_file", "inventory_dir"):
            variables.pop(name, None)
    return listed


def agrees(name: str, ran: Ran, steady: t.Callable[[dict[str, t.Any]], dict[str, t.Any]] = without_paths) -> None:
    """Fail unless the command gave what the golden file says. steady: takes out what differs in each run."""
    assert ran.status == 0, ran.said
    path = GOLDEN / f"{name}.json"
    got = steady(ran.listed)
    if os.environ.get("GOLDEN") == "write":
        path.write_text(json.dumps(got, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
    assert got == json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", ["extended", "native", "boolean"])
def test_each_kind_of_service(sources: Sources, kind: wire.Kind) -> None:
    with wire.serving(kind, fleet.NODES) as service:
        ran = sources.inventory(sources.holds(api_url=service.url))
    agrees(kind, ran)
    warned = "WARNING" in ran.err
    assert warned is (kind == "boolean"), ran.err


def test_everything_that_options_construct(sources: Sources) -> None:
    with wire.serving("extended", fleet.NODES) as service:
        ran = sources.inventory(sources.holds(api_url=service.url, **CONSTRUCTED))
    agrees("constructed", ran)
    assert ran.err == ""


def test_a_fleet_without_nodes_has_every_group(sources: Sources) -> None:
    with wire.serving("extended", []) as service:
        agrees("empty", sources.inventory(sources.holds(api_url=service.url), arguments=["--list", "--export"]))
