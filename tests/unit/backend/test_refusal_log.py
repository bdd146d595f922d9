# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Refusals in the log: the same one again and again is written once a minute, with a count (api.md 8)."""

from __future__ import annotations

import logging

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.resources.refusal_log import FOLD, MOST, RefusalLog
from ansible_collections.baremetal.maintenance.tests.support.service import Service


class Clock:
    """A clock that the test moves."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> tuple[RefusalLog, Clock]:
    """A log with a clock of its own."""
    caplog.set_level(logging.INFO)
    clock = Clock()
    return RefusalLog(logging.getLogger("refusals"), clock), clock


def test_the_same_is_written_once_a_minute_with_how_often_it_happened(
    log: tuple[RefusalLog, Clock], caplog: pytest.LogCaptureFixture
) -> None:
    refusals, clock = log
    for _time in range(7):
        refusals.note("script DELETE /v1/nodes/x/maintenance 403", "Cannot release")
    clock.now += FOLD
    refusals.note("script DELETE /v1/nodes/x/maintenance 403", "Cannot release")
    assert [record.getMessage() for record in caplog.records] == [
        "refused: script DELETE /v1/nodes/x/maintenance 403: Cannot release",
        "refused: script DELETE /v1/nodes/x/maintenance 403: Cannot release (6 more times since)",
    ]


def test_another_is_written_beside_it(log: tuple[RefusalLog, Clock], caplog: pytest.LogCaptureFixture) -> None:
    refusals, _clock = log
    for what in ("a", "b", "a", "b"):
        refusals.note(what, "text")
    assert len(caplog.records) == 2


def test_it_remembers_no_more_than_so_many(log: tuple[RefusalLog, Clock], caplog: pytest.LogCaptureFixture) -> None:
    refusals, _clock = log
    for number in range(3 * MOST):
        refusals.note(str(number), "text")
    assert len(refusals._seen) <= MOST
    assert len(caplog.records) == 3 * MOST


def test_the_answer_stays_whole_while_the_log_is_folded(service: Service, caplog: pytest.LogCaptureFixture) -> None:
    """A controller that clears the flag every few seconds fills no disk, and still reads every blocker."""
    caplog.set_level(logging.INFO)
    node = service.node()
    entries = [service.hold(node), service.hold(node, "hardware_failure")]
    for _round in range(5):
        answer = service.by("lessee").delete(f"/nodes/{node}/maintenance")
        assert [blocker["uuid"] for blocker in answer.blockers] == entries
    said = [record.getMessage() for record in caplog.records if f"/v1/nodes/{node}/maintenance" in record.getMessage()]
    assert len(said) == 1
    assert all(uuid in said[0] for uuid in entries)
