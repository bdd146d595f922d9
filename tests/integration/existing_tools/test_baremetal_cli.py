# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`baremetal`, the command of python-ironicclient, does its work on the backend and reads back what it wrote."""

from __future__ import annotations

import base64
import json
import os
import pathlib
import subprocess
import sys
import typing as t
import urllib.request

import pytest
from ansible_collections.baremetal.maintenance.tests.support.backend import own_environment
from ironicclient import shell

from .conftest import Service
from .reasons import REASONS


class Cli:
    """The command, as its entry point runs it, without the second that it takes to start."""

    def __init__(self, service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._service = service
        self._monkeypatch = monkeypatch
        self._capsys = capsys
        self.login = "op"

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        """Run the command; give its exit status, standard output and standard error."""
        for name in [name for name in os.environ if name.startswith("OS_")]:
            self._monkeypatch.delenv(name)
        for name, value in self._service.environment(self.login).items():
            self._monkeypatch.setenv(name, value)
        self._capsys.readouterr()
        status = shell.main(list(arguments))
        said = self._capsys.readouterr()
        return status, said.out, said.err

    def json(self, *arguments: str) -> t.Any:
        """Run the command, which must succeed; give what it printed with `-f json`."""
        status, out, err = self(*arguments, "-f", "json")
        assert status == 0, err
        return json.loads(out)

    def quietly(self, *arguments: str) -> None:
        """Run the command, which must succeed and say nothing."""
        assert self(*arguments) == (0, "", "")


@pytest.fixture
def cli(service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """The command on each of the services."""
    return Cli(service, monkeypatch, capsys)


@pytest.fixture
def node(cli: Cli, request: pytest.FixtureRequest) -> t.Iterator[str]:
    """The name of a node that the command made, and will remove."""
    name = "n-" + str(abs(hash(request.node.nodeid)))
    cli.json("node", "create", "--driver", "fake-hardware", "--name", name, "--owner", "own-1", "--lessee", "les-1")
    yield name
    cli.login = "op"
    cli("node", "delete", name)


def test_nodes_are_created_shown_listed_changed_and_deleted(cli: Cli) -> None:
    made = cli.json(
        "node", "create", "--driver", "redfish", "--name", "cli-1", "--owner", "own-1", "--property", "rack=C", "--extra", "a=b"
    )
    assert (made["name"], made["owner"], made["properties"], made["extra"]) == ("cli-1", "own-1", {"rack": "C"}, {"a": "b"})
    shown = cli.json("node", "show", made["uuid"])
    assert {name: shown[name] for name in made} == made
    assert cli.json("node", "show", "cli-1", "--fields", "uuid", "owner") == {"uuid": made["uuid"], "owner": "own-1"}
    assert "cli-1" in [row["name"] for row in cli.json("node", "list")]
    detailed = next(row for row in cli.json("node", "list", "--long") if row["uuid"] == made["uuid"])
    assert detailed["properties"] == {"rack": "C"}
    cli.quietly("node", "set", "cli-1", "--owner", "own-2", "--lessee", "les-2", "--description", "rack C, top", "--extra", "c=d")
    changed = cli.json("node", "show", "cli-1")
    assert (changed["owner"], changed["lessee"], changed["description"]) == ("own-2", "les-2", "rack C, top")
    assert changed["extra"] == {"a": "b", "c": "d"}
    cli.quietly("node", "unset", "cli-1", "--lessee", "--extra", "a")
    assert [cli.json("node", "show", "cli-1")[name] for name in ("lessee", "extra")] == [None, {"c": "d"}]
    status, out, _err = cli("node", "delete", "cli-1")
    assert (status, out.strip()) == (0, "Deleted node cli-1")
    status, _out, err = cli("node", "show", "cli-1")
    assert status == 1
    assert "Node cli-1 could not be found. (HTTP 404)" in err


def test_maintenance_is_set_listed_recorded_and_unset(cli: Cli, node: str) -> None:
    cli.quietly("node", "maintenance", "set", node, "--reason", "HW_ERR: disk 3")
    shown = cli.json("node", "show", node)
    assert (shown["maintenance"], shown["maintenance_reason"], shown["fault"]) == (True, "HW_ERR: disk 3", None)
    assert node in [row["name"] for row in cli.json("node", "list", "--maintenance", "--fields", "name")]
    cli.quietly("node", "maintenance", "set", node)
    assert cli.json("node", "show", node)["maintenance_reason"] is None
    cli.quietly("node", "maintenance", "unset", node)
    cli.quietly("node", "maintenance", "unset", node)
    assert cli.json("node", "show", node)["maintenance"] is False
    assert node in [row["name"] for row in cli.json("node", "list", "--no-maintenance", "--fields", "name")]
    events = cli.json("node", "history", "list", node, "--long")
    assert [event["event_type"] for event in events] == ["maintenance"] * 3
    assert "HW_ERR: disk 3" in events[0]["event"]
    event = cli.json("node", "history", "get", node, events[0]["uuid"])
    assert event["event"] == events[0]["event"]


@pytest.mark.parametrize("reason", REASONS, ids=range(len(REASONS)))
def test_a_reason_comes_back_byte_for_byte(cli: Cli, service: Service, node: str, reason: str) -> None:
    cli.quietly("node", "maintenance", "set", node, "--reason", reason)
    assert cli.json("node", "show", node)["maintenance_reason"] == reason
    assert json.loads(_get(service, f"/v1/nodes/{node}?fields=maintenance_reason"))["maintenance_reason"].encode() == reason.encode()


def test_several_nodes_in_one_command(cli: Cli, node: str) -> None:
    cli.json("node", "create", "--driver", "fake-hardware", "--name", "second")
    cli.quietly("node", "maintenance", "set", node, "second", "--reason", "rebalancing rack")
    assert {cli.json("node", "show", name)["maintenance_reason"] for name in (node, "second")} == {"rebalancing rack"}
    cli.quietly("node", "maintenance", "unset", node, "second")
    cli("node", "delete", "second")


def test_an_unknown_node_is_named(cli: Cli) -> None:
    for verb in ("set", "unset"):
        status, _out, err = cli("node", "maintenance", verb, "nope")
        assert status == 1
        assert "Node nope could not be found. (HTTP 404)" in err


def test_paging_through_the_nodes(cli: Cli) -> None:
    names = [f"page-{number}" for number in range(5)]
    for name in names:
        cli.json("node", "create", "--driver", "paging", "--name", name)
    listed = cli.json("node", "list", "--driver", "paging", "--limit", "0", "--fields", "name", "--sort", "name:desc")
    assert [row["name"] for row in listed] == names[::-1]
    first = cli.json("node", "list", "--driver", "paging", "--limit", "2", "--fields", "name", "uuid")
    rest = cli.json("node", "list", "--driver", "paging", "--marker", first[-1]["uuid"], "--fields", "name")
    assert [row["name"] for row in first + rest] == names
    cli("node", "delete", *names)


def test_the_console_script(service: Service, cli: Cli, node: str) -> None:
    command = [str(pathlib.Path(sys.executable).with_name("baremetal")), "node", "maintenance", "set", node, "--reason", "from a script"]
    environment = {**own_environment(), **service.environment()}
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert cli.json("node", "show", node)["maintenance_reason"] == "from a script"


def test_a_wrong_password_is_told(basic: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    cli = Cli(basic, monkeypatch, capsys)
    cli.login = "nobody"
    status, _out, err = cli("node", "list")
    assert status == 1
    assert "Incorrect username or password" in err


def test_an_unset_that_would_end_an_operators_hold_is_refused_naming_it(
    basic: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cli = Cli(basic, monkeypatch, capsys)
    cli.json("node", "create", "--driver", "fake-hardware", "--name", "held", "--owner", "own-1", "--lessee", "les-1")
    hold = json.loads(_post(basic, "/v1/nodes/held/maintenance", {"type": "operator_hold", "reason": "legal hold"}))
    for login, scope in (("owner", "owner"), ("tenant", "lessee")):
        cli.login = login
        status, _out, err = cli("node", "maintenance", "unset", "held")
        assert status == 1
        assert f"Cannot release maintenance entry {hold['uuid']} (type operator_hold, scope system): not permitted at {scope} scope" in err
        assert "(HTTP 403)" in err
        cli.quietly("node", "maintenance", "set", "held", "--reason", "mine")
        assert cli.json("node", "show", "held")["maintenance_reason"] == "operator_hold: legal hold; legacy: mine"
    cli.login = "op"
    cli.quietly("node", "maintenance", "unset", "held")
    assert cli.json("node", "show", "held")["maintenance"] is False
    cli("node", "delete", "held")


def _get(service: Service, path: str) -> bytes:
    return _send(service, urllib.request.Request(service.url + path, headers={"X-OpenStack-Ironic-API-Version": "1.115"}))


def _post(service: Service, path: str, body: t.Any) -> bytes:
    headers = {"X-OpenStack-Ironic-API-Version": "latest", "Content-Type": "application/json"}
    return _send(service, urllib.request.Request(service.url + path, json.dumps(body).encode(), headers))


def _send(service: Service, request: urllib.request.Request) -> bytes:
    credential = service.credential()
    if credential:
        request.add_header("Authorization", "Basic " + base64.b64encode(":".join(credential).encode()).decode())
    with urllib.request.urlopen(request, timeout=30) as answer:
        return t.cast("bytes", answer.read())
