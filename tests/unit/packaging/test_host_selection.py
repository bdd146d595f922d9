# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing that users copy selects hosts in a way that fails open."""

from __future__ import annotations

import pathlib
import re

import pytest
from checkout_copy import files

ROOT = pathlib.Path(__file__).resolve().parents[3]
COPIED = ("README.md", "awx/", "docs/", "examples/", "extensions/", "playbooks/", "plugins/", "roles/")

# A negation selects every host when the group is missing; a default of all plays on the fleet when the target was forgotten.
FAILS_OPEN = re.compile(r"""!(\{\{[^}]*\}\})?\w*hold|default\(\s*['"]all['"]""")


def lines_that_fail_open(text: str) -> list[int]:
    """Numbers of the lines that select hosts in such a way."""
    return [number for number, line in enumerate(text.splitlines(), 1) if FAILS_OPEN.search(line)]


def test_no_example_or_playbook_fails_open() -> None:
    names = [name for name in files(ROOT) if name.startswith(COPIED)]
    assert names
    found = {name: lines for name in names if (lines := lines_that_fail_open((ROOT / name).read_text(errors="replace")))}
    assert found == {}


@pytest.mark.parametrize(
    "text",
    [
        "hosts: web:!hold_any",
        "hosts: 'web:!baremetal_hold_any'",
        "hosts: all:!{{ prefix }}hold_any",
        "target | default('all')",
        'default( "all", true)',
    ],
)
def test_such_a_line_is_found(text: str) -> None:
    assert lines_that_fail_open(f"---\n{text}\n") == [2]


@pytest.mark.parametrize("text", ["hosts: web:&hold_none", "when: not held", "default('target_is_required')", "if x != hold:"])
def test_a_positive_selection_is_not(text: str) -> None:
    assert lines_that_fail_open(text) == []
