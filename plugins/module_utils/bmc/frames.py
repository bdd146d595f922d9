# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages of many processes through one pipe.

A message is a JSON value from one sender, written as one line `SENDER . PART`, or as several: `SENDER < PART`, any number of
`SENDER + PART`, and `SENDER > PART`. No line is longer than what the kernel writes to a pipe in one piece, so lines of two senders never
mix, and one who is killed leaves at most a message without an end. What the next one writes in its name begins anew.
"""

from __future__ import annotations

import json
import os
import typing as t

#: POSIX guarantees 512, Linux 4096.
PIECE = 4096
_HEAD = 32
_FIRST, _LAST = "<.", ">."


def write(descriptor: int, sender: int, message: t.Any) -> None:
    """Write one message; blocks while the pipe is full."""
    text = json.dumps(message, separators=(",", ":"), allow_nan=False)
    size = PIECE - _HEAD
    parts = [text[start : start + size] for start in range(0, len(text), size)]
    last = len(parts) - 1
    for place, part in enumerate(parts):
        mark = (">" if place == last else "+") if place else ("<" if last else ".")
        os.write(descriptor, f"{sender} {mark} {part}\n".encode("ascii"))


class Reader:
    """Puts the messages together again from the bytes that arrive."""

    def __init__(self) -> None:
        self._rest = b""
        self._begun: dict[int, str] = {}

    def feed(self, data: bytes) -> list[tuple[int, t.Any]]:
        """The messages, each with its sender, that `data` completes."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        messages = []
        for line in lines:
            sender, mark, part = line.decode("ascii").split(" ", 2)
            begun = self._begun.pop(int(sender), "")
            text = part if mark in _FIRST else begun + part
            if mark in _LAST:
                messages.append((int(sender), json.loads(text)))
            else:
                self._begun[int(sender)] = text
        return messages
