# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a real Ironic with a real Keystone does by itself, and what the backend in front of it has to make good."""

from __future__ import annotations

import keystoneauth1.identity
import keystoneauth1.session
import pytest
from ansible_collections.baremetal.maintenance.tests.lab.direct import Flag
from ansible_collections.baremetal.maintenance.tests.lab.ironic import Ironic
from ansible_collections.baremetal.maintenance.tests.lab.ironic_nodes import Bmc
from ansible_collections.baremetal.maintenance.tests.lab.keystone import Keystone

# The first run installs both.
pytestmark = [pytest.mark.lab, pytest.mark.timeout(900)]

FREE = Flag(False, None, None)


@pytest.fixture(scope="module")
def node(ironic_with_keystone: Ironic, real_keystone: Keystone) -> str:
    """A node with an owner and a lessee."""
    return ironic_with_keystone.nodes.enrol(
        owner=real_keystone.project_id("owner"), lessee=real_keystone.project_id("lessee"), state="manageable"
    )


@pytest.mark.parametrize(
    ("user", "sees", "puts", "clears", "patches"),
    [
        ("system-admin", 200, 202, 202, 200),
        ("system-reader", 200, 403, 403, 403),
        ("owner-member", 200, 202, 202, 200),
        ("lessee-manager", 200, 202, 202, 200),
        ("lessee-member", 200, 403, 403, 200),
        ("stranger-admin", 404, 404, 404, 404),
        ("operations-admin", 404, 404, 404, 404),
        ("nova", 404, 404, 404, 404),
    ],
)
def test_who_may_set_the_flag(
    ironic_with_keystone: Ironic, real_keystone: Keystone, node: str, user: str, sees: int, puts: int, clears: int, patches: int
) -> None:
    direct = ironic_with_keystone.direct(real_keystone.token(user))
    flag = f"/v1/nodes/{node}/maintenance"
    change = [{"op": "replace", "path": "/maintenance", "value": False}]
    answers = (
        direct.get(f"/v1/nodes/{node}"),
        direct.put(flag, {"reason": "x"}),
        direct.delete(flag),
        direct.patch(f"/v1/nodes/{node}", change),
    )
    assert [answer.status for answer in answers] == [sees, puts, clears, patches]


def test_the_catalogue_leads_to_what_was_set(ironic_with_keystone: Ironic, real_keystone: Keystone, node: str) -> None:
    real_keystone.set_endpoint(ironic_with_keystone.url)
    session = keystoneauth1.session.Session(keystoneauth1.identity.Password(**real_keystone.credentials("system-reader")))
    assert session.get("/v1/nodes", endpoint_filter={"service_type": "baremetal"}).json()["nodes"]


def test_recovery_takes_a_hold_that_was_put_on_a_faulty_node(ironic_with_keystone: Ironic) -> None:
    admin = ironic_with_keystone.admin()
    with Bmc() as bmc:
        node = ironic_with_keystone.nodes.enrol(bmc=bmc, state="manageable")
        bmc.die()
        admin.until(node, lambda seen: seen["fault"] == "power failure", "maintenance", "maintenance_reason", "fault")
        assert admin.put(f"/v1/nodes/{node}/maintenance", {"reason": "do not touch"}).status == 202
        assert admin.flag(node) == Flag(True, "do not touch", "power failure")
        bmc.come_back()
        admin.until(node, lambda seen: not seen["maintenance"], "maintenance")
        assert admin.flag(node) == FREE


def test_faults_of_many_nodes_recover(ironic_with_keystone: Ironic) -> None:
    nodes = ironic_with_keystone.nodes
    many = nodes.copies(nodes.enrol(state="available", name="many"), 20)
    nodes.put_fault(many)
    ironic_with_keystone.admin().until(many[-1], lambda seen: not seen["maintenance"], "maintenance")


def test_a_node_that_is_being_cleaned_takes_no_flag(ironic_with_keystone: Ironic) -> None:
    admin, nodes = ironic_with_keystone.admin(), ironic_with_keystone.nodes
    node = nodes.enrol(state="manageable")
    nodes.clean(node)
    refused = admin.put(f"/v1/nodes/{node}/maintenance", {"reason": "x"})
    assert (refused.status, "is locked by host lab-conductor" in refused.said) == (409, True)
    assert admin.flag(node) == FREE
    admin.until(node, lambda seen: seen["provision_state"] == "manageable" and not seen["reservation"], "provision_state", "reservation")


def test_a_locked_node_takes_no_flag(ironic_with_keystone: Ironic) -> None:
    admin, nodes = ironic_with_keystone.admin(), ironic_with_keystone.nodes
    node = nodes.enrol()
    with nodes.locked(node):
        assert admin.put(f"/v1/nodes/{node}/maintenance", {"reason": "x"}).status == 409
    assert admin.put(f"/v1/nodes/{node}/maintenance", {"reason": "x"}).status == 202
