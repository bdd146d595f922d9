# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages of many processes through one pipe."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading

from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import frames


def through_a_pipe(write):
    """What a reader gets of what `write` writes, some bytes at a time."""
    read_end, write_end = os.pipe()

    def produce():
        write(write_end)
        os.close(write_end)

    producer = threading.Thread(target=produce)
    producer.start()
    reader, messages = frames.Reader(), []
    while data := os.read(read_end, 1000):
        messages += reader.feed(data)
    producer.join()
    os.close(read_end)
    return messages


def test_a_message_comes_through_whatever_its_size():
    large = {"text": "ä" * 100_000, "n": None}
    assert through_a_pipe(lambda pipe: [frames.write(pipe, 3, large), frames.write(pipe, 4, {"small": True})]) == [
        (3, large),
        (4, {"small": True}),
    ]


def writer(pipe, sender, count, size):
    """A process that writes messages."""
    script = (
        f"from {frames.__name__} import write\n"
        f"for number in range({count}): write({pipe}, {sender}, {{'number': number, 'text': str({sender}) * {size}}})"
    )
    return subprocess.Popen([sys.executable, "-c", script], pass_fds=[pipe])


def test_messages_of_processes_that_write_at_once_do_not_mix():
    read_end, write_end = os.pipe()
    writers = [writer(write_end, sender, 40, 9000) for sender in range(4)]
    os.close(write_end)
    reader, messages = frames.Reader(), []
    while data := os.read(read_end, 1 << 16):
        messages += reader.feed(data)
    assert [one.wait() for one in writers] == [0] * 4
    os.close(read_end)
    for sender in range(4):
        mine = [message for from_, message in messages if from_ == sender]
        assert [message["number"] for message in mine] == list(range(40))
        assert all(message["text"] == str(sender) * 9000 for message in mine)


def test_a_sender_that_is_killed_in_the_middle_of_a_message_spoils_no_other_and_none_in_its_name():
    read_end, write_end = os.pipe()
    killed = writer(write_end, 0, 1, 1_000_000)
    # How much of the message there is when it dies is left to chance: at least what this waits for, at most what the pipe holds.
    left = os.read(read_end, 5 * frames.PIECE)
    killed.kill()
    killed.wait()
    os.set_blocking(read_end, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            left += os.read(read_end, 1 << 16)
    reader = frames.Reader()
    assert left.startswith(b"0 < ") and left.endswith(b"\n")
    assert reader.feed(left) == []
    for message in ({"ended": True}, {"long": "x" * 9000}):
        for sender in (1, 0):
            frames.write(write_end, sender, message)
            assert reader.feed(os.read(read_end, 1 << 16)) == [(sender, message)]
    os.close(read_end)
    os.close(write_end)


def test_what_a_killed_sender_began_is_forgotten_by_the_next_message_of_several_lines_or_one():
    for next_ in (b'0 . {"ended":1}\n', b'0 < {"ended"\n0 > :1}\n', b'0 < {"ended"\n0 + :\n0 > 1}\n'):
        assert frames.Reader().feed(b'0 < {"piece":"a\n0 + aa\n' + next_) == [(0, {"ended": 1})]
