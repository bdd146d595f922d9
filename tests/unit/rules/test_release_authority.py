# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Release authority (spec, "Scoping"): the whole matrix of standing × scope × project × type, for one entry and for all of a node.

What is expected is a table of sentences, read off the spec (tests/support/release_table.py).
"""

from __future__ import annotations

import itertools

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.rules import authority
from ansible_collections.baremetal.maintenance.tests.support.release_table import ALLOWED, OTHER_PROJECT, SCOPES, STANDINGS, TABLE

MINE, THEIRS, NOBODYS = "project-mine", "project-theirs", ""

TYPED = ("hardware_failure", "operator_hold", "x_legal_hold", "a_type_of_the_future")
EXEMPT = ("legacy", "fault")


def floor(type: str, scope: str, entry_project: str, standing: str | None, project: str | None) -> str | None:
    return authority.release_floor(type=type, scope=scope, asserted_by_project=entry_project, standing=standing, project=project)


def test_the_table_is_whole() -> None:
    assert sorted((row[0] or "", row[1]) for row in TABLE) == sorted(
        (who or "", what) for who, what in itertools.product(STANDINGS, SCOPES)
    )


@pytest.mark.parametrize("type", TYPED)
@pytest.mark.parametrize(("standing", "scope", "mine", "theirs", "nobodys"), TABLE)
def test_a_typed_entry_is_released_as_the_table_says(
    standing: str | None, scope: str, mine: str | None, theirs: str | None, nobodys: str | None, type: str
) -> None:
    assert floor(type, scope, MINE, standing, MINE) == mine
    assert floor(type, scope, THEIRS, standing, MINE) == theirs
    assert floor(type, scope, NOBODYS, standing, MINE) == nobodys


@pytest.mark.parametrize("type", TYPED)
@pytest.mark.parametrize("project", ["", None])
@pytest.mark.parametrize(("standing", "scope"), [("owner", "owner"), ("lessee", "lessee")])
def test_a_caller_without_a_project_matches_no_project_not_even_the_empty_one(
    standing: str, scope: str, project: str | None, type: str
) -> None:
    assert floor(type, scope, "", standing, project) == OTHER_PROJECT
    assert floor(type, scope, THEIRS, standing, project) == OTHER_PROJECT


@pytest.mark.parametrize("type", TYPED)
@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("entry_project", [MINE, THEIRS, NOBODYS])
def test_a_system_operator_without_a_project_may_release_everything(entry_project: str, scope: str, type: str) -> None:
    assert floor(type, scope, entry_project, "system", "") is ALLOWED


@pytest.mark.parametrize("type", EXEMPT)
@pytest.mark.parametrize("standing", STANDINGS)
@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("entry_project", [MINE, THEIRS, NOBODYS])
@pytest.mark.parametrize("project", [MINE, "", None])
def test_legacy_and_fault_are_governed_by_policy_alone(
    project: str | None, entry_project: str, scope: str, standing: str | None, type: str
) -> None:
    assert floor(type, scope, entry_project, standing, project) is ALLOWED


WHO_CAN = [
    # what the entry is, who is said to be able to release it
    (("legacy", "system", ""), "anyone whom policy lets clear maintenance"),
    (("fault", "system", ""), "anyone whom policy lets clear maintenance"),
    (("operator_hold", "system", "project-ops"), "a system operator"),
    (("operator_hold", "owner", MINE), f"the project {MINE} that asserted it while it is the owner, or a system operator"),
    (
        ("operator_hold", "lessee", MINE),
        f"the project {MINE} that asserted it while it is the lessee, the node's owner, or a system operator",
    ),
    (("operator_hold", "x_tenant", MINE), "a system operator"),
    # The project is masked.
    (("operator_hold", "owner", ""), "the project that asserted it while it is the owner, or a system operator"),
    (("operator_hold", "lessee", ""), "the project that asserted it while it is the lessee, the node's owner, or a system operator"),
]


@pytest.mark.parametrize(("entry", "words"), WHO_CAN)
def test_who_can_release_an_entry_is_said_in_words(entry: tuple[str, str, str], words: str) -> None:
    type, scope, project = entry
    assert authority.who_can(type=type, scope=scope, asserted_by_project=project) == words


# An entry is one's own at the same scope and from the same project, and of the same user where the project is empty.
OWN = [
    # standing, my project, my user | scope, entry's project, entry's user | own
    ("owner", MINE, "me", "owner", MINE, "me", True),
    ("owner", MINE, "me", "owner", MINE, "a teammate", True),
    ("lessee", MINE, "me", "lessee", MINE, "a teammate", True),
    ("system", "", "me", "system", "", "me", True),
    ("system", "", "me", "system", "", "another operator", False),
    ("system", MINE, "me", "system", MINE, "a teammate", True),
    ("system", MINE, "me", "system", "", "me", False),
    ("system", "", "me", "system", MINE, "me", False),
    ("owner", MINE, "me", "owner", THEIRS, "me", False),
    ("owner", MINE, "me", "lessee", MINE, "me", False),
    ("lessee", MINE, "me", "owner", MINE, "me", False),
    ("system", MINE, "me", "owner", MINE, "me", False),
    ("owner", MINE, "me", "system", MINE, "me", False),
    (None, MINE, "me", "lessee", MINE, "me", False),
    (None, "", "me", "lessee", "", "me", False),
    ("system", "", "me", "x_tenant", "", "me", False),
]


@pytest.mark.parametrize(("standing", "project", "user", "scope", "entry_project", "entry_user", "own"), OWN)
def test_own_is_same_scope_and_project_and_the_same_user_where_the_project_is_empty(
    standing: str | None, project: str, user: str, scope: str, entry_project: str, entry_user: str, own: bool
) -> None:
    found = authority.is_own(
        scope=scope, asserted_by=entry_user, asserted_by_project=entry_project, standing=standing, user=user, project=project
    )
    assert found is own
