# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One backend a module."""

from __future__ import annotations

import pathlib
import typing as t

import pytest

from tests.support.backend import Backend

from .fleet import Fleet
from .running import USERS, Site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Site]:
    """A running backend and its parties."""
    folder = tmp_path_factory.mktemp("site")
    with Backend(folder, users=USERS) as backend:
        yield Site(folder, backend)


@pytest.fixture
def fleet(site: Site, tmp_path: pathlib.Path, request: pytest.FixtureRequest) -> t.Iterator[Fleet]:
    """Nodes of a test's own, removed after it: four, or as many as its parameter says."""
    made = Fleet(site, tmp_path, f"t{abs(hash(request.node.name)) % 10**6}", getattr(request, "param", 4))
    yield made
    made.remove()
