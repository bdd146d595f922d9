# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names become one path segment each, or are refused before anything is sent."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client import errors, paths
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api
from ansible_collections.baremetal.maintenance.tests.support.wire import Wire, extended, ironic

#: Every verb that names a node.
OF_A_NODE: dict[str, t.Callable[[Api, str], t.Any]] = {
    "list_entries": lambda api, node: api.list_entries(node),
    "get_entry": lambda api, node: api.get_entry(node, "u"),
    "assert_entry": lambda api, node: api.assert_entry(node, type="operator_hold"),
    "update_entry": lambda api, node: api.update_entry(node, "u", {}),
    "release_entry": lambda api, node: api.release_entry(node, "u"),
    "release_all": lambda api, node: api.release_all(node),
    "set_flag": lambda api, node: api.set_flag(node, None),
    "clear_flag": lambda api, node: api.clear_flag(node),
    "put_fault": lambda api, node: api.put_fault(node, "power failure", None),
    "get_node": lambda api, node: api.get_node(node),
    "patch_node": lambda api, node: api.patch_node(node, []),
    "delete_node": lambda api, node: api.delete_node(node),
    "node_history": lambda api, node: api.node_history(node),
    "assert_many": lambda api, node: api.assert_many(["n1", node], type="operator_hold"),
    "release_many": lambda api, node: api.release_many(nodes=["n1", node], type="operator_hold"),
}


@pytest.mark.parametrize("verb", OF_A_NODE)
@pytest.mark.parametrize("node", ["", "  ", None, 7])
def test_no_verb_takes_an_empty_node(wire: Wire, api: Api, verb: str, node: t.Any) -> None:
    with pytest.raises(errors.BadOption, match=r"is empty: name one"):
        OF_A_NODE[verb](api, node)
    assert wire.requests == []


@pytest.mark.parametrize("node", [".", "..", "a/b", "../n2", "n1/maintenance", "a\\b", "detail", "maintenance", "\ud800"])
def test_a_name_that_would_address_something_else_is_refused(wire: Wire, api: Api, node: str) -> None:
    for verb in (api.delete_node, api.release_all, api.list_entries):
        with pytest.raises(errors.BadOption, match="cannot be"):
            verb(node)
    assert wire.requests == []


@pytest.mark.parametrize("uuid", ["", " ", ".", "..", "a/b"])
def test_an_entry_without_a_uuid_is_never_all_entries(wire: Wire, api: Api, uuid: str) -> None:
    for verb in (api.release_entry, api.get_entry):
        with pytest.raises(errors.BadOption):
            verb("n1", uuid)
    with pytest.raises(errors.BadOption):
        api.update_entry("n1", uuid, {})
    assert wire.requests == []


@pytest.mark.parametrize(
    ("node", "segment"),
    [
        ("rack1-u07", "rack1-u07"),
        ("a b", "a%20b"),
        ("a?x=1", "a%3Fx%3D1"),
        ("a#b", "a%23b"),
        ("100%", "100%25"),
        ("n%2Fx", "n%252Fx"),
        ("knöten", "kn%C3%B6ten"),
        ("a.json", "a.json"),
        ("...", "..."),
        ("a\r\nX: y", "a%0D%0AX%3A%20y"),
    ],
)
def test_a_name_is_one_segment_on_the_wire(wire: Wire, api: Api, node: str, segment: str) -> None:
    ironic(wire)
    wire.expect("GET", f"/v1/nodes/{segment}", query={}).json({"uuid": "u"})
    api.get_node(node)


def test_an_entrys_uuid_is_one_segment_on_the_wire(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("DELETE", "/v1/nodes/n1/maintenance/no%20such%3F", query={}).empty()
    api.release_entry("n1", "no such?")


@pytest.mark.parametrize(
    ("parameters", "query"),
    [
        ({"a": None}, {}),
        ({"a": True, "b": False}, {"a": "true", "b": "false"}),
        ({"fields": ["uuid", "name"]}, {"fields": "uuid,name"}),
        ({"a": 0, "b": ""}, {"a": "0", "b": ""}),
    ],
)
def test_query_parameters_are_text(parameters: dict[str, t.Any], query: dict[str, str]) -> None:
    assert paths.query(parameters) == query


@pytest.mark.parametrize("value", [["a", "b"], ["a"], (), {"a": 1}])
def test_a_filter_with_several_values_would_find_nothing_and_is_refused(wire: Wire, api: Api, value: t.Any) -> None:
    with pytest.raises(errors.BadOption, match="the filter type takes one value, not several"):
        api.fleet_entries({"type": value})
    assert wire.requests == []
