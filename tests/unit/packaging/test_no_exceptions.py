# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""No check is silenced by a list of exceptions."""

from __future__ import annotations

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[3]


def test_ansible_tests_sanity_has_no_ignore_lines() -> None:
    assert [path.name for path in ROOT.glob("tests/sanity/ignore*.txt") if path.read_text().strip()] == []


def test_ansible_lint_has_no_ignore_file() -> None:
    assert [name for name in (".ansible-lint-ignore", ".config/ansible-lint-ignore.txt") if (ROOT / name).exists()] == []
