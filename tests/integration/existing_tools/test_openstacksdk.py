# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""openstacksdk does its work on the backend and reads back what it wrote."""

from __future__ import annotations

import typing as t
import uuid

import pytest
from openstack import connection, exceptions

from .conftest import Service
from .reasons import REASONS


def connect(service: Service, login: str = "op") -> connection.Connection:
    """Give a connection of the SDK to the service."""
    credential = service.credential(login)
    if credential is None:
        return connection.Connection(auth_type="none", endpoint=service.url, baremetal_endpoint_override=service.url)
    auth = {"endpoint": service.url, "username": credential[0], "password": credential[1]}
    return connection.Connection(auth_type="http_basic", auth=auth, baremetal_endpoint_override=service.url)


@pytest.fixture
def conn(service: Service) -> t.Iterator[connection.Connection]:
    """A connection to each of the services."""
    with connect(service) as connected:
        yield connected


@pytest.fixture
def node(conn: connection.Connection) -> t.Iterator[t.Any]:
    """A node that the SDK made, and will remove."""
    made = conn.baremetal.create_node(name=f"sdk-{uuid.uuid4()}", driver="fake-hardware", owner="own-1", lessee="les-1")
    yield made
    conn.baremetal.delete_node(made)


def history(conn: connection.Connection, node: t.Any) -> list[dict[str, t.Any]]:
    """Give a node's events; the SDK has no method for them."""
    answer = conn.baremetal.get(f"/nodes/{node.id}/history?detail=true", microversion="1.78")
    assert answer.status_code == 200
    return t.cast("list[dict[str, t.Any]]", answer.json()["history"])


def test_nodes_are_created_found_listed_changed_and_deleted(conn: connection.Connection) -> None:
    made = conn.baremetal.create_node(name="sdk-1", driver="redfish", owner="own-1", properties={"rack": "C"}, extra={"a": "b"})
    assert (made.name, made.owner, made.properties, made.extra, made.is_maintenance) == ("sdk-1", "own-1", {"rack": "C"}, {"a": "b"}, False)
    assert conn.baremetal.get_node("sdk-1").id == conn.baremetal.find_node("sdk-1").id == made.id
    assert conn.baremetal.find_node("nope") is None
    assert made.id in [node.id for node in conn.baremetal.nodes()]
    assert made.id in [node.id for node in conn.baremetal.nodes(details=True, driver="redfish")]
    assert [node.name for node in conn.baremetal.nodes(fields=["name"], driver="redfish")] == ["sdk-1"]
    changed = conn.baremetal.update_node(made, owner="own-2", lessee="les-2", description="rack C, top")
    assert (changed.owner, changed.lessee, changed.description) == ("own-2", "les-2", "rack C, top")
    conn.baremetal.patch_node("sdk-1", [{"op": "remove", "path": "/lessee"}, {"op": "add", "path": "/extra/c", "value": "d"}])
    read = conn.baremetal.get_node(made.id)
    assert (read.owner, read.lessee, read.extra) == ("own-2", None, {"a": "b", "c": "d"})
    conn.baremetal.delete_node("sdk-1")
    with pytest.raises(exceptions.NotFoundException, match="Node sdk-1 could not be found"):
        conn.baremetal.get_node("sdk-1")


def test_every_page_is_listed(conn: connection.Connection) -> None:
    names = [f"sdk-page-{number}" for number in range(5)]
    made = [conn.baremetal.create_node(name=name, driver="sdk-paging") for name in names]
    conn.baremetal.create_node(name="sdk-other", driver="other")
    assert [node.name for node in conn.baremetal.nodes(driver="sdk-paging", limit=2)] == names
    for node in (*made, "sdk-other"):
        conn.baremetal.delete_node(node)


def test_maintenance_is_set_read_recorded_and_unset(conn: connection.Connection, node: t.Any) -> None:
    conn.baremetal.set_node_maintenance(node, "HW_ERR: disk 3")
    read = conn.baremetal.get_node(node.id)
    assert (read.is_maintenance, read.maintenance_reason, read.fault) == (True, "HW_ERR: disk 3", None)
    assert node.id in [found.id for found in conn.baremetal.nodes(maintenance=True)]
    conn.baremetal.set_node_maintenance(node)
    assert conn.baremetal.get_node(node.id).maintenance_reason is None
    conn.baremetal.unset_node_maintenance(node)
    conn.baremetal.unset_node_maintenance(node)
    assert conn.baremetal.get_node(node.id).is_maintenance is False
    events = history(conn, node)
    assert [event["event_type"] for event in events] == ["maintenance"] * 3
    assert "HW_ERR: disk 3" in events[0]["event"]
    one = conn.baremetal.get(f"/nodes/{node.id}/history/{events[0]['uuid']}", microversion="1.78")
    assert one.json()["event"] == events[0]["event"]


@pytest.mark.parametrize("reason", [*REASONS, "", "nul is refused, this is not: \\u0000"], ids=range(len(REASONS) + 2))
def test_a_reason_comes_back_byte_for_byte(conn: connection.Connection, node: t.Any, reason: str) -> None:
    conn.baremetal.set_node_maintenance(node, reason)
    # The SDK sends no reason where it is empty.
    assert (conn.baremetal.get_node(node.id).maintenance_reason or "").encode() == reason.encode()


def test_an_unknown_node_is_named(conn: connection.Connection) -> None:
    for change in (conn.baremetal.set_node_maintenance, conn.baremetal.unset_node_maintenance):
        with pytest.raises(exceptions.NotFoundException, match="Node nope could not be found"):
            change("nope")


def assert_hold(service: Service, node: t.Any, login: str = "op") -> dict[str, t.Any]:
    """Assert a typed hold as the login, as a raw request through its SDK."""
    with connect(service, login) as conn:
        # As a header: the SDK would refuse a version that it does not know.
        headers = {"X-OpenStack-Ironic-API-Version": "latest"}
        body = {"type": "operator_hold", "reason": "LEGAL HOLD"}
        answer = conn.session.post(f"{service.url}/v1/nodes/{node.id}/maintenance", json=body, headers=headers)
        assert answer.status_code == 201
        return t.cast("dict[str, t.Any]", answer.json())


def test_a_scripts_own_set_and_unset_end_no_hold_that_it_may_not_end(basic: Service) -> None:
    with connect(basic) as operator, connect(basic, "tenant") as tenant:
        node = operator.baremetal.create_node(name="sdk-held", driver="fake-hardware", owner="own-1", lessee="les-1")
        tenant.baremetal.set_node_maintenance(node, "rebooting")
        hold = assert_hold(basic, node)
        with pytest.raises(exceptions.ForbiddenException, match=f"Cannot release maintenance entry {hold['uuid']}"):
            tenant.baremetal.unset_node_maintenance(node)
        read = operator.baremetal.get_node(node.id)
        assert (read.is_maintenance, read.maintenance_reason) == (True, "legacy: rebooting; operator_hold: LEGAL HOLD")
        operator.baremetal.unset_node_maintenance(node)
        assert operator.baremetal.get_node(node.id).is_maintenance is False
        operator.baremetal.delete_node(node)
