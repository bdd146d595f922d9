# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One backend a module, and BMCs that a test can make sick."""

from __future__ import annotations

import pathlib
import typing as t

import pytest

from tests.integration.playbooks.running import USERS, Site
from tests.lab.bmc.fake_ipmi import FakeIpmi
from tests.support.backend import Backend

from .rack import Rack

BMCS: t.Final = 8


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Site]:
    """A running backend and its parties."""
    folder = tmp_path_factory.mktemp("site")
    with Backend(folder, users=USERS) as backend:
        yield Site(folder, backend)


@pytest.fixture
def bmcs(tmp_path: pathlib.Path) -> t.Iterator[FakeIpmi]:
    """Some healthy BMCs, fresh for each test."""
    folder = tmp_path / "bmcs"
    folder.mkdir()
    fake = FakeIpmi(folder, BMCS)
    fake.start()
    yield fake
    fake.stop()


@pytest.fixture
def rack(site: Site, request: pytest.FixtureRequest) -> t.Iterator[Rack]:
    """Nodes of this test's own, which are removed after it."""
    made = Rack(site, f"t{abs(hash(request.node.nodeid)) % 10**6}")
    yield made
    made.remove()
