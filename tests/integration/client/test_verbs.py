# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every verb of the client against a real backend: done, read back, and as a dry run that leaves no trace."""

from __future__ import annotations

import typing as t
import uuid

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client import errors
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api

LABELS: t.Final = {"key": "dc", "ticket": "CHG-2211", "run": "4711"}


def actions(api: Api, node: str) -> list[str]:
    """What the history says was done to a node's entries, oldest first."""
    return [event["maintenance"]["action"] for event in api.node_history(node)]


def test_the_service_describes_itself(api: Api) -> None:
    found = api.service()
    assert found.kind == "extended"
    assert {"dry_run", "fleet", "node_entries", "bulk", "patch", "fault", "types", "fleet_history", "labels"} <= found.extensions


def test_a_hold_is_asserted_listed_changed_and_released(api: Api, node: str) -> None:
    entry = api.assert_entry(node, type="operator_hold", reason="row C", extra={"rack": 7}, **LABELS)
    assert (entry["type"], entry["reason"], entry["extra"], entry["own"]) == ("operator_hold", "row C", {"rack": 7}, True)
    assert {name: entry[name] for name in LABELS} == LABELS
    assert api.list_entries(node) == [entry]
    assert api.get_entry(node, entry["uuid"]) == entry
    changed = api.update_entry(node, entry["uuid"], {"reason": "row D", "ticket": None})
    assert (changed["reason"], changed["ticket"], changed["asserted_at"]) == ("row D", None, entry["asserted_at"])
    api.release_entry(node, entry["uuid"])
    assert api.list_entries(node) == []
    assert actions(api, node) == ["assert", "update", "release"]


def test_a_comment_is_in_the_history(api: Api, node: str) -> None:
    entry = api.assert_entry(node, type="operator_hold")
    api.release_entry(node, entry["uuid"], comment="disk replaced")
    api.assert_entry(node, type="operator_hold")
    api.release_all(node, comment="done")
    comments = [event["maintenance"]["comment"] for event in api.node_history(node)]
    assert comments == [None, "disk replaced", None, "done"]
    assert api.warnings == []


def test_all_holds_of_a_node_are_released_at_once(api: Api, node: str) -> None:
    for kind in ("operator_hold", "hardware_failure"):
        api.assert_entry(node, type=kind)
    api.release_all(node)
    assert api.list_entries(node) == []


def test_a_duplicate_names_the_hold_that_is_there(api: Api, node: str) -> None:
    entry = api.assert_entry(node, type="operator_hold", reason="first")
    with pytest.raises(errors.Refused) as refused:
        api.assert_entry(node, type="operator_hold", reason="second")
    assert (refused.value.status, refused.value.code) == (409, "duplicate")
    assert [blocker["uuid"] for blocker in refused.value.blockers] == [entry["uuid"]]
    assert node in refused.value.msg


@pytest.mark.parametrize("reason", ["a; b: c", "{{ lookup('pipe', 'id') }}", "Zeile 1\nZeile 2 ☃", "x" * 4096, " spaces "])
def test_a_reason_comes_back_as_it_was_given(api: Api, node: str, reason: str) -> None:
    assert api.assert_entry(node, type="operator_hold", reason=reason)["reason"] == reason
    assert api.list_entries(node)[0]["reason"] == reason


def test_the_flag_is_set_and_cleared(api: Api, node: str) -> None:
    api.set_flag(node, "HW_ERR: disk 3")
    read = api.get_node(node, fields=["maintenance", "maintenance_reason"])
    assert (read["maintenance"], read["maintenance_reason"]) == (True, "HW_ERR: disk 3")
    api.clear_flag(node)
    assert api.get_node(node, fields=["maintenance"])["maintenance"] is False


def test_a_fault_is_asserted_and_updated_in_place(api: Api, node: str) -> None:
    entry, created = api.put_fault(node, "power failure", "no answer")
    assert (created, entry["type"], api.get_node(node)["fault"]) == (True, "fault", "power failure")
    again, created = api.put_fault(node, "power failure", "still no answer")
    assert (created, again["uuid"], again["reason"]) == (False, entry["uuid"], "still no answer")


def test_a_node_is_enrolled_read_changed_and_removed(api: Api) -> None:
    ident = str(uuid.uuid4())
    made = api.create_node({"uuid": ident, "name": f"n-{ident}", "owner": "p1", "properties": {"cpus": 4}})
    assert api.get_node(ident) == made
    assert api.patch_node(ident, [{"op": "replace", "path": "/owner", "value": "p2"}])["owner"] == "p2"
    api.delete_node(f"n-{ident}")
    with pytest.raises(errors.Refused) as refused:
        api.get_node(ident)
    assert (refused.value.code, refused.value.node) == ("not_found", ident)


def test_many_nodes_are_held_and_released_by_each_selection(api: Api) -> None:
    run = str(uuid.uuid4())
    names = [api.create_node({"name": f"many-{number}-{run}"})["name"] for number in range(4)]
    results = api.assert_many(names, type="operator_hold", reason="firmware", run=run, ticket="C-1")
    assert [(result["node"], result["status"], result["entry"]["run"]) for result in results] == [(name, 201, run) for name in names]
    uuids = {result["node"]: result["entry"]["uuid"] for result in results}

    assert {row["node_name"] for row in api.fleet_entries({"run": run})} == set(names)
    api.release_many(entries=[uuids[names[0]]], comment="one")
    api.release_many(nodes=[names[1]], type="operator_hold")
    assert [result["status"] for result in api.release_many(nodes=[names[0], names[2]], run=run)] == [204, 204]
    (last,) = api.release_many(run=run)
    assert last["entry"]["uuid"] == uuids[names[3]]
    assert api.fleet_entries({"run": run}) == []
    events = [event["maintenance"]["action"] for event in api.fleet_history({"run": run})]
    assert sorted(events) == ["assert"] * 4 + ["release"] * 4


