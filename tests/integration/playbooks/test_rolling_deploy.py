# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""rolling_deploy: held nodes are left out, what verified is released, what failed stays held."""

from __future__ import annotations

import re
import typing as t

import pytest

from .fleet import TASKS, Fleet


@pytest.mark.parametrize("fleet", [12], indirect=True)
def test_exactly_the_right_seven_are_deployed_and_released(fleet: Fleet) -> None:
    names = fleet.names
    others = {
        names[1]: fleet.hold("night", names[1], key="row-c"),
        names[4]: fleet.hold("alice", names[4]),
        names[7]: fleet.hold("night", names[7], key="row-c"),
    }
    unreachable, sick = names[5], names[9]
    fleet.lose(unreachable)
    fleet.site.inventory(fleet.hosts)
    ran = fleet.site.play("rolling_deploy", variables=fleet.variables(sick=[sick], max_failures=5, batch=4, run="r-7"))
    well = set(names) - set(others) - {unreachable, sick}
    assert len(well) == 7
    assert ran.status != 0, ran.output
    assert fleet.deployed == well | {sick}, ran.output
    held = fleet.held()
    assert set(held) == set(others) | {unreachable, sick}
    assert {name: held[name] for name in others} == {name: [uuid] for name, uuid in others.items()}
    for name in (unreachable, sick):
        assert [entry["run"] for entry in fleet.site.holds(name)] == ["r-7"]
    report = dict(re.findall(r'^ +"(\S+) +(.*)",?$', ran.output, re.MULTILINE))
    for name in names:
        word = "skipped" if name in others else "unreachable" if name == unreachable else "failed" if name == sick else "deployed"
        assert report[name].startswith(word), ran.output
    assert "not yours" in report[names[1]]


def test_more_failures_than_allowed_start_no_further_batch(fleet: Fleet) -> None:
    fleet.site.inventory(fleet.hosts)
    ran = fleet.site.play("rolling_deploy", variables=fleet.variables(sick=fleet.names[:2], max_failures=1, batch=2))
    assert ran.status != 0, ran.output
    assert fleet.deployed == set(fleet.names[:2])
    assert set(fleet.held()) == set(fleet.names[:2])
    assert ran.output.count("too many nodes before it failed") >= 2


def test_a_failed_node_is_let_go_where_that_is_asked(fleet: Fleet) -> None:
    fleet.site.inventory(fleet.hosts)
    variables = fleet.variables(sick=fleet.names[:1], on_failure="release", batch="4")
    ran = fleet.site.play("rolling_deploy", variables=variables)
    assert ran.status != 0, ran.output
    assert fleet.held() == {}


def test_what_verified_but_could_not_be_released_is_released_in_the_end_and_counts_as_deployed(fleet: Fleet) -> None:
    fleet.site.inventory(fleet.hosts)
    variables = fleet.variables(verify_tasks=str(TASKS / "verify_and_lose_the_uuid.yml"), sick=fleet.names[:1], batch=4)
    ran = fleet.site.play("rolling_deploy", variables=variables)
    assert ran.status == 0, ran.output
    assert fleet.held() == {}
    assert "[held by this run]" not in ran.output


def test_a_wholly_unreachable_batch_is_reported_too(fleet: Fleet) -> None:
    for name in fleet.names[:2]:
        fleet.lose(name)
    fleet.site.inventory(fleet.hosts)
    ran = fleet.site.play("rolling_deploy", variables=fleet.variables(batch=2, max_failures="10"))
    assert ran.status != 0, ran.output
    assert fleet.deployed == set(fleet.names[2:])
    assert set(fleet.held()) == set(fleet.names[:2])
    assert ran.output.count(" unreachable ") >= 2


def test_check_mode_deploys_and_holds_nothing(fleet: Fleet) -> None:
    fleet.site.inventory(fleet.hosts)
    before = [len(fleet.site.call("dc", "GET", f"/v1/nodes/{name}/history")["history"]) for name in fleet.names]
    ran = fleet.site.play("rolling_deploy", "--check", variables=fleet.variables())
    assert ran.status == 0, ran.output
    assert fleet.deployed == set()
    assert [len(fleet.site.call("dc", "GET", f"/v1/nodes/{name}/history")["history"]) for name in fleet.names] == before


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"target": "fleet_of_nobody,!all"}, "names 0 hosts"),
        ({"target": ""}, "Give `target`"),
        ({"max_nodes": "3"}, "say so with -e max_nodes=4"),
        ({"deploy_tasks": "/nowhere.yml"}, "two files of tasks that exist"),
    ],
)
def test_a_wrong_target_is_refused_before_anything(fleet: Fleet, variables: dict[str, t.Any], words: str) -> None:
    fleet.site.inventory(fleet.hosts)
    ran = fleet.site.play("rolling_deploy", variables=fleet.variables(**variables), may_warn=True)
    assert ran.status != 0
    assert words in " ".join(ran.output.split())
    assert fleet.deployed == set()
    assert fleet.held() == {}


def test_a_service_that_can_not_be_read_lets_nothing_be_deployed(fleet: Fleet) -> None:
    fleet.site.inventory({name: {**host, "baremetal_node": f"{name}-gone"} for name, host in fleet.hosts.items()})
    ran = fleet.site.play("rolling_deploy", variables=fleet.variables())
    assert ran.status != 0
    assert fleet.deployed == set()
    assert "could not be found" in ran.output
