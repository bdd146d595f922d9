# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""BMCs that are reached over IPv6."""

from __future__ import annotations

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import checking
from ansible_collections.baremetal.maintenance.tests.integration.bmc.asking import kinds, read
from ansible_collections.baremetal.maintenance.tests.lab.bmc import processes, trees
from ansible_collections.baremetal.maintenance.tests.lab.bmc.fake_ipmi import FakeIpmi
from ansible_collections.baremetal.maintenance.tests.lab.bmc.static_redfish import StaticRedfish


@pytest.fixture(scope="module")
def ipmi_over_ipv6(tmp_path_factory):
    fake = FakeIpmi(tmp_path_factory.mktemp("ipmi6"), address="::1")
    fake.start()
    try:
        yield fake.bmcs[0]
    finally:
        fake.stop()


def test_ipmi(ipmi_over_ipv6):
    report = read(ipmi_over_ipv6.target())
    assert report["complete"], report["errors"]
    assert report["address"].startswith("[::1]:")


def test_redfish():
    with StaticRedfish(trees.machine(), address="::1") as bmc:
        report = read(bmc.target(auth="session"))
    assert report["complete"], report["errors"]
    assert bmc.sessions == {}


def test_the_question_whether_anything_is_there(ipmi_over_ipv6):
    (port,) = processes.free_ports(1, address="::1")
    with StaticRedfish(trees.machine(), address="::1") as bmc:
        dead = {**ipmi_over_ipv6.target(), "address": f"[::1]:{port}"}
        reports = checking.many([ipmi_over_ipv6.target(), dead, bmc.target()], workers=1, deadline=8)
    assert [kinds(report) for report in reports] == [[], ["unreachable"], []]
