# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A way to the backend on which replies get lost: the request arrives and is carried out, and the client hears nothing of it."""

from __future__ import annotations

import threading

from ansible_collections.baremetal.maintenance.tests.support.forwarder import Forwarder


class Lossy(Forwarder):
    """`lose(method, times)` loses the replies to the next requests of a method; `lost` counts them."""

    def __init__(self, url: str) -> None:
        self.lost = 0
        self._losses: dict[str, int] = {}
        self._lock = threading.Lock()
        super().__init__(url)

    def lose(self, method: str, times: int = 1) -> None:
        """Lose the replies to the next requests of this method."""
        with self._lock:
            self._losses[method] = times

    def heard(self, method: str, content_type: str, content: bytes) -> bytes | None:
        """Lose what is to be lost."""
        with self._lock:
            if self._losses.get(method, 0) <= 0:
                return content
            self._losses[method] -= 1
            self.lost += 1
            return None
