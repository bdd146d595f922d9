# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Looking, all the while that something runs, at what anybody on the machine could see of it."""

from __future__ import annotations

import contextlib
import os
import pathlib
import threading
import typing as t

PAUSE: t.Final = 0.02


class Watcher:
    """Sees the command line and the environment of every process below this one, and what is written to files under some folders.

    `processes` has them by (pid, command line); `files` every content that a file had when it was looked at.
    """

    def __init__(self, *folders: pathlib.Path) -> None:
        self.processes: dict[tuple[int, bytes], bytes] = {}
        self.files: dict[pathlib.Path, set[bytes]] = {}
        self._folders = folders
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Watcher:
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(PAUSE):
            for pid in _below(os.getpid()):
                # A process may end while it is looked at.
                with contextlib.suppress(OSError):
                    command = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
                    self.processes[pid, command] = pathlib.Path(f"/proc/{pid}/environ").read_bytes()
            for folder in self._folders:
                for path in folder.rglob("*"):
                    with contextlib.suppress(OSError):
                        if path.is_file():
                            self.files.setdefault(path, set()).add(path.read_bytes())


def _below(ancestor: int) -> list[int]:
    parents: dict[int, int] = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
    found, last = [], [ancestor]
    while last:
        last = [pid for pid, parent in parents.items() if parent in last]
        found += last
    return found
