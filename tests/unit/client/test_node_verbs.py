# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The verbs on nodes: what goes over the wire, and what comes back."""

from __future__ import annotations

import re

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client import errors
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api
from ansible_collections.baremetal.maintenance.tests.support.wire import Wire, fault, ironic, refusal

from .samples import BLOCKER

UUID = "11111111-0000-4000-8000-000000000001"
VERSION = {"X-OpenStack-Ironic-API-Version": "1.115"}


def test_a_node_is_read_whole_or_in_part(wire: Wire, api: Api) -> None:
    ironic(wire)
    wire.expect("GET", "/v1/nodes/n1", query={}, headers=VERSION).json({"uuid": UUID, "name": "n1"})
    wire.expect("GET", "/v1/nodes/n1", query={"fields": "name,owner"}).json({"name": "n1", "owner": None})
    assert api.get_node("n1") == {"uuid": UUID, "name": "n1"}
    assert api.get_node("n1", fields=["name", "owner"]) == {"name": "n1", "owner": None}


def test_a_field_that_was_asked_for_and_is_missing_is_an_error(wire: Wire, api: Api) -> None:
    ironic(wire)
    wire.expect("GET", "/v1/nodes/n1").json({"name": "n1"})
    with pytest.raises(errors.BadAnswer, match="'owner' is missing"):
        api.get_node("n1", fields=["name", "owner"])


def test_a_node_that_is_not_there_says_what_may_help(wire: Wire, api: Api) -> None:
    ironic(wire)
    wire.expect("GET", "/v1/nodes/n1").json(fault("Node n1 could not be found."), status=404)
    with pytest.raises(errors.Refused) as refused:
        api.get_node("n1")
    assert refused.value.msg == (
        "Cannot read node n1: Node n1 could not be found (HTTP 404); "
        "check the name and the uuid, and that these credentials may see the node"
    )


def test_a_node_is_enrolled_with_a_uuid_of_its_own(wire: Wire, api: Api) -> None:
    ironic(wire)
    wire.expect("POST", "/v1/nodes", headers=VERSION).json({"uuid": UUID, "name": "n1"}, status=201)
    assert api.create_node({"name": "n1"})["uuid"] == UUID
    sent = wire.requests[-1].body
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", sent.pop("uuid"))
    assert sent == {"name": "n1"}


def test_a_uuid_that_is_given_is_kept(wire: Wire, api: Api) -> None:
    ironic(wire)
    wire.expect("POST", "/v1/nodes", body={"uuid": UUID}).json({"uuid": UUID}, status=201)
    api.create_node({"uuid": UUID})


def test_a_change_is_a_json_patch(wire: Wire, api: Api) -> None:
    ironic(wire)
    patch = [{"op": "replace", "path": "/owner", "value": "p1"}]
    wire.expect("PATCH", "/v1/nodes/n1", headers=VERSION, body=patch).json({"uuid": UUID, "owner": "p1"})
    assert api.patch_node("n1", patch) == {"uuid": UUID, "owner": "p1"}


def test_a_node_is_removed(wire: Wire, api: Api) -> None:
    ironic(wire)
    wire.expect("DELETE", "/v1/nodes/n1", query={}, headers=VERSION).empty()
    api.delete_node("n1")


def test_a_held_node_is_not_removed_and_the_holds_are_named(wire: Wire, api: Api) -> None:
    ironic(wire)
    wire.expect("DELETE", "/v1/nodes/n1").json(refusal("Node n1 is held.", "not_permitted", "n1", [BLOCKER]), status=403)
    with pytest.raises(errors.Refused) as refused:
        api.delete_node("n1")
    assert refused.value.blockers == [BLOCKER]
