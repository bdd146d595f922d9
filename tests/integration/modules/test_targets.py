# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which node a task means: its host's own unless it says another, and never one by accident."""

from __future__ import annotations

import typing as t

import pytest

from .examples import MODULES
from .running import Stage

HOLD: t.Final = {"type": "operator_hold", "reason": "why"}
GONE: t.Final = {"state": "absent", "all": True}

#: Options that a module can't do without.
NEEDED: t.Final = {"hold": HOLD, "node_fault": {"state": "absent"}}


@pytest.fixture(scope="module", autouse=True)
def nodes(stage: Stage) -> None:
    stage.enrol("node1", "node2", "node3")


@pytest.fixture(autouse=True)
def free(stage: Stage) -> t.Iterator[None]:
    yield
    for name in ("node1", "node2", "node3"):
        stage.call("DELETE", f"/v1/nodes/{name}/maintenance")


def task(name: str, module: str = "hold", /, **options: t.Any) -> dict[str, t.Any]:
    return {"name": name, f"baremetal.maintenance.{module}": options}


def test_the_hosts_own_node_is_named_by_its_variables_which_may_be_templates(stage: Stage) -> None:
    uuid = stage.call("GET", "/v1/nodes/node2")["uuid"]
    hosts = {
        "a": {"baremetal_node": "node{{ number }}", "number": 1},
        "b": {"baremetal_node_uuid": uuid},
        "c": {"baremetal_node": "node3", "baremetal_node_uuid": uuid},
    }
    ran = stage.play([task("hold", **HOLD)], hosts=hosts)
    assert ran.status == 0, ran.output
    named = {host: result["nodes_result"][0]["node"] for host, result in ran.results["hold"].items()}
    assert named == {"a": "node1", "b": uuid, "c": "node3"}
    assert all(len(stage.held(name)) == 1 for name in ("node1", "node2", "node3"))


def test_a_host_that_names_no_node_is_told_what_to_write(stage: Stage) -> None:
    ran = stage.play([{**task(module, module, **NEEDED.get(module, {})), "ignore_errors": True} for module in MODULES], hosts={"node1": {}})
    for module in MODULES:
        option = "name" if module == "node" else "node"
        assert ran.of(module)["failed"], module
        assert f'write {option}: "{{{{ inventory_hostname }}}}"' in ran.of(module)["msg"]
        assert ran.of(module)["code"] == "option"
    assert stage.held("node1") == []


def test_what_the_message_says_to_write_works(stage: Stage) -> None:
    ran = stage.play([task("hold", node="{{ inventory_hostname }}", **HOLD)], hosts={"node1": {}})
    assert ran.status == 0, ran.output
    assert len(stage.held("node1")) == 1


def test_run_once_needs_a_node_in_words(stage: Stage) -> None:
    tasks = [{**task(module, module, **NEEDED.get(module, {})), "run_once": True, "ignore_errors": True} for module in MODULES]
    ran = stage.play(tasks)
    for module in MODULES:
        assert ran.of(module)["failed"], module
        assert "run_once" in ran.of(module)["msg"], module
    assert stage.held("node1") == []


def test_run_once_with_nodes_holds_them_with_one_task(stage: Stage) -> None:
    ran = stage.play([{**task("hold", nodes=["node1", "node3"], **HOLD), "run_once": True}])
    assert ran.status == 0, ran.output
    assert [row["node"] for row in ran.of("hold")["nodes_result"]] == ["node1", "node3"]


def test_null_and_empty_names_hold_nothing(stage: Stage) -> None:
    ran = stage.play(
        [
            {**task("null node", node="{{ none }}", **HOLD), "ignore_errors": True},
            {**task("empty node", node="", **HOLD), "ignore_errors": True},
            {**task("empty name among nodes", nodes=["node2", ""], **HOLD), "ignore_errors": True},
            task("no nodes", nodes=[], **HOLD),
            task("no nodes to release", nodes=[], **GONE),
        ]
    )
    for name in ("null node", "empty node", "empty name among nodes"):
        assert ran.of(name)["failed"], name
        assert "Nothing was done" in ran.of(name)["msg"], name
    for name in ("no nodes", "no nodes to release"):
        assert (ran.of(name)["changed"], ran.of(name)["nodes_result"]) == (False, []), name
    assert all(stage.held(name) == [] for name in ("node1", "node2", "node3"))


