# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fake IPMI BMCs for a test: `FakeIpmi` starts them, `FakeBmc` is one of them as its test sees it."""

from __future__ import annotations

import json
import pathlib
import struct
import subprocess
import sys
import time
import typing as t

from . import processes

SERVER = pathlib.Path(__file__).with_name("fake_ipmi_server.py")
USER, PASSWORD = "admin", "secret"


class FakeBmc:
    """One BMC: `set` makes it do something else from the next request on, `asked` tells what it was asked."""

    def __init__(self, folder: pathlib.Path, address: str, port: int) -> None:
        self.address = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
        self.port = port
        self._state = folder / f"{port}.json"
        self._log = folder / f"{port}.log"

    def set(self, **state: t.Any) -> None:
        """See `DEFAULT` of the server."""
        known = json.loads(self._state.read_text()) if self._state.exists() else {}
        fresh = self._state.with_suffix(".test")
        fresh.write_text(json.dumps({**known, **state}))
        fresh.rename(self._state)

    def state(self) -> dict[str, t.Any]:
        """What was set, by tests or by commands."""
        return json.loads(self._state.read_text()) if self._state.exists() else {}

    def asked(self) -> list[str]:
        """Every line of what it was asked."""
        return self._log.read_text().splitlines() if self._log.exists() else []

    def logins(self) -> int:
        """How often somebody sent the name of a user."""
        return sum(line.startswith("login ") for line in self.asked())

    def open_sessions(self) -> int:
        """Sessions that were opened and not closed."""
        return self.asked().count("session open") - self.asked().count("session closed")

    def target(self, **options: t.Any) -> dict[str, t.Any]:
        """Options that read this BMC; the power state once, and without a second attempt, unless they say otherwise."""
        usual = {"protocol": "ipmi", "address": self.address, "username": USER, "password": PASSWORD, "power_reads": 1, "retries": 0}
        return {**usual, **options}


class FakeIpmi:
    """A process with some BMCs."""

    def __init__(self, folder: pathlib.Path, count: int = 1, address: str = "127.0.0.1", password: str = PASSWORD) -> None:
        self._folder = folder
        # Not in the process list, where a test may look for it.
        (folder / "password").write_text(password)
        self._address = address
        ports = processes.free_ports(count, address=address)
        self.bmcs = [FakeBmc(folder, address, port) for port in ports]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        log = self._folder / "server.log"
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                [sys.executable, str(SERVER), str(self._folder), self._address, *(str(bmc.port) for bmc in self.bmcs)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        processes.wait_until(lambda: log.read_text().startswith("ready"), self._process, log)

    def stop(self) -> None:
        processes.end(self._process)


def entry(
    kind: int,
    sensor: int,
    state: int,
    *,
    ago: float = 0,
    ahead: float = 0,
    deasserted: bool = False,
    reading: int = 0x6F,
    data: bytes = b"",
) -> str:
    """An entry of an event log in hex: a sensor of a type has gone into a state, or left it, `ago` seconds before now by a clock that is
    `ahead` of ours. `reading` is its event type, 0x6F for states of its own; `data` the second and third byte of its data."""
    stamp = int(time.time() - ago + ahead)
    return _entry(kind, sensor, state, stamp, deasserted, reading, data)


def _entry(kind: int, sensor: int, state: int, stamp: int, deasserted: bool, reading: int, data: bytes) -> str:
    more = (data + b"\xff\xff")[:2]
    offset = state | (0xC0 if data else 0)
    body = struct.pack("<HBIHBBBBB", 0, 2, stamp, 0x20, 4, kind, sensor, reading | (0x80 if deasserted else 0), offset)
    return (body + more).hex()


def unset_entry(kind: int, sensor: int, state: int) -> str:
    """An entry from before the BMC's clock was set."""
    return _entry(kind, sensor, state, 120, False, 0x6F, b"")
