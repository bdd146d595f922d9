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


def test_a_sender_that_is_killed_in_the_middle_of_a_message_spoils_no_other():
    read_end, write_end = os.pipe()
    killed = writer(write_end, 0, 1, 1_000_000)
    left = os.read(read_end, 5 * frames.PIECE)
    killed.kill()
    killed.wait()
    os.set_blocking(read_end, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            left += os.read(read_end, 1 << 16)
    reader = frames.Reader()
    assert left.endswith(b"\n") and reader.feed(left) == []
    frames.write(write_end, 1, {"fine": True})
    assert reader.feed(os.read(read_end, 1 << 16)) == [(1, {"fine": True})]
