# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The end of the service, wanted or not: nothing half-alive is left, nothing answers on the port."""

from __future__ import annotations

import concurrent.futures
import os
import pathlib
import signal
import time

import pytest

from .processes import Served, eventually, interrupt_group, is_running


@pytest.mark.parametrize("workers", [1, 2])
def test_kill_9_of_the_supervisor_leaves_nothing(tmp_path: pathlib.Path, workers: int) -> None:
    with Served.tiny(tmp_path, workers=workers) as served:
        assert len(served.workers) == workers
        assert served.housekeeper is not None
        assert served.end(signal.SIGKILL) == -signal.SIGKILL
        assert served.gone()
        assert not served.answers()


@pytest.mark.parametrize("workers", [1, 2])
def test_kill_9_of_a_worker_ends_the_service_with_an_error(tmp_path: pathlib.Path, workers: int) -> None:
    with Served.tiny(tmp_path, workers=workers) as served:
        os.kill(min(served.workers), signal.SIGKILL)
        assert served.process.wait(30) == 1
        assert served.gone()
        assert not served.answers()
        assert served.logged("a web worker ended by itself, so the service ends")


def test_kill_9_of_the_supervisor_at_once_leaves_nothing(tmp_path: pathlib.Path) -> None:
    with Served.tiny(tmp_path) as served:
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            slow = [pool.submit(served.get, "/slow") for _request in range(4)]
            time.sleep(0.2)
            served.end(signal.SIGKILL)
            assert served.gone()
            assert not served.answers()
            assert all(request.exception() is not None for request in slow)


def test_sigterm_ends_in_order_after_requests_under_way(tmp_path: pathlib.Path) -> None:
    with Served.tiny(tmp_path) as served:
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            slow = pool.submit(served.get, "/slow")
            time.sleep(0.3)
            assert served.end(signal.SIGTERM) == 0
            assert slow.result()[0] == 200
        assert served.gone()
        assert not served.answers()


def test_ctrl_c_at_a_terminal_ends_in_order(tmp_path: pathlib.Path) -> None:
    with Served.tiny(tmp_path, workers=2) as served:
        interrupt_group(served.process)
        assert served.process.wait(30) == 0
        assert served.gone()
        assert "ERROR" not in served.log.read_text(encoding="utf-8")


def test_a_housekeeper_that_dies_is_started_again_and_the_service_goes_on(tmp_path: pathlib.Path) -> None:
    with Served.tiny(tmp_path) as served:
        first = served.housekeeper
        assert first is not None
        os.kill(first, signal.SIGKILL)
        assert eventually(lambda: served.housekeeper not in (None, first))
        assert served.get()[0] == 200
        second = served.housekeeper
        assert second is not None
        assert served.end(signal.SIGTERM) == 0
        assert not is_running(second)


def test_the_service_starts_again_at_once_on_the_port_that_it_had(tmp_path: pathlib.Path) -> None:
    with Served.tiny(tmp_path) as served:
        assert served.get()[0] == 200
        port = served.port
        served.end(signal.SIGKILL)
        assert served.gone()
    with Served.tiny(tmp_path, port=port) as again:
        assert again.port == port
        assert again.get()[0] == 200
