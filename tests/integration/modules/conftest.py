# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One backend for the tests of a file."""

from __future__ import annotations

import typing as t

import pytest

from tests.support.backend import Backend

from .running import USERS, Stage


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Stage]:
    """A running backend with its users."""
    with Backend(tmp_path_factory.mktemp("stage"), users=USERS) as backend:
        yield Stage(backend)
