# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A private PostgreSQL on loopback, from the programs of Debian's package: a cluster of its own, without fsync.

    with Postgresql() as postgresql:
        url = postgresql.database()                  a new, empty one: postgresql+psycopg://…
        copy = postgresql.database(like=url)         one that begins as that one is now
        postgresql.drop(url)                         as soon as the test has done with it
        postgresql.stop(); postgresql.start()        down and up again, with what it holds

Fixtures, in every test: `postgresql` (session) is one of these; `store_url` is the URL of an empty database of the test's own, once on
SQLite and once on PostgreSQL. Where the programs are missing a test fails and names the package. It is ended by its process id.
"""

from __future__ import annotations

import glob
import itertools
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
import typing as t

import psycopg
import psycopg.sql
from ansible_collections.baremetal.maintenance.tests.support.backend import free_port, own_environment

_USER: t.Final = "lab"
_SETTINGS: t.Final = {
    "listen_addresses": "127.0.0.1",
    "max_connections": "200",
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "shared_buffers": "32MB",
    "autovacuum": "off",
    # As on a server of an operator who never looked: what the backend needs otherwise it must ask for itself.
    "timezone": "Asia/Tokyo",
}


class NotInstalled(Exception):
    """PostgreSQL's programs are missing; the text says what to do."""


class Postgresql:
    """One cluster, in a folder that goes away with it."""

    def __init__(self) -> None:
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="baremetal-maintenance-postgresql-"))
        self.port = free_port()
        self._programs = _programs()
        self._process: subprocess.Popen[bytes] | None = None
        self._names = itertools.count(1)

    def __enter__(self) -> Postgresql:
        self._make()
        self.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def start(self, seconds: float = 60.0) -> None:
        """Start it and wait until it takes connections. Raises RuntimeError with its log."""
        command = [*_unprivileged(), f"{self._programs}/postgres", "-D", str(self._folder / "data"), "-p", str(self.port)]
        command += ["-k", str(self._folder)]
        command += [argument for name, value in _SETTINGS.items() for argument in ("-c", f"{name}={value}")]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd="/", env=own_environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        ready = [f"{self._programs}/pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port), "-d", "postgres", "-t", str(int(seconds))]
        for _attempt in range(int(seconds * 20)):
            if self._process.poll() is not None:
                break
            if subprocess.run(ready, check=False).returncode == 0:
                return
            time.sleep(0.05)
        self.stop()
        raise RuntimeError(f"PostgreSQL did not start:\n{(self._folder / 'log').read_text(errors='replace')[-3000:]}")

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it: SIGINT ends every connection, SIGQUIT is a crash from which it recovers at the next start."""
        process, self._process = self._process, None
        if process is None or process.poll() is not None:
            return
        process.send_signal(how)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def database(self, *, like: str | None = None) -> str:
        """Make a database and give its URL. like: the URL of one that nobody is connected to, which this one is a copy of."""
        name = f"store_{next(self._names)}"
        template = psycopg.sql.Identifier("template0" if like is None else like.rpartition("/")[2])
        query = psycopg.sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(psycopg.sql.Identifier(name), template)
        with psycopg.connect(self.conninfo("postgres"), autocommit=True) as connection:
            connection.execute(query)
        return f"postgresql+psycopg://{_USER}@127.0.0.1:{self.port}/{name}"

    def drop(self, url: str) -> None:
        """Remove a database, and whoever is connected to it: each takes several megabytes in hundreds of files."""
        query = psycopg.sql.SQL("DROP DATABASE {} WITH (FORCE)").format(psycopg.sql.Identifier(url.rpartition("/")[2]))
        with psycopg.connect(self.conninfo("postgres"), autocommit=True) as connection:
            connection.execute(query)

    def conninfo(self, name: str) -> str:
        """Give how to reach a database, for psycopg itself."""
        return f"host=127.0.0.1 port={self.port} user={_USER} dbname={name}"

    def _make(self) -> None:
        data = self._folder / "data"
        data.mkdir(mode=0o700)
        if os.geteuid() == 0:
            account = pwd.getpwnam(_account())
            for path in (self._folder, data):
                os.chown(path, account.pw_uid, account.pw_gid)
        command = [*_unprivileged(), f"{self._programs}/initdb", "-D", str(data), "-U", _USER, "-A", "trust", "-E", "UTF8", "--no-sync"]
        done = subprocess.run(
            [*command, "--locale=C.UTF-8"],
            cwd="/",
            env=own_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"PostgreSQL's cluster could not be made:\n{done.stderr[-2000:]}")


def _programs() -> str:
    """Give the folder of the newest version's programs; on Debian they are not on the path."""
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda folder: int(folder.split("/")[4]))
    on_path = shutil.which("initdb")
    found = folders[-1:] or ([os.path.dirname(on_path)] if on_path else [])
    if not found or (os.geteuid() == 0 and not shutil.which("setpriv")):
        raise NotInstalled("PostgreSQL is missing: run 'apt-get install postgresql' as root, or make deps.")
    return found[0]


def _account() -> str:
    """PostgreSQL refuses to run as root: give the account that it has then."""
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _unprivileged() -> list[str]:
    if os.geteuid() != 0:
        return []
    account = pwd.getpwnam(_account())
    return ["setpriv", f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}", "--clear-groups"]
