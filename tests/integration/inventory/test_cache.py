# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The cache: off unless asked for, never shared by two answers, never filled by a failure, always passed over on demand."""

from __future__ import annotations

import pathlib
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.integration.inventory import fleet, wire
from ansible_collections.baremetal.maintenance.tests.integration.inventory.running import Sources

FREE = fleet.node(1, "n01")
HELD = fleet.node(1, "n01", fleet.entry(1, "operator_hold", "system"))


@pytest.fixture
def caching(tmp_path: pathlib.Path) -> dict[str, t.Any]:
    """Options that turn the cache on."""
    return {"cache": True, "cache_plugin": "ansible.builtin.jsonfile", "cache_connection": str(tmp_path / "cache")}


def test_it_is_off_unless_asked_for(sources: Sources, tmp_path: pathlib.Path) -> None:
    settings = {"cache_plugin": "ansible.builtin.jsonfile", "cache_connection": str(tmp_path / "cache")}
    with wire.serving("extended", [FREE]) as service:
        config = sources.holds(api_url=service.url, **settings)
        assert sources.read(config).members("hold_none") == {"n01"}
        service.nodes = [HELD]
        assert sources.read(config).members("hold_any") == {"n01"}
    assert not (tmp_path / "cache").exists() or not list((tmp_path / "cache").iterdir())


def test_when_on_nodes_are_read_once_and_flush_cache_reads_them_again(sources: Sources, caching: dict[str, t.Any]) -> None:
    with wire.serving("extended", [FREE]) as service:
        config = sources.holds(api_url=service.url, **caching)
        first = sources.read(config)
        service.nodes = [HELD]
        asked = len(service.asked_for("/v1/nodes"))
        assert sources.read(config).listed == first.listed
        assert len(service.asked_for("/v1/nodes")) == asked
        flushed = sources.inventory(config, arguments=["--list", "--flush-cache"])
        assert flushed.members("hold_any") == {"n01"}
        assert sources.read(config).members("hold_any") == {"n01"}


def test_refresh_inventory_reads_nodes_again_and_a_released_hold_leaves_its_groups(sources: Sources, caching: dict[str, t.Any]) -> None:
    with wire.serving("extended", [HELD]) as service:
        config = sources.holds(api_url=service.url, **caching)
        play = sources.write(
            "play.yml",
            f"""
- hosts: localhost
  gather_facts: false
  tasks:
    - ansible.builtin.debug: {{msg: "before {{{{ groups.hold_any }}}} {{{{ groups.hold_type_operator_hold }}}}"}}
    - ansible.builtin.uri: {{url: "{service.url}/release"}}
    - ansible.builtin.meta: refresh_inventory
    - ansible.builtin.debug: {{msg: "after {{{{ groups.hold_any }}}} {{{{ groups.hold_type_operator_hold }}}} {{{{ groups.hold_none }}}}"}}
""",
        )

        def release(exchange: wire.Exchange) -> bool:
            if exchange.where != "/release":
                return False
            service.nodes = [FREE]
            exchange.send(200, {})
            return True

        service.spoil = release
        ran = sources.playbook(play, config)
    assert ran.status == 0, ran.said
    assert "before ['n01'] ['n01']" in ran.said
    assert "after [] [] ['n01']" in ran.said


def test_a_failure_is_never_cached(sources: Sources, caching: dict[str, t.Any], tmp_path: pathlib.Path) -> None:
    def refuse(exchange: wire.Exchange) -> bool:
        if exchange.where != "/v1/nodes":
            return False
        exchange.refuse(403, "no")
        return True

    with wire.serving("extended", [FREE]) as service:
        config = sources.holds(api_url=service.url, retries=0, **caching)
        service.spoil = refuse
        assert sources.read(config).status != 0
        assert not list((tmp_path / "cache").glob("*"))
        service.spoil = lambda exchange: False
        assert sources.read(config).hosts == {"n01"}


def test_a_failed_flush_does_not_fall_back_to_what_is_cached(sources: Sources, caching: dict[str, t.Any]) -> None:
    with wire.serving("extended", [FREE]) as service:
        config = sources.holds(api_url=service.url, retries=0, **caching)
        assert sources.read(config).status == 0
    assert sources.read(config, flush=True).status != 0
    assert sources.read(config).status != 0  # the service is gone: what was cached is not trusted to be its answer


def test_two_answers_never_share_the_cache(sources: Sources, caching: dict[str, t.Any]) -> None:
    with wire.serving("extended", fleet.NODES) as one, wire.serving("extended", fleet.NODES) as other:
        login = {"auth_type": "http_basic", "password": "pass"}
        variants: list[dict[str, t.Any]] = [
            {"api_url": one.url},
            {"api_url": other.url},
            {"api_url": one.url, "username": "alice", **login},
            {"api_url": one.url, "username": "bob", **login},
            {"api_url": one.url, "filters": {"lessee": fleet.LESSEE}},
            {"api_url": one.url, "node_fields": ["extra"]},
        ]
        for count, variant in enumerate(variants, 1):
            # One file, written anew each time: its path alone would be the same key.
            assert sources.read(sources.holds(**variant, **caching)).status == 0
            assert len(one.asked_for("/v1/nodes") + other.asked_for("/v1/nodes")) == count
        sources.read(sources.holds(**variants[0], **caching))
        assert len(one.asked_for("/v1/nodes") + other.asked_for("/v1/nodes")) == len(variants)


def test_another_microversion_is_another_answer(sources: Sources, caching: dict[str, t.Any]) -> None:
    with wire.serving("extended", [FREE]) as service:
        config = sources.holds(api_url=service.url, **caching)
        assert sources.read(config).members("hold_none")
        service.microversion = "1.117"
        service.nodes = [HELD]
        assert sources.read(config).members("hold_any")


def test_what_the_cache_holds_is_verified_like_an_answer(sources: Sources, caching: dict[str, t.Any], tmp_path: pathlib.Path) -> None:
    with wire.serving("extended", [HELD]) as service:
        config = sources.holds(api_url=service.url, **caching)
        assert sources.read(config).status == 0
        (stored,) = (tmp_path / "cache").iterdir()
        text = stored.read_text()
        assert '"maintenance": true' in text or '\\"maintenance\\": true' in text
        stored.write_text(
            text.replace('maintenance\\": true', 'maintenance\\": null').replace('"maintenance": true', '"maintenance": null')
        )
        assert sources.read(config).members("hold_any") == {"n01"}


def test_with_a_bare_token_it_is_off_with_a_warning(sources: Sources, caching: dict[str, t.Any], tmp_path: pathlib.Path) -> None:
    with wire.serving("extended", [FREE]) as service:
        config = sources.holds(api_url=service.url, auth_type="token", token="canary-token", **caching)
        ran = sources.read(config)
        service.nodes = [HELD]
        assert sources.read(config).members("hold_any") == {"n01"}
    assert "WARNING" in ran.err
    assert "is not cached" in ran.said
    assert "canary-token" not in ran.out + ran.err
    assert not (tmp_path / "cache").exists() or not list((tmp_path / "cache").iterdir())


def test_a_query_works_on_what_is_cached(sources: Sources, caching: dict[str, t.Any]) -> None:
    with wire.serving("extended", [FREE]) as service:
        assert sources.read(sources.holds(api_url=service.url, **caching)).status == 0
        assert sources.read(sources.holds(api_url=service.url, query="[?owner == 'x']", **caching)).hosts == set()
        assert len(service.asked_for("/v1/nodes")) == 1
