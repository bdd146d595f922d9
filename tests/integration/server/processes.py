# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Server processes as an operator meets them: their address from their own announcement, their children, their end."""

from __future__ import annotations

import http.client
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time
import typing as t
import urllib.parse

import yaml
from ansible_collections.baremetal.maintenance.tests.support.backend import MODULE, own_environment

TINY: t.Final = pathlib.Path(__file__).with_name("tiny_app.py")
PATIENCE: t.Final = 30.0


class Served:
    """A running server. stderr is in the file `log`."""

    def __init__(
        self,
        command: t.Sequence[str],
        folder: pathlib.Path,
        environ: t.Mapping[str, str] | None = None,
        cwd: pathlib.Path | None = None,
    ) -> None:
        self.log = folder / "server.log"
        with self.log.open("ab") as stream:
            self.process = subprocess.Popen(
                [sys.executable, *command],
                env={**own_environment(), **(environ or {})},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=stream,
                cwd=cwd,
                # A group of its own, as at a terminal.
                start_new_session=True,
            )
        self.url = ""
        self.port = 0
        self._children: set[int] = set()
        timer = threading.Timer(PATIENCE, self.process.kill)
        timer.start()
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        timer.cancel()
        if not line.startswith("listening on "):
            status = self.process.wait()
            raise AssertionError(f"it did not start (status {status}): {line}{self.log.read_text(encoding='utf-8')}")
        self.url = line.removeprefix("listening on ").strip()
        self.port = t.cast("int", urllib.parse.urlsplit(self.url).port)
        self._children = set(children_of(self.process.pid))

    @classmethod
    def tiny(
        cls,
        folder: pathlib.Path,
        environ: t.Mapping[str, str] | None = None,
        cwd: pathlib.Path | None = None,
        **settings: t.Any,
    ) -> Served:
        """Start the server of a few lines."""
        return cls([str(TINY), str(configure(folder, **settings))], folder, environ, cwd)

    @classmethod
    def backend(cls, folder: pathlib.Path, *arguments: str, environ: t.Mapping[str, str] | None = None, **settings: t.Any) -> Served:
        """Start the backend."""
        return cls(["-m", MODULE, "serve", "--config", str(configure(folder, **settings)), *arguments], folder, environ)

    def __enter__(self) -> Served:
        return self

    def __exit__(self, *_exception: object) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    @property
    def workers(self) -> set[int]:
        """The web workers: the children that are not the housekeeper."""
        return {pid for pid in children_of(self.process.pid) if "housekeeper" not in command_of(pid)}

    @property
    def housekeeper(self) -> int | None:
        """The housekeeper's process, None while there is none."""
        return next((pid for pid in children_of(self.process.pid) if "housekeeper" in command_of(pid)), None)

    def get(self, path: str = "/", headers: t.Mapping[str, str] | None = None) -> tuple[int, t.Any]:
        """Give status and decoded body of a request. Raises OSError if nothing answers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", path, headers=dict(headers or {}))
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()

    def answers(self) -> bool:
        """Tell whether anything accepts a connection on the port."""
        with socket.socket() as probe:
            probe.settimeout(2)
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def end(self, number: int) -> int:
        """Send a signal to the supervisor and give its exit status."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def gone(self) -> bool:
        """Tell whether every process that it ever started has ended, within a few seconds."""
        return eventually(lambda: not any(is_running(pid) for pid in self._children))

    def logged(self, text: str) -> bool:
        """Tell whether the log says so, within a few seconds."""
        return eventually(lambda: text in self.log.read_text(encoding="utf-8"))


def configure(folder: pathlib.Path, **settings: t.Any) -> pathlib.Path:
    """Write a configuration: noauth, a database in the folder and a free port, unless the settings say else."""
    path = folder / "backend.yml"
    chosen = {"database": "maintenance.sqlite", "auth_strategy": "noauth", "port": 0, **settings}
    path.write_text(yaml.safe_dump(chosen), encoding="utf-8")
    return path


def refused(folder: pathlib.Path, *arguments: str, **settings: t.Any) -> subprocess.CompletedProcess[str]:
    """Run a backend that must not start."""
    command = [sys.executable, "-m", MODULE, "serve", "--config", str(configure(folder, **settings)), *arguments]
    return subprocess.run(command, env=own_environment(), capture_output=True, text=True, timeout=PATIENCE, cwd=folder, check=False)


def children_of(pid: int) -> list[int]:
    """Give the processes that a process started and that run."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            parent, state = _stat(int(entry.name))
            if parent == pid and state != "Z":
                found.append(int(entry.name))
    return found


def command_of(pid: int) -> str:
    """Give a process's command line, "" if it is gone."""
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def is_running(pid: int) -> bool:
    """Tell whether a process exists and is more than a name that its parent has not read yet."""
    return _stat(pid)[1] not in ("", "Z", "X")


def eventually(condition: t.Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Wait until the condition holds; tell whether it did in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


def interrupt_group(process: subprocess.Popen[bytes]) -> None:
    """Do what Ctrl-C at a terminal does."""
    os.killpg(process.pid, signal.SIGINT)


def _stat(pid: int) -> tuple[int, str]:
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return (0, "")
    return (int(fields[1]), fields[0])
