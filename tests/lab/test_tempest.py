# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""tempest's own run of our plugin, with a real Keystone."""

from __future__ import annotations

import pathlib

import pytest
from ansible_collections.baremetal.maintenance.tests.lab.environment import NotBuilt
from ansible_collections.baremetal.maintenance.tests.lab.keystone import Keystone
from ansible_collections.baremetal.maintenance.tests.lab.tempest import Tempest
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend

# The first run installs Keystone and tempest.
pytestmark = [pytest.mark.lab, pytest.mark.timeout(600)]


def test_the_api_tests_pass_on_a_backend_with_nodes_of_its_own(tmp_path: pathlib.Path, real_keystone: Keystone) -> None:
    try:
        tempest = Tempest(tmp_path, real_keystone)
    except NotBuilt as error:
        pytest.fail(str(error), pytrace=False)
    settings = {"auth_strategy": "keystone", "keystone_authtoken": real_keystone.credentials("backend", "service")}
    with Backend(tmp_path, **settings) as backend:
        real_keystone.set_endpoint(backend.url)
        outcome = tempest.run("baremetal_maintenance")
    assert (outcome.passed, outcome.failed, outcome.skipped) == (8, 0, 0), outcome.text
