# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands and the verbs of the SDK with identities of a real Keystone, and against a real Ironic without us in the path."""

from __future__ import annotations

import os
import pathlib
import typing as t

import openstack
import pytest
from ansible_collections.baremetal.maintenance.tests.lab.direct import Direct
from ansible_collections.baremetal.maintenance.tests.lab.ironic import Ironic
from ansible_collections.baremetal.maintenance.tests.lab.keystone import REGION, Keystone
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend
from ansible_collections.baremetal.maintenance.tests.support.commands import Commands
from baremetal_maintenance import sdk
from openstack import connection, exceptions

# The first run installs Ironic and Keystone.
pytestmark = [pytest.mark.lab, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory, real_keystone: Keystone) -> t.Iterator[Backend]:
    """A backend whose people are the Keystone's."""
    settings = {"auth_strategy": "keystone", "keystone_authtoken": real_keystone.credentials("backend", "service")}
    with Backend(tmp_path_factory.mktemp("backend"), **settings) as backend:
        yield backend


@pytest.fixture
def node(backend: Backend, real_keystone: Keystone, request: pytest.FixtureRequest) -> str:
    """The name of a node that the project `owner` owns and `lessee` leases; the catalogue says where the backend is."""
    real_keystone.set_endpoint(backend.url)
    name = f"lab-{abs(hash(request.node.nodeid))}"
    projects = {"owner": real_keystone.project_id("owner"), "lessee": real_keystone.project_id("lessee")}
    system = Direct(backend.url, {"X-Auth-Token": real_keystone.token("system-admin")})
    assert system.send("POST", "/v1/nodes", {"name": name, "driver": "fake-hardware", **projects}).status == 201
    return name


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Commands:
    """The commands; a test says who runs them."""
    return Commands(monkeypatch, capsys, "", None)


@pytest.mark.parametrize("program", ["baremetal", "openstack"])
def test_the_commands_find_the_service_in_the_catalogue(
    backend: Backend, real_keystone: Keystone, node: str, commands: Commands, program: str
) -> None:
    commands.program = program

    def by(user: str) -> Commands:
        commands.environment = real_keystone.environ(user)
        return commands

    added = by("owner-member").json(f"node maintenance add {node} --type hardware_failure --reason 'disk 3' --ticket {node}")
    assert (added["scope"], added["asserted_by"], added["asserted_by_name"]) == (
        "owner",
        real_keystone.user_id("owner-member"),
        "owner-member",
    )
    by("system-member").good(f"node maintenance add {node} --type operator_hold --reason 'power work' --ticket {node}")
    ours = f"maintenance list --ticket {node}"
    assert [row["Held By Name"] for row in by("system-reader").json(ours)] == ["owner-member", "system-member"]
    assert [row["Type"] for row in by("system-reader").json(f"{ours} --user owner-member")] == ["hardware_failure"]
    assert [row["Held By"] for row in by("lessee-member").json(f"node maintenance list {node}")] == [None, None]
    assert "not permitted at owner scope" in by("owner-member").refused(f"node maintenance remove {node} --all")
    shown = " ".join(by("owner-member").good(f"maintenance why {node}").split())
    assert "held by owner-member of project owner" in shown
    assert "can end it a system operator; you may not release it" in shown
    by("system-member").good(f"node maintenance remove {node} --all --comment 'power is back'")
    assert [row["What"] for row in by("owner-member").json(f"maintenance history {node}")] == ["assert", "assert", "release", "release"]
    by("owner-member").good(f"node maintenance set {node} --reason rebalancing")
    by("owner-member").good(f"node maintenance unset {node}")
    assert "could not be found" in by("stranger-admin").refused(f"node maintenance list {node}")


def test_the_sdk_finds_the_service_in_the_catalogue(
    backend: Backend, real_keystone: Keystone, node: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith("OS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(real_keystone.clouds_yaml(tmp_path / "clouds.yaml", "owner-member", "system-member")))
    owner, system = (openstack.connect(cloud=user, region_name=REGION) for user in ("owner-member", "system-member"))
    sdk.attach(owner)
    sdk.attach(system)
    made = owner.baremetal.add_node_maintenance_entry(node, type="hardware_failure", reason="disk 3")
    assert (made.scope, made.asserted_by_name) == ("owner", "owner-member")
    held = system.baremetal.add_node_maintenance_entry(node, type="operator_hold")
    assert [entry.id for entry in owner.baremetal.node_maintenance_entries(node)] == [made.id, held.id]
    with pytest.raises(exceptions.ForbiddenException, match="not permitted at owner scope"):
        owner.baremetal.remove_node_maintenance_entry(node, held)
    owner.baremetal.remove_node_maintenance_entry(node, made)
    system.baremetal.remove_all_node_maintenance_entries(node)
    owner.baremetal.set_node_maintenance(node, "rebalancing")
    owner.baremetal.unset_node_maintenance(node)
    assert list(owner.baremetal.node_maintenance_entries(node)) == []


def test_an_ironic_without_us_has_its_flag_and_tells_that_it_has_no_more(real_ironic: Ironic, commands: Commands) -> None:
    commands.url = real_ironic.url
    node = real_ironic.nodes.enrol()
    commands.good(f"node maintenance set {node} --reason 'rebalancing rack'")
    typed = (f"node maintenance add {node} --type operator_hold", f"node maintenance remove {node} --all", f"maintenance why {node}")
    for line in (*typed, "maintenance list"):
        assert f"the service at {real_ironic.url} is an Ironic that knows the maintenance flag only" in commands.refused(line)
    conn = connection.Connection(auth_type="none", endpoint=real_ironic.url, baremetal_endpoint_override=real_ironic.url)
    sdk.attach(conn)
    with pytest.raises(exceptions.NotSupported, match="knows the maintenance flag only"):
        conn.baremetal.add_node_maintenance_entry(node, type="operator_hold")
    assert commands.json(f"node show {node}")["maintenance_reason"] == "rebalancing rack"
    commands.good(f"node maintenance unset {node}")
    assert commands.json(f"node show {node}")["maintenance"] is False
