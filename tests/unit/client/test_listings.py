# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Listings: all pages in the order of the service, or an error; never a short list, never another host."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client import errors
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.settings import Settings
from ansible_collections.baremetal.maintenance.tests.support.wire import Wire, extended, fault, ironic

from .samples import ENTRY

DETAIL = "/v1/nodes/detail"


def nodes(*names: str) -> list[dict[str, str]]:
    return [{"uuid": name, "name": name} for name in names]


def test_every_page_is_read(wire: Wire, api: Api) -> None:
    ironic(wire)
    wire.expect("GET", DETAIL, query={"limit": "1000"}).json({"nodes": nodes("a", "b"), "next": f"{wire.url}{DETAIL}?limit=1000&marker=b"})
    wire.expect("GET", DETAIL, query={"limit": "1000", "marker": "b"}).json({"nodes": nodes("c"), "next": f"{wire.url}{DETAIL}?marker=c"})
    wire.expect("GET", DETAIL, query={"limit": "1000", "marker": "c"}).json({"nodes": []})
    assert [node["uuid"] for node in api.iter_nodes()] == ["a", "b", "c"]


def test_fields_and_filters_are_sent_with_every_page(wire: Wire, api: Api) -> None:
    ironic(wire)
    query = {"limit": "1000", "fields": "uuid,name", "maintenance": "true", "owner": "p1"}
    wire.expect("GET", "/v1/nodes", query=query).json({"nodes": nodes("a"), "next": f"{wire.url}/v1/nodes?marker=a"})
    wire.expect("GET", "/v1/nodes", query={**query, "marker": "a"}).json({"nodes": nodes("b")})
    found = api.iter_nodes(fields=["uuid", "name"], filters={"maintenance": True, "owner": "p1", "lessee": None})
    assert found == nodes("a", "b")


@pytest.mark.parametrize("base", ["http://evil.example.org", "https://10.0.0.1:1/other/place", "http://localhost", ""])
def test_of_next_only_the_query_is_taken(wire: Wire, api: Api, base: str) -> None:
    ironic(wire)
    wire.expect("GET", DETAIL).json({"nodes": nodes("a"), "next": f"{base}{DETAIL}?limit=1000&marker=a"})
    wire.expect("GET", DETAIL, query={"limit": "1000", "marker": "a"}).json({"nodes": nodes("b")})
    assert len(api.iter_nodes()) == 2


def test_a_service_under_a_path_is_read_under_that_path(wire: Wire) -> None:
    wire.expect("GET", "/baremetal/v1").json({"id": "v1"})
    wire.expect("GET", f"/baremetal{DETAIL}").json({"nodes": nodes("a"), "next": f"http://internal:6385{DETAIL}?marker=a"})
    wire.expect("GET", f"/baremetal{DETAIL}").json({"nodes": nodes("b")})
    assert len(Api(Settings(url=f"{wire.url}/baremetal")).iter_nodes()) == 2


@pytest.mark.parametrize(
    "spoil",
    [
        lambda step: step.json(fault("no"), status=403),
        lambda step: step.json({}, status=401),
        lambda step: step.text("<html>maintenance</html>"),
        lambda step: step.json({"nodes": None}),
        lambda step: step.json({"nodes": [{"name": "without a uuid"}]}),
        lambda step: step.json({"nodes": [], "next": 7}),
        lambda step: step.json({"nodes": [], "next": "http://h/v1/nodes"}),
        lambda step: step.json({"nodes": [], "next": ""}),
    ],
)
def test_a_failed_page_is_an_error_and_no_short_list(wire: Wire, api: Api, spoil: t.Callable[[t.Any], None]) -> None:
    ironic(wire)
    wire.expect("GET", DETAIL).json({"nodes": nodes("a"), "next": f"{wire.url}{DETAIL}?marker=a"})
    spoil(wire.expect("GET", DETAIL))
    with pytest.raises(errors.ClientError):
        api.iter_nodes()


def test_a_service_that_dies_between_pages_is_an_error(api: Api, wire: Wire) -> None:
    ironic(wire)
    wire.expect("GET", DETAIL).json({"nodes": nodes("a"), "next": f"{wire.url}{DETAIL}?marker=a"})
    for _turn in range(4):
        wire.expect("GET", DETAIL).close()
    with pytest.raises(errors.Unreachable, match="Cannot list the nodes: .* given up after 4 attempts"):
        api.iter_nodes()


def test_a_page_that_stumbles_is_read_again(wire: Wire, api: Api) -> None:
    ironic(wire)
    wire.expect("GET", DETAIL).json({"nodes": nodes("a"), "next": f"{wire.url}{DETAIL}?marker=a"})
    wire.expect("GET", DETAIL).json({}, status=503)
    wire.expect("GET", DETAIL, query={"limit": "1000", "marker": "a"}).json({"nodes": nodes("b")})
    assert len(api.iter_nodes()) == 2


