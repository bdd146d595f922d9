# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who is released: exactly whose BMC gave evidence, and nobody because something is missing."""

from __future__ import annotations

import copy
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.plugin_utils.recovery import judging
from ansible_collections.baremetal.maintenance.plugins.plugin_utils.recovery.row import Row

from .samples import access, entry, healthy, node, rows, said, sick, silent


def judged(found: list[Row], *results: dict[str, t.Any], flaps: int = 3, storm: int = 10) -> list[Row]:
    return judging.judged(found, results, flap_threshold=flaps, storm_threshold=storm)


def test_a_clean_verdict_is_clean_and_carries_its_evidence() -> None:
    (row,) = judged(rows("a"), said("a", healthy()))
    assert row["state"] == "clean"
    assert row["evidence"] == "fault_recovery: power on in 3 reads"


def test_a_sick_machine_is_checked_again_and_says_why() -> None:
    (row,) = judged(rows("a"), said("a", sick()))
    assert (row["state"], row["outcome"]) == ("due", "not_released")
    assert "main power fault" in row["why"]


def test_without_a_result_nothing_is_released() -> None:
    (row,) = judged(rows("a"))
    assert (row["state"], row["outcome"]) == ("done", "failed")


def everything_off(about: dict[str, t.Any]) -> dict[str, t.Any]:
    verdict = {"release": True, **{name: [] for name in ("blocking", "warnings", "not_checked", "ignored")}}
    return {"node": "uuid-a", "report": about, "verdict": verdict, "evidence": ""}


def test_a_verdict_without_an_answer_about_the_power_releases_nothing_whatever_rules_were_off() -> None:
    mute = healthy()
    mute["power"].update(reads=[], state="unknown")
    unsure = healthy()
    unsure["power"].update(reads=["unknown"] * 3, state="unknown")
    changing = healthy()
    changing["power"].update(reads=["off", "poweringon"], state="poweringon")
    for about in (silent(), silent("auth_failed"), mute, unsure, changing):
        (row,) = judged(rows("a"), everything_off(about))
        assert row["state"] != "clean"


@pytest.mark.parametrize("release", ["true", "yes", 1, None])
def test_only_true_is_a_release(release: t.Any) -> None:
    result = said("a", healthy())
    result["verdict"]["release"] = release
    assert judged(rows("a"), result)[0]["state"] != "clean"


def test_a_silent_bmc_is_asked_again_and_a_refused_login_never_is() -> None:
    found = judged(rows("a", "b"), said("a", silent()), said("b", silent("auth_failed")))
    assert [(row["state"], row["outcome"]) for row in found] == [("due", "unreachable"), ("done", "not_released")]


@pytest.mark.parametrize("kind", ["not_redfish", "tls_or_port", "deadline", "session_limit", "child_failed", "malformed"])
def test_what_a_bmc_that_is_just_starting_answers_is_no_last_word(kind: str) -> None:
    assert judged(rows("a"), said("a", silent(kind)))[0]["state"] == "due"


def test_a_flapping_node_is_not_released_and_a_hold_is_proposed() -> None:
    found = rows("a")
    found[0]["flaps"] = 3
    (row,) = judged(found, said("a", healthy()))
    assert (row["state"], row["outcome"], row["proposal"]) == ("done", "not_released", "operator_hold")
    assert judged(found, said("a", healthy()), flaps=0)[0]["state"] == "clean"
    assert judged(found, said("a", healthy()), flaps=4)[0]["state"] == "clean"


def test_a_hold_that_is_there_is_not_proposed_again() -> None:
    found = rows("a")
    found[0].update(flaps=3, others=[entry("a", "operator_hold", key="fault_recovery")])
    assert judged(found, said("a", healthy()))[0]["proposal"] is None


def test_a_history_that_could_not_be_read_releases_nothing() -> None:
    found = rows("a", histories=[{"item": "uuid-a"}])
    (row,) = judged(found, said("a", healthy()))
    assert (row["state"], row["outcome"]) == ("done", "not_released")


