# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A failure is one clear sentence with fields, and no traceback."""

from __future__ import annotations

import typing as t

import pytest

from tests.support.backend import free_port

from .running import Stage

HOLD: t.Final = {"type": "operator_hold", "reason": "why"}


@pytest.fixture(scope="module", autouse=True)
def nodes(stage: Stage) -> None:
    stage.enrol("node1", "node2")


def test_bad_input_is_refused_in_one_sentence_and_nothing_is_written(stage: Stage) -> None:
    bad = {
        "unknown node": {"node": "no-such-node"},
        "unknown type": {"type": "no_such_type"},
        "reserved type": {"type": "fault"},
        "empty reason": {"reason": ""},
        "huge reason": {"reason": "x" * 5000},
        "reason with NUL": {"reason": "a\0b"},
        "node with a slash": {"node": "node1/maintenance"},
        "huge extra": {"extra": {"x": "y" * 70000}},
        "wrong url": {"api_url": "node1"},
        "nobody listens": {"api_url": f"http://127.0.0.1:{free_port()}", "retries": 0},
        "wrong password": {"password": "wrong"},
    }
    tasks = [{"name": name, "baremetal.maintenance.hold": {**HOLD, **options}, "ignore_errors": True} for name, options in bad.items()]
    ran = stage.play(tasks)
    assert ran.status == 0, ran.output
    for name in bad:
        result = ran.of(name)
        assert result["failed"], name
        assert not result["changed"]
        assert "\n" not in result["msg"]
        assert len(result["msg"]) > 20
        assert result["code"], name
        assert result["blockers"] == []
    assert "Traceback" not in ran.output
    assert stage.held("node1") == []


def test_strange_reasons_are_stored_as_they_are_and_never_interpreted(stage: Stage) -> None:
    reasons = {"emoji": "⚡🔥", "newlines": "a\nb\r\n\tc", "quotes": "\"'`$(id)", "template": "{{ '{{' }} lookup('pipe', 'id') }}"}
    tasks = []
    for key, reason in reasons.items():
        tasks.append({"name": key, "baremetal.maintenance.hold": {**HOLD, "key": key, "reason": reason}, "register": f"r_{key}"})
        tasks.append({"name": f"said {key}", "ansible.builtin.debug": {"msg": f"{{{{ r_{key}.entry.reason }}}}"}})
    ran = stage.play(tasks)
    assert ran.status == 0, ran.output
    stored = {entry["key"]: entry["reason"] for entry in stage.held("node1")}
    expected = {**reasons, "template": "{{ lookup('pipe', 'id') }}"}
    assert stored == expected
    assert {key: ran.of(f"said {key}")["msg"] for key in reasons} == expected
    stage.call("DELETE", "/v1/nodes/node1/maintenance")


def test_a_refusal_names_its_blockers_and_nothing_is_released(stage: Stage) -> None:
    system = stage.call("POST", "/v1/nodes/node1/maintenance", {"type": "hardware_failure", "reason": "disk"})
    own = stage.call("POST", "/v1/nodes/node1/maintenance", {"type": "operator_hold", "reason": "mine"}, who="lee")
    ran = stage.play(
        [
            {"name": "all", "baremetal.maintenance.hold": {"state": "absent", "all": True, "comment": "done"}, "ignore_errors": True},
            {"name": "flag", "baremetal.maintenance.maintenance_flag": {"state": "absent"}, "ignore_errors": True},
            {"name": "checked", "baremetal.maintenance.maintenance_flag": {"state": "absent"}, "check_mode": True, "ignore_errors": True},
            {"name": "own", "baremetal.maintenance.hold": {"state": "absent", "type": "operator_hold"}},
        ],
        who="lee",
    )
    assert ran.status == 0, ran.output
    for name in ("all", "flag", "checked"):
        result = ran.of(name)
        assert result["failed"]
        assert result["code"] == "not_permitted"
        [blocker] = result["blockers"]
        assert blocker["uuid"] == system["uuid"]
        assert set(blocker) == {"uuid", "type", "scope", "project", "why", "who_can"}
        assert blocker["project"] is None
        refused = f"Cannot release maintenance entry {system['uuid']} (type hardware_failure, scope system)"
        assert f"{refused}: not permitted at lessee scope" in result["msg"]
    assert ran.of("own")["entry"]["uuid"] == own["uuid"]
    assert [entry["uuid"] for entry in stage.held("node1")] == [system["uuid"]]
    stage.call("DELETE", "/v1/nodes/node1/maintenance")


def test_many_nodes_stop_and_continue(stage: Stage) -> None:
    many = {"nodes": ["node1", "no-such-node", "node2"]}
    ran = stage.play(
        [
            {"name": "stop", "baremetal.maintenance.hold": {**HOLD, **many}, "ignore_errors": True},
            {"name": "stop, checked", "baremetal.maintenance.hold": {**HOLD, **many}, "ignore_errors": True, "check_mode": True},
            {"name": "continue", "baremetal.maintenance.hold": {**HOLD, **many, "on_error": "continue"}, "ignore_errors": True},
            {"name": "release", "baremetal.maintenance.hold": {"state": "absent", "type": "operator_hold", "nodes": ["node1", "node2"]}},
            {"name": "and again", "baremetal.maintenance.hold": {"state": "absent", "type": "operator_hold", "nodes": ["node1", "node2"]}},
        ],
    )
    assert ran.status == 0, ran.output
    for name in ("stop", "stop, checked"):
        assert ran.of(name)["failed"]
        assert not ran.of(name)["changed"]
        assert "no-such-node" in ran.of(name)["msg"]
    result = ran.of("continue")
    assert (result["failed"], result["changed"]) == (True, True)
    assert [(row["node"], row["changed"], row["failed"]) for row in result["nodes_result"]] == [
        ("node1", True, False),
        ("no-such-node", False, True),
        ("node2", True, False),
    ]
    assert [row["changed"] for row in ran.of("release")["nodes_result"]] == [True, True]
    assert not ran.of("and again")["changed"]