def test_when_the_row_before_a_page_is_gone_the_listing_is_read_from_its_start(wire: Wire, api: Api) -> None:
    ironic(wire)
    wire.expect("GET", DETAIL, query={"limit": "1000"}).json({"nodes": nodes("a", "b"), "next": f"{wire.url}{DETAIL}?marker=b"})
    wire.expect("GET", DETAIL).json(fault("Node b could not be found."), status=404)
    wire.expect("GET", DETAIL, query={"limit": "1000"}).json({"nodes": nodes("a", "c"), "next": f"{wire.url}{DETAIL}?marker=c"})
    wire.expect("GET", DETAIL, query={"limit": "1000", "marker": "c"}).json({"nodes": nodes("d")})
    assert api.iter_nodes() == nodes("a", "c", "d")


def test_a_listing_that_never_gets_to_its_end_is_an_error(wire: Wire, api: Api) -> None:
    ironic(wire)
    for _turn in range(4):
        wire.expect("GET", DETAIL).json({"nodes": nodes("b"), "next": f"{wire.url}{DETAIL}?marker=b"})
        wire.expect("GET", DETAIL).json(fault("Node b could not be found."), status=404)
    with pytest.raises(errors.Refused, match="Node b could not be found"):
        api.iter_nodes()


@pytest.mark.parametrize("markers", [["a", "a"], ["a", "b", "a"]])
def test_pages_in_a_circle_are_an_error(wire: Wire, api: Api, markers: list[str]) -> None:
    ironic(wire)
    for marker in markers:
        wire.expect("GET", DETAIL).json({"nodes": nodes(marker), "next": f"{wire.url}{DETAIL}?marker={marker}"})
    with pytest.raises(errors.BadAnswer, match="the pages of /v1/nodes/detail lead in a circle"):
        api.iter_nodes()


def test_nodes_come_with_their_entries_where_that_is_asked_for(wire: Wire, api: Api) -> None:
    extended(wire)
    rows = [{"uuid": "a", "maintenance_entries": [ENTRY]}]
    wire.expect("GET", "/v1/nodes", query={"limit": "1000", "fields": "uuid,maintenance_entries"}).json({"nodes": rows})
    assert api.iter_nodes(fields=["uuid"], with_entries=True) == rows


def test_a_node_without_the_entries_that_were_asked_for_is_no_free_node(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("GET", "/v1/nodes").json({"nodes": [{"uuid": "a"}]})
    with pytest.raises(errors.BadAnswer, match="'maintenance_entries' is missing"):
        api.iter_nodes(fields=["uuid"], with_entries=True)


def test_the_fleets_entries_are_listed_by_filters(wire: Wire, api: Api) -> None:
    extended(wire)
    rows = [{**ENTRY, "node_uuid": "u", "node_name": "n"}]
    wire.expect("GET", "/v1/maintenance", query={"limit": "1000", "type": "operator_hold", "older_than": "3600"}).json(
        {"maintenance": rows}
    )
    assert api.fleet_entries({"type": "operator_hold", "older_than": 3600, "key": None}) == rows


def test_the_history_of_a_node_is_read_in_full(wire: Wire, api: Api) -> None:
    ironic(wire)
    path = "/v1/nodes/n1/history"
    wire.expect("GET", path, query={"limit": "1000", "detail": "true"}).json(
        {"history": [{"uuid": "1"}], "next": f"{wire.url}{path}?marker=1"}
    )
    wire.expect("GET", path, query={"limit": "1000", "detail": "true", "marker": "1"}).json({"history": [{"uuid": "2"}]})
    assert api.node_history("n1") == [{"uuid": "1"}, {"uuid": "2"}]


def test_the_history_of_the_fleet_goes_on_at_its_cursor(wire: Wire, api: Api) -> None:
    extended(wire)
    path = "/v1/maintenance/history"
    wire.expect("GET", path, query={"limit": "1000", "ticket": "C-1"}).json(
        {"history": [{"uuid": "1"}], "next": f"{wire.url}{path}?after=x%3D%3D"}
    )
    wire.expect("GET", path, query={"limit": "1000", "ticket": "C-1", "after": "x=="}).json({"history": [], "next": None})
    assert api.fleet_history({"ticket": "C-1"}) == [{"uuid": "1"}]


def test_types_are_listed(wire: Wire, api: Api) -> None:
    extended(wire)
    wire.expect("GET", "/v1/maintenance/types").json({"types": [{"name": "legacy", "reserved": True}]})
    assert api.types() == [{"name": "legacy", "reserved": True}]


def test_a_page_asks_for_as_many_rows_as_the_settings_say(wire: Wire) -> None:
    ironic(wire)
    wire.expect("GET", DETAIL, query={"limit": "3"}).json({"nodes": []})
    assert Api(Settings(url=wire.url, page_size=3)).iter_nodes() == []
