# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page about BMCs has the table of the rules as they are."""

from __future__ import annotations

import pathlib
import typing as t

from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import checks, rules

PAGE: t.Final = pathlib.Path(__file__).resolve().parents[3] / "docs" / "bmc.md"
HEAD: t.Final = ["| rule | what it asks | violated | not read | why |", "| --- | --- | --- | --- | --- |"]


def violated(rule: rules.Rule) -> str:
    """Give what a violation does, by fault where that differs."""
    if rule.blocks_for:
        return f"warns; blocks after {' or '.join(fault for fault in rules.FAULTS if fault in rule.blocks_for)}"
    if rule.severity == "warn":
        return "warns"
    if rule.faults == rules.ALL_FAULTS:
        return "blocks"
    return f"blocks after {' or '.join(fault for fault in rules.FAULTS if fault in rule.faults)}, else warns"


def row(rule: rules.Rule) -> str:
    return f"| {rule.name} | {rule.what} | {violated(rule)} | {'blocks' if rule.unknown == 'block' else 'named'} | {rule.reason} |"


def test_the_table_is_that_of_the_rules() -> None:
    table = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    assert table == [*HEAD, *(row(rule) for rule in rules.RULES)]


def test_numbers_in_the_rules_are_those_that_count() -> None:
    assert f"more than {checks.LEAST_MEDIA_LIFE} %" in rules.BY_NAME["R5"].what
    assert "five minutes" in rules.BY_NAME["W1"].what and checks.MOST_SKEW == 5 * 60
