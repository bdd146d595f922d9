# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Synthesis of `maintenance_reason` (spec, "REST API impact"; api.md 3)."""

from __future__ import annotations

import random

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.rules import reasons

SYNTHESIS = [
    # No entry, no reason.
    ([], None),
    # "when the node's only entry is a legacy one, its reason is returned verbatim (legacy round-trip fidelity)"
    ([("legacy", "rebalancing rack")], "rebalancing rack"),
    ([("legacy", None)], None),
    ([("legacy", "")], ""),
    ([("legacy", "  two spaces, a newline\n and a ; ")], "  two spaces, a newline\n and a ; "),
    ([("legacy", "operator_hold: looks typed; legacy: twice")], "operator_hold: looks typed; legacy: twice"),
    ([("legacy", "x" * 4096)], "x" * 4096),
    # "otherwise the active entries are rendered as <type>: <reason>"
    ([("hardware_failure", "Disk 3 has bad sectors")], "hardware_failure: Disk 3 has bad sectors"),
    ([("fault", "BMC is silent")], "fault: BMC is silent"),
    ([("x_legal_hold", "§ 7")], "x_legal_hold: § 7"),
    # "An entry with no reason renders as its type alone."
    ([("operator_hold", None)], "operator_hold"),
    ([("operator_hold", "")], "operator_hold"),
    # 'joined with "; " in asserted_at order': the order in which they are given.
    ([("operator_hold", "a"), ("hardware_failure", "b")], "operator_hold: a; hardware_failure: b"),
    ([("hardware_failure", "b"), ("operator_hold", "a")], "hardware_failure: b; operator_hold: a"),
    ([("operator_hold", "a"), ("operator_hold", "a")], "operator_hold: a; operator_hold: a"),
    # A legacy entry beside others is one of them.
    ([("legacy", "old script"), ("operator_hold", "a")], "legacy: old script; operator_hold: a"),
    ([("operator_hold", "a"), ("legacy", "old script")], "operator_hold: a; legacy: old script"),
    ([("legacy", None), ("operator_hold", None)], "legacy; operator_hold"),
    ([("legacy", ""), ("fault", None)], "legacy; fault"),
    ([("legacy", "a"), ("legacy", "b")], "legacy: a; legacy: b"),
    # A reason may hold what joins reasons: nothing ever parses the string back.
    ([("operator_hold", "a; b"), ("hardware_failure", "c: d; e")], "operator_hold: a; b; hardware_failure: c: d; e"),
    # Stored and echoed, never interpreted.
    ([("operator_hold", "{{ lookup('pipe', 'id') }} %(node)s 😀\n")], "operator_hold: {{ lookup('pipe', 'id') }} %(node)s 😀\n"),
    # "The synthesised reason is never cut by us."
    ([("operator_hold", "y" * 4096)] * 3, "; ".join(["operator_hold: " + "y" * 4096] * 3)),
]


@pytest.mark.parametrize(("entries", "reason"), SYNTHESIS)
def test_reason_of_a_node_from_its_entries(entries: list[tuple[str, str | None]], reason: str | None) -> None:
    assert reasons.synthesise(entries) == reason


def test_releasing_one_entry_takes_out_its_part_and_nothing_else(seed: str) -> None:
    dice = random.Random(seed)
    entries = [(dice.choice(("operator_hold", "hardware_failure", "x_hold")), dice.choice((None, "a; b", "c: d", "e"))) for _n in range(9)]
    for place in range(len(entries)):
        parts = [type if reason is None else type + ": " + reason for type, reason in entries]
        del parts[place]
        assert reasons.synthesise(entries[:place] + entries[place + 1 :]) == "; ".join(parts)
