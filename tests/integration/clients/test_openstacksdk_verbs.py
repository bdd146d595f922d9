# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""openstacksdk with our verbs, on a real backend."""

from __future__ import annotations

import itertools
import pathlib
import typing as t

import openstack
import pytest
import yaml
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend, password
from ansible_collections.baremetal.maintenance.tests.support.cast import LESSEE, OWNER
from baremetal_maintenance import sdk
from openstack import connection, exceptions

_NUMBERS = itertools.count(1)


def connect(url: str, login: str | None, **more: t.Any) -> connection.Connection:
    """Give a connection of the SDK with our verbs."""
    auth = {"endpoint": url, **({} if login is None else {"username": login, "password": password(login)})}
    conn = connection.Connection(auth_type="none" if login is None else "http_basic", auth=auth, baremetal_endpoint_override=url, **more)
    sdk.attach(conn)
    return conn


@pytest.fixture
def node(backend: Backend) -> str:
    """The name of a node of the owner's, leased."""
    name = f"sdk-u{next(_NUMBERS):02}"
    with connect(backend.url, "admin") as conn:
        conn.baremetal.create_node(name=name, driver="redfish", owner=OWNER, lessee=LESSEE)
    return name


def test_entries_are_added_listed_and_removed(backend: Backend, node: str) -> None:
    with connect(backend.url, "owner") as owner, connect(backend.url, "operator") as operator:
        made = owner.baremetal.add_node_maintenance_entry(
            node, type="hardware_failure", reason="disk 3", extra={"slot": 3}, ticket="T-1", key="disk-3"
        )
        assert isinstance(made, sdk.NodeMaintenanceEntry)
        assert (made.type, made.reason, made.scope, made.extra, made.ticket, made.key) == (
            "hardware_failure",
            "disk 3",
            "owner",
            {"slot": 3},
            "T-1",
            "disk-3",
        )
        assert (made.asserted_by, made.asserted_by_project, made.is_own, made.is_enforced) == ("id-of-owner", OWNER, True, False)
        held = operator.baremetal.add_node_maintenance_entry(node, type="operator_hold")
        assert [(entry.id, entry.node_id) for entry in owner.baremetal.node_maintenance_entries(node)] == [(made.id, node), (held.id, node)]
        found = owner.baremetal.get_node(node)
        assert [entry.type for entry in owner.baremetal.node_maintenance_entries(found)] == ["hardware_failure", "operator_hold"]
        with pytest.raises(exceptions.ForbiddenException, match="not permitted at owner scope"):
            owner.baremetal.remove_node_maintenance_entry(node, held)
        with pytest.raises(exceptions.ForbiddenException, match=held.id):
            owner.baremetal.remove_all_node_maintenance_entries(node)
        owner.baremetal.remove_node_maintenance_entry(node, made)
        owner.baremetal.remove_node_maintenance_entry(node, made.id)
        with pytest.raises(exceptions.NotFoundException):
            owner.baremetal.remove_node_maintenance_entry(node, made.id, ignore_missing=False)
        operator.baremetal.remove_all_node_maintenance_entries(found)
        assert list(owner.baremetal.node_maintenance_entries(node)) == []


def test_the_sdks_own_verbs_go_on_working(backend: Backend, node: str) -> None:
    with connect(backend.url, "owner") as conn:
        conn.baremetal.set_node_maintenance(node, "rebalancing rack")
        assert [entry.type for entry in conn.baremetal.node_maintenance_entries(node)] == ["legacy"]
        conn.baremetal.unset_node_maintenance(node)
        assert conn.baremetal.get_node(node).is_maintenance is False


def test_an_empty_or_strange_name_reaches_nothing(backend: Backend, node: str) -> None:
    with connect(backend.url, "owner") as conn:
        conn.baremetal.add_node_maintenance_entry(node, type="operator_hold")
        for entry in ("", "../maintenance", None):
            with pytest.raises(exceptions.InvalidRequest):
                conn.baremetal.remove_node_maintenance_entry(node, entry)
        for ident in ("", "x/../y"):
            with pytest.raises(exceptions.InvalidRequest):
                conn.baremetal.remove_all_node_maintenance_entries(ident)
        assert len(list(conn.baremetal.node_maintenance_entries(node))) == 1


def test_a_cloud_gets_the_verbs_by_its_entry_in_clouds_yaml(
    backend: Backend, node: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cloud = {
        "auth_type": "http_basic",
        "auth": {"endpoint": backend.url, "username": "owner", "password": password("owner")},
        "baremetal_endpoint_override": backend.url,
        "vendor_hook": "baremetal_maintenance.sdk:attach",
    }
    file = tmp_path / "clouds.yaml"
    file.write_text(yaml.safe_dump({"clouds": {"lab": cloud}}))
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(file))
    with openstack.connect(cloud="lab") as conn:
        assert list(conn.baremetal.node_maintenance_entries(node)) == []


def test_attaching_twice_and_late_is_harmless(backend: Backend, node: str) -> None:
    with connect(backend.url, "owner") as conn:
        conn.baremetal.get_node(node)
        sdk.attach(conn)
        assert list(conn.baremetal.node_maintenance_entries(node)) == []


def test_a_duplicate_ends_after_one_request(backend: Backend, node: str) -> None:
    with connect(backend.url, "owner") as conn:
        conn.baremetal.add_node_maintenance_entry(node, type="operator_hold")
        sent: list[str] = []
        conn.session.session.hooks["response"].append(lambda answer, **_more: sent.append(answer.request.method))
        with pytest.raises(exceptions.ConflictException, match="the same hold"):
            conn.baremetal.add_node_maintenance_entry(node, type="operator_hold")
        assert sent == ["POST"]
