# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Listings of more than one page from a real backend, in pages of a few rows."""

from __future__ import annotations

import dataclasses
import pathlib
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.settings import Settings
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend

NAMES: t.Final = [f"paged-{number:02}" for number in range(25)]


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Backend]:
    """A backend with 25 nodes, each with two holds; it believes that it is somewhere else."""
    folder: pathlib.Path = tmp_path_factory.mktemp("paging")
    with Backend(folder, public_endpoint="http://baremetal.invalid:1") as running:
        api = Api(Settings(url=running.url))
        for name in NAMES:
            api.create_node({"name": name})
        for kind in ("operator_hold", "hardware_failure"):
            api.assert_many(NAMES, type=kind, ticket="C-1")
        yield running


@pytest.fixture(params=[3, 5, 25, 1000])
def api(fleet: Backend, request: pytest.FixtureRequest) -> Api:
    """A client that asks for pages of so many rows."""
    return Api(dataclasses.replace(Settings(url=fleet.url), page_size=request.param))


def test_all_nodes_come_in_order_and_once(api: Api) -> None:
    assert [node["name"] for node in api.iter_nodes()] == NAMES
    assert [node["name"] for node in api.iter_nodes(fields=["name"], filters={"maintenance": True})] == NAMES
    assert api.iter_nodes(filters={"maintenance": False}) == []


def test_all_nodes_come_with_their_holds(api: Api) -> None:
    nodes = api.iter_nodes(with_entries=True)
    assert [(node["name"], len(node["maintenance_entries"])) for node in nodes] == [(name, 2) for name in NAMES]


def test_all_holds_of_the_fleet_come(api: Api) -> None:
    rows = api.fleet_entries({"ticket": "C-1"})
    assert len({row["uuid"] for row in rows}) == len(rows) == 50
    assert sorted(row["node_name"] for row in api.fleet_entries({"type": "operator_hold"})) == NAMES


def test_the_whole_history_comes(api: Api) -> None:
    events = api.fleet_history({"ticket": "C-1"})
    assert len({event["uuid"] for event in events}) == len(events) == 50
    assert [event["maintenance"]["type"] for event in api.node_history(NAMES[7])] == ["operator_hold", "hardware_failure"]
