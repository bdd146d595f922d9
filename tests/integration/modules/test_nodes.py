# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""node and node_info: the registry, in which only what is given is changed and no node is removed from under a hold."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.node import OPERATION
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations.node_info import OPERATION as INFO

from .direct import do
from .running import Stage

NODE: t.Final = {"name": "fresh", "driver": "fake-hardware", "owner": "p-owner", "properties": {"cpus": 64, "a/b~c": 1}}


@pytest.fixture(autouse=True)
def gone(stage: Stage) -> t.Iterator[None]:
    yield
    do(stage, OPERATION, name="fresh", state="absent", release_holds=True, comment="end of test")


def test_only_what_is_given_is_changed(stage: Stage) -> None:
    uuid = do(stage, OPERATION, **NODE, description="first")["node"]["uuid"]
    result = do(stage, OPERATION, name="fresh", lessee="p-lessee", properties={"a/b~c": 2, "new": [1]})
    assert result["changed"]
    node = stage.call("GET", "/v1/nodes/fresh")
    assert (node["uuid"], node["owner"], node["lessee"], node["description"]) == (uuid, "p-owner", "p-lessee", "first")
    assert node["properties"] == {"cpus": 64, "a/b~c": 2, "new": [1]}
    assert result["diff"] == [
        {
            "before_header": "node fresh",
            "after_header": "node fresh",
            "before": {"lessee": None, "properties": {"cpus": 64, "a/b~c": 1}},
            "after": {"lessee": "p-lessee", "properties": {"cpus": 64, "a/b~c": 2, "new": [1]}},
        }
    ]


def test_an_empty_string_clears_and_null_removes(stage: Stage) -> None:
    do(stage, OPERATION, **NODE, lessee="p-lessee")
    assert do(stage, OPERATION, name="fresh", lessee="", properties={"cpus": None, "never": None})["changed"]
    node = stage.call("GET", "/v1/nodes/fresh")
    assert (node["lessee"], node["properties"]) == (None, {"a/b~c": 1})
    assert not do(stage, OPERATION, name="fresh", lessee="", properties={"cpus": None})["changed"]


def test_by_uuid_it_is_renamed(stage: Stage) -> None:
    uuid = do(stage, OPERATION, **{**NODE, "name": "old"})["node"]["uuid"]
    assert do(stage, OPERATION, uuid=uuid, name="fresh")["changed"]
    assert stage.call("GET", "/v1/nodes/fresh")["uuid"] == uuid


def test_a_held_node_is_not_removed_by_anybody_and_the_holds_are_named(stage: Stage) -> None:
    do(stage, OPERATION, **NODE)
    hold = stage.call("POST", "/v1/nodes/fresh/maintenance", {"type": "operator_hold", "reason": "why"})
    for check in (True, False):
        result = do(stage, OPERATION, name="fresh", state="absent", check=check)
        assert result["failed"]
        assert result["code"] == "held"
        assert [blocker["uuid"] for blocker in result["blockers"]] == [hold["uuid"]]
    assert stage.held("fresh")


def test_release_holds_releases_them_through_the_normal_checks(stage: Stage) -> None:
    do(stage, OPERATION, **NODE)
    stage.call("POST", "/v1/nodes/fresh/maintenance", {"type": "operator_hold", "reason": "mine"}, who="alice")
    unsaid = do(stage, OPERATION, name="fresh", state="absent", release_holds=True)
    assert unsaid["code"] == "needs_comment"
    checked = do(stage, OPERATION, name="fresh", state="absent", release_holds=True, comment="scrapped", check=True)
    assert (checked["changed"], checked["prediction"]) == (True, "server")
    assert len(stage.held("fresh")) == 1
    assert do(stage, OPERATION, name="fresh", state="absent", release_holds=True, comment="scrapped")["changed"]
    released = stage.call("GET", "/v1/maintenance/history?node=fresh&action=release")["history"]
    assert released[-1]["maintenance"]["comment"] == "scrapped"


def test_release_holds_can_not_do_what_a_release_can_not(stage: Stage) -> None:
    do(stage, OPERATION, **NODE)
    stage.call("POST", "/v1/nodes/fresh/maintenance", {"type": "operator_hold", "reason": "system's"})
    result = do(stage, OPERATION, who="alice", name="fresh", state="absent", release_holds=True, comment="mine now")
    assert result["failed"]
    assert result["code"] == "not_permitted"
    assert len(stage.held("fresh")) == 1


@pytest.mark.parametrize(("options", "words"), [({}, "No node is named"), ({"name": ""}, "empty string"), ({"uuid": " "}, "empty string")])
def test_a_node_without_a_name_is_none(stage: Stage, options: dict[str, t.Any], words: str) -> None:
    assert words in do(stage, OPERATION, **options)["msg"]


def test_nodes_are_read_by_name_in_order_and_by_filter(stage: Stage) -> None:
    names = [f"n{number}" for number in range(25)]
    if not stage.call("GET", "/v1/nodes?fields=name&limit=1000&resource_class=rack")["nodes"]:
        for name in names:
            do(stage, OPERATION, name=name, driver="fake-hardware", resource_class="rack")
    assert [node["name"] for node in do(stage, INFO, nodes=["n3", "n1"])["nodes"]] == ["n3", "n1"]
    assert [node["name"] for node in do(stage, INFO, nodes=names[::-1])["nodes"]] == names[::-1]
    assert do(stage, INFO, nodes=[])["nodes"] == []
    filtered = do(stage, INFO, filters={"resource_class": "rack"}, query="length(@)")
    assert (len(filtered["nodes"]), filtered["query_result"]) == (25, 25)
    assert do(stage, INFO, filters={"maintenance": True})["nodes"] == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "No node is named"),
        ({"node": "no-such-node"}, "no-such-node"),
        ({"node": "n1", "filters": {}}, "leave out"),
        ({"filters": {"limit": 1}}, "limit"),
    ],
)
def test_a_mistake_in_node_info_is_a_sentence(stage: Stage, options: dict[str, t.Any], words: str) -> None:
    result = do(stage, INFO, **options)
    assert result["failed"]
    assert words in result["msg"]
