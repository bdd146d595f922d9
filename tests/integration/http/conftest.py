# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One real backend process for the tests of this folder, everyone with a credential of their own."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.support.agreement import disagreements
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend
from ansible_collections.baremetal.maintenance.tests.support.cast import CAST, SERVICE_NAME
from ansible_collections.baremetal.maintenance.tests.support.talking import Talk


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory, new_database: t.Callable[[], dict[str, str]]) -> t.Iterator[Backend]:
    """The backend. However the tests end, its database agrees with itself."""
    with Backend(tmp_path_factory.mktemp("http"), users=CAST, service_project=SERVICE_NAME, **new_database()) as running:
        yield running
        assert disagreements(running.database) == []


@pytest.fixture(scope="module")
def talk(backend: Backend) -> Talk:
    """Speak to it as anyone of the cast."""
    return Talk(backend)
