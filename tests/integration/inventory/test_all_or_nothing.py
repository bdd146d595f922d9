# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fleet that can't be read whole gives no host at all: not beside another inventory source, and not where Ansible would go on."""

from __future__ import annotations

import contextlib
import time
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.integration.inventory import fleet, wire
from ansible_collections.baremetal.maintenance.tests.integration.inventory.running import Ran, Sources

FLEET = [fleet.node(number, f"n{number}") for number in range(1, 251)]
HELD = [fleet.node(number, f"n{number}", fleet.entry(number, "operator_hold", "system")) for number in range(1, 31)]
QUICK: t.Final = {"timeout": 1, "retries": 0}


def on_third_page(do: t.Callable[[wire.Exchange], t.Any]) -> wire.Spoil:
    """Give what spoils the third page of nodes (of three), and nothing else."""

    def spoil(exchange: wire.Exchange) -> bool:
        if exchange.where != "/v1/nodes" or exchange.query.get("marker") != FLEET[199]["uuid"]:
            return False
        do(exchange)
        return True

    return spoil


def short(exchange: wire.Exchange) -> None:
    """Promise more bytes than come, and hang up."""
    exchange.send(200, '{"nodes": [{"uuid": "x"}', claim=5000)
    exchange.close_connection = True


def never(exchange: wire.Exchange) -> None:
    """Say nothing for longer than anybody waits."""
    time.sleep(3)


def last_twice(exchange: wire.Exchange) -> None:
    """Send a page that repeats a node of the page before, as paging does when a node before it was removed."""
    names = [*exchange.query["fields"].split(",")]
    exchange.send(200, {"nodes": [{name: node[name] for name in names} for node in FLEET[199:249]]})


SPOILED: t.Final[dict[str, t.Callable[[wire.Exchange], t.Any]]] = {
    "401": lambda exchange: exchange.refuse(401, "The request you have made requires authentication."),
    "403": lambda exchange: exchange.refuse(403, "Access was denied to the following resource: baremetal:node:list"),
    "500": lambda exchange: exchange.refuse(500, "Internal Server Error"),
    "503": lambda exchange: exchange.refuse(503, "busy"),
    "timeout": never,
    "html": lambda exchange: exchange.send(200, "<html><title>Sign in</title></html>", "text/html"),
    "short body": short,
    "no answer": lambda exchange: exchange.connection.close(),
    "not JSON": lambda exchange: exchange.send(200, '{"nodes": ['),
    "no nodes": lambda exchange: exchange.send(200, {"node": []}),
    "nodes are null": lambda exchange: exchange.send(200, {"nodes": None}),
    "node without the flag": lambda exchange: exchange.send(200, {"nodes": [{"uuid": "x"}]}),
    "repeated node": last_twice,
    "circle": lambda exchange: exchange.send(200, {"nodes": [], "next": f"{exchange.server.url}/v1/nodes?marker={FLEET[199]['uuid']}"}),
}


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """What Ansible has when it goes on after a source for each way to spoil a page. One run, since starting it takes longest."""
    sources = Sources(tmp_path_factory.mktemp("spoiled"))
    configs = []
    with contextlib.ExitStack() as services:
        for how, spoil in SPOILED.items():
            service = services.enter_context(wire.serving("extended", FLEET, page=100))
            service.spoil = on_third_page(spoil)
            configs.append(sources.holds(f"{how}.holds.yml", api_url=service.url, **QUICK))
        return sources.inventory(*configs, ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED="0")


@pytest.mark.parametrize("how", SPOILED)
def test_a_failed_page_is_told_in_one_sentence(spoiled: Ran, how: str) -> None:
    said = spoiled.about(f"/{how}.holds.yml")
    assert "no host is added: " in said
    assert "Traceback" not in said


def test_no_failed_page_gives_a_host_or_a_group(spoiled: Ran) -> None:
    assert spoiled.hosts == set()
    assert not {group for group in spoiled.listed if group.startswith("hold_")}


def test_a_failed_page_is_a_failure_and_a_good_one_is_not(sources: Sources) -> None:
    with wire.serving("extended", FLEET, page=100) as service:
        config = sources.holds(api_url=service.url, **QUICK)
        assert len(sources.read(config).hosts) == 250
        service.spoil = on_third_page(SPOILED["403"])
        ran = sources.inventory(config)
    assert ran.status != 0
    assert "no host is added: Cannot list the nodes: Access was denied" in ran.said


def test_beside_a_good_source_no_host_of_ours_is_there(sources: Sources) -> None:
    other = sources.write("static.ini", "[web]\nother\n")
    with wire.serving("extended", FLEET, page=100) as service:
        service.spoil = on_third_page(SPOILED["short body"])
        ran = sources.inventory(other, sources.holds(api_url=service.url, **QUICK), ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED="0")
    assert ran.hosts == {"other"}


def test_a_service_that_is_down_is_a_failure(sources: Sources) -> None:
    with wire.serving("extended", FLEET) as service:
        url = service.url
    ran = sources.read(sources.holds(api_url=url, **QUICK))
    assert ran.status != 0
    assert "did not accept a connection" in ran.said


