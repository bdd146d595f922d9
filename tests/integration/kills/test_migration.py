# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`migrate` killed with SIGKILL: whatever it was doing, running it again completes it, and nothing is done twice."""

from __future__ import annotations

import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest
from ansible_collections.baremetal.maintenance.tests.support.backend import MODULE, own_environment

from . import fleet_of_old

DYING = pathlib.Path(__file__).with_name("dying_migrate.py")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A database of revision 001 with ten thousand maintained nodes, to copy."""
    database = tmp_path_factory.mktemp("old") / "old.sqlite"
    fleet_of_old.make(database)
    return database


@pytest.fixture(scope="module")
def steps(template: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many steps its backfill has, counted in a run that nobody kills."""
    database = shutil.copy(template, tmp_path_factory.mktemp("counted") / "maintenance.sqlite")
    counted = run([str(DYING), "count", str(database)])
    assert counted.returncode == 0, counted.stderr
    return int(counted.stdout.splitlines()[-1])


def run(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments to its end."""
    return subprocess.run([sys.executable, *arguments], env=own_environment(), capture_output=True, text=True, timeout=120, check=False)


def complete(database: pathlib.Path) -> str:
    """Run `migrate` undisturbed; give what it said."""
    done = run(["-m", MODULE, "migrate", "--database", str(database)])
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_between_the_revisions(tmp_path: pathlib.Path) -> None:
    database = tmp_path / "maintenance.sqlite"
    killed = run([str(DYING), "between", str(database)])
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert fleet_of_old.revision(database) == "001"
    fleet_of_old.fill(database)
    assert "applied 002" in complete(database)
    assert fleet_of_old.mistakes(database) == []
    assert "nothing to do" in complete(database)


@pytest.mark.soak
def test_inside_the_backfill(template: pathlib.Path, steps: int, tmp_path: pathlib.Path, rounds: int, seed: str) -> None:
    assert steps > 1000
    before = fleet_of_old.fingerprint(template)
    chosen = random.Random(seed)
    for number in range(rounds):
        database = tmp_path / f"{number}.sqlite"
        shutil.copy(template, database)
        step = chosen.randint(1, steps)
        killed = run([str(DYING), str(step), str(database)])
        assert killed.returncode == -signal.SIGKILL, (step, killed.stderr)
        assert fleet_of_old.fingerprint(database) == before, f"step {step} of {steps}"
        assert "applied 002" in complete(database)
        assert fleet_of_old.mistakes(database) == [], f"step {step} of {steps}"


@pytest.mark.soak
def test_at_any_moment(template: pathlib.Path, tmp_path: pathlib.Path, rounds: int, seed: str) -> None:
    """From outside, at a time between the start of the process and its end; its commit is one of those moments."""
    before = fleet_of_old.fingerprint(template)
    chosen = random.Random(seed)
    took = 3.0
    for number in range(rounds + 1):
        database = tmp_path / f"{number}.sqlite"
        shutil.copy(template, database)
        # The first one is not killed: it tells how long the others have.
        after = chosen.uniform(took / 3, took) if number else None
        begun = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", MODULE, "migrate", "--database", str(database)],
            env=own_environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            process.kill()
        status = process.wait()
        assert status in (0, -signal.SIGKILL)
        if after is None:
            took = time.monotonic() - begun
        if fleet_of_old.revision(database) == "001":
            assert fleet_of_old.fingerprint(database) == before
        complete(database)
        assert fleet_of_old.mistakes(database) == [], f"killed after {after} of {took} s"
