# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The service on a PostgreSQL: its start, the server's end and return, and several services on one."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema import migrate
from ansible_collections.baremetal.maintenance.tests.lab.postgresql import Postgresql
from ansible_collections.baremetal.maintenance.tests.support.backend import MODULE, free_port, own_environment

from .processes import Served, configure, eventually


@pytest.fixture(scope="module")
def url(postgresql: Postgresql) -> str:
    """A database for the tests of this file."""
    return postgresql.database()


def migrated(folder: pathlib.Path, database: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", MODULE, "migrate", "--config", str(configure(folder, database=database))]
    return subprocess.run(command, env=own_environment(), capture_output=True, text=True, timeout=150, check=False)


def test_it_outlives_the_server(tmp_path: pathlib.Path, postgresql: Postgresql, url: str) -> None:
    with Served.backend(tmp_path, database=url, workers=2) as served:
        workers = served.workers
        assert served.get("/healthz")[0] == 200
        postgresql.stop()
        try:
            assert [served.get("/healthz")[0] for _request in range(4)] == [503] * 4
        finally:
            postgresql.start()
        assert [served.get("/healthz")[0] for _request in range(4)] == [200] * 4
        assert served.workers == workers


def test_of_several_that_migrate_an_empty_database_at_the_same_moment_none_fails(tmp_path: pathlib.Path, postgresql: Postgresql) -> None:
    empty = postgresql.database()
    folders = [tmp_path / name for name in ("one", "two", "three")]
    processes = []
    for folder in folders:
        folder.mkdir()
        command = [sys.executable, "-m", MODULE, "migrate", "--config", str(configure(folder, database=empty))]
        processes.append(subprocess.Popen(command, env=own_environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
    said = [process.communicate(timeout=120)[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * 3, said
    applied = [
        word.strip(",;") for line in said if ": applied " in line for word in line.partition(": applied ")[2].partition(";")[0].split()
    ]
    assert sorted(applied) == [revision.REVISION for revision in migrate.REVISIONS], said


def test_a_server_that_is_not_there_is_a_sentence_and_no_traceback(tmp_path: pathlib.Path) -> None:
    port = free_port()
    ended = migrated(tmp_path, f"postgresql://op:topsecret@127.0.0.1:{port}/holds")
    assert ended.returncode == 1
    assert f'connection to server at "127.0.0.1", port {port} failed: Connection refused' in ended.stderr
    last = ended.stderr.splitlines()[-1]
    assert last == ("baremetal-maintenance-backend: The database does not answer: nothing was written; the backend's log says why.")
    assert "Traceback" not in ended.stderr
    assert "topsecret" not in ended.stderr


def test_migrate_names_the_database_without_its_password(tmp_path: pathlib.Path, url: str) -> None:
    with_password = url.replace("lab@", "lab:topsecret@")
    done = migrated(tmp_path, with_password)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"postgresql://{url.partition('@')[2]}: ")
    assert "topsecret" not in done.stdout + done.stderr


def test_a_password_in_the_environment_does_not_count(tmp_path: pathlib.Path, url: str) -> None:
    """It would be in every process and every request; the start must not work with what the workers lack."""
    with Served.backend(tmp_path, database=url, environ={"PGPASSWORD": "topsecret", "PGHOST": "nowhere.invalid"}) as served:
        assert served.get("/healthz")[0] == 200
        assert eventually(lambda: served.housekeeper is not None)
        housekeeper = pathlib.Path(f"/proc/{served.housekeeper}/environ").read_bytes()
    assert b"topsecret" not in housekeeper
