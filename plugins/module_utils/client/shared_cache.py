# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the forks of one run share: answers by identity, in a file that only this user can read.

The cache is a help, never a condition: where it cannot be used safely (another owner, a mode that lets others in, a symbolic link, a broken
file) it is left alone and the client asks for itself.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import stat
import time
import typing as t

_NAME: t.Final = "baremetal-maintenance"
_POLL: t.Final = 0.02


class SharedCache:
    """Answers in a folder that belongs to the run. Keys are digests (Settings.identity), values are JSON objects.

    name: of its two files. What is asked for while the lock of one cache is held may be kept in another.
    """

    def __init__(self, folder: str, name: str = _NAME) -> None:
        self._file = os.path.join(folder, f"{name}.json")
        self._lock = os.path.join(folder, f"{name}.lock")

    def get(self, key: str) -> dict[str, t.Any] | None:
        """Give the answer stored under a key, None if there is none."""
        value = self._read().get(key)
        return value if isinstance(value, dict) else None

    def put(self, key: str, value: t.Mapping[str, t.Any]) -> None:
        """Store an answer. Call it under the lock."""
        self._write({**self._read(), key: dict(value)})

    def drop(self, key: str) -> None:
        """Forget an answer. Call it under the lock."""
        stored = self._read()
        if stored.pop(key, None) is not None:
            self._write(stored)

    @contextlib.contextmanager
    def lock(self, patience: float) -> t.Iterator[None]:
        """Hold the lock of the cache, so that one fork asks and the others find the answer.

        After `patience` seconds go on without it: a fork that waits for a dead service must not make the others wait in turn.
        """
        descriptor = self._open(self._lock, os.O_RDWR | os.O_CREAT)
        try:
            if descriptor is not None:
                _acquire(descriptor, patience)
            yield
        finally:
            if descriptor is not None:
                os.close(descriptor)

    def _read(self) -> dict[str, t.Any]:
        descriptor = self._open(self._file, os.O_RDONLY)
        if descriptor is None:
            return {}
        with os.fdopen(descriptor, encoding="utf-8") as file:
            try:
                stored = json.load(file)
            except (ValueError, OSError):
                return {}
        return stored if isinstance(stored, dict) else {}

    def _write(self, stored: t.Mapping[str, t.Any]) -> None:
        # Replaced as a whole, so that a reader without the lock never meets half a file.
        new = f"{self._file}.{os.getpid()}"
        descriptor = self._open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        if descriptor is None:
            return
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(stored, file)
            os.replace(new, self._file)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(new)

    @staticmethod
    def _open(path: str, flags: int) -> int | None:
        """Open a file of ours, None if there is none or it cannot be trusted."""
        try:
            descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError:
            return None
        found = os.fstat(descriptor)
        if stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077:
            return descriptor
        os.close(descriptor)
        return None


def _acquire(descriptor: int, patience: float) -> None:
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() >= deadline:
                return
            time.sleep(_POLL)
        else:
            return
