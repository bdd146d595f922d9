# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What every test run shares: how many rounds a random test does, from which seed, where files go, an ansible that is nobody's own."""

from __future__ import annotations

import os
import pathlib
import random
import shutil
import tempfile
import typing as t

import pytest

if t.TYPE_CHECKING:
    from ansible_collections.baremetal.maintenance.tests.lab.postgresql import Postgresql

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROUNDS = 2

#: Linux's file system in memory, and the bytes that must be free there before the tests use it; a whole run has written 0.5 GB.
MEMORY = "/dev/shm"
ROOM = 2 * 2**30


def pytest_configure(config: pytest.Config) -> None:
    """Fix the seed before the workers start: they inherit it, so that one number repeats the run."""
    os.environ.setdefault("SOAK_SEED", str(random.SystemRandom().randrange(2**32)))
    os.environ.setdefault("ANSIBLE_CONFIG", str(ROOT / "tooling" / "ansible.cfg"))
    # No test cuts the power, so none can tell a disk from memory, where a commit takes a hundredth of the time. `make soak` has the disk.
    if not {"SOAK_ROUNDS", "TMPDIR", "PYTEST_DEBUG_TEMPROOT"} & os.environ.keys() and _takes_files(MEMORY):
        os.environ["TMPDIR"] = tempfile.tempdir = MEMORY


def _takes_files(folder: str) -> bool:
    """Tell whether there is room in a folder, for programs too: containers often forbid those in memory."""
    if not os.access(folder, os.W_OK):
        return False
    return shutil.disk_usage(folder).free > ROOM and not os.statvfs(folder).f_flag & os.ST_NOEXEC


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say how to repeat a soak run: always after `make soak`, else when something failed."""
    if "SOAK_ROUNDS" in os.environ or terminalreporter.stats.get("failed"):
        how = f"SOAK_SEED={os.environ['SOAK_SEED']} SOAK_ROUNDS={os.environ.get('SOAK_ROUNDS', ROUNDS)}"
        terminalreporter.write_line(f"To repeat the random tests as they were: {how}")


@pytest.fixture(scope="session")
def rounds() -> int:
    """How often a test marked `soak` repeats its random part: a few times, or as `make soak N=…` says."""
    return int(os.environ.get("SOAK_ROUNDS", ROUNDS))


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> str:
    """What to give to `random.Random`: the run's seed and this test's own name, so that tests differ and each can be repeated alone."""
    return f"{os.environ['SOAK_SEED']}:{request.node.nodeid}"


@pytest.fixture(scope="session")
def postgresql() -> t.Iterator[Postgresql]:
    """A private PostgreSQL; `postgresql.database()` makes a database. Fails, and names the package, where there is none."""
    # Here, so that tests without a database do without its driver.
    from ansible_collections.baremetal.maintenance.tests.lab.postgresql import NotInstalled, Postgresql

    try:
        running = Postgresql()
    except NotInstalled as error:
        pytest.fail(str(error), pytrace=False)
    with running:
        yield running


@pytest.fixture(scope="session")
def new_database(request: pytest.FixtureRequest) -> t.Callable[[], dict[str, str]]:
    """Give, at each call, the settings with which a backend has a database of its own: {} for the file that it makes by itself.

    TEST_STORE=postgresql in the environment puts every backend that asks here on PostgreSQL.
    """
    if os.environ.get("TEST_STORE", "sqlite") == "sqlite":
        return dict
    server: Postgresql = request.getfixturevalue("postgresql")
    return lambda: {"database": server.database()}


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> t.Iterator[str]:
    """The URL of an empty database of the test's own: the test runs once on SQLite and once on PostgreSQL."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/maintenance.sqlite"
        return
    server: Postgresql = request.getfixturevalue("postgresql")
    url = server.database()
    yield url
    server.drop(url)
