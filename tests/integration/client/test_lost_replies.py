# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Replies that get lost on the way from a real backend: nothing is done twice, nothing that was done is reported as failed."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client import errors
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.settings import Settings
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend

from .lossy import Lossy


@pytest.fixture
def way(backend: Backend) -> t.Iterator[Lossy]:
    """A way to the backend on which replies get lost."""
    with Lossy(backend.url) as lossy:
        yield lossy


@pytest.fixture
def far(way: Lossy) -> Api:
    """A client at the other end of that way."""
    client = Api(Settings(url=way.url), sleep=lambda _seconds: None)
    client.service()
    return client


def actions(api: Api, node: str) -> list[str]:
    return [event["maintenance"]["action"] for event in api.node_history(node)]


@pytest.mark.parametrize("times", [1, 2])
def test_a_hold_is_asserted_once(far: Api, api: Api, way: Lossy, node: str, times: int) -> None:
    way.lose("POST", times)
    entry = far.assert_entry(node, type="operator_hold", reason="r", extra={"a": [1]}, key="k", ticket="t", run="x")
    assert (way.lost, api.list_entries(node), actions(api, node)) == (1, [entry], ["assert"])


def test_a_hold_is_asserted_though_the_reading_after_it_is_lost_too(far: Api, api: Api, way: Lossy, node: str) -> None:
    way.lose("POST")
    way.lose("GET", 4)
    entry = far.assert_entry(node, type="operator_hold", reason="r")
    assert (way.lost, api.list_entries(node), actions(api, node)) == (5, [entry], ["assert"])


def test_a_colleagues_hold_is_not_taken_for_ones_own(far: Api, api: Api, way: Lossy, node: str) -> None:
    api.assert_entry(node, type="operator_hold", reason="of last week")
    way.lose("POST")
    with pytest.raises(errors.Refused) as refused:
        far.assert_entry(node, type="operator_hold", reason="of today")
    assert refused.value.code == "duplicate"


@pytest.mark.parametrize("comment", [None, "done"])
def test_a_hold_is_released_once(far: Api, api: Api, way: Lossy, node: str, comment: str | None) -> None:
    entry = api.assert_entry(node, type="operator_hold")
    way.lose("POST" if comment else "DELETE")
    far.release_entry(node, entry["uuid"], comment=comment)
    assert (way.lost, actions(api, node)) == (1, ["assert", "release"])


@pytest.mark.parametrize("comment", [None, "done"])
def test_all_holds_are_released_once(far: Api, api: Api, way: Lossy, node: str, comment: str | None) -> None:
    api.assert_entry(node, type="operator_hold")
    way.lose("POST" if comment else "DELETE")
    far.release_all(node, comment=comment)
    assert (way.lost, actions(api, node)) == (1, ["assert", "release"])


@pytest.mark.parametrize("on_error", ["stop", "continue"])
def test_many_nodes_are_held_once(far: Api, api: Api, way: Lossy, node: str, on_error: t.Any) -> None:
    other = api.create_node({"name": f"{node}-{on_error}"})["uuid"]
    way.lose("POST")
    results = far.assert_many([node, other], type="operator_hold", reason="r", on_error=on_error)
    assert [(result["node"], result["status"]) for result in results] == [(node, 201), (other, 201)]
    assert (way.lost, actions(api, node), actions(api, other)) == (1, ["assert"], ["assert"])


def test_of_many_nodes_those_of_others_stay_duplicates(far: Api, api: Api, way: Lossy, node: str) -> None:
    other = api.create_node({"name": f"{node}-held"})["name"]
    api.assert_entry(other, type="operator_hold", reason="of last week")
    way.lose("POST")
    results = far.assert_many([node, other], type="operator_hold", reason="of today", on_error="continue")
    assert [(result["node"], result["status"]) for result in results] == [(node, 201), (other, 409)]


def test_the_flag_is_cleared_once(far: Api, api: Api, way: Lossy, node: str) -> None:
    api.set_flag(node, "x")
    way.lose("DELETE")
    far.clear_flag(node)
    assert actions(api, node) == ["assert", "release"]


def test_a_node_is_enrolled_once_and_removed_once(far: Api, api: Api, way: Lossy) -> None:
    way.lose("POST")
    made = far.create_node({"name": "once", "owner": "p", "extra": {"a": 1}})
    assert [found["uuid"] for found in api.iter_nodes(fields=["uuid", "name"]) if found["name"] == "once"] == [made["uuid"]]
    way.lose("DELETE")
    far.delete_node("once")
    assert way.lost == 2


def test_a_change_of_a_hold_is_repeated_without_harm(far: Api, api: Api, way: Lossy, node: str) -> None:
    entry = api.assert_entry(node, type="operator_hold", reason="a")
    way.lose("PATCH")
    assert far.update_entry(node, entry["uuid"], {"reason": "b"})["reason"] == "b"
    assert actions(api, node) == ["assert", "update"]


def test_where_it_cannot_be_known_that_is_said(far: Api, way: Lossy, node: str) -> None:
    way.lose("PATCH")
    with pytest.raises(errors.Unreachable, match="it is not known whether this was done") as unknown:
        far.patch_node(node, [{"op": "add", "path": "/owner", "value": "p"}])
    assert unknown.value.outcome_unknown
