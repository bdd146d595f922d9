# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A secret never appears: not at -vvv, not in a result, not in an event, whatever fails and whoever echoes it."""

from __future__ import annotations

import base64
import typing as t
import urllib.parse

import pytest

from .examples import MODULES
from .running import Stage, password

HOLD: t.Final = {"type": "operator_hold", "reason": "why"}


@pytest.fixture(scope="module", autouse=True)
def nodes(stage: Stage) -> None:
    stage.enrol("node1")


@pytest.fixture(params=["here", "elsewhere"])
def where(request: pytest.FixtureRequest) -> dict[str, str]:
    return {} if request.param == "here" else {"delegate_to": "elsewhere"}


def spellings(user: str, secret: str) -> set[str]:
    return {secret, base64.b64encode(f"{user}:{secret}".encode()).decode(), urllib.parse.quote(secret, safe="")}


def test_a_password_is_nowhere_even_if_the_service_echoes_it(stage: Stage, where: dict[str, str]) -> None:
    secret = password("op")
    login = {"username": "op", "password": secret}
    encoded = base64.b64encode(f"op:{secret}".encode()).decode()
    echoed = {"reason": f"x {secret} {encoded} y", "extra": {"deep": [secret]}}
    tasks = [
        {"name": "echo", "baremetal.maintenance.hold": {**HOLD, **echoed, **login}, **where},
        {"name": "read", "baremetal.maintenance.hold_info": login, **where},
        {"name": "diff", "baremetal.maintenance.hold": {**HOLD, "reason": "other", **login}, "diff": True, **where},
        {"name": "typo", "baremetal.maintenance.hold": {**HOLD, "pasword": "x", **login}, "ignore_errors": True, **where},
        {"name": "refused", "baremetal.maintenance.hold": {**HOLD, "type": "no_such_type", **login}, "ignore_errors": True, **where},
        {"name": "release", "baremetal.maintenance.hold": {"state": "absent", "all": True, **login}, "diff": True, **where},
    ]
    ran = stage.play(tasks, who=None, arguments="-vvv", environment={"BAREMETAL_MAINTENANCE_AUTH_TYPE": "http_basic"})
    assert ran.status == 0, ran.output
    for spelling in spellings("op", secret):
        assert spelling not in ran.output
        assert spelling not in ran.events
    assert ran.of("echo")["changed"]


def test_a_canary_in_every_secret_option_of_every_module_is_nowhere_when_it_fails(stage: Stage) -> None:
    canary = 'c4n@ry "ü/secret'
    needed = {"hold": HOLD, "node_fault": {"state": "absent"}, "node": {"name": "node1"}}
    logins = {
        "password": {"auth_type": "http_basic", "username": "op", "password": canary},
        "bad token": {"auth_type": "token", "token": canary},
        "token": {"auth_type": "token", "token": "c4nary-token"},
        "proxy": {"proxy": "http://me:c4nary-proxy@127.0.0.1:9/", "retries": 0},
        "url": {"api_url": "http://me:c4nary-url@127.0.0.1:9/"},
    }
    tasks = [
        {"name": f"{module} {name}", f"baremetal.maintenance.{module}": {**needed.get(module, {}), **login}, "ignore_errors": True}
        for module in MODULES
        for name, login in logins.items()
    ]
    ran = stage.play(tasks, who=None, arguments="-vvv")
    assert ran.status == 0, ran.output
    shown = ran.output + ran.events + "\n".join(str(result) for task in ran.results.values() for result in task.values())
    for spelling in (*spellings("op", canary), "c4nary", "c4n@ry"):
        assert spelling not in shown
    assert all(ran.of(task["name"])["failed"] for task in tasks)
    assert "Traceback" not in ran.output
