# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Policies that deployments are known to want: the specification's lockout, one that grants everything, and the shipped `guarded`."""

from __future__ import annotations

import pathlib

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.policy import defaults, target

from .parts import REMOVE, SET, caller, entry, policy

#: Verbatim from the specification, "Security impact".
LOCKOUT = """\
"baremetal:node:maintenance:remove":
    "role:member and user_id:%(maintenance.asserted_by)s"
"""


@pytest.fixture
def lockout(tmp_path: pathlib.Path) -> str:
    """A policy file with the specification's lockout rule."""
    path = tmp_path / "lockout.yaml"
    path.write_text(LOCKOUT, encoding="utf-8")
    return str(path)


def test_lockout_lets_the_asserting_user_alone_release(lockout: str) -> None:
    loaded = policy(lockout)
    assert loaded.session(caller(user="alice", project="own")).allows(REMOVE, entry(by="alice"))
    assert not loaded.session(caller(user="bob", project="own")).allows(REMOVE, entry(by="alice"))
    assert not loaded.session(caller("admin", user="root", system=True)).allows(REMOVE, entry(by="alice"))
    assert not loaded.session(caller("reader", user="alice", project="own")).allows(REMOVE, entry(by="alice"))


def test_lockout_lets_nobody_release_what_nobody_asserted(lockout: str) -> None:
    assert not policy(lockout).session(caller("admin", user="None", system=True)).allows(REMOVE, entry(by=None))


def test_lockout_leaves_the_boolean_calls_as_they_are(lockout: str) -> None:
    assert policy(lockout).session(caller(project="own")).allows(SET, entry())


def test_a_file_that_grants_everything_is_an_operators_to_write(tmp_path: pathlib.Path) -> None:
    loaded = policy({rule.name: "@" for rule in defaults.RULES}, folder=tmp_path)
    session = loaded.session(caller("reader", project="other"))
    assert all(session.allows(rule.name, entry()) for rule in defaults.RULES)


OPERATOR = caller("admin", user="operator", system=True)


@pytest.mark.parametrize("call", ["legacy_delete", "patch"])
def test_guarded_keeps_other_users_entries_from_boolean_calls(call: target.Call) -> None:
    session = policy("guarded").session(OPERATOR)
    assert not session.allows(REMOVE, entry(by="somebody-else", call=call))
    assert session.allows(REMOVE, entry(by="operator", call=call))


@pytest.mark.parametrize("call", ["single", "bulk"])
def test_guarded_lets_typed_calls_release_what_the_defaults_do(call: target.Call) -> None:
    for role, project, system in (("admin", "", True), ("member", "own", False), ("member", "les", False), ("admin", "x", False)):
        who = caller(role, project=project, system=system)
        default = policy().session(who).allows(REMOVE, entry(call=call))
        assert policy("guarded").session(who).allows(REMOVE, entry(call=call)) is default


def test_guarded_gives_nobody_more_than_the_defaults() -> None:
    stranger = caller("admin", user="me", project="other")
    for call in target.CALLS:
        assert not policy("guarded").session(stranger).allows(REMOVE, entry(by="me", call=call))


def test_guarded_leaves_every_other_rule_alone() -> None:
    for who in (OPERATOR, caller(project="own"), caller("reader", project="les")):
        plain, guarded = policy().session(who), policy("guarded").session(who)
        for rule in defaults.RULES:
            if rule.name != REMOVE:
                assert plain.allows(rule.name, entry()) is guarded.allows(rule.name, entry())
