# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Create, again, change, again, delete, again, each in check mode and for real, as action and as module.

After each step the service is read past the collection.
"""

from __future__ import annotations

import dataclasses
import json
import re
import typing as t

import pytest

from .running import Stage, basic

Options = dict[str, t.Any]


@dataclasses.dataclass(frozen=True)
class Case:
    """What a state module is told to create, to change and to delete; where to read what is there, and what of that counts."""

    module: str
    create: Options
    change: Options
    delete: Options
    path: str
    read: t.Callable[[t.Any], t.Any]
    after_create: t.Any
    after_change: t.Any
    after_delete: t.Any
    who: str = "op"


def _entries(*members: str) -> t.Callable[[t.Any], t.Any]:
    def read(answer: t.Any) -> t.Any:
        return [{name: entry[name] for name in members} for entry in answer["maintenance"]]

    return read


def _node(answer: t.Any) -> t.Any:
    return [[node["owner"], node["properties"]] for node in answer["nodes"] if node["name"] == "fresh"]


ENTRIES: t.Final = "/v1/nodes/node1/maintenance"

CASES: t.Final = (
    Case(
        module="hold",
        create={
            "type": "operator_hold",
            "reason": "Row C {{ '{{' }} power }} ✂\nwork",
            "ticket": "CHG-1",
            "extra": {"rack": "{{ 1 + 2 }}"},
        },
        change={"type": "operator_hold", "reason": "Row D"},
        delete={"state": "absent", "type": "operator_hold"},
        path=ENTRIES,
        read=_entries("type", "reason", "ticket", "extra"),
        after_create=[{"type": "operator_hold", "reason": "Row C {{ power }} ✂\nwork", "ticket": "CHG-1", "extra": {"rack": 3}}],
        after_change=[{"type": "operator_hold", "reason": "Row D", "ticket": "CHG-1", "extra": {"rack": 3}}],
        after_delete=[],
    ),
    Case(
        module="maintenance_flag",
        create={"reason": "rebalancing rack"},
        change={"reason": "other"},
        delete={"state": "absent"},
        path=ENTRIES,
        read=_entries("type", "reason"),
        after_create=[{"type": "legacy", "reason": "rebalancing rack"}],
        after_change=[{"type": "legacy", "reason": "other"}],
        after_delete=[],
    ),
    Case(
        module="node_fault",
        create={"fault": "power failure", "reason": "No answer"},
        change={"fault": "clean failure", "reason": "Disk stuck"},
        delete={"state": "absent"},
        path=ENTRIES,
        read=_entries("type", "reason", "extra"),
        after_create=[{"type": "fault", "reason": "No answer", "extra": {"fault": "power failure"}}],
        after_change=[{"type": "fault", "reason": "Disk stuck", "extra": {"fault": "clean failure"}}],
        after_delete=[],
        who="watch",
    ),
    Case(
        module="node",
        create={"name": "fresh", "driver": "fake-hardware", "owner": "p-owner", "properties": {"cpus": 64, "arch": "x86_64"}},
        change={"name": "fresh", "owner": "", "properties": {"cpus": 128}},
        delete={"name": "fresh", "state": "absent"},
        path="/v1/nodes?fields=name,owner,properties",
        read=_node,
        after_create=[["p-owner", {"cpus": 64, "arch": "x86_64"}]],
        after_change=[[None, {"cpus": 128, "arch": "x86_64"}]],
        after_delete=[],
    ),
)

STEPS: t.Final = ("create", "create again", "change", "change again", "delete", "delete again")


def _tasks(case: Case, url: str, keywords: t.Mapping[str, t.Any]) -> list[dict[str, t.Any]]:
    tasks: list[dict[str, t.Any]] = []
    headers = {"X-OpenStack-Ironic-API-Version": "1.116", "Authorization": f"Basic {basic('op')}"}
    for step in STEPS:
        options = getattr(case, step.split()[0])
        for check in (True, False):
            name = f"{step}, checked" if check else step
            act = {"name": name, f"baremetal.maintenance.{case.module}": options, "check_mode": check, "diff": True, **keywords}
            read = "{{ lookup('ansible.builtin.url', url, split_lines=false, headers=headers) }}"
            variables = {"url": url + case.path, "headers": headers}
            tasks += [act, {"name": f"read after {name}", "ansible.builtin.debug": {"msg": read}, "vars": variables}]
    return tasks


def _without_identity(result: t.Mapping[str, t.Any]) -> t.Any:
    """Take out of a result what no two runs have in common, and what Ansible says of the delegation."""
    text = json.dumps({name: value for name, value in result.items() if not name.startswith("_ansible")}, sort_keys=True)
    text = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID", text)
    return json.loads(re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(\+00:00)?", "TIME", text))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.module)
def test_twelve_steps_as_action_and_as_module_with_equal_results(stage: Stage, case: Case) -> None:
    if case.module == CASES[0].module:
        stage.enrol("node1")
    by: dict[str, dict[str, t.Any]] = {}
    for way, keywords in (("action", {}), ("module", {"delegate_to": "elsewhere"})):
        ran = stage.play(_tasks(case, stage.backend.url, keywords), who=case.who)
        assert ran.status == 0, ran.output
        expected = case.after_delete
        for step in STEPS:
            for name in (f"{step}, checked", step):
                result = ran.of(name)
                assert result["changed"] is ("again" not in step), (way, name, result)
                assert result.get("prediction") == ("server" if "checked" in name else None), (way, name)
                if "checked" not in name and "again" not in step:
                    expected = getattr(case, f"after_{step}")
                assert case.read(json.loads(ran.of(f"read after {name}")["msg"])) == expected, (way, name)
                if "again" not in step:
                    [diff] = result["diff"]
                    assert diff["before_header"] == diff["after_header"]
                    assert diff["before"] != diff["after"]
        by[way] = {name: _without_identity(ran.of(name)) for name in ran.results if not name.startswith("read")}
    assert by["action"] == by["module"]
