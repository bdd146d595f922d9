# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The store of retention's tests."""

from __future__ import annotations

import pathlib
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema import migrate

from .past import StoppedClock


@pytest.fixture
def store(tmp_path: pathlib.Path) -> t.Iterator[StoppedClock]:
    """A store of the newest schema whose clock stands still."""
    opened = StoppedClock(f"sqlite:///{tmp_path}/maintenance.sqlite")
    migrate.upgrade(opened)
    yield opened
    opened.close()
