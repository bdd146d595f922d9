# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the forks of a run share: one asks, the others know; nobody else can read or feed it."""

from __future__ import annotations

import json
import os
import pathlib
import stat
import subprocess
import sys
import threading
import time
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client import errors
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.settings import Settings
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.shared_cache import SharedCache
from ansible_collections.baremetal.maintenance.tests.support.wire import Wire, extended, ironic

FILE = "baremetal-maintenance.json"


ASK = """
import sys
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.settings import Settings
sys.stdin.readline()
sys.stdout.write(Api(Settings(url=sys.argv[1]), cache_dir=sys.argv[2]).service().kind)
"""


def client(wire: Wire, folder: pathlib.Path, **settings: t.Any) -> Api:
    return Api(Settings(url=wire.url, **settings), cache_dir=str(folder), sleep=lambda _seconds: None)


def test_processes_that_start_at_once_ask_once(wire: Wire, tmp_path: pathlib.Path) -> None:
    extended(wire)
    command = [sys.executable, "-c", ASK, wire.url, str(tmp_path)]
    processes = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _turn in range(5)]
    for process in processes:
        process.stdin.write("now\n")
        process.stdin.flush()
    assert [process.communicate(timeout=30)[0] for process in processes] == ["extended"] * 5
    assert len(wire.requests) == 1


def test_a_later_client_asks_nothing(wire: Wire, tmp_path: pathlib.Path) -> None:
    ironic(wire)
    wire.expect("GET", "/v1/nodes/n1/maintenance").json({}, status=405)
    assert client(wire, tmp_path).service("n1") == client(wire, tmp_path).service("n2")


def test_another_identity_asks_for_itself(wire: Wire, tmp_path: pathlib.Path) -> None:
    extended(wire, times=2)
    client(wire, tmp_path).service()
    client(wire, tmp_path, auth_type="token", token="t0ken-word").service()


def test_a_refused_login_makes_everybody_ask_again(wire: Wire, tmp_path: pathlib.Path) -> None:
    ironic(wire)
    wire.expect("PUT", "/v1/nodes/n1/maintenance").json({}, status=401)
    with pytest.raises(errors.Refused):
        client(wire, tmp_path).set_flag("n1", "x")
    ironic(wire)
    wire.expect("PUT", "/v1/nodes/n1/maintenance").empty(202)
    client(wire, tmp_path).set_flag("n1", "x")


def test_the_file_is_private_and_holds_no_credential(wire: Wire, tmp_path: pathlib.Path) -> None:
    extended(wire)
    old = os.umask(0)
    try:
        client(wire, tmp_path, auth_type="http_basic", username="op", password="s3cret-word").service()
    finally:
        os.umask(old)
    for file in tmp_path.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert b"s3cret-word" not in file.read_bytes()
        assert b"b3A6czNjcmV0LXdvcmQ" not in file.read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == [FILE, "baremetal-maintenance.lock"]


def _loose(folder: pathlib.Path) -> None:
    (folder / FILE).chmod(0o640)


def _linked(folder: pathlib.Path) -> None:
    (folder / FILE).rename(folder / "elsewhere")
    (folder / FILE).symlink_to(folder / "elsewhere")


def _broken(folder: pathlib.Path) -> None:
    (folder / FILE).write_text("{")


def _binary(folder: pathlib.Path) -> None:
    (folder / FILE).write_bytes(b"\xff\xfe")


def _other_shape(folder: pathlib.Path) -> None:
    (folder / FILE).write_text("[1]")


def _other_values(folder: pathlib.Path) -> None:
    (folder / FILE).write_text(
        json.dumps(dict.fromkeys(json.loads((folder / FILE).read_text()), {"kind": "extended", "microversion": "9"}))
    )


@pytest.mark.parametrize("spoil", [_loose, _linked, _broken, _binary, _other_shape, _other_values])
def test_a_file_that_cannot_be_trusted_is_not_used(wire: Wire, tmp_path: pathlib.Path, spoil: t.Callable[[pathlib.Path], None]) -> None:
    extended(wire, times=2)
    client(wire, tmp_path).service()
    spoil(tmp_path)
    assert client(wire, tmp_path).service().kind == "extended"


def test_a_folder_that_does_not_exist_is_done_without(wire: Wire, tmp_path: pathlib.Path) -> None:
    extended(wire)
    assert client(wire, tmp_path / "none").service().kind == "extended"


def test_who_holds_the_lock_too_long_is_not_waited_for(tmp_path: pathlib.Path) -> None:
    held, release = threading.Event(), threading.Event()

    def hold() -> None:
        with SharedCache(str(tmp_path)).lock(1):
            held.set()
            release.wait(20)

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        assert held.wait(5)
        started = time.monotonic()
        with SharedCache(str(tmp_path)).lock(0.2):
            waited = time.monotonic() - started
    finally:
        release.set()
        holder.join()
    assert 0.15 < waited < 2
