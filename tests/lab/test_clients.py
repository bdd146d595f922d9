# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands and the verbs of the SDK on a real Ironic with a real Keystone, with our backend in front of it and without."""

from __future__ import annotations

import os
import pathlib
import typing as t

import openstack
import pytest
from ansible_collections.baremetal.maintenance.tests.lab.fronted import Fronted
from ansible_collections.baremetal.maintenance.tests.lab.keystone import REGION
from ansible_collections.baremetal.maintenance.tests.support.commands import Commands
from baremetal_maintenance import sdk
from openstack import exceptions

# The first run installs Ironic and Keystone.
pytestmark = [pytest.mark.lab, pytest.mark.timeout(600)]


@pytest.fixture
def node(fronted: Fronted, request: pytest.FixtureRequest) -> str:
    """The name of a node that the project `owner` owns and `lessee` leases; the catalogue says where our backend is."""
    fronted.keystone.set_endpoint(fronted.backend.url)
    name = f"lab-{abs(hash(request.node.nodeid))}"
    fronted.enrol(name)
    return name


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Commands:
    """The commands; a test says who runs them."""
    return Commands(monkeypatch, capsys, "", None)


@pytest.mark.parametrize("program", ["baremetal", "openstack"])
def test_the_commands_find_the_service_in_the_catalogue(fronted: Fronted, node: str, commands: Commands, program: str) -> None:
    commands.program = program

    def flag() -> tuple[bool, str | None]:
        """Read the node round us."""
        shown = fronted.direct("system-admin").send("GET", f"/v1/nodes/{node}").json
        return shown["maintenance"], shown["maintenance_reason"]

    def by(user: str) -> Commands:
        commands.environment = fronted.keystone.environ(user)
        return commands

    added = by("owner-member").json(f"node maintenance add {node} --type hardware_failure --reason 'disk 3' --ticket {node}")
    assert (added["scope"], added["asserted_by"], added["asserted_by_name"]) == (
        "owner",
        fronted.keystone.user_id("owner-member"),
        "owner-member",
    )
    assert (added["enforced"], added["enforced_by"]) == (True, "ironic")
    assert flag() == (True, "hardware_failure: disk 3")
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
    assert flag() == (False, None)
    by("owner-member").good(f"node maintenance set {node} --reason rebalancing")
    assert flag() == (True, "rebalancing")
    by("owner-member").good(f"node maintenance unset {node}")
    assert flag() == (False, None)
    assert "could not be found" in by("stranger-admin").refused(f"node maintenance list {node}")


@pytest.fixture
def clouds(fronted: Fronted, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> t.Callable[[str], t.Any]:
    """Connect as one of the Keystone's people, with our verbs."""
    for name in [name for name in os.environ if name.startswith("OS_")]:
        monkeypatch.delenv(name)
    file = fronted.keystone.clouds_yaml(tmp_path / "clouds.yaml", "owner-member", "system-member")
    monkeypatch.setenv("OS_CLIENT_CONFIG_FILE", str(file))

    def connect(user: str) -> t.Any:
        conn = openstack.connect(cloud=user, region_name=REGION)
        sdk.attach(conn)
        return conn

    return connect


def test_the_sdk_finds_the_service_in_the_catalogue(node: str, clouds: t.Callable[[str], t.Any]) -> None:
    owner, system = clouds("owner-member"), clouds("system-member")
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


def test_an_ironic_without_us_has_its_flag_and_tells_that_it_has_no_more(
    fronted: Fronted, node: str, commands: Commands, clouds: t.Callable[[str], t.Any]
) -> None:
    fronted.keystone.set_endpoint(fronted.ironic.url)
    conn = clouds("owner-member")
    commands.environment = fronted.keystone.environ("owner-member")
    commands.good(f"node maintenance set {node} --reason 'rebalancing rack'")
    typed = (f"node maintenance add {node} --type operator_hold", f"node maintenance remove {node} --all", f"maintenance why {node}")
    sentence = f"the service at {fronted.ironic.url} is an Ironic that knows the maintenance flag only"
    for line in (*typed, "maintenance list"):
        assert sentence in commands.refused(line)
    with pytest.raises(exceptions.NotSupported, match=sentence):
        conn.baremetal.add_node_maintenance_entry(node, type="operator_hold")
    assert commands.json(f"node show {node}")["maintenance_reason"] == "rebalancing rack"
    commands.good(f"node maintenance unset {node}")
    assert commands.json(f"node show {node}")["maintenance"] is False