def test_each_node_stands_for_itself_or_all_for_one(api: Api, node: str) -> None:
    with pytest.raises(errors.Refused) as refused:
        api.assert_many([node, "no-such-node"], type="operator_hold")
    assert (refused.value.code, api.list_entries(node)) == ("not_found", [])
    results = api.assert_many([node, "no-such-node"], type="operator_hold", on_error="continue")
    assert [result["status"] for result in results] == [201, 404]
    assert len(api.list_entries(node)) == 1


def test_types_are_listed(api: Api) -> None:
    assert {row["name"]: row["reserved"] for row in api.types()} == {
        "legacy": True,
        "fault": True,
        "hardware_failure": False,
        "operator_hold": False,
    }


DRY: t.Final[dict[str, t.Callable[[Api, str, str], t.Any]]] = {
    "assert_entry": lambda api, node, _uuid: api.assert_entry(node, type="hardware_failure", dry_run=True),
    "update_entry": lambda api, node, uuid_: api.update_entry(node, uuid_, {"reason": "other"}, dry_run=True),
    "release_entry": lambda api, node, uuid_: api.release_entry(node, uuid_, dry_run=True),
    "release_entry with a comment": lambda api, node, uuid_: api.release_entry(node, uuid_, comment="c", dry_run=True),
    "release_all": lambda api, node, _uuid: api.release_all(node, dry_run=True),
    "release_all with a comment": lambda api, node, _uuid: api.release_all(node, comment="c", dry_run=True),
    "set_flag": lambda api, node, _uuid: api.set_flag(node, "x", dry_run=True),
    "clear_flag": lambda api, node, _uuid: api.clear_flag(node, dry_run=True),
    "put_fault": lambda api, node, _uuid: api.put_fault(node, "power failure", None, dry_run=True),
    "assert_many": lambda api, node, _uuid: api.assert_many([node], type="hardware_failure", dry_run=True),
    "release_many": lambda api, node, _uuid: api.release_many(nodes=[node], type="operator_hold", dry_run=True),
    "create_node": lambda api, node, _uuid: api.create_node({"name": f"{node}-dry"}, dry_run=True),
    "patch_node": lambda api, node, _uuid: api.patch_node(node, [{"op": "add", "path": "/owner", "value": "p"}], dry_run=True),
    "delete_node": lambda api, node, _uuid: api.delete_node(node, dry_run=True),
}


@pytest.mark.parametrize("verb", DRY)
def test_a_dry_run_leaves_no_trace(api: Api, node: str, verb: str) -> None:
    entry = api.assert_entry(node, type="operator_hold", reason="here to stay")

    def state() -> t.Any:
        return api.get_node(node), api.list_entries(node), api.node_history(node), len(api.iter_nodes(fields=["uuid"]))

    before = state()
    DRY[verb](api, node, entry["uuid"])
    assert state() == before


def test_a_dry_run_is_refused_as_the_real_one_would_be(api: Api, node: str) -> None:
    api.assert_entry(node, type="operator_hold")
    with pytest.raises(errors.Refused) as refused:
        api.assert_entry(node, type="operator_hold", dry_run=True)
    assert (refused.value.code, len(refused.value.blockers)) == ("duplicate", 1)
    with pytest.raises(errors.Refused, match="no_such_type") as refused:
        api.assert_entry(node, type="no_such_type", dry_run=True)
    assert refused.value.code == "unknown_type"


@pytest.mark.parametrize(
    ("deed", "code"),
    [
        (lambda api, node: api.assert_entry("no-such-node", type="operator_hold"), "not_found"),
        (lambda api, node: api.assert_entry(node, type="no_such_type"), "unknown_type"),
        (lambda api, node: api.assert_entry(node, type="legacy"), "reserved_type"),
        (lambda api, node: api.assert_entry(node, type="operator_hold", reason="a\0b"), "invalid"),
        (lambda api, node: api.assert_entry(node, type="operator_hold", reason="a\ud800b"), "invalid"),
        (lambda api, node: api.assert_entry(node, type="operator_hold", extra={"a": "x" * 70_000}), "invalid"),
        (lambda api, node: api.assert_entry(node, type="operator_hold", reason="x" * 2_000_000), "invalid"),
        (lambda api, node: api.release_entry(node, "no-such-entry"), "not_found"),
        (lambda api, node: api.release_entry(node, "no-such-entry", comment="c"), "not_found"),
        (lambda api, node: api.fleet_entries({"no_such_filter": 1}), "invalid"),
        (lambda api, node: api.create_node({"name": node}), "duplicate"),
        (lambda api, node: api.create_node({"driver_info": {"ipmi_password": "x"}}), "invalid"),
    ],
)
def test_what_is_wrong_is_refused_in_one_sentence(api: Api, node: str, deed: t.Callable[[Api, str], t.Any], code: str) -> None:
    with pytest.raises(errors.Refused) as refused:
        deed(api, node)
    assert refused.value.code == code
    assert "\n" not in refused.value.msg
    assert api.list_entries(node) == []
