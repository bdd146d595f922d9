# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands send each request once, at the version that the service names, and nothing to a service without typed holds."""

from __future__ import annotations

import pytest
from ansible_collections.baremetal.maintenance.tests.support.commands import Commands
from ansible_collections.baremetal.maintenance.tests.support.wire import Wire, extended, fault, ironic, refusal

TYPED = {"X-OpenStack-Ironic-API-Version": "1.116"}
ENTRY = {"uuid": "8d8d9a25-53a5-4c51-8b1d-6d9d6ea0a3c1", "type": "operator_hold", "scope": "owner", "reason": None}


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Commands:
    """The commands; a test says where the service is."""
    return Commands(monkeypatch, capsys, "", None)


@pytest.mark.parametrize("program", ["baremetal", "openstack"])
def test_a_duplicate_add_ends_after_one_request(commands: Commands, program: str) -> None:
    commands.program = program
    with Wire() as wire:
        commands.url = wire.url
        extended(wire)
        wire.expect("POST", "/v1/nodes/n1/maintenance", headers=TYPED, body={"type": "operator_hold"}).json(
            refusal("Cannot assert operator_hold on node n1: the active entry e1 is the same hold", "duplicate", "n1"), status=409
        )
        assert commands.refused("node maintenance add n1 --type operator_hold") == (
            "Cannot assert operator_hold on node n1: the active entry e1 is the same hold"
        )
        assert [request.method for request in wire.requests] == ["GET", "POST"]


@pytest.mark.parametrize("status", [409, 500, 503])
def test_no_refusal_is_asked_for_again(commands: Commands, status: int) -> None:
    with Wire() as wire:
        commands.url = wire.url
        extended(wire)
        wire.expect("DELETE", "/v1/nodes/n1/maintenance", headers=TYPED).json(fault("Try later."), status=status)
        assert commands.refused("node maintenance remove n1 --all") == (f"Cannot release every hold of node n1: Try later (HTTP {status})")


def test_a_lost_reply_to_a_write_says_that_the_outcome_is_not_known(commands: Commands) -> None:
    with Wire() as wire:
        commands.url = wire.url
        extended(wire)
        wire.expect("POST", "/v1/nodes/n1/maintenance").close()
        assert "it is not known whether this was done" in commands.refused("node maintenance add n1 --type operator_hold")


@pytest.mark.parametrize(
    ("line", "deed"),
    [
        ("node maintenance add n1 --type operator_hold", "assert a hold of type operator_hold on node n1"),
        ("node maintenance list n1", "list the holds of node n1"),
        ("node maintenance remove n1 --all", "release every hold of node n1"),
        ("node maintenance remove n1 8d8d9a25-53a5-4c51-8b1d-6d9d6ea0a3c1", "release hold 8d8d9a25-53a5-4c51-8b1d-6d9d6ea0a3c1 of node n1"),
        ("maintenance why n1", "list the holds of node n1"),
        ("maintenance history n1", "read the history of node n1"),
        ("maintenance list", "list the holds of all nodes"),
    ],
)
def test_an_ironic_without_typed_holds_is_told_from_a_sentence(commands: Commands, line: str, deed: str) -> None:
    with Wire() as wire:
        commands.url = wire.url
        ironic(wire)
        node = "n1"
        if line == "maintenance list":
            node = "7f4f"
            wire.expect("GET", "/v1/nodes", query={"limit": "1", "fields": "uuid"}).json({"nodes": [{"uuid": node}]})
        wire.expect("GET", f"/v1/nodes/{node}/maintenance", headers={"X-OpenStack-Ironic-API-Version": "latest"}).json({}, status=405)
        assert commands.refused(line) == (
            f"Cannot {deed}: the service at {wire.url} is an Ironic that knows the maintenance flag only, without typed holds;"
            " use `baremetal node maintenance set` and `unset` there, or the address of a service that has typed holds"
        )


def test_a_node_that_is_not_there_proves_nothing_about_the_service(commands: Commands) -> None:
    with Wire() as wire:
        commands.url = wire.url
        ironic(wire)
        wire.expect("GET", "/v1/nodes/nope/maintenance").json(fault("Node nope could not be found."), status=404)
        assert commands.refused("node maintenance list nope") == (
            "Cannot list the holds of node nope: Node nope could not be found (HTTP 404)"
        )


def test_a_native_typed_api_works_by_what_the_specification_has(commands: Commands) -> None:
    with Wire() as wire:
        commands.url = wire.url
        path, at_latest = "/v1/nodes/n1/maintenance", {"X-OpenStack-Ironic-API-Version": "latest"}
        ironic(wire, "1.120")
        wire.expect("GET", path, headers=at_latest).json({"maintenance": []})
        wire.expect("POST", path, headers=at_latest, body={"type": "operator_hold"}).json(ENTRY, status=201)
        assert commands.json("node maintenance add n1 --type operator_hold")["uuid"] == ENTRY["uuid"]
        ironic(wire, "1.120")
        wire.expect("GET", path).json({"maintenance": [ENTRY]})
        wire.expect("GET", path, headers=at_latest).json({"maintenance": [ENTRY]})
        assert "you may" not in commands.good("maintenance why n1")
        ironic(wire, "1.120")
        wire.expect("GET", path).json({"maintenance": [ENTRY]})
        assert "does not offer key, ticket and run" in commands.refused("node maintenance add n1 --type operator_hold --ticket T-1")
        ironic(wire, "1.120")
        wire.expect("GET", path).json({"maintenance": [ENTRY]})
        assert "does not offer a place for the comment" in commands.refused("node maintenance remove n1 --all --comment x")


@pytest.mark.parametrize("document", ["<html>login</html>", "[]", "{"])
def test_another_service_is_named_as_such(commands: Commands, document: str) -> None:
    with Wire() as wire:
        commands.url = wire.url
        wire.expect("GET", "/v1").text(document)
        assert "answered with something else than a JSON object; check its address" in commands.refused("node maintenance list n1")


def test_pages_that_lead_in_a_circle_end(commands: Commands) -> None:
    with Wire() as wire:
        commands.url = wire.url
        extended(wire)
        page = {"maintenance": [], "next": "http://elsewhere.example.org/v1/maintenance?limit=1000"}
        wire.expect("GET", "/v1/maintenance", query={"limit": "1000"}).json(page)
        assert "lead in a circle" in commands.refused("maintenance list")