def test_a_watched_node_is_to_get_a_fault_only_while_its_bmc_is_silent() -> None:
    found = rows("a", "b", "c", watch=True)
    found = judged(found, said("a", silent()), said("b", sick()), said("c", silent("auth_failed")))
    assert [(row["outcome"], row["proposal"]) for row in found] == [
        ("unreachable", "power failure"),
        ("watched", None),
        ("watched", None),
    ]
    assert judged(found, said("a", healthy()))[0]["outcome"] == "watched"


def test_more_silent_bmcs_than_the_threshold_are_one_outage_and_nothing_is_proposed() -> None:
    found = rows("a", "b", "c", watch=True)
    found = judged(found, *(said(name, silent()) for name in "abc"), storm=2)
    assert judging.outage(found, 2) == 3
    assert [row["proposal"] for row in found] == [None] * 3
    # Also after some of them came back: it was an outage of this run.
    found = judged(found, said("a", healthy()), said("b", healthy()), said("c", silent()), storm=2)
    assert [row["proposal"] for row in found] == [None] * 3


def test_in_an_outage_the_clean_are_still_released() -> None:
    found = judged(rows("a", "b", "c", "d"), *(said(name, silent()) for name in "abc"), said("d", healthy()), storm=2)
    assert [row["state"] for row in found] == ["due", "due", "due", "clean"]


def test_targets_are_those_that_are_due_with_what_they_are_judged_by() -> None:
    found = judged(rows("a", "b"), said("a", healthy()), said("b", sick()))
    (target,) = judging.targets(found, {"a": access(0), "b": access(1)})
    assert target["node"] == "uuid-b"
    assert (target["bmc_address"], target["bmc_password"], target["fault"]) == ("127.0.0.1:1", "canary", "power failure")
    assert target["since"] == found[1]["since"]


@pytest.fixture
def clean() -> list[Row]:
    return judged(rows("a"), said("a", healthy()))


def test_what_is_as_it_was_judged_is_confirmed(clean: list[Row]) -> None:
    assert judging.confirmed(clean, [entry("a"), entry("a", "operator_hold")], [node("a")]) == clean


@pytest.mark.parametrize(
    ("entries", "nodes"),
    [
        ([], [node("a")]),
        ([entry("a", extra={"fault": "clean failure"})], [node("a")]),
        ([entry("a", reason="it fell over again")], [node("a")]),
        ([entry("a", uuid="another")], [node("a")]),
        ([entry("a")], []),
        ([entry("a")], [node("a", power_state="power off")]),
    ],
)
def test_what_changed_since_is_not_released(clean: list[Row], entries: list[t.Any], nodes: list[t.Any]) -> None:
    (row,) = judging.confirmed(clean, entries, nodes)
    assert row["state"] == "done"
    assert row["outcome"] in ("not_released", "failed")


@pytest.mark.parametrize("work", [{"reservation": "conductor-1"}, {"target_power_state": "power off"}])
def test_while_a_conductor_is_at_work_nothing_is_released_and_it_is_checked_again(clean: list[Row], work: dict[str, str]) -> None:
    (row,) = judging.confirmed(clean, [entry("a")], [node("a", **work)])
    assert (row["state"], row["outcome"]) == ("due", "not_released")
    (row,) = judged([row], said("a", healthy()))
    assert row["state"] == "clean"


def result(row: Row, failed: bool = False) -> dict[str, t.Any]:
    said = {"changed": not failed, "nodes_result": [{"failed": failed}], "msg": "403: no"}
    return {"item": [row, row["entries"][0]], **said}


def test_a_predicted_release_is_none(clean: list[Row]) -> None:
    predicted = {**result(clean[0]), "prediction": "server"}
    assert judging.released(clean, [predicted], check_mode=False)[0]["outcome"] == "would_release"


def test_a_release_is_one_only_if_the_service_said_so(clean: list[Row]) -> None:
    refused = {"item": [clean[0], clean[0]["entries"][0]], "msg": "no answer", "failed": False}
    outcomes = [
        judging.released(copy.deepcopy(clean), results, check_mode=check)[0]["outcome"]
        for results, check in (
            ([result(clean[0])], False),
            ([result(clean[0])], True),
            ([result(clean[0], failed=True)], False),
            ([refused], False),
            ([], False),
        )
    ]
    assert outcomes == ["released", "would_release", "failed", "failed", "failed"]
