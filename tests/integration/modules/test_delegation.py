# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A task that is delegated to another machine runs there as a module, with every option resolved on the controller."""

from __future__ import annotations

import pathlib
import typing as t

import pytest

from .running import Stage, password

HOLD: t.Final = {"type": "operator_hold", "reason": "why"}

#: Where a task runs, and the keywords that say so.
PLACES: t.Final[dict[str, dict[str, str]]] = {"here": {}, "elsewhere": {"delegate_to": "elsewhere"}}


@pytest.fixture(scope="module", autouse=True)
def nodes(stage: Stage) -> None:
    stage.enrol("node1")


@pytest.fixture(autouse=True)
def free(stage: Stage) -> t.Iterator[None]:
    yield
    stage.call("DELETE", "/v1/nodes/node1/maintenance")


def hold(name: str, /, **options: t.Any) -> dict[str, t.Any]:
    return {"name": name, "baremetal.maintenance.hold": {**HOLD, **options}}


def test_elsewhere_it_runs_as_a_module_about_the_hosts_own_node(stage: Stage) -> None:
    ran = stage.play([{**hold("hold"), "delegate_to": "elsewhere"}], arguments="-vvv")
    assert ran.status == 0, ran.output
    assert ran.of("hold")["nodes_result"][0]["node"] == "node1"
    assert "EXEC" in ran.output
    assert len(stage.held("node1")) == 1


def test_delegated_to_a_local_connection_it_stays_in_the_process(stage: Stage) -> None:
    ran = stage.play([{**hold("hold"), "delegate_to": "localhost"}], arguments="-vvv")
    assert ran.status == 0, ran.output
    assert "EXEC" not in ran.output
    assert len(stage.held("node1")) == 1


def test_the_login_of_the_controllers_environment_goes_along_but_not_in_a_command_line(stage: Stage) -> None:
    environment = {"BAREMETAL_MAINTENANCE_PASSWORD": password("night"), "LANG": "C"}
    ran = stage.play([{**hold("hold"), "delegate_to": "elsewhere", "environment": environment}], who="night", arguments="-vvvvv")
    assert ran.status == 0, ran.output
    assert stage.held("node1")[0]["asserted_by"] == "night-id"
    assert password("night") not in ran.output
    assert "LANG=C" in ran.output


def test_files_are_refused_elsewhere_unless_they_are_meant(stage: Stage, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "ca.pem"
    file.write_text("", encoding="utf-8")
    tasks = [
        {**hold("refused", ca_path=str(file)), "delegate_to": "elsewhere", "ignore_errors": True},
        {**hold("meant", ca_path=str(file), remote_files=True), "delegate_to": "elsewhere"},
        hold("here", ca_path=str(file)),
    ]
    ran = stage.play(tasks)
    assert ran.status == 0, ran.output
    assert "remote_files: true" in ran.of("refused")["msg"]
    assert "`ca_path`" in ran.of("refused")["msg"]
    assert ran.of("meant")["changed"]
    assert not ran.of("here")["changed"]


def test_an_option_comes_from_the_argument_then_module_defaults_then_task_environment_then_the_controllers(stage: Stage) -> None:
    def login(who: str) -> dict[str, str]:
        return {"username": who, "password": password(who)}

    def environment(who: str) -> dict[str, str]:
        return {f"BAREMETAL_MAINTENANCE_{name.upper()}": value for name, value in login(who).items()}

    defaults = {"module_defaults": {"group/baremetal.maintenance.api": login("night")}}
    task = {"environment": environment("lee")}
    tasks: list[dict[str, t.Any]] = []
    for where, keywords in PLACES.items():
        tasks += [
            {**hold(f"argument {where}", key=f"argument {where}", **login("watch")), **defaults, **task, **keywords},
            {**hold(f"module defaults {where}", key=f"defaults {where}"), **defaults, **task, **keywords},
            {**hold(f"task environment {where}", key=f"task {where}"), **task, **keywords},
            {**hold(f"controller environment {where}", key=f"controller {where}"), **keywords},
        ]
    ran = stage.play(tasks, who="alice")
    assert ran.status == 0, ran.output
    expected = {"argument": "watch-id", "module defaults": "night-id", "task environment": "lee-id", "controller environment": "alice-id"}
    assert {name: result["node1"]["entry"]["asserted_by"] for name, result in ran.results.items()} == {
        f"{source} {where}": who for source, who in expected.items() for where in PLACES
    }


def test_a_refusal_elsewhere_has_the_same_fields_as_here(stage: Stage) -> None:
    stage.call("POST", "/v1/nodes/node1/maintenance", {"type": "hardware_failure", "reason": "why"})
    gone = {"baremetal.maintenance.hold": {"state": "absent", "all": True, "comment": "mine"}, "ignore_errors": True}
    ran = stage.play([{"name": where, **gone, **keywords} for where, keywords in PLACES.items()], who="lee")
    assert ran.of("here")["blockers"]
    assert_same(ran.of("elsewhere"), ran.of("here"))


def test_what_is_read_elsewhere_is_what_is_read_here(stage: Stage) -> None:
    stage.call("POST", "/v1/nodes/node1/maintenance", {"type": "hardware_failure", "reason": "why"})
    reading = {"hold_info": {"query": "[].type"}, "node_info": {"filters": {"maintenance": True}}, "history_info": {}}
    ran = stage.play(
        [
            {"name": f"{module} {where}", f"baremetal.maintenance.{module}": options, **keywords}
            for module, options in reading.items()
            for where, keywords in PLACES.items()
        ]
    )
    for module in reading:
        here = ran.of(f"{module} here")
        assert not here["failed"]
        assert_same(ran.of(f"{module} elsewhere"), here)


def assert_same(elsewhere: dict[str, t.Any], here: dict[str, t.Any]) -> None:
    """Compare two results, but for what Ansible adds of the delegation."""
    assert {name: value for name, value in elsewhere.items() if not name.startswith("_ansible")} == here
