# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The jobs that go on in front of an Ironic: each at its time, never twice at once, and none waits for another."""

from __future__ import annotations

import threading
import time
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.fronting.keeping import Job


def ended(job: Job, again: float = 0.0) -> None:
    """Look until it has ended."""
    end = time.monotonic() + 30
    while not job.look(again):
        assert time.monotonic() < end
        time.sleep(0.01)


def test_it_is_not_begun_before_its_time_nor_while_it_is_at_work() -> None:
    go, begun = threading.Event(), []

    def work() -> float:
        begun.append(1)
        go.wait(30)
        return 1000.0

    job = Job(work)
    for _time in range(3):
        assert not job.look(0)
    assert job.wait(5.0) == 5.0
    go.set()
    ended(job)
    assert not job.look(0)
    assert len(begun) == 1
    assert 0 < job.wait(5000.0) <= 1000.0
    job.anew()
    assert job.wait(5.0) == 0.0
    job.look(0)
    job.close()
    assert len(begun) == 2


def test_what_ends_it_comes_out_once_and_it_is_tried_again() -> None:
    tries: list[int] = []

    def work() -> float:
        tries.append(1)
        if len(tries) == 1:
            raise ValueError("once")
        return 1000.0

    job = Job(work)
    with pytest.raises(ValueError, match="once"):
        ended(job)
    ended(job)
    job.close()
    assert len(tries) == 2


def test_what_failed_waits_as_long_as_it_is_told_to() -> None:
    def work() -> float:
        raise ValueError("always")

    job = Job(work)
    with pytest.raises(ValueError, match="always"):
        ended(job, 500.0)
    assert 400 < job.wait(5000.0) <= 500
    job.close()


def test_one_does_not_wait_for_another() -> None:
    go = threading.Event()
    slow: t.Final = Job(lambda: float(go.wait(30)))
    quick: t.Final = Job(lambda: 1000.0)
    slow.look(0)
    ended(quick)
    go.set()
    slow.close()
    quick.close()
