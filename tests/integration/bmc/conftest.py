# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""BMCs of the lab as fixtures. A program that is missing fails the tests that need it and says what to install; no test is skipped."""

from __future__ import annotations

import collections
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.lab.bmc import trees
from ansible_collections.baremetal.maintenance.tests.lab.bmc.fake_ipmi import FakeBmc, FakeIpmi
from ansible_collections.baremetal.maintenance.tests.lab.bmc.ipmi_sim import IpmiSim
from ansible_collections.baremetal.maintenance.tests.lab.bmc.processes import NotInstalled
from ansible_collections.baremetal.maintenance.tests.lab.bmc.static_redfish import StaticRedfish
from ansible_collections.baremetal.maintenance.tests.lab.bmc.sushy_emulator import SushyEmulator

#: Fake IPMI BMCs of one process, one for each test of a file.
_AT_HAND = 60


@pytest.fixture(scope="module")
def at_hand(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[collections.deque[FakeBmc]]:
    """Fake IPMI BMCs that no test has used yet."""
    fake = FakeIpmi(tmp_path_factory.mktemp("ipmi"), _AT_HAND)
    fake.start()
    try:
        yield collections.deque(fake.bmcs)
    finally:
        fake.stop()


@pytest.fixture
def ipmi(at_hand: collections.deque[FakeBmc]) -> FakeBmc:
    """A fake IPMI BMC of a test's own."""
    return at_hand.popleft()


@pytest.fixture
def redfish() -> t.Iterator[StaticRedfish]:
    """A healthy server behind a static Redfish service, of a test's own."""
    with StaticRedfish(trees.machine()) as service:
        yield service


def _started(part: t.Any) -> t.Iterator[t.Any]:
    try:
        part.start()
    except NotInstalled as missing:
        pytest.fail(str(missing), pytrace=False)
    try:
        yield part
    finally:
        part.stop()


@pytest.fixture
def ipmi_sim(tmp_path: t.Any) -> t.Iterator[IpmiSim]:
    """A BMC of Debian's openipmi."""
    yield from _started(IpmiSim(tmp_path))


@pytest.fixture
def packed_ipmi_sim(tmp_path: t.Any) -> t.Iterator[IpmiSim]:
    """The same, with the names of its sensors in packed 6-bit letters."""
    yield from _started(IpmiSim(tmp_path, six_bits=True))


@pytest.fixture(scope="module")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[SushyEmulator]:
    """OpenStack's Redfish emulator, with TLS and basic authentication."""
    yield from _started(SushyEmulator(tmp_path_factory.mktemp("emulator")))
