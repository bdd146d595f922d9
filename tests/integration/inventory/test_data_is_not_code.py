# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the API says is data: never evaluated, never wrapped, never warned about."""

from __future__ import annotations

import json
import pathlib
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.integration.inventory import fleet, wire
from ansible_collections.baremetal.maintenance.tests.integration.inventory.running import Sources

EVIL: t.Final = "{{ lookup('pipe', 'touch PWNED') }}{% if true %}x{% endif %} 🔥\n\t\"'\\ end"


def evil_fleet() -> list[dict[str, t.Any]]:
    held = fleet.entry(1, "operator_hold", "system", reason=EVIL, extra={"note": EVIL})
    return [fleet.node(1, "n01", held, owner=EVIL, fault=None, extra={"rack": EVIL}, maintenance_reason=EVIL)]


def playing(sources: Sources, tmp_path: pathlib.Path) -> pathlib.Path:
    """Write a play that uses what the API said in every way in which a template would be evaluated."""
    variables = "{{ baremetal_owner }} {{ baremetal_extra.rack }} {{ baremetal_holds }} {{ baremetal_maintenance_reason }}"
    copy = {"content": "{{ baremetal_holds[0].reason }}", "dest": str(tmp_path / "reason")}
    tasks: list[dict[str, t.Any]] = [
        {"ansible.builtin.copy": copy, "vars": {"ansible_python_interpreter": "{{ ansible_playbook_python }}"}},
        {"ansible.builtin.debug": {"msg": variables}},
    ]
    return sources.write("play.yml", json.dumps([{"hosts": "hold_any", "gather_facts": False, "connection": "local", "tasks": tasks}]))


@pytest.mark.parametrize("cached", [False, True])
def test_a_reason_that_looks_like_a_template_stays_what_it_is(sources: Sources, tmp_path: pathlib.Path, cached: bool) -> None:
    options: dict[str, t.Any] = {"node_fields": ["extra"], "keyed_groups": [{"key": "baremetal_owner", "prefix": "owner"}]}
    if cached:
        options.update(cache=True, cache_plugin="ansible.builtin.jsonfile", cache_connection=str(tmp_path / "cache"))
    play = playing(sources, tmp_path)
    with wire.serving("extended", evil_fleet()) as service:
        config = sources.holds(api_url=service.url, **options)
        for _round in range(2):
            ran = sources.playbook(play, config)
    assert "WARNING" not in ran.err
    assert ran.status == 0, ran.said
    assert (tmp_path / "reason").read_text(encoding="utf-8") == EVIL
    assert not list(tmp_path.glob("**/PWNED"))


def test_a_listing_is_plain_but_for_what_could_be_a_template(sources: Sources) -> None:
    """Whoever reads the listing as an inventory script's output would evaluate a template that does not carry Ansible's mark."""
    with wire.serving("extended", evil_fleet()) as service:
        ran = sources.inventory(sources.holds(api_url=service.url, node_fields=["extra"]))
    variables = ran.listed["_meta"]["hostvars"]["n01"]
    marked = {"__ansible_unsafe": EVIL}
    assert variables["baremetal_maintenance_reason"] == variables["baremetal_owner"] == variables["baremetal_extra"]["rack"] == marked
    assert variables["baremetal_holds"][0]["reason"] == variables["baremetal_holds"][0]["extra"]["note"] == marked
    assert ran.out.count("__ansible_unsafe") == 5
    assert ran.err == ""


def test_a_listing_that_comes_back_as_a_script_is_still_not_evaluated(sources: Sources, tmp_path: pathlib.Path) -> None:
    """AWX keeps the listing, and gives it to its jobs as the output of a script."""
    with wire.serving("extended", evil_fleet()) as service:
        ran = sources.inventory(sources.holds(api_url=service.url, node_fields=["extra"]), arguments=["--list", "--export"])
    sources.write("listing.json", ran.out)
    script = sources.write("awx.sh", f"#!/bin/sh\ncat {tmp_path}/listing.json\n")
    script.chmod(0o755)
    played = sources.playbook(playing(sources, tmp_path), script)
    assert played.status == 0, played.said
    assert (tmp_path / "reason").read_text(encoding="utf-8") == EVIL
    assert not list(tmp_path.glob("**/PWNED"))


def test_an_ordinary_listing_has_no_marks_and_no_warnings(sources: Sources) -> None:
    nodes = [node for node in fleet.NODES if node["name"] not in ("n03", "n05")]
    with wire.serving("extended", nodes) as service:
        config = sources.holds(api_url=service.url)
        for arguments in (["--list"], ["--list", "--export"], ["--list", "--yaml"], ["--host", "n02"]):
            ran = sources.inventory(config, arguments=arguments)
            assert ran.status == 0
            assert "unsafe" not in ran.out
            assert ran.err == ""


def test_a_vaulted_password_is_used_and_never_shown(sources: Sources) -> None:
    sources.write("vault_password", "open sesame\n")
    vaulted = sources.run("ansible-vault", "encrypt_string", "--vault-password-file", "vault_password", "canary-pass", "--name", "password")
    assert vaulted.status == 0, vaulted.said
    with wire.serving("extended", fleet.NODES) as service:
        config = sources.holds(api_url=service.url, auth_type="http_basic", username="dana")
        sources.write(config.name, config.read_text() + vaulted.out)
        ran = sources.inventory(config, arguments=["--list", "-vvvvv", "--vault-password-file", "vault_password"])
        credentials = service.credentials
    assert ran.status == 0, ran.said
    assert credentials == {"Basic ZGFuYTpjYW5hcnktcGFzcw=="}
    assert "canary-pass" not in ran.out + ran.err
    assert "ZGFuYTpjYW5hcnktcGFzcw==" not in ran.out + ran.err
