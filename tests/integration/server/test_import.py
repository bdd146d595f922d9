# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`import` as an operator runs it: a document or a running service in, the same nodes and holds out; again, and nothing changes."""

from __future__ import annotations

import contextlib
import json
import pathlib
import sqlite3
import subprocess
import sys
import typing as t
import urllib.request

import pytest
from ansible_collections.baremetal.maintenance.tests.support.backend import MODULE, Backend, own_environment, password

NODES: t.Final = [
    {"uuid": "11111111-1111-4111-8111-111111111111", "name": "free", "maintenance": False, "driver": "redfish"},
    {
        "uuid": "22222222-2222-4222-8222-222222222222",
        "name": "held",
        "maintenance": True,
        "maintenance_reason": "HW_ERR: disk 3",
        "owner": "own",
        "driver": "redfish",
        "driver_info": {"redfish_password": "canary-secret"},
    },
    {
        "uuid": "33333333-3333-4333-8333-333333333333",
        "name": "broken",
        "maintenance": True,
        "maintenance_reason": "no power",
        "fault": "power failure",
        "driver": "redfish",
    },
]


def run(*arguments: str, folder: pathlib.Path) -> subprocess.CompletedProcess[str]:
    """Run `import` with the database of the folder."""
    command = [sys.executable, "-m", MODULE, "import", *arguments, "--database", str(folder / "imported.sqlite")]
    return subprocess.run(command, env=own_environment(), capture_output=True, text=True, timeout=60, check=False)


def nodes_of(backend: Backend) -> dict[str, tuple[t.Any, ...]]:
    """Give what matters of each node that a backend has."""
    request = urllib.request.Request(f"{backend.url}/v1/nodes/detail", headers={"X-OpenStack-Ironic-API-Version": "1.115"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        found = json.loads(answer.read())["nodes"]
    return {node["name"]: (node["uuid"], node["maintenance"], node["maintenance_reason"], node["fault"], node["owner"]) for node in found}


def nodes_in(database: pathlib.Path) -> int:
    """How many nodes a database has, one that does not exist or has no tables too."""
    if not database.exists():
        return 0
    with contextlib.closing(sqlite3.connect(database)) as connection:
        tables = {name for [name] in connection.execute("SELECT name FROM sqlite_master")}
        return t.cast(int, connection.execute("SELECT count(*) FROM nodes").fetchone()[0]) if "nodes" in tables else 0


EXPECTED: t.Final = {
    "free": (NODES[0]["uuid"], False, None, None, None),
    "held": (NODES[1]["uuid"], True, "HW_ERR: disk 3", None, "own"),
    "broken": (NODES[2]["uuid"], True, "fault: no power", "power failure", None),
}


@pytest.fixture
def document(tmp_path: pathlib.Path) -> str:
    """A document of three nodes: a free one, one in maintenance, one with a fault."""
    path = tmp_path / "nodes.json"
    path.write_text(json.dumps({"nodes": NODES}), encoding="utf-8")
    return str(path)


def test_a_document_twice(tmp_path: pathlib.Path, document: str) -> None:
    first = run(document, folder=tmp_path)
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout == "3 nodes: 3 new, 0 changed, 0 as they were; 1 new legacy entries, 1 new fault entries\n"
    again = run(document, folder=tmp_path)
    assert again.stdout == "3 nodes: 0 new, 0 changed, 3 as they were; 0 new legacy entries, 0 new fault entries\n"
    assert nodes_in(tmp_path / "imported.sqlite") == 3
    with Backend(tmp_path, database=str(tmp_path / "imported.sqlite")) as backend:
        assert nodes_of(backend) == EXPECTED
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("imported.sqlite*"))
    assert b"canary-secret" not in stored


def test_a_running_service_behind_a_password(tmp_path: pathlib.Path, document: str) -> None:
    users = {"op": {"user_id": "op-id", "roles": ["reader"], "system": True}}
    source = tmp_path / "source"
    source.mkdir()
    with Backend(source, users=users) as backend:
        assert backend.run("import", document).returncode == 0
        refused = run(backend.url, folder=tmp_path)
        assert refused.returncode == 1
        assert "the credential is missing or not sufficient (--source-user" in refused.stderr
        (tmp_path / "password").write_text(password("op") + "\n", encoding="utf-8")
        done = run(backend.url, "--source-user", "op", "--source-password-file", str(tmp_path / "password"), folder=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
    with Backend(tmp_path, database=str(tmp_path / "imported.sqlite")) as backend:
        found = nodes_of(backend)
    # The reason of a fault is, as our own backend tells it, a synthesised one.
    fault = found.pop("broken")
    assert fault[3] == "power failure"
    assert found == {name: EXPECTED[name] for name in ("free", "held")}


@pytest.mark.usefixtures("document")
@pytest.mark.parametrize(
    ("arguments", "status", "expected"),
    [
        (["{folder}/none.json"], 1, "none.json cannot be read: no such file or directory"),
        (["{folder}/broken.json"], 1, "broken.json is not JSON"),
        (["{folder}/unclear.json"], 1, "does not say whether it is in maintenance"),
        (["http://127.0.0.1:9"], 1, "http://127.0.0.1:9/v1 cannot be reached"),
        (["http://op:pw@127.0.0.1:9"], 1, "holds a credential"),
        (["{folder}/nodes.json", "--source-user", "op"], 2, "--source-user is for an Ironic's URL"),
        (["http://127.0.0.1:9", "--source-user", "op"], 2, "--source-user and --source-password-file belong together"),
        (["http://127.0.0.1:9", "--source-token-file", "{folder}/none"], 2, "none cannot be read: no such file or directory"),
        (["http://127.0.0.1:9", "--source-token-file", "{folder}/empty"], 2, "must hold the secret on one line"),
    ],
)
def test_what_cannot_be_imported_is_one_sentence_and_leaves_no_node(
    tmp_path: pathlib.Path, arguments: list[str], status: int, expected: str
) -> None:
    (tmp_path / "broken.json").write_text('{"nodes": [{"uuid"', encoding="utf-8")
    (tmp_path / "unclear.json").write_text(json.dumps({"nodes": [NODES[0], {"uuid": NODES[1]["uuid"]}]}), encoding="utf-8")
    (tmp_path / "empty").write_text("\n", encoding="utf-8")
    ended = run(*(argument.replace("{folder}", str(tmp_path)) for argument in arguments), folder=tmp_path)
    assert ended.returncode == status
    assert expected in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert ended.stdout == ""
    assert nodes_in(tmp_path / "imported.sqlite") == 0
