# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages of many processes through one pipe.

A message is a JSON value from one sender, written as lines `SENDER + PART` and a last one `SENDER . PART`. No line is longer than what the
kernel writes to a pipe in one piece, so lines of two senders never mix, and one who is killed leaves at most a message without an end.
"""

from __future__ import annotations

import json
import os
import typing as t

#: POSIX guarantees 512, Linux 4096.
PIECE = 4096
_HEAD = 32


def write(descriptor: int, sender: int, message: t.Any) -> None:
    """Write one message; blocks while the pipe is full."""
    text = json.dumps(message, separators=(",", ":"), allow_nan=False)
    size = PIECE - _HEAD
    parts = [text[start : start + size] for start in range(0, len(text), size)]
    for part in parts[:-1]:
        os.write(descriptor, f"{sender} + {part}\n".encode("ascii"))
    os.write(descriptor, f"{sender} . {parts[-1]}\n".encode("ascii"))


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
            text = self._begun.pop(int(sender), "") + part
            if mark == "+":
                self._begun[int(sender)] = text
            else:
                messages.append((int(sender), json.loads(text)))
        return messages
