# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a BMC is named: what is accepted, and that a mistake is said without repeating a secret."""

from __future__ import annotations

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc.target import BadTarget, target

LOGIN = {"username": "admin", "password": "s3cret-canary"}


@pytest.mark.parametrize(
    "protocol, address, expected",
    [
        ("ipmi", "bmc1", ("ipmi", "bmc1", 623, "bmc1:623")),
        ("ipmi", "10.0.0.7:9001", ("ipmi", "10.0.0.7", 9001, "10.0.0.7:9001")),
        ("ipmi", "fe80::7", ("ipmi", "fe80::7", 623, "[fe80::7]:623")),
        ("ipmi", "[fe80::7]:9001", ("ipmi", "fe80::7", 9001, "[fe80::7]:9001")),
        ("redfish", "bmc1", ("https", "bmc1", 443, "bmc1:443")),
        ("redfish", "http://bmc1", ("http", "bmc1", 80, "bmc1:80")),
        ("redfish", "https://[::1]:8443/", ("https", "::1", 8443, "[::1]:8443")),
        ("redfish", "https://bmc1/redfish/v1/", ("https", "bmc1", 443, "bmc1:443")),
    ],
)
def test_addresses(protocol, address, expected):
    bmc = target({"protocol": protocol, "address": address, **LOGIN})
    assert (bmc.scheme, bmc.host, bmc.port, bmc.address) == expected


@pytest.mark.parametrize(
    "options",
    [
        {"protocol": "snmp", "address": "bmc1"},
        {"protocol": "ipmi"},
        {"protocol": "ipmi", "address": " "},
        {"protocol": "ipmi", "address": "https://bmc1"},
        {"protocol": "redfish", "address": "ftp://bmc1"},
        {"protocol": "redfish", "address": "https://admin:s3cret-canary@bmc1"},
        {"protocol": "redfish", "address": "admin:s3cret-canary@bmc1"},
        {"protocol": "redfish", "address": "https://bmc1/somewhere"},
        {"protocol": "redfish", "address": "https://bmc1:port"},
        {"protocol": "redfish", "address": "bmc1", "auth": "digest"},
        {"protocol": "ipmi", "address": "bmc1", "power_reads": 0},
        {"protocol": "ipmi", "address": "bmc1", "bmc_password": "s3cret-canary"},
        {"protocol": "ipmi", "address": "bmc1", "username": None},
    ],
)
def test_mistakes_are_refused_without_a_secret_in_the_message(options):
    with pytest.raises(BadTarget) as refusal:
        target({**LOGIN, **options})
    assert "s3cret-canary" not in str(refusal.value)
    assert str(refusal.value).endswith(".")


def test_what_is_null_has_its_default():
    bmc = target({"protocol": "redfish", "address": "bmc1", **LOGIN, "auth": None, "power_reads": None, "system": None})
    assert (bmc.auth, bmc.power_reads, bmc.power_read_interval, bmc.system, bmc.retries, bmc.deadline) == ("basic", 3, 10.0, None, 2, 60.0)


def test_a_target_does_not_show_its_secrets():
    assert "s3cret-canary" not in repr(target({"protocol": "ipmi", "address": "bmc1", "kg": "s3cret-canary", **LOGIN}))
