# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`import` killed with SIGKILL: all nodes of the document are there, or none; running it again completes it."""

from __future__ import annotations

import contextlib
import json
import pathlib
import random
import sqlite3
import subprocess
import sys
import time
import typing as t
import uuid

import pytest
from ansible_collections.baremetal.maintenance.tests.support.agreement import disagreements
from ansible_collections.baremetal.maintenance.tests.support.backend import MODULE, own_environment

NODES: t.Final = 3000
FAULT: t.Final = "clean failure"


@pytest.mark.soak
def test_at_any_moment(tmp_path: pathlib.Path, rounds: int, seed: str) -> None:
    document = tmp_path / "nodes.json"
    document.write_text(json.dumps({"nodes": [node(number) for number in range(NODES)]}), encoding="utf-8")
    chosen = random.Random(seed)
    took = 0.0
    for number in range(rounds + 1):
        database = tmp_path / f"{number}.sqlite"
        begun = time.monotonic()
        process = start(document, database)
        # The first one is not killed: it tells how long the others have.
        after = chosen.uniform(took / 3, took) if number else None
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(after)
        process.kill()
        process.wait()
        took = took or time.monotonic() - begun
        assert imported(database) in ((0, 0, 0), (NODES, NODES // 2, NODES // 2)), f"killed after {after} of {took} s"
        assert start(document, database).wait(60) == 0
        assert imported(database) == (NODES, NODES // 2, NODES // 2)
        assert disagreements(database) == []


def node(number: int) -> dict[str, t.Any]:
    """A node, every second one in maintenance, every fourth by a fault."""
    return {
        "uuid": str(uuid.uuid4()),
        "name": f"n{number}",
        "maintenance": number % 2 == 0,
        "maintenance_reason": f"reason {number}" if number % 2 == 0 else None,
        "fault": FAULT if number % 4 == 0 else None,
    }


def start(document: pathlib.Path, database: pathlib.Path) -> subprocess.Popen[bytes]:
    """Start an import."""
    command = [sys.executable, "-m", MODULE, "import", str(document), "--database", str(database)]
    return subprocess.Popen(command, env=own_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def imported(database: pathlib.Path) -> tuple[int, ...]:
    """How many nodes, entries and events there are; a database that has no tables yet has none."""
    if not database.exists():
        return (0, 0, 0)
    with contextlib.closing(sqlite3.connect(database)) as connection:
        tables = {name for [name] in connection.execute("SELECT name FROM sqlite_master")}
        names = ("nodes", "node_maintenance", "node_history")
        return tuple(connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] if name in tables else 0 for name in names)
