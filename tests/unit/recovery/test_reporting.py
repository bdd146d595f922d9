# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The report: every node once, and what asks for a person first."""

from __future__ import annotations

import typing as t

from ansible_collections.baremetal.maintenance.plugins.plugin_utils.recovery import judging, reporting
from ansible_collections.baremetal.maintenance.plugins.plugin_utils.recovery.row import Row

from .samples import entry, healthy, rows, said, sick, silent


def judged(found: list[Row], *results: dict[str, t.Any], storm: int = 10) -> list[Row]:
    return judging.judged(found, results, flap_threshold=3, storm_threshold=storm)


def reported(found: list[Row], *asserted: dict[str, t.Any], storm: int = 10) -> dict[str, t.Any]:
    return reporting.report(found, asserted, storm_threshold=storm, check_mode=False)


def test_every_node_is_told_of_with_its_reason_and_who_else_holds_it() -> None:
    found = rows("a", "b")
    found[1]["others"] = [entry("b", "operator_hold")]
    found = judged(found, said("a", silent()), said("b", sick()))
    whole = reported(found)
    assert [(one["node"], one["outcome"]) for one in whole["nodes"]] == [("a", "unreachable"), ("b", "not_released")]
    lines = reporting.table(whole)
    assert "held besides by operator_hold at system scope by watch" in lines[1]
    assert lines[-1] == "1 unreachable, 1 not released"


def test_an_outage_is_one_line() -> None:
    names = [f"n{number}" for number in range(20)]
    found = judged(rows(*names, "well"), *(said(name, silent()) for name in names), said("well", sick()))
    lines = reporting.table(reported(found))
    assert lines[0].startswith("OUTAGE: 20 BMCs")
    assert len(lines) == 3


def test_a_watched_node_is_told_of_only_if_something_became_of_it() -> None:
    found = judged(rows("a", "b", "c", watch=True), said("a", silent()), said("b", silent()), said("c", healthy()))
    done = {"item": found[0], "nodes_result": [{"failed": False}]}
    refused = {"item": found[1], "msg": "403: not for you", "failed": False}
    whole = reported(found, done, refused)
    assert [(one["node"], one["outcome"], one["asserted"]) for one in whole["nodes"]] == [("b", "failed", False), ("a", "asserted", True)]
    assert "403" in whole["nodes"][0]["why"]
    assert whole["counts"]["watched"] == 1


def test_a_watched_node_of_an_ironic_is_left_to_it_and_whom_the_service_would_refuse_is_told() -> None:
    found = judged(rows("a", "b", "c", watch=True), *(said(name, silent()) for name in "abc"))
    asked = [{"item": found[0], "nodes_result": [{"failed": False}]}, {"item": found[1], "nodes_result": [{"failed": False}]}]
    done = {"item": found[0], "nodes_result": [{"failed": False}]}
    refused = {"item": found[2], "msg": "403: not for you", "failed": False}
    whole = reporting.report(found, [done], [*asked, refused], storm_threshold=10, check_mode=False)
    told = {one["node"]: (one["outcome"], one["proposal"]) for one in whole["nodes"]}
    assert told == {"a": ("asserted", "power failure"), "b": ("left_to_ironic", None), "c": ("failed", "power failure")}


def test_a_proposed_hold_is_told_apart_from_an_asserted_one() -> None:
    found = rows("a")
    found[0]["flaps"] = 5
    found = judged(found, said("a", healthy()))
    assert "operator hold proposed" in reporting.table(reported(found))[0]
    done = {"item": found[0], "nodes_result": [{"failed": False}]}
    assert "operator hold asserted" in reporting.table(reported(found, done))[0]
    assert reported(found, done)["nodes"][0]["outcome"] == "not_released"


def test_without_a_fault_there_is_nothing_to_report() -> None:
    assert reporting.table(reported([])) == ["no node has a fault"]
