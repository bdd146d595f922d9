# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Host variables: always all of them."""

from __future__ import annotations

from ansible_collections.baremetal.maintenance.plugins.plugin_utils.inventory import hostvars
from ansible_collections.baremetal.maintenance.tests.unit.inventory.fleets import entry, node, uuid_of


def test_a_bare_node_has_every_variable_and_empty_ones_rather_than_none() -> None:
    bare = node("a", name=None, provision_state=None, power_state=None)  # pylint: disable=kwarg-superseded-by-positional-arg
    variables = hostvars.host_vars(bare)
    assert variables == {
        "baremetal_node_uuid": uuid_of("a"),
        "baremetal_node_name": "",
        "baremetal_owner": "",
        "baremetal_lessee": "",
        "baremetal_resource_class": "",
        "baremetal_provision_state": "",
        "baremetal_power_state": "",
        "baremetal_maintenance": False,
        "baremetal_maintenance_reason": "",
        "baremetal_fault": "",
        "baremetal_holds": [],
        "baremetal_hold_types": [],
        "baremetal_enabled": True,
    }
    assert set(variables) == hostvars.NAMES


def test_a_held_node_shows_its_entries_as_the_api_gave_them_but_for_their_links() -> None:
    one = entry("hardware_failure", "owner", reason="Disk 3", asserted_by=None)
    variables = hostvars.host_vars(node("a", one, entry("operator_hold"), entry("hardware_failure")))
    assert variables["baremetal_holds"][0] == {key: value for key, value in one.items() if key != "links"}
    assert variables["baremetal_hold_types"] == ["hardware_failure", "operator_hold"]
    assert variables["baremetal_enabled"] is False


def test_further_fields_are_passed_on_as_they_are() -> None:
    variables = hostvars.host_vars(node("a", extra={"rack": "r01"}, conductor_group=None), ["extra", "conductor_group"])
    assert variables["baremetal_extra"] == {"rack": "r01"}
    assert variables["baremetal_conductor_group"] is None
