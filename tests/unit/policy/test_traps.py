# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The traps of oslo.policy, each closed: what it takes in silence must neither let anyone in nor break a request."""

from __future__ import annotations

import pathlib

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend import libs
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.caller import Caller
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.mistakes import ConfigErrors
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.policy import target
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.policy.creds import credentials

from .parts import ADD, GET, REMOVE, SET, caller, entry, node, policy


def test_nobody_without_a_project_owns_a_node_without_an_owner() -> None:
    session = policy().session(caller("admin", project=""))
    assert not session.allows(GET, entry(node(owner=None, lessee=None)))
    assert not session.allows(SET, entry(node(owner=None, lessee=None)))


def test_a_project_called_none_owns_nothing_that_has_no_owner() -> None:
    session = policy().session(caller("admin", project="None"))
    assert not session.allows(GET, entry(node(owner=None, lessee=None)))


def test_an_empty_owner_is_nobodys() -> None:
    session = policy().session(caller("admin", project=""))
    assert not session.allows(GET, entry(node(owner="", lessee="")))


@pytest.mark.parametrize("value", ["", None])
def test_an_entry_without_a_project_is_not_a_caller_without_ones(tmp_path: pathlib.Path, value: str | None) -> None:
    rules = {REMOVE: "project_id:%(maintenance.asserted_by_project)s"}
    assert not policy(rules, folder=tmp_path).session(caller(project="")).allows(REMOVE, entry(project=value))
    assert policy(rules, folder=tmp_path).session(caller(project="own")).allows(REMOVE, entry(project="own"))


@pytest.mark.parametrize(
    "rule",
    [
        "not user_id:%(maintenance.asserter)s",
        "not user_id:%(asserted_by)s",
        "not project_id:%(node.maintenance.asserted_by)s",
    ],
)
def test_not_of_an_attribute_that_does_not_exist_is_refused(tmp_path: pathlib.Path, rule: str) -> None:
    with pytest.raises(ConfigErrors, match="has no attribute"):
        policy({REMOVE: rule}, folder=tmp_path)


def test_not_of_an_attribute_that_exists_says_what_it_says(tmp_path: pathlib.Path) -> None:
    session = policy({REMOVE: "not user_id:%(maintenance.asserted_by)s"}, folder=tmp_path).session(caller(user="me"))
    assert session.allows(REMOVE, entry(by="you"))
    assert not session.allows(REMOVE, entry(by="me"))


def test_a_target_is_flat_and_complete() -> None:
    about = entry()
    assert set(about) == {*target.NODE_ATTRIBUTES, *target.ENTRY_ATTRIBUTES}
    assert all(isinstance(value, str) for value in about.values())


def test_a_target_that_lacks_what_a_rule_reads_is_a_fault_and_no_answer() -> None:
    with pytest.raises(KeyError):
        policy().session(caller()).allows(GET, target.fleet_target())


def test_a_rule_that_nobody_registered_is_a_fault_and_no_answer() -> None:
    with pytest.raises(KeyError):
        policy().session(caller("admin", system=True)).allows("baremetal:node:mantenance:get", entry())


def test_no_null_and_nothing_empty_is_in_the_credentials() -> None:
    assert credentials(Caller(user_id="u"), project_admin_is_system=False) == {"user_id": "u", "roles": []}


def test_system_scope_is_all_or_absent() -> None:
    assert "system_scope" not in credentials(caller(), project_admin_is_system=False)
    assert "system_scope" not in credentials(caller("admin", project="p"), project_admin_is_system=False)
    assert credentials(caller(system=True), project_admin_is_system=False)["system_scope"] == "all"


def test_the_credentials_are_fresh_each_time() -> None:
    who = caller(system=True)
    first = credentials(who, project_admin_is_system=False)
    first["roles"].append("admin")
    first["system"] = "all"
    assert credentials(who, project_admin_is_system=False)["roles"] == list(who.roles)


def test_a_caller_without_roles_is_refused_and_not_a_fault() -> None:
    session = policy().session(Caller(user_id="u", project_id="own"))
    assert session.allows(GET, entry()) is False


def test_a_file_that_is_deleted_later_widens_nothing(tmp_path: pathlib.Path) -> None:
    narrowed = policy({SET: "!"}, folder=tmp_path)
    admin = caller("admin", system=True)
    assert not narrowed.session(admin).allows(SET, entry())
    (tmp_path / "policy.yaml").unlink()
    assert not narrowed.session(admin).allows(SET, entry())


@pytest.mark.parametrize("damage", ["", "a: [", f"'{SET}': '@'"])
def test_a_file_that_is_damaged_later_changes_nothing(tmp_path: pathlib.Path, damage: str) -> None:
    narrowed = policy({SET: "!"}, folder=tmp_path)
    (tmp_path / "policy.yaml").write_text(damage, encoding="utf-8")
    assert not narrowed.session(caller("admin", system=True)).allows(SET, entry())


def test_no_file_is_looked_for_that_nobody_named(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "policy.yaml").write_text(f"'{SET}': '@'\n", encoding="utf-8")
    (tmp_path / "policy.d").mkdir()
    (tmp_path / "policy.d" / "more.yaml").write_text(f"'{SET}': '@'\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert not policy().session(caller("reader", project="other")).allows(SET, entry())


def test_rules_that_the_file_does_not_name_keep_their_defaults(tmp_path: pathlib.Path) -> None:
    session = policy({ADD: "role:admin and system_scope:all"}, folder=tmp_path).session(caller(project="own"))
    assert not session.allows(ADD, entry())
    assert session.allows(REMOVE, entry())


def test_a_decision_is_asked_once_for_all_targets_that_do_not_differ_for_its_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    enforcer = libs.oslo_policy.policy.Enforcer
    real = enforcer.authorize

    def counting(self: object, rule: str, *rest: object) -> bool:
        asked.append(rule)
        return real(self, rule, *rest)

    monkeypatch.setattr(enforcer, "authorize", counting)
    session = policy().session(caller("admin", project="own"))
    for number in range(50):
        assert session.allows(REMOVE, entry(node(name=f"node-{number}"), by=f"user-{number}"))
        assert not session.allows(REMOVE, entry(node(owner="other", lessee=None, name=f"node-{number}")))
    assert asked == [REMOVE, REMOVE]


def test_a_remembered_decision_never_answers_for_another_target(tmp_path: pathlib.Path) -> None:
    session = policy({REMOVE: "user_id:%(maintenance.asserted_by)s"}, folder=tmp_path).session(caller(user="me"))
    answers = [session.allows(REMOVE, entry(by=by)) for by in ("me", "you", "me", None, "me")]
    assert answers == [True, False, True, False, True]


def test_a_literal_text_is_compared_with_an_attribute(tmp_path: pathlib.Path) -> None:
    session = policy({ADD: "'hardware_failure':%(maintenance.type)s"}, folder=tmp_path).session(caller())
    assert session.allows(ADD, entry(type="hardware_failure"))
    assert not session.allows(ADD, entry(type="operator_hold"))
