# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A pair without Keystone, started once."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.lab.environment import NotBuilt
from ansible_collections.baremetal.maintenance.tests.lab.fronting.plain import Plain, front
from ansible_collections.baremetal.maintenance.tests.lab.ironic import Ironic


@pytest.fixture(scope="package")
def plain(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Plain]:
    """Our backend in front of an Ironic without authentication."""
    ironic = Ironic(tmp_path_factory.mktemp("ironic"))
    try:
        ironic.start()
    except NotBuilt as error:
        pytest.fail(str(error), pytrace=False)
    try:
        with front(tmp_path_factory.mktemp("plain"), ironic.url) as backend:
            yield Plain(backend, ironic)
    finally:
        ironic.stop()
