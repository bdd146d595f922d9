# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Mistakes in a policy file: each is found at start and said in one sentence, however many there are."""

from __future__ import annotations

import pathlib

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.mistakes import ConfigErrors
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.policy import rulefile

from .parts import GET, REMOVE, SET, caller, entry, node, policy


def mistakes(folder: pathlib.Path, text: str) -> list[str]:
    """Give what is wrong with a policy file of this text."""
    path = folder / "policy.yaml"
    path.write_text(text, encoding="utf-8")
    return rulefile.mistakes(str(path))


REFUSED = [
    ("an empty file", "", "is empty; remove the setting policy_file"),
    ("comments only", "# nothing\n", "is empty"),
    ("not YAML", "a: [\n", "is not valid YAML at line"),
    ("a list", "- role:admin\n", "must hold a mapping of names to values, not a list"),
    ("two documents", f"'{GET}': '@'\n---\n'{GET}': '@'\n", "is not valid YAML"),
    ("a rule twice", f"'{GET}': '@'\n'{GET}': '!'\n", f"the key '{GET}' stands twice"),
    ("a rule without a value", f"'{GET}':\n", "the rule must be text, not nothing"),
    ("an empty rule", f"'{GET}': ''\n", "would allow everyone; write '@' if that is meant"),
    ("a rule of blanks", f"'{GET}': '  '\n", "would allow everyone"),
    ("a rule in the old list form", f"'{GET}': [['role:admin']]\n", "the rule must be text, not a list"),
    ("a rule that is true", f"'{GET}': true\n", "the rule must be text, not true or false"),
    ("an unknown rule", "'baremetal:node:gett': '@'\n", f"'baremetal:node:gett' is not a rule of this service; did you mean {GET}?"),
    ("an unknown rule like nothing", "'zzz': '@'\n", "'zzz' is not a rule of this service"),
    ("a word that is no check", f"'{GET}': role:admin or admins\n", "'admins' is not a check"),
    ("a parenthesis too few", f"'{GET}': (role:admin\n", "cannot be parsed"),
    ("a missing operator", f"'{GET}': role:admin role:member\n", "cannot be parsed"),
    ("an operator without a left side", f"'{GET}': and role:admin\n", "cannot be parsed"),
    ("a caller's attribute that is none", f"'{GET}': user:me\n", "a caller has no attribute 'user'; did you mean user_id?"),
    ("a dotted caller's attribute", f"'{GET}': user_id.name:me\n", "a caller has no attribute 'user_id.name'"),
    ("is_admin", f"'{GET}': is_admin:True\n", "a caller has no attribute 'is_admin'"),
    (
        "a misspelt attribute",
        f"'{GET}': project_id:%(node.ower)s\n",
        f"{GET} is asked about a node, which has no attribute 'node.ower'; did you mean node.owner?",
    ),
    ("an entry's attribute in a node's rule", f"'{SET}': user_id:%(maintenance.asserted_by)s\n", "has no attribute"),
    ("a node's attribute in the fleet's rule", "'baremetal:node:list_all': project_id:%(node.owner)s\n", "no node in particular"),
    ("a role of an attribute that is none", f"'{GET}': 'role:%(node.team)s'\n", "has no attribute 'node.team'"),
    ("an attribute without its s", f"'{GET}': 'project_id:%(node.owner)x'\n", "an attribute is written %(name)s"),
    ("a lone percent sign", f"'{GET}': 'role:50%'\n", "an attribute is written %(name)s"),
    ("None on the right", f"'{GET}': project_id:None\n", "None equals nothing here"),
    ("None on the left", f"'{GET}': 'None:%(node.lessee)s'\n", "None equals nothing here"),
    ("a rule that asks a service", f"'{GET}': 'http://127.0.0.1/%(node.uuid)s'\n", "may not ask another service"),
    ("a reference to nothing", f"'{GET}': rule:service_roll\n", "there is no rule 'service_roll'; did you mean service_role?"),
    ("a rule of itself", f"'{GET}': rule:{GET} or role:admin\n", "leads back to itself"),
    ("rules in a circle", f"'{GET}': rule:a\na: rule:b\nb: rule:a\n", "leads back to itself"),
    ("a mistake behind a reference", f"'{REMOVE}': rule:mine\nmine: user_id:%(maintenance.by)s\n", "'mine': user_id:%(maintenance.by)s"),
    ("an entry's attribute behind a node's reference", f"'{SET}': rule:m\nm: user_id:%(maintenance.asserted_by)s\n", "has no attribute"),
]


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_a_mistake_is_one_sentence(tmp_path: pathlib.Path, text: str, expected: str, caplog: pytest.LogCaptureFixture) -> None:
    found = mistakes(tmp_path, text)
    assert found
    assert any(expected in sentence for sentence in found), found
    assert all(sentence.startswith("policy file ") and str(tmp_path) in sentence and "\n" not in sentence for sentence in found)
    assert not caplog.records, "the library's own traceback reaches the log"