@pytest.fixture(scope="module")
def one_refused(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """What Ansible has when it goes on after sources of which each is refused the entries of one node, with the status in its name."""
    sources = Sources(tmp_path_factory.mktemp("one_refused"))
    configs = []
    with contextlib.ExitStack() as services:
        for status in (403, 404):
            service = services.enter_context(wire.serving("native", HELD))
            service.spoil = refused_one_node(status)
            configs.append(sources.holds(f"{status}.holds.yml", api_url=service.url, **QUICK))
        return sources.inventory(*configs, ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED="0")


def refused_one_node(status: int) -> wire.Spoil:
    """Give what refuses the entries of one node."""

    def spoil(exchange: wire.Exchange) -> bool:
        if HELD[17]["uuid"] not in exchange.where:
            return False
        exchange.refuse(status, "no")
        return True

    return spoil


@pytest.mark.parametrize("status", [403, 404])
def test_a_typed_service_that_refuses_one_node_is_a_failure(one_refused: Ran, status: int) -> None:
    assert HELD[17]["uuid"] in one_refused.about(f"/{status}.holds.yml")
    assert one_refused.hosts == set()


OPTIONS: t.Final[dict[str, tuple[dict[str, t.Any], str]]] = {
    "duplicate host names": ({"hostname": "'same'"}, "would both be host 'same'"),
    "reserved host name": (
        {"hostname": "'localhost' if baremetal_node_name == 'n7' else baremetal_node_name"},
        "'localhost', a name that Ansible",
    ),
    "host named like a group": ({"hostname": "'hold_none' if baremetal_node_name == 'n7' else baremetal_node_name"}, "the name of a group"),
    "hostname that fails": ({"hostname": "no_such_variable"}, "gives no name for node"),
    "hostname that is no text": ({"hostname": "7"}, "gets no host name"),
    "strict compose": ({"strict": True, "compose": {"x": "baremetal_extra.rack"}}, "Could not set x"),
    "strict groups": ({"strict": True, "groups": {"x": "no_such_variable"}}, "to group x"),
    "strict keyed_groups": ({"strict": True, "keyed_groups": [{"key": "no_such_variable"}]}, "no_such_variable"),
    "group that is native": ({"groups": {"hold_none": "true"}}, "make hold_none, which only holds may fill"),
    "keyed group that is native": ({"keyed_groups": [{"key": "'any'", "prefix": "hold"}]}, "make hold_any, which only holds may fill"),
    "variable that is ours": ({"compose": {"baremetal_enabled": "true"}}, "compose can't set baremetal_enabled"),
    "variable that is a field": ({"node_fields": ["extra"], "compose": {"baremetal_extra": "1"}}, "compose can't set baremetal_extra"),
    "bad prefix": ({"group_prefix": "9-"}, "group_prefix '9-'"),
    "bad query": ({"query": "[?"}, "`query` can't be used as a JMESPath expression"),
    "query that gives no list": ({"query": "[0].uuid"}, "does not give a list of nodes"),
    "query that gives no nodes": ({"query": "[].name"}, "keep their uuid"),
    "filter that shapes": ({"filters": {"limit": 5}}, "limit can't be used in filters"),
    "field that would hide a variable": ({"node_fields": ["holds"]}, "node_fields can't have holds"),
    "unknown option": ({"auth_type": "kerberos"}, "kerberos"),
    "no address": ({"api_url": ""}, "api_url is missing"),
}


@pytest.fixture(scope="module")
def mistaken(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """What Ansible has when it goes on after a source with each mistake."""
    sources = Sources(tmp_path_factory.mktemp("mistaken"))
    with wire.serving("extended", FLEET[:20]) as service:
        configs = [sources.holds(f"{what}.holds.yml", **{"api_url": service.url, **options}) for what, (options, _says) in OPTIONS.items()]
        return sources.inventory(*configs, ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED="0")


@pytest.mark.parametrize("what", OPTIONS)
def test_a_mistake_in_the_options_is_told_in_one_sentence(mistaken: Ran, what: str) -> None:
    said = mistaken.about(f"/{what}.holds.yml")
    assert OPTIONS[what][1] in said
    assert "Traceback" not in said


def test_no_mistake_in_the_options_gives_a_host_or_a_group(mistaken: Ran) -> None:
    assert mistaken.hosts == set()
    assert not {group for group in mistaken.listed if group.startswith("hold_")}


def test_a_play_does_not_run_on_an_inventory_that_failed(sources: Sources) -> None:
    play = sources.write("play.yml", "- hosts: all\n  gather_facts: false\n  tasks: [{debug: {msg: PLAYED}}]\n")
    other = sources.write("static.ini", "other ansible_connection=local\n")
    with wire.serving("extended", FLEET, page=100) as service:
        service.spoil = on_third_page(SPOILED["401"])
        ran = sources.playbook(play, other, sources.holds(api_url=service.url, **QUICK))
    assert ran.status != 0
    assert "PLAYED" not in ran.said
