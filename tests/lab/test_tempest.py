# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""tempest's own run of our plugin, on a real Ironic with a real Keystone and our backend in front of it."""

from __future__ import annotations

import pathlib

import pytest
from ansible_collections.baremetal.maintenance.tests.lab.environment import NotBuilt
from ansible_collections.baremetal.maintenance.tests.lab.fronted import Fronted
from ansible_collections.baremetal.maintenance.tests.lab.tempest import Tempest

# The first run installs Ironic, Keystone and tempest.
pytestmark = [pytest.mark.lab, pytest.mark.timeout(600)]


def test_the_api_tests_pass_on_the_pair(tmp_path: pathlib.Path, fronted: Fronted) -> None:
    try:
        tempest = Tempest(tmp_path, fronted.keystone)
    except NotBuilt as error:
        pytest.fail(str(error), pytrace=False)
    fronted.keystone.set_endpoint(fronted.backend.url)
    outcome = tempest.run("baremetal_maintenance")
    assert (outcome.passed, outcome.failed, outcome.skipped) == (8, 0, 0), outcome.text
