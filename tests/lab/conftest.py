# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures that give real parts. A part that can't be had fails its tests and says what to do; no test is skipped."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.lab.environment import NotBuilt
from ansible_collections.baremetal.maintenance.tests.lab.ironic import Ironic


@pytest.fixture(scope="module")
def real_ironic(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Ironic]:
    """A real Ironic without nodes, for the tests of one file."""
    ironic = Ironic(tmp_path_factory.mktemp("ironic"))
    try:
        ironic.start()
    except NotBuilt as error:
        pytest.fail(str(error), pytrace=False)
    try:
        yield ironic
    finally:
        ironic.stop()
