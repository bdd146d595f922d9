# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The stage: a folder with a backend's whole configuration, three parties' credentials, and the backend that runs on it."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import secrets
import signal
import socket
import subprocess
import sys
import time
import typing as t
import urllib.error
import urllib.request

from story.cast import Cast

BACKEND = "ansible_collections.baremetal.maintenance.plugins.module_utils.backend"

#: No proxy stands between this machine and itself.
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Failed(Exception):
    """Something did not happen as told. Its text is for a person."""


class Stage:
    """The files in `folder` for a backend on `port`; passwords are made anew for each stage."""

    def __init__(self, folder: pathlib.Path, cast: Cast) -> None:
        self.folder = folder
        self.url = f"http://127.0.0.1:{(port := _free_port())}"
        self.parties = {
            "operator": {"user_id": "dana", "user_name": "dana of the DC team", "roles": ["admin"], "system": True},
            "owner": {"user_id": "omar", "user_name": "omar of the owner team", "project_id": cast.owner, "roles": ["member"]},
            "lessee": {"user_id": "lena", "user_name": "lena of the lessee team", "project_id": cast.lessee, "roles": ["manager"]},
        }
        self.passwords = {party: secrets.token_urlsafe(12) for party in self.parties}
        self.config = self._write(
            "backend.yml",
            {
                "host": "127.0.0.1",
                "port": port,
                "database": str(folder / "maintenance.sqlite"),
                "auth_strategy": "http_basic",
                "basic_auth_file": str(self._write_passwords()),
                "identities_file": str(self._write("identities.yml", self.parties)),
            },
        )

    def login(self, party: str) -> dict[str, str]:
        """Give the connection options of one party, as modules and the inventory plugin take them."""
        return {"api_url": self.url, "auth_type": "http_basic", "username": party, "password": self.passwords[party]}

    def write_inventory(self) -> pathlib.Path:
        """Write the configuration of the inventory plugin, as the DC operator has it."""
        return self._write("demo.holds.yml", {"plugin": "baremetal.maintenance.holds", **self.login("operator")})

    def write_variables(self, variables: t.Mapping[str, t.Any]) -> pathlib.Path:
        """Write the variables of the playbook."""
        parties = {party: self.login(party) for party in self.parties}
        return self._write("variables.yml", {**variables, "parties": parties})

    def backend(self, *arguments: str) -> str:
        """Run one command of the backend to its end and give what it says. Raises Failed."""
        done = subprocess.run(
            self._command(*arguments), env=_environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        if done.returncode:
            raise Failed(f"backend {' '.join(arguments)} ended with {done.returncode}:\n{done.stdout.strip()}")
        return done.stdout.strip()

    @contextlib.contextmanager
    def serving(self) -> t.Iterator[None]:
        """Run the backend for as long as the block lasts."""
        with (self.folder / "backend.log").open("w+", encoding="utf-8") as log:
            process = subprocess.Popen(
                self._command("serve"), env=_environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
            try:
                self._wait(process)
                yield
            finally:
                end(process)

    def _command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", BACKEND, *arguments, "--config", str(self.config)]

    def _wait(self, process: subprocess.Popen[t.Any]) -> None:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and process.poll() is None:
            with contextlib.suppress(OSError), _DIRECT.open(f"{self.url}/healthz", timeout=2):
                return
            time.sleep(0.05)
        raise Failed(f"the backend does not answer at {self.url}:\n{(self.folder / 'backend.log').read_text(encoding='utf-8').strip()}")

    def _write(self, name: str, content: t.Any) -> pathlib.Path:
        """Write JSON, which is YAML too, for this user's eyes only."""
        return self._write_text(name, json.dumps(content, indent=1) + "\n")

    def _write_passwords(self) -> pathlib.Path:
        import bcrypt  # here, so that a plain mistake in the arguments is told without any library

        hashes = {party: bcrypt.hashpw(password.encode(), bcrypt.gensalt(6)).decode() for party, password in self.passwords.items()}
        return self._write_text("htpasswd", "".join(f"{party}:{hashed}\n" for party, hashed in hashes.items()))

    def _write_text(self, name: str, text: str) -> pathlib.Path:
        path = self.folder / name
        path.touch(mode=0o600)
        path.write_text(text, encoding="utf-8")
        return path


def end(process: subprocess.Popen[t.Any], by: signal.Signals = signal.SIGTERM) -> None:
    """End a process by its pid, hard if it does not go within ten seconds."""
    if process.poll() is None:
        process.send_signal(by)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
    process.wait()


def _environment() -> dict[str, str]:
    """Give the environment without settings of another backend."""
    return {name: value for name, value in os.environ.items() if not name.startswith("BAREMETAL_MAINTENANCE_")}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
