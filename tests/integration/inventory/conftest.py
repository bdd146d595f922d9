# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The fixtures of the inventory's tests: a folder for inventory sources, and what reads them."""

from __future__ import annotations

import pathlib
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.integration.inventory.running import Reader, Sources


@pytest.fixture(scope="session")
def reader(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Reader]:
    """A process that reads inventory sources."""
    running = Reader(tmp_path_factory.mktemp("reader"))
    yield running
    running.stop()


@pytest.fixture
def sources(tmp_path: pathlib.Path, reader: Reader) -> Sources:
    """An empty folder of inventory sources."""
    return Sources(tmp_path, reader)
