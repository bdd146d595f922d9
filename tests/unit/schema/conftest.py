# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the schema's tests share: an empty database, and one of revision 001."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema import migrate
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.store import Store


@pytest.fixture
def store(store_url: str) -> t.Iterator[Store]:
    """A store on a database without any table; each test runs on SQLite and on PostgreSQL."""
    opened = Store(store_url)
    yield opened
    opened.close()


@pytest.fixture
def old(store: Store) -> Store:
    """A store on a database of revision 001, as the first release left it."""
    assert migrate.upgrade(store, to="001") == ["001"]
    return store
