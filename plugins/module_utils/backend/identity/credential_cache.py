# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Remembers for a minute which credentials were found right, without remembering them."""

from __future__ import annotations

import concurrent.futures
import hashlib
import hmac
import os
import threading
import time
import typing as t

#: Seconds for which a verified credential needs no second look.
LIFETIME: t.Final = 60.0


class CredentialCache:
    """Verified credentials by a keyed hash whose key lives and dies with the process. Safe between threads.

    Wrong credentials are not kept. There is one entry at most for each password that is right, so it cannot grow beyond the
    number of logins.
    """

    def __init__(self, clock: t.Callable[[], float] = time.monotonic) -> None:
        self._key = os.urandom(32)
        self._clock = clock
        self._lock = threading.Lock()
        self._good_until: dict[bytes, float] = {}
        self._pending: dict[bytes, concurrent.futures.Future[bool]] = {}

    def verified(self, login: str, password: bytes, check: t.Callable[[], bool]) -> bool:
        """Tell whether the credential is right, by memory or by `check`, which runs once for however many ask at the same time.

        Whoever waits for another thread's check gets its answer, or the exception that it raised.
        """
        name = login.encode("utf-8")
        credential = hmac.digest(self._key, len(name).to_bytes(4, "big") + name + password, hashlib.sha256)
        with self._lock:
            if self._good_until.get(credential, float("-inf")) > self._clock():
                return True
            self._good_until.pop(credential, None)
            pending = self._pending.get(credential)
            mine = pending is None
            if pending is None:
                pending = self._pending[credential] = concurrent.futures.Future()
        if not mine:
            return pending.result()
        try:
            answer = check()
        except BaseException as error:
            with self._lock:
                del self._pending[credential]
            pending.set_exception(error)
            raise
        with self._lock:
            del self._pending[credential]
            if answer:
                self._good_until[credential] = self._clock() + LIFETIME
        pending.set_result(answer)
        return answer
