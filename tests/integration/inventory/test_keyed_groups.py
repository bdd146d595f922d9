# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups keyed by the plugin's own variables are the ones that Constructable makes, only faster."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.integration.inventory import fleet, wire
from ansible_collections.baremetal.maintenance.tests.integration.inventory.running import Sources

KEYED: t.Final = [
    {"key": "baremetal_owner", "prefix": "owner"},
    {"key": "baremetal_lessee", "prefix": "lessee", "default_value": "no-body"},
    {"key": "baremetal_resource_class"},
    {"key": "baremetal_resource_class", "prefix": "rc", "separator": "--"},
    {"key": "baremetal_hold_types", "prefix": "by_type"},
    {"key": "baremetal_hold_types", "prefix": "typed", "default_value": "none"},
    {"key": "baremetal_power_state", "parent_group": "power states"},
    {"key": "baremetal_node_name", "prefix": "", "separator": ""},
    {"key": "baremetal_maintenance_reason", "prefix": "why"},
    {"key": "baremetal_fault", "prefix": "broken", "parent_group": "{{ 'at_' ~ inventory_hostname }}"},
]


def through_constructable(keyed: dict[str, t.Any]) -> dict[str, t.Any]:
    """Give a keyed group whose key is worth the same and is not a plain name, so that Constructable alone makes it."""
    return {**keyed, "key": f"({keyed['key']})"}


@pytest.mark.parametrize("leading", [True, False])
def test_all_at_once(sources: Sources, leading: bool) -> None:
    nodes = [node for node in fleet.NODES if node["name"]]
    options = {"leading_separator": leading, "hostname": "'host-' ~ baremetal_node_name"}
    with wire.serving("extended", nodes) as service:
        ours = sources.read(sources.holds(api_url=service.url, keyed_groups=KEYED, **options))
        constructed = sources.read(
            sources.holds(api_url=service.url, keyed_groups=[through_constructable(keyed) for keyed in KEYED], **options)
        )
    assert ours.status == constructed.status == 0, ours.said + constructed.said
    assert ours.listed == constructed.listed
    assert {"owner_" + fleet.OWNER, "lessee_no_body", "by_type_operator_hold", "power_states"} <= set(ours.listed)


@pytest.mark.parametrize("keyed", [{"key": "baremetal_maintenance"}, {"key": "baremetal_lessee"}, {"key": "baremetal_holds"}], ids=str)
def test_what_strict_refuses(sources: Sources, keyed: dict[str, t.Any]) -> None:
    with wire.serving("extended", fleet.NODES) as service:
        ours = sources.read(sources.holds(api_url=service.url, strict=True, keyed_groups=[keyed]))
        constructed = sources.read(sources.holds(api_url=service.url, strict=True, keyed_groups=[through_constructable(keyed)]))
    assert ours.status == constructed.status
    if ours.status == 0:
        assert ours.listed == constructed.listed
    else:
        assert ours.said.replace(keyed["key"], "KEY") == constructed.said.replace(f"({keyed['key']})", "KEY")


def test_extra_variables_count_where_they_are_asked_for(sources: Sources) -> None:
    keyed = [{"key": "baremetal_owner", "prefix": "owner"}]
    with wire.serving("extended", fleet.NODES) as service:
        config = sources.holds(api_url=service.url, use_extra_vars=True, keyed_groups=keyed)
        ran = sources.inventory(config, arguments=["--list", "-e", "baremetal_owner=given"])
    assert ran.members("owner_given") == ran.hosts
