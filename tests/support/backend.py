# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real backend process for tests: `python -m … backend serve` on a free loopback port with a database of its own.

    with Backend(tmp_path) as backend:              noauth
        …backend.url…
    with Backend(tmp_path, users={"op": {"user_id": "op-id", "roles": ["admin"], "system": True}}) as backend:
        …http_basic; every password is the login followed by "-password"…

It is ended by its process id. When it does not start, what it logged is in the error.
"""

from __future__ import annotations

import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
import typing as t
import urllib.error
import urllib.request

import bcrypt
import yaml

MODULE: t.Final = "ansible_collections.baremetal.maintenance.plugins.module_utils.backend"
PREFIX: t.Final = "BAREMETAL_MAINTENANCE_BACKEND_"


class Backend:
    """One backend. The folder keeps its configuration, database and log.

    users: identities for http_basic by login, None for noauth. settings: further keys of the configuration.
    """

    def __init__(self, folder: pathlib.Path, *, users: t.Mapping[str, t.Any] | None = None, **settings: t.Any) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        #: The file, or the URL of a PostgreSQL.
        self.database: pathlib.Path | str = folder / "maintenance.sqlite"
        self._log = folder / "backend.log"
        self._config = folder / "backend.yml"
        self._process: subprocess.Popen[bytes] | None = None
        if str(settings.get("database", "")).startswith("postgresql"):
            self.database = settings["database"]
        chosen: dict[str, t.Any] = {"database": str(self.database), "port": self.port, "auth_strategy": "noauth", **settings}
        if users is not None:
            chosen.update(auth_strategy="http_basic", **_identity_files(folder, users))
        self._config.write_text(yaml.safe_dump(chosen), encoding="utf-8")

    def __enter__(self) -> Backend:
        self.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self.stop()

    @property
    def log(self) -> str:
        """What the process wrote to its standard error so far."""
        return self._log.read_text(encoding="utf-8", errors="replace") if self._log.exists() else ""

    @property
    def pid(self) -> int:
        """The supervisor's process id."""
        assert self._process is not None
        return self._process.pid

    def ended(self, seconds: float = 30.0) -> int:
        """Wait until it has ended by itself, or by a signal of the test's; give its exit status."""
        assert self._process is not None
        return self._process.wait(seconds)

    def answers(self) -> bool:
        """Tell whether anything accepts a connection on its port."""
        with socket.socket() as probe:
            probe.settimeout(2)
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def start(self, seconds: float = 180.0) -> None:
        """Start it and wait until it answers. Raises RuntimeError with its log if it does not."""
        with self._log.open("ab") as log:
            command = [sys.executable, "-m", MODULE, "serve", "--config", str(self._config)]
            self._process = subprocess.Popen(command, env=own_environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        end = time.monotonic() + seconds
        while time.monotonic() < end and self._process.poll() is None:
            if _answers(self.url + "/healthz"):
                return
            time.sleep(0.05)
        status = self._process.poll()
        self.stop()
        raise RuntimeError(f"the backend did not start (exit status {status}):\n{self.log}")

    def stop(self) -> None:
        """Tell it to end, and end it after ten seconds if it does not."""
        process, self._process = self._process, None
        if process is None or process.poll() is not None:
            return
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def run(self, command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run another command of the backend (import, migrate) on this one's configuration."""
        line = [sys.executable, "-m", MODULE, command, *arguments, "--config", str(self._config)]
        return subprocess.run(
            line, env=own_environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False
        )


def password(login: str) -> str:
    """Give the password of a login."""
    return f"{login}-password"


def free_port() -> int:
    """Give a port of the loopback interface that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def own_environment() -> dict[str, str]:
    """Give the process's environment without anything that would configure a backend or an OpenStack client."""
    return {name: value for name, value in os.environ.items() if not name.startswith((PREFIX, "OS_"))}


def _identity_files(folder: pathlib.Path, users: t.Mapping[str, t.Any]) -> dict[str, str]:
    lines = [f"{login}:{bcrypt.hashpw(password(login).encode(), bcrypt.gensalt(4)).decode()}\n" for login in users]
    passwords, identities = folder / "htpasswd", folder / "identities.yml"
    passwords.write_text("".join(lines), encoding="utf-8")
    identities.write_text(yaml.safe_dump(dict(users)), encoding="utf-8")
    for path in (passwords, identities):
        path.chmod(0o600)
    return {"basic_auth_file": str(passwords), "identities_file": str(identities)}


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2):
            return True
    except (OSError, urllib.error.URLError):
        return False
