# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The fixture of the inventory's tests: a folder for inventory sources."""

from __future__ import annotations

import pathlib

import pytest
from ansible_collections.baremetal.maintenance.tests.integration.inventory.running import Sources


@pytest.fixture
def sources(tmp_path: pathlib.Path) -> Sources:
    """An empty folder of inventory sources."""
    return Sources(tmp_path)
