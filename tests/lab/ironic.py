# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Ironic on loopback: API and conductor in one process, SQLite, fake and Redfish hardware, no message bus.

    with Ironic(tmp_path) as ironic:                                        noauth, and nothing by itself; fixture `real_ironic` (module)
    with Ironic(tmp_path, users={"admin": "secret"}) as ironic:             http_basic
    with Ironic(tmp_path, keystone=keystone) as ironic:                     people and roles of a real Keystone
    …, settings=[power_sync(1, recovery=2), cleaning(12)]                   see ironic_configuration; later ones go before

Fixture `ironic_with_keystone` (session): Keystone, power read every second, recovery every two, a clean step of CLEAN_STEP seconds.
`ironic.url` is without /v1; `ironic.direct(token)` asks it past everything of ours, `ironic.admin()` as its administrator;
`ironic.nodes` makes nodes and what befalls them (see ironic_nodes). It is ended by its process id.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import time
import typing as t

import bcrypt
import requests
from ansible_collections.baremetal.maintenance.tests.lab import environment, ironic_configuration
from ansible_collections.baremetal.maintenance.tests.lab.direct import Direct
from ansible_collections.baremetal.maintenance.tests.lab.ironic_nodes import Nodes
from ansible_collections.baremetal.maintenance.tests.lab.keystone import Keystone
from ansible_collections.baremetal.maintenance.tests.support.backend import free_port, own_environment

REQUIREMENT: t.Final = "ironic==39.0.0"
CONSTRAINTS: t.Final = pathlib.Path(__file__).with_name("ironic-constraints.txt")
#: Seconds of a clean step in `ironic_with_keystone`: longer than anybody waits for a mirror.
CLEAN_STEP: t.Final = 14


class Ironic:
    """One Ironic; the folder keeps its configuration, database and logs. It is installed on first use (raises environment.NotBuilt).

    users: passwords by login, for http_basic. keystone: the one that it asks, for keystone. settings: over the usual ones, in order.
    """

    def __init__(
        self,
        folder: pathlib.Path,
        *,
        users: t.Mapping[str, str] | None = None,
        keystone: Keystone | None = None,
        settings: t.Sequence[ironic_configuration.Settings] = (),
    ) -> None:
        self.folder = folder
        self.database = folder / "ironic.sqlite"
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.nodes = Nodes(self.admin, self.rows)
        self._users = users
        self._keystone = keystone
        self._settings = settings
        self._configuration = folder / "ironic.conf"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Ironic:
        self.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """The process that was started, which starts the one that answers."""
        assert self._process is not None
        return self._process.pid

    def direct(self, token: str | None = None, *, login: str | None = None) -> Direct:
        """Ask it past everything of ours, with a token of its Keystone or as one of its users."""
        headers = {"X-Auth-Token": token} if token else {}
        return Direct(self.url, headers, login=(login, (self._users or {})[login]) if login else None)

    def admin(self) -> Direct:
        """Ask it as someone who may do everything."""
        token = self._keystone.token("system-admin") if self._keystone else None
        return self.direct(token, login=next(iter(self._users)) if self._users else None)

    def start(self, seconds: float = 180.0) -> None:
        """Start it and wait until its conductor takes nodes; again with the database that it had, if it was stopped.

        Raises RuntimeError with what it logged if it does not.
        """
        commands = environment.python_with("ironic", (REQUIREMENT,), CONSTRAINTS).parent
        for name in ("images", "master", "tftp", "http", "lock"):
            (self.folder / name).mkdir(exist_ok=True)
        self._configuration.write_text(self._text(), encoding="utf-8")
        if not self.database.exists():
            self._make_database(commands)
        with (self.folder / "stdout.log").open("ab") as log:
            command = [str(commands / "ironic"), "--config-file", str(self._configuration)]
            self._process = subprocess.Popen(
                command, env=own_environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        end = time.monotonic() + seconds
        while time.monotonic() < end and self._process.poll() is None:
            if self._takes_nodes():
                return
            time.sleep(0.2)
        self.stop()
        raise RuntimeError(f"Ironic did not start:\n{self._log()}")

    def stop(self) -> None:
        """Tell it to end, and end it and its worker after a few seconds if it does not: it waits for BMCs that it has just asked."""
        process, self._process = self._process, None
        if process is None or process.poll() is not None:
            return
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(4)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # the session that was started for it, nobody else's
            process.wait()

    @contextlib.contextmanager
    def rows(self) -> t.Iterator[sqlite3.Connection]:
        """Give its database, to bring about what takes a broken machine otherwise, such as a fault."""
        with contextlib.closing(sqlite3.connect(self.database, timeout=30)) as connection:
            yield connection
            connection.commit()

    def _text(self) -> str:
        layers = [ironic_configuration.usual(self.folder, self.port)]
        if self._users is not None:
            htpasswd = self.folder / "htpasswd"
            lines = [f"{user}:{bcrypt.hashpw(word.encode(), bcrypt.gensalt(4)).decode()}\n" for user, word in self._users.items()]
            htpasswd.write_text("".join(lines), encoding="utf-8")
            layers.append(ironic_configuration.http_basic(htpasswd))
        if self._keystone is not None:
            layers.append(ironic_configuration.keystone(self._keystone.credentials("ironic")))
        return ironic_configuration.text(*layers, *self._settings)

    def _make_database(self, commands: pathlib.Path) -> None:
        """Copy an empty database of the newest schema; it is made once, since that takes seconds."""
        empty = environment.BUILD / "ironic-venv" / "empty.sqlite"
        with environment.locked("ironic"):
            if not empty.exists():
                command = [str(commands / "ironic-dbsync"), "--config-file", str(self._configuration), "create_schema"]
                done = subprocess.run(command, env=own_environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
                if done.returncode:
                    raise RuntimeError(f"Ironic's database could not be made:\n{done.stderr[-2000:]}")
                shutil.copy(self.database, empty)
        shutil.copy(empty, self.database)

    def _takes_nodes(self) -> bool:
        try:
            answer = self.admin().get("/v1/drivers", seconds=5)
        except requests.RequestException:
            return False
        return answer.status == 200 and "fake-hardware" in {driver["name"] for driver in answer.json["drivers"]}

    def _log(self) -> str:
        logs = (self.folder / name for name in ("stdout.log", "ironic.log"))
        return "\n".join(log.read_text(encoding="utf-8", errors="replace")[-3000:] for log in logs if log.exists())