def test_every_mistake_is_reported_at_once(tmp_path: pathlib.Path) -> None:
    found = mistakes(tmp_path, f"'{GET}': ''\nfoo: '@'\n'{SET}': user:me or project_id:%(node.ower)s\n'{REMOVE}': rule:nope\n")
    assert len(found) == 5


def test_a_mistake_stands_once_however_many_rules_refer_to_it(tmp_path: pathlib.Path) -> None:
    assert len(mistakes(tmp_path, "service_role: user:me\n")) == 1


def test_a_missing_file_is_a_mistake(tmp_path: pathlib.Path) -> None:
    assert rulefile.mistakes(str(tmp_path / "none.yaml")) == [
        f"policy file {tmp_path}/none.yaml cannot be read: no such file or directory"
    ]


def test_a_file_that_is_not_text_is_a_mistake(tmp_path: pathlib.Path) -> None:
    (tmp_path / "policy.yaml").write_bytes(b"\xff\xfe\x00")
    assert "is not UTF-8 text" in rulefile.mistakes(str(tmp_path / "policy.yaml"))[0]


ACCEPTED = [
    ("an operator's alias", f"'{GET}': rule:team\nteam: project_id:abc\n"),
    ("an alias of an alias", f"'{GET}': rule:a\na: rule:b or role:x\nb: project_id:abc\n"),
    ("rules of Ironic that are not asked here", "'baremetal:port:get': role:reader\nis_admin: role:admin\n"),
    ("what Ironic's other rules know", "'baremetal:allocation:get': project_id:%(allocation.owner)s\n"),
    ("never and always", f"'{GET}': '@'\n'{SET}': '!'\n'{REMOVE}': (!)\n"),
    ("a percent sign, doubled", f"'{GET}': 'role:50%%'\n"),
]


@pytest.mark.parametrize("text", [case[1] for case in ACCEPTED], ids=[case[0] for case in ACCEPTED])
def test_what_is_right_is_accepted(tmp_path: pathlib.Path, text: str) -> None:
    assert mistakes(tmp_path, text) == []


def test_the_engine_refuses_a_wrong_file_with_all_its_mistakes(tmp_path: pathlib.Path) -> None:
    with pytest.raises(ConfigErrors) as caught:
        policy({GET: "user:me", SET: ""}, folder=tmp_path)
    assert len(caught.value.errors) == 2


@pytest.mark.parametrize("name", rulefile.shipped_names())
def test_the_shipped_files_are_right(name: str) -> None:
    assert rulefile.mistakes(name) == []


def test_an_alias_decides(tmp_path: pathlib.Path) -> None:
    loaded = policy({GET: "rule:team", "team": "project_id:abc"}, folder=tmp_path)
    assert loaded.session(caller(project="abc")).allows(GET, entry(node(owner="x")))
    assert not loaded.session(caller(project="own")).allows(GET, entry())
