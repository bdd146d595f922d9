# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands and the SDK's verbs on a service that has the specification and nothing more."""

from __future__ import annotations

import pathlib

import pytest
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend
from ansible_collections.baremetal.maintenance.tests.support.commands import Commands
from baremetal_maintenance import sdk
from openstack import connection


def test_holds_are_added_explained_and_removed_and_the_rest_is_named(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Backend(tmp_path, extensions=False) as backend:
        commands = Commands(monkeypatch, capsys, backend.url, None)
        commands.good("node create --driver redfish --name n1")
        uuid = commands.json("node maintenance add n1 --type hardware_failure --reason 'disk 3'")["uuid"]
        assert "the same hold" in commands.refused("node maintenance add n1 --type hardware_failure")
        shown = commands.good("maintenance why n1")
        assert f"node maintenance remove n1 {uuid}" in " ".join(shown.replace("\\\n", " ").split())
        assert "you may" not in shown
        assert [row["What"] for row in commands.json("maintenance history n1")] == ["maintenance"]
        assert "does not offer a listing of the holds of all nodes" in commands.refused("maintenance list")
        assert "does not offer key, ticket and run" in commands.refused("node maintenance add n1 --type operator_hold --ticket T-1")
        assert "does not offer a place for the comment" in commands.refused(f"node maintenance remove n1 {uuid} --comment done")
        commands.good(f"node maintenance remove n1 {uuid[:8]}")
        conn = connection.Connection(auth_type="none", endpoint=backend.url, baremetal_endpoint_override=backend.url)
        sdk.attach(conn)
        conn.baremetal.add_node_maintenance_entry("n1", type="operator_hold")
        assert [entry.type for entry in conn.baremetal.node_maintenance_entries("n1")] == ["operator_hold"]
        conn.baremetal.remove_all_node_maintenance_entries("n1")
        assert commands.json("node maintenance list n1") == []
