# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What openstack.cloud's baremetal_node_action does when `maintenance` is left out, unset, ends no typed hold under the policy `guarded`.

The statements are those of the module (galaxy version 2.5.0), sent through the SDK as it sends them.
"""

from __future__ import annotations

import pathlib

import pytest
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend
from openstack import exceptions

from .conftest import Service
from .test_openstacksdk import assert_hold, connect

USERS = {
    "op": {"user_id": "op-id", "roles": ["admin"], "system": True},
    "script": {"user_id": "script-id", "roles": ["admin"], "system": True},
}


def test_an_operators_old_script_ends_no_hold_of_another_operator(tmp_path: pathlib.Path) -> None:
    with Backend(tmp_path, users=USERS, policy_file="guarded") as backend:
        service = Service(backend, basic=True)
        with connect(service) as operator, connect(service, "script") as script:
            node = operator.baremetal.create_node(name="guarded", driver="fake-hardware")
            hold = assert_hold(service, node)
            script.baremetal.set_node_maintenance(node, "updating firmware")
            with pytest.raises(exceptions.ForbiddenException, match=hold["uuid"]):
                script.baremetal.unset_node_maintenance(node)
            with pytest.raises(exceptions.ForbiddenException, match=hold["uuid"]):
                script.baremetal.patch_node(node, [{"op": "replace", "path": "/maintenance", "value": False}])
            read = operator.baremetal.get_node(node.id)
            assert (read.is_maintenance, read.maintenance_reason) == (True, "operator_hold: LEGAL HOLD; legacy: updating firmware")
            operator.baremetal.unset_node_maintenance(node)
            assert operator.baremetal.get_node(node.id).is_maintenance is False
