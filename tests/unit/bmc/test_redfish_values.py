# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of Redfish resources: null, missing and the vendor's own words are unknown, never ok."""

from __future__ import annotations

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc.redfish import values


@pytest.mark.parametrize(
    "status, expected",
    [
        ({"State": "Enabled", "Health": "OK"}, ("enabled", "ok")),
        ({"State": "Enabled", "Health": "OK", "HealthRollup": "Warning"}, ("enabled", "warning")),
        ({"State": "Enabled", "HealthRollup": "OK"}, ("enabled", "ok")),
        ({"Health": "ok"}, (None, "ok")),
        ({"Health": None, "HealthRollup": "OK"}, (None, "unknown")),
        ({"Health": "Degraded", "HealthRollup": "OK"}, (None, "unknown")),
        ({"Health": "Degraded", "HealthRollup": "Critical"}, (None, "critical")),
        ({"Health": ""}, (None, "unknown")),
        ({"Health": "", "HealthRollup": ""}, (None, "unknown")),
        ({"State": "Enabled"}, ("enabled", "unknown")),
        ({"State": None, "Health": 3}, (None, "unknown")),
        ({}, (None, "unknown")),
        (None, (None, "unknown")),
        ("OK", (None, "unknown")),
    ],
)
def test_status(status, expected):
    assert values.status({"Status": status}) == expected


def test_a_resource_without_a_status_is_unknown():
    assert values.status({}) == values.status(None) == (None, "unknown")


@pytest.mark.parametrize(
    "word, state", [("On", "on"), ("off", "off"), ("PoweringOn", "poweringon"), ("Reset", "unknown"), (None, "unknown"), (1, "unknown")]
)
def test_power_states(word, state):
    assert values.power(word) == state


@pytest.mark.parametrize(
    "value, known",
    [(5, 5), (2.5, 2.5), ("325W", 325), ("21.5", 21.5), ("N/A", None), (None, None), (True, None), (float("nan"), None), ([], None)],
)
def test_numbers(value, known):
    assert values.number(value) == known


def test_an_object_at_a_path_is_empty_if_anything_on_the_way_is_something_else():
    assert values.mapping({"Oem": {"Hpe": {"a": 1}}}, "Oem", "Hpe") == {"a": 1}
    assert values.mapping({"Oem": ["Hpe"]}, "Oem", "Hpe") == {}
    assert values.mapping(None, "Oem") == {}
