# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How often the service is asked."""

from __future__ import annotations

import pytest
from ansible_collections.baremetal.maintenance.tests.integration.inventory import fleet, wire
from ansible_collections.baremetal.maintenance.tests.integration.inventory.running import Sources

HELD = [
    fleet.node(number, f"n{number}", *([fleet.entry(number, "operator_hold", "system")] if number % 10 == 0 else []))
    for number in range(1, 2501)
]


def test_our_backend_is_asked_once_per_1000_nodes(sources: Sources) -> None:
    with wire.serving("extended", HELD) as service:
        ran = sources.read(sources.holds(api_url=service.url))
        asked = service.asked_for("/v1/nodes")
        everything = service.asked
    assert len(ran.hosts) == 2500
    assert len(ran.members("hold_any")) == 250
    assert len(asked) == 3
    assert all("maintenance_entries" in path and "limit=1000" in path for path in asked)
    assert len(everything) == 3 + 2  # and the version document, and the types


def test_a_typed_service_without_that_listing_is_asked_for_the_maintained_nodes(sources: Sources) -> None:
    with wire.serving("native", HELD) as service:
        ran = sources.read(sources.holds(api_url=service.url))
        entries = service.asked_for("/maintenance")
    held = {node["uuid"] for node in HELD if node["maintenance"]}
    assert len(ran.members("hold_type_operator_hold")) == 250
    assert {path.split("/")[3] for path in entries} - held <= {HELD[0]["uuid"]}  # the node from which it learned what the service is
    assert len(entries) <= len(held) + 1


def test_a_flag_only_service_is_listed(sources: Sources) -> None:
    with wire.serving("boolean", HELD) as service:
        ran = sources.read(sources.holds(api_url=service.url))
        asked = service.asked
    assert len(ran.members("hold_any")) == 250
    assert len(asked) <= 3 + 3
    assert "knows maintenance as a flag only" in ran.said


def test_filters_are_the_services_work(sources: Sources) -> None:
    with wire.serving("extended", fleet.NODES) as service:
        ran = sources.read(sources.holds(api_url=service.url, filters={"lessee": fleet.LESSEE, "maintenance": True}))
        asked = service.asked_for("/v1/nodes")
    assert ran.hosts == {"n03", "n08"}
    assert all(f"lessee={fleet.LESSEE}" in path and "maintenance=true" in path for path in asked)


def test_a_filter_may_be_a_template(sources: Sources) -> None:
    with wire.serving("extended", fleet.NODES) as service:
        config = sources.holds(
            api_url="{{ lookup('ansible.builtin.env', 'WHERE') }}", filters={"lessee": "{{ lookup('ansible.builtin.env', 'WHO') }}"}
        )
        ran = sources.inventory(config, WHERE=service.url, WHO=fleet.LESSEE)
    assert ran.hosts == {"n03", "n08"}


@pytest.mark.parametrize(
    "query, hosts",
    [
        ("[?lessee]", {"n03", "n08"}),
        ("[?extra.rack == 'r0']", {"n02", "n04", fleet.NODES[5]["uuid"], "n08"}),
        ("[?maintenance_entries[?type == 'operator_hold']]", {"n02", "n03"}),
        ("[?fault].{uuid: uuid}", {"n04"}),
        ("[?name == 'nobody']", set()),
    ],
)
def test_a_query_chooses_nodes(sources: Sources, query: str, hosts: set[str]) -> None:
    with wire.serving("extended", fleet.NODES) as service:
        ran = sources.read(sources.holds(api_url=service.url, node_fields=["extra"], query=query))
    assert ran.hosts == hosts
    assert ("listed no node" in ran.said) is (not hosts)
