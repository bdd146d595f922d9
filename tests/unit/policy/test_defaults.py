# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who may do what by default: the answers of a real Ironic 39.0.0 with Keystone, and the specification's for its own rules."""

from __future__ import annotations

import pytest
import yaml
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.caller import Caller
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.policy import defaults, rulefile, target

from .parts import caller, entry, policy

#: The columns of the table below, each with the rules that it stands for.
COLUMNS = {
    "get": ("baremetal:node:get", "baremetal:node:maintenance:get"),
    "hold": (
        "baremetal:node:set_maintenance",
        "baremetal:node:clear_maintenance",
        "baremetal:node:maintenance:add",
        "baremetal:node:maintenance:remove",
        "baremetal:node:maintenance:update",
    ),
    "patch": ("baremetal:node:update", "baremetal:node:update_extra"),
    "lessee": (
        "baremetal:node:update:lessee",
        "baremetal:node:update:name",
        "baremetal:node:update:instance_uuid",
        "baremetal:node:update:properties",
    ),
    "driver": ("baremetal:node:update:driver_interfaces",),
    "owner": ("baremetal:node:update:owner", "baremetal:node:update:conductor_group"),
    "create": ("baremetal:node:create",),
    "own-create": ("baremetal:node:create:self_owned_node",),
    "delete": ("baremetal:node:delete",),
    "own-delete": ("baremetal:node:delete:self_owned_node",),
    "history": ("baremetal:node:history:get",),
    "list": ("baremetal:node:list",),
    "list-all": ("baremetal:node:list_all", "baremetal:maintenance:history:get"),
    "fault": ("baremetal:node:maintenance:fault",),
}

SERVICE_PROJECT = "service"
NOBODY = Caller(user_id="nobody")

WHO = [
    (
        "system admin",
        caller("admin", system=True),
        "get hold patch lessee driver owner create own-create delete history list list-all fault",
    ),
    ("system manager", caller("manager", system=True), "get hold patch lessee driver owner history list list-all"),
    ("system member", caller("member", system=True), "get hold patch lessee driver owner history list list-all"),
    ("system reader", caller("reader", system=True), "get history list list-all"),
    ("system service", caller("service", system=True), "get hold patch lessee driver create own-create history list list-all fault"),
    (
        "service in the service project",
        caller("service", project="svc", name=SERVICE_PROJECT),
        "get hold patch lessee driver owner own-create history list list-all fault",
    ),
    ("service in another project", caller("service", project="other", name="other"), "own-create list"),
    ("admin in the service project", caller("admin", project="svc", name=SERVICE_PROJECT), "own-create list"),
    ("owner admin", caller("admin", project="own"), "get hold patch lessee driver own-create own-delete history list"),
    ("owner manager", caller("manager", project="own"), "get hold patch lessee driver history list"),
    ("owner member", caller("member", project="own"), "get hold patch lessee history list"),
    ("owner reader", caller("reader", project="own"), "get history list"),
    ("owner service", caller("service", project="own"), "get hold lessee driver own-create history list"),
    ("lessee admin", caller("admin", project="les"), "get hold patch own-create list"),
    ("lessee manager", caller("manager", project="les"), "get hold patch list"),
    ("lessee member", caller("member", project="les"), "get patch list"),
    ("lessee reader", caller("reader", project="les"), "get list"),
    ("lessee service", caller("service", project="les"), "own-create list"),
    ("another project's admin", caller("admin", project="other"), "own-create list"),
    ("another project's member", caller("member", project="other"), "list"),
    ("somebody without a role", NOBODY, ""),
]


@pytest.mark.parametrize(("who", "allowed"), [row[1:] for row in WHO], ids=[row[0] for row in WHO])
def test_who_may_do_what(who: Caller, allowed: str) -> None:
    session = policy(service_project=SERVICE_PROJECT).session(who)
    found = {column for column, rules in COLUMNS.items() for rule in rules if session.allows(rule, entry())}
    refused = {column for column, rules in COLUMNS.items() for rule in rules if not session.allows(rule, entry())}
    assert found == set(allowed.split())
    assert not found & refused, "the rules of one column differ"


def test_the_table_names_every_rule() -> None:
    named = {rule for rules in COLUMNS.values() for rule in rules}
    assert named == {rule.name for rule in defaults.RULES} - {defaults.SERVICE_ROLE.name}


def test_without_a_service_project_no_service_role_is_a_systems() -> None:
    session = policy().session(caller("service", project="svc", name=SERVICE_PROJECT))
    assert not session.allows("baremetal:node:get", entry())
    assert not session.allows("baremetal:node:maintenance:fault", entry())


@pytest.mark.parametrize(("switch", "expected"), [(False, False), (True, True)])
def test_a_projects_admin_is_a_systems_where_the_deployment_says_so(switch: bool, expected: bool) -> None:
    session = policy(project_admin_is_system=switch).session(caller("admin", project="other"))
    assert session.allows("baremetal:node:set_maintenance", entry()) is expected
    assert session.allows("baremetal:node:list_all", target.fleet_target()) is expected


def test_a_projects_member_is_never_a_systems() -> None:
    session = policy(project_admin_is_system=True).session(caller("member", project="other"))
    assert not session.allows("baremetal:node:get", entry())


def test_the_shipped_file_holds_the_defaults() -> None:
    with open(rulefile.path_of("defaults"), encoding="utf-8") as stream:
        written = yaml.safe_load(stream)
    assert list(written.items()) == [(rule.name, rule.check) for rule in defaults.RULES]
