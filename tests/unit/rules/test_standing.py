# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scopes and standing (spec, "Scoping"; api.md 4): which scope a caller has on a node, and who counts as system."""

from __future__ import annotations

import itertools

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.rules import scopes

# one strictly outranks other (system > owner > lessee; no standing is below all; an unknown scope is as high as system)
ORDER = [("system", "x_tenant"), ("owner",), ("lessee",), (None,)]


@pytest.mark.parametrize("higher", range(len(ORDER)))
@pytest.mark.parametrize("lower", range(len(ORDER)))
def test_scopes_outrank_each_other_strictly(higher: int, lower: int) -> None:
    for one, other in itertools.product(ORDER[higher], ORDER[lower]):
        assert scopes.outranks(one, other) is (higher < lower), (one, other)


STANDING = [
    # system, my project, node's owner, node's lessee → standing
    (True, "p", "p", "p", "system"),
    (True, "", None, None, "system"),
    (True, None, "a", "b", "system"),
    (False, "p", "p", None, "owner"),
    (False, "p", "p", "q", "owner"),
    (False, "p", "q", "p", "lessee"),
    (False, "p", None, "p", "lessee"),
    # "The highest counts."
    (False, "p", "p", "p", "owner"),
    (False, "p", "q", "r", None),
    (False, "p", None, None, None),
    # "An empty project matches nothing."
    (False, "", "", "", None),
    (False, "", None, None, None),
    (False, None, None, None, None),
    (False, None, "", "", None),
    # Ids are compared as they are.
    (False, "P", "p", "p", None),
    (False, "p ", "p", "p", None),
]


@pytest.mark.parametrize(("system", "project", "owner", "lessee", "standing"), STANDING)
def test_standing_is_the_highest_scope_that_the_caller_holds_on_the_node(
    system: bool, project: str | None, owner: str | None, lessee: str | None, standing: str | None
) -> None:
    assert scopes.standing(system=system, project=project, owner=owner, lessee=lessee) == standing


# Roles as the identity service expands them: each with those that it implies; `service` stands alone.
ROLES = {
    "admin": ("admin", "manager", "member", "reader"),
    "manager": ("manager", "member", "reader"),
    "member": ("member", "reader"),
    "reader": ("reader",),
    "service": ("service",),
    "none": (),
    "another": ("load-balancer_member",),
}
# What makes a caller of this role system: S system scope, P the configured service project, A the switch project_admin_is_system.
SYSTEM_BY = {"admin": "SA", "manager": "S", "member": "S", "reader": "", "service": "SP", "none": "", "another": ""}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("system_scoped", [True, False])
@pytest.mark.parametrize("project_name", ["service", "another-project", "", None])
@pytest.mark.parametrize("service_project", ["service", "", None])
@pytest.mark.parametrize("project_admin_is_system", [True, False])
def test_who_counts_as_system(
    project_admin_is_system: bool, service_project: str | None, project_name: str | None, system_scoped: bool, role: str
) -> None:
    holds = {
        "S": system_scoped,
        "P": service_project == "service" and project_name == "service",
        "A": project_admin_is_system,
    }
    found = scopes.is_system(
        system_scoped=system_scoped,
        roles=ROLES[role],
        project_name=project_name,
        service_project=service_project,
        project_admin_is_system=project_admin_is_system,
    )
    assert found is any(holds[way] for way in SYSTEM_BY[role])


def test_a_bare_admin_role_is_not_system_by_default() -> None:
    assert not scopes.is_system(
        system_scoped=False, roles=ROLES["admin"], project_name="admin", service_project=None, project_admin_is_system=False
    )


def test_a_deployment_without_a_service_project_has_no_service_at_system_scope() -> None:
    for name in (None, ""):
        assert not scopes.is_system(
            system_scoped=False, roles=("service",), project_name=name, service_project=name, project_admin_is_system=True
        )
