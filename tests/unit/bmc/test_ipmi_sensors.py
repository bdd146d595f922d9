# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names in sensor records, in each of the codings of IPMI, and the health of sensors."""

from __future__ import annotations

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc.ipmi import entries, sensors
from ansible_collections.baremetal.maintenance.tests.lab.bmc.fake_ipmi_server import coded


@pytest.mark.parametrize("name", ["DIMM A1", "INLET", "A", "PS1 STATUS 12345"])
def test_names_in_packed_six_bit_letters_are_read_and_end(name):
    packed = coded(f"6:{name}")
    assert packed[0] >> 6 == 2
    assert entries.text(2, packed[1:]) == name


def test_the_example_of_the_specification():
    assert entries.text(2, bytes.fromhex("29dca6")) == "IPMI"


def test_letters_beyond_ascii_are_no_error():
    assert entries.text(3, "Größe".encode("latin-1")) == "Größe"


def test_names_of_digits():
    assert entries.text(1, bytes.fromhex("12ab34")) == "12 -34"


@pytest.mark.parametrize("data", [b"", b"\0\0"])
def test_a_name_may_be_empty(data):
    assert entries.text(3, data) == ""


@pytest.mark.parametrize(
    "level, states, word",
    [
        (0, [], "ok"),
        (0, ["Present"], "ok"),
        (0, ["Unknown state 9 for reading type 111/sensor type 8"], "unknown"),
        (1, [], "warning"),
        (1, ["Unknown state 9"], "warning"),
        (2, [], "critical"),
        (3, ["upper non-critical threshold", "upper critical threshold"], "critical"),
        (4, [], "critical"),
    ],
)
def test_a_health_is_a_bit_mask_and_an_unknown_state_is_no_good_news(level, states, word):
    assert sensors.health(level, states) == word
