# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables are one set in a process, also for threads that ask for them first at the same moment."""

from __future__ import annotations

import concurrent.futures
import threading

from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema import tables


def test_threads_that_begin_together_get_the_same_tables() -> None:
    tables._build.cache_clear()
    began = threading.Barrier(8)

    def ask() -> int:
        began.wait()
        return id(tables.tables().nodes)

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert len({asked.result() for asked in [pool.submit(ask) for _number in range(8)]}) == 1
