# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole runs of Ansible with logins to Keystone: one token for all hosts, nothing secret on the screen, delegated tasks get the token."""

from __future__ import annotations

import pathlib
import typing as t

import pytest
import yaml

from tests.integration.inventory.running import Sources
from tests.integration.modules.running import Ran, Stage
from tests.lab.direct import Direct
from tests.support import fake_keystone
from tests.support.backend import Backend
from tests.support.fake_keystone import FakeKeystone

HOSTS: t.Final = 100
NODE: t.Final = "{{ inventory_hostname }}"
PASSWORD: t.Final = "op-password"
API: t.Final = "group/baremetal.maintenance.api"


@pytest.fixture(scope="module")
def keystone(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[FakeKeystone]:
    """A Keystone that counts, with an operator."""
    with FakeKeystone() as keystone:
        keystone.user("op", system=["admin"])
        yield keystone


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory, keystone: FakeKeystone) -> t.Iterator[Stage]:
    """A backend of that Keystone with a node for each host."""
    login = {"auth_url": keystone.url, "username": fake_keystone.SERVICE, "password": f"{fake_keystone.SERVICE}-password"}
    scope = {"user_domain_name": "Default", "project_name": "service", "project_domain_name": "Default"}
    folder = tmp_path_factory.mktemp("stage")
    with Backend(folder, auth_strategy="keystone", keystone_authtoken={**login, **scope}) as backend:
        keystone.offer("baremetal", backend.url)
        operator = Direct(backend.url, {"X-Auth-Token": keystone.token("op")})
        for number in range(HOSTS):
            assert operator.send("POST", "/v1/nodes", {"name": f"n{number}", "driver": "fake-hardware"}).status == 201
        yield Stage(backend)


def login(keystone: FakeKeystone, **changes: str) -> dict[str, str]:
    """Give the operator's login."""
    return {
        "auth_url": keystone.url,
        "username": "op",
        "password": PASSWORD,
        "user_domain_name": "Default",
        "system_scope": "all",
        **changes,
    }


def hosts(number: int = HOSTS) -> dict[str, dict[str, t.Any]]:
    """Give the hosts of a play."""
    return {f"n{each}": {} for each in range(number)}


def nothing_secret(ran: Ran, keystone: FakeKeystone) -> None:
    """Fail if the run shows the password or any token."""
    for text in (ran.output, ran.events):
        assert PASSWORD not in text
        assert not [token for token in keystone.tokens if token in text]


def test_a_hundred_hosts_ask_for_one_token(stage: Stage, keystone: FakeKeystone) -> None:
    before = keystone.given.count("op")
    hold = {"node": NODE, "type": "operator_hold", "reason": "CHG-1"}
    tasks = [
        {"name": "hold", "baremetal.maintenance.hold": hold},
        {"name": "read", "baremetal.maintenance.hold_info": {"node": NODE}},
        {"name": "release", "baremetal.maintenance.hold": {"node": NODE, "state": "absent", "type": "operator_hold"}},
    ]
    ran = stage.play(tasks, hosts=hosts(), who=None, module_defaults={API: {"auth": login(keystone)}}, arguments="--forks 10")
    assert ran.status == 0, ran.output
    assert [len(ran.results[task["name"]]) for task in tasks] == [HOSTS] * 3
    assert all(result["changed"] for result in ran.results["release"].values())
    assert ran.results["read"]["n7"]["entries"][0]["asserted_by_name"] == "op"
    assert keystone.given.count("op") - before == 1
    nothing_secret(ran, keystone)


def test_a_token_that_is_revoked_in_the_middle_of_a_run_is_replaced_once(
    stage: Stage, keystone: FakeKeystone, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = keystone.given.count("op")
    first: list[str] = []
    original = FakeKeystone._check

    def check(self: FakeKeystone, headers: t.Mapping[str, str]) -> tuple[int, dict[str, str], str]:
        token = headers["X-Subject-Token"]
        if not first and self.tokens[token]["token"]["user"]["name"] == "op":
            first.append(token)
            self.revoke(token)
        return original(self, headers)

    monkeypatch.setattr(FakeKeystone, "_check", check)
    tasks = [{"name": "read", "baremetal.maintenance.node_info": {"node": NODE}}]
    ran = stage.play(tasks, hosts=hosts(10), who=None, module_defaults={API: {"auth": login(keystone)}})
    assert ran.status == 0, ran.output
    assert first
    assert keystone.given.count("op") - before == 2


def test_a_wrong_password_asks_once_and_says_what_to_check(stage: Stage, keystone: FakeKeystone) -> None:
    before = keystone.logins
    wrong = login(keystone, password="wrong-4b7d")
    tasks = [{"name": "hold", "baremetal.maintenance.hold": {"node": NODE, "type": "operator_hold", "reason": "r"}}]
    ran = stage.play(tasks, hosts=hosts(10), who=None, module_defaults={API: {"auth": wrong}})
    assert ran.status != 0
    results = ran.results["hold"].values()
    assert {result["msg"] for result in results} == {
        f"Cannot log in: Keystone at {keystone.url} refuses user 'op' for the system (HTTP 401): "
        "check name, domain and password, that the project exists, and that the user has a role there"
    }
    assert {result["code"] for result in results} == {"unauthenticated"}
    assert keystone.logins - before == 1
    assert "wrong-4b7d" not in ran.output + ran.events


def test_a_delegated_task_gets_the_token_and_not_the_password(stage: Stage, keystone: FakeKeystone) -> None:
    before = keystone.given.count("op")
    task = {"baremetal.maintenance.hold_info": {"node": NODE}, "delegate_to": "elsewhere"}
    environment = {f"OS_{name.upper()}": value for name, value in login(keystone).items()}
    tasks = [
        {"name": "by options", **task, "module_defaults": {API: {"auth": login(keystone)}}},
        {"name": "by variables", **task, "environment": {**environment, "OS_AUTH_TYPE": "password"}},
    ]
    ran = stage.play(tasks, hosts=hosts(3), who=None, arguments="-vvv", may_warn=True)
    assert ran.status == 0, ran.output
    for name in ("by options", "by variables"):
        assert all(result["entries"] == [] for result in ran.results[name].values())
    assert keystone.given.count("op") - before == 1
    assert PASSWORD not in ran.output


def test_an_inventory_asks_for_one_token(stage: Stage, keystone: FakeKeystone, tmp_path: pathlib.Path) -> None:
    before = keystone.given.count("op")
    (tmp_path / "clouds.yaml").write_text(yaml.safe_dump({"clouds": {"lab": {"auth": login(keystone)}}}))
    sources = Sources(tmp_path)
    ran = sources.inventory(sources.holds(cloud="lab"))
    assert (ran.status, ran.err) == (0, "")
    assert len(ran.members("hold_none")) == HOSTS
    assert keystone.given.count("op") - before == 1


def test_an_inventory_without_a_login_adds_nobody_and_says_what_to_do(tmp_path: pathlib.Path) -> None:
    sources = Sources(tmp_path)
    ran = sources.inventory(sources.holds(cloud="lab"))
    assert ran.status != 0
    assert "cloud is 'lab', and there is no clouds.yaml: it is looked for in" in ran.said