def test_node_and_nodes_exclude_each_other(stage: Stage) -> None:
    ran = stage.play([task("hold", node="node1", nodes=["node2"], **HOLD)])
    assert ran.status == 2
    assert ran.of("hold")["msg"].startswith("baremetal.maintenance.hold: ")
    assert "mutually exclusive" in ran.of("hold")["msg"]
    assert stage.held("node1") == []


def test_a_wrong_option_names_the_module_and_the_option(stage: Stage) -> None:
    wrong = {"resaon": {"resaon": "why"}, "gone": {"state": "gone"}, "extra": {"extra": "[]"}}
    tasks = [task(word, **HOLD, **options) for word, options in wrong.items()] + [task("type", reason="why")]
    ran = stage.play([{**act, "ignore_errors": True} for act in tasks])
    for word in (*wrong, "type"):
        assert ran.of(word)["failed"]
        assert ran.of(word)["msg"].startswith("baremetal.maintenance.hold: ")
        assert word in ran.of(word)["msg"]
    assert "Traceback" not in ran.output


def test_a_task_in_the_background_is_refused(stage: Stage) -> None:
    ran = stage.play([{**task("hold", **HOLD), "async": 10, "poll": 1}])
    assert ran.status == 2
    assert "does not support async" in ran.of("hold")["msg"]
    assert stage.held("node1") == []


def test_hosts_that_do_not_exist_are_held_without_any_connection_and_with_one_question_about_versions(stage: Stage) -> None:
    names = [f"ghost{number}" for number in range(12)]
    stage.enrol(*names)
    before = len(stage.requests())
    hosts = {name: {"baremetal_node": name, "ansible_host": f"{name}.invalid"} for name in names}
    ran = stage.play([task("hold", **HOLD)], hosts=hosts, arguments="-vvv --forks 4")
    asked = stage.requests()[before:-1]
    assert ran.status == 0, ran.output
    assert sorted(asked) == ["GET /v1", *sorted(f"POST /v1/nodes/{name}/maintenance" for name in names)]
    assert "ESTABLISH" not in ran.output
    assert "EXEC" not in ran.output
    assert all(len(stage.held(name)) == 1 for name in names)


def test_the_job_of_awx_is_the_run_unless_the_task_says_otherwise(stage: Stage) -> None:
    hosts = {"node1": {"baremetal_node": "node1", "awx_job_id": 4711}}
    ran = stage.play(
        [
            task("by job", **HOLD),
            task("by hand", **HOLD, key="hand", run="mine"),
            task("by nobody", **HOLD, key="nobody", run=""),
            {**task("by an older tower", **HOLD, key="tower"), "vars": {"awx_job_id": "", "tower_job_id": 12}},
            {**task("by environment", **HOLD, key="env"), "vars": {"awx_job_id": ""}, "environment": {"AWX_JOB_ID": "99"}},
            {**task("another job's", state="absent", type="operator_hold"), "vars": {"awx_job_id": 4712}, "ignore_errors": True},
            task("all, whatever the job", **GONE),
        ],
        hosts=hosts,
    )
    assert ran.status == 0, ran.output
    runs = [ran.of(f"by {who}")["entry"]["run"] for who in ("job", "hand", "nobody", "an older tower", "environment")]
    assert runs == ["4711", "mine", None, "12", "99"]
    assert ran.of("another job's")["code"] == "other_run"
    assert "run: 4711" in ran.of("another job's")["msg"]
    assert len(ran.of("all, whatever the job")["nodes_result"]) == 5
