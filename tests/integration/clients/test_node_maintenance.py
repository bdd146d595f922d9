# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`baremetal node maintenance add`, `list` and `remove` on a real backend."""

from __future__ import annotations

from ansible_collections.baremetal.maintenance.tests.support.backend import Backend
from ansible_collections.baremetal.maintenance.tests.support.talking import Talk

from .conftest import Party

REASON = "Disk 3 has bad sectors, scheduled for replacement, see ticket https://myjira/CIDTEAM-3743"


def test_a_hold_is_added_listed_and_removed_by_both_commands(party: Party, program: str) -> None:
    party.commands.program = program
    labels = ("--ticket", "CIDTEAM-3743", "--run", "job-7", "--key", "disk-3", "--extra", "slot=3", "--extra", "serial=S3Z")
    added = party("owner").json(f"node maintenance add {party.node} --type hardware_failure --reason '{REASON}'", *labels)
    assert (added["type"], added["reason"], added["scope"]) == ("hardware_failure", REASON, "owner")
    assert (added["ticket"], added["run"], added["key"], added["extra"]) == (
        "CIDTEAM-3743",
        "job-7",
        "disk-3",
        {"slot": 3, "serial": "S3Z"},
    )
    party("admin").good(f"node maintenance add {party.node} --type operator_hold --reason 'Row C power work'")
    listed = party("admin").json(f"node maintenance list {party.node}")
    assert [(row["Type"], row["Reason"], row["Scope"]) for row in listed] == [
        ("hardware_failure", REASON, "owner"),
        ("operator_hold", "Row C power work", "system"),
    ]
    assert listed[0]["UUID"] == added["uuid"]
    assert (listed[0]["Held By"], listed[0]["Held By Name"], listed[0]["Project"]) == ("id-of-owner", "name-of-owner", "project-owner")
    assert party("owner").good(f"node maintenance remove {party.node} {added['uuid']}") == (
        f"Released hold {added['uuid']} of node {party.node}\n"
    )
    assert [row["Type"] for row in party("admin").json(f"node maintenance list {party.node}")] == ["operator_hold"]
    assert party("admin").good(f"node maintenance remove {party.node} --all") == f"Released every hold of node {party.node}\n"
    assert party("admin").json(f"node maintenance list {party.node}") == []


def test_set_and_unset_go_on_working_beside_them(party: Party) -> None:
    party.add("owner", "--type", "hardware_failure", "--reason", "disk 3")
    assert party("owner").good(f"node maintenance set {party.node} --reason 'rebalancing rack'") == ""
    shown = party("owner").json(f"node show {party.node}")
    assert (shown["maintenance"], shown["maintenance_reason"]) == (True, "hardware_failure: disk 3; legacy: rebalancing rack")
    assert [row["Type"] for row in party("owner").json(f"node maintenance list {party.node}")] == ["hardware_failure", "legacy"]
    assert party("owner").good(f"node maintenance unset {party.node}") == ""
    assert party("owner").json(f"node show {party.node}")["maintenance"] is False


def test_a_duplicate_is_refused_naming_the_hold_that_is_there(party: Party) -> None:
    uuid = party.add("owner", "--type", "hardware_failure")
    sentence = party("owner").refused(f"node maintenance add {party.node} --type hardware_failure")
    assert sentence.startswith(f"Cannot assert hardware_failure on node {party.node}: the active entry {uuid} is the same hold")


def test_a_refused_release_names_each_blocker_and_who_can_lift_it(party: Party) -> None:
    system = party.add("operator", "--type", "operator_hold", "--reason", "power work")
    own = party.add("owner", "--type", "hardware_failure")
    sentence = party("owner").refused(f"node maintenance remove {party.node} --all")
    assert f"Cannot release maintenance entry {system} (type operator_hold, scope system): not permitted at owner scope" in sentence
    assert "who can: a system operator" in sentence
    assert own not in sentence
    assert len(party("owner").json(f"node maintenance list {party.node}")) == 2


def test_the_beginning_of_a_uuid_that_a_table_shows_is_enough(party: Party) -> None:
    uuid = party.add("owner", "--type", "hardware_failure")
    assert f"| {uuid[:8]} |" in party("owner").good(f"node maintenance list {party.node}")
    for wrong, why in ((uuid[:7], "at least the first 8 characters"), ("ffffffff", "no such hold"), ("", "at least the first 8")):
        assert why in party("owner").refused(f"node maintenance remove {party.node}", wrong)
    party("owner").good(f"node maintenance remove {party.node} {uuid[:8]}")
    assert party("owner").json(f"node maintenance list {party.node}") == []


def test_a_comment_is_recorded_and_only_a_hold_of_this_node_is_released(party: Party, backend: Backend) -> None:
    uuid = party.add("owner", "--type", "hardware_failure")
    second = party.add("owner", "--type", "operator_hold")
    other = party("admin").json("node create --driver redfish --owner project-owner")["uuid"]
    assert "the node has no hold of this uuid" in party("owner").refused(f"node maintenance remove {other} {uuid} --comment x")
    party("owner").good(f"node maintenance remove {party.node} {uuid} --comment 'disk replaced'")
    party("owner").good(f"node maintenance remove {party.node} --all --comment 'all done'")
    events = party("owner").json(f"maintenance history {party.node}")
    assert [(event["What"], event["Hold"], event["Comment"]) for event in events[2:]] == [
        ("release", uuid, "disk replaced"),
        ("release", second, "all done"),
    ]


def test_wrong_words_are_told_in_one_sentence(party: Party, backend: Backend) -> None:
    node = party.node
    assert "Node nope could not be found" in party("owner").refused("node maintenance list nope")
    assert "known types are hardware_failure, operator_hold" in party("owner").refused(f"node maintenance add {node} --type disk")
    assert "--ticket is empty" in party("owner").refused(f"node maintenance add {node} --type operator_hold", "--ticket", "")
    assert "such as serial=ABC123" in party("owner").refused(f"node maintenance add {node} --type operator_hold --extra slot")
    assert "cannot be a node" in party("owner").refused("node maintenance remove ../nodes abcdefgh")
    for line in (f"node maintenance remove {node}", f"node maintenance remove {node} abc --all", f"node maintenance add {node}"):
        status, _out, err = party("owner")(line)
        assert status == 2
        assert "Traceback" not in err
    party.commands.url = "http://127.0.0.1:1"
    assert "no answer from http://127.0.0.1:1 ([Errno 111] Connection refused)" in party("owner").refused(f"node maintenance list {node}")
    party.commands.url = backend.url
    party.commands.login = "nobody"
    assert "Incorrect username or password" in party.commands.refused(f"node maintenance list {node}")


def test_what_moves_a_cursor_does_not_reach_the_terminal_and_programs_get_it_whole(party: Party, backend: Backend) -> None:
    reason = "one\ttwo\nthree \x1b[31mred\x1b[0m \u202eright to left 機器故障"
    answer = Talk(backend)("admin", "POST", f"/nodes/{party.node}/maintenance", {"type": "operator_hold", "reason": reason})
    assert answer.status_code == 201
    for line in ("node maintenance list", "maintenance why", "maintenance history"):
        shown = party("admin").good(f"{line} {party.node}")
        assert not {"\x1b", "\u202e", "\t"} & set(shown)
    assert party("admin").json(f"node maintenance list {party.node}")[0]["Reason"] == reason
