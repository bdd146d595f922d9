# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the source itself promises: one write path, and no code of a refusal that the contract does not list."""

from __future__ import annotations

import ast
import pathlib
import re

from ansible_collections.baremetal.maintenance.plugins.module_utils import backend
from ansible_collections.baremetal.maintenance.tests.support.wellformed import CODES

BACKEND = pathlib.Path(next(iter(backend.__path__)))
SOURCES = {path.relative_to(BACKEND).as_posix(): path for path in sorted(BACKEND.rglob("*.py"))}
TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in SOURCES.items()}

#: The only code that writes nodes, entries and history: the one write path, retention, and the schema itself.
#: Who writes nodes, entries and history; the archive, events that are not there, beside what it has the store do.
WRITERS = {"store/store.py", "store/retention.py", "store/archive.py"}
#: Who writes other tables, and under which names they have them.
OTHERS = {
    "store/leases.py": {"leases"},
    "fronting/mirrors.py": {"mirrors"},
    "fronting/pinning.py": {"marks"},
    "fronting/questions.py": {"table"},
}
SCHEMA = "schema/"
SQL = re.compile(r"\b(INSERT\s+INTO|UPDATE\s+\S+\s+SET|DELETE\s+FROM|REPLACE\s+INTO|DROP|ALTER|CREATE)\b")


def writes(tree: ast.AST) -> list[int]:
    """Give the lines that build a statement which writes: insert, update or delete of SQLAlchemy, or such a text."""
    found = []
    for part in ast.walk(tree):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in ("insert", "update", "delete"):
            # sa.insert(table) and tables().nodes.insert(); a dict's update and a list's insert are on other things.
            holder = ast.unparse(part.func.value)
            if holder in ("sa", "libs.sqlalchemy", "sqlalchemy") or re.match(r"tables?(\(\))?\.", f"{holder}."):
                found.append(part.lineno)
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and SQL.search(part.value):
            found.append(part.lineno)
    return found


def refusals(tree: ast.AST) -> list[ast.Call]:
    return [part for part in ast.walk(tree) if isinstance(part, ast.Call) and ast.unparse(part.func) == "Refusal"]


def codes(call: ast.Call) -> list[str]:
    """Give what a call of Refusal gives as code: its second argument, each branch of a conditional one."""
    code = call.args[1] if len(call.args) > 1 else next(keyword.value for keyword in call.keywords if keyword.arg == "code")
    branches = [code.body, code.orelse] if isinstance(code, ast.IfExp) else [code]
    return [branch.value if isinstance(branch, ast.Constant) else ast.unparse(branch) for branch in branches]


def test_there_is_something_to_look_at() -> None:
    assert len(SOURCES) > 50
    assert sum(len(refusals(tree)) for tree in TREES.values()) > 50


def test_only_the_store_and_retention_write_nodes_entries_and_history() -> None:
    found = {name: writes(tree) for name, tree in TREES.items() if not name.startswith(SCHEMA)}
    assert {name for name, lines in found.items() if lines} == WRITERS | OTHERS.keys()


def test_who_writes_other_tables_writes_no_others() -> None:
    for name, tables in OTHERS.items():
        calls = [part for part in ast.walk(TREES[name]) if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)]
        changes = [call for call in calls if call.func.attr in ("insert", "update", "delete") and ast.unparse(call.func.value) == "sa"]
        assert {ast.unparse(call.args[0]) for call in changes} == tables
    assigned = [part for part in ast.walk(TREES["fronting/questions.py"]) if isinstance(part, ast.Assign)]
    named = {ast.unparse(part.value) for part in assigned if "table" in ast.unparse(part.targets[0])}
    assert named == {"(libs.sqlalchemy, tables().questions)"}


def test_the_code_of_every_refusal_is_one_of_the_contract() -> None:
    used = {(name, code) for name, tree in TREES.items() for call in refusals(tree) for code in codes(call)}
    # Handed on from another refusal.
    handed_on = {("service/bulk.py", "first.code")}
    assert {pair for pair in used if pair[1] not in CODES} == handed_on


def test_the_check_of_writes_finds_a_write() -> None:
    for text in (
        "sa.insert(table)",
        "libs.sqlalchemy.delete(tables().nodes)",
        "tables().node_history.update()",
        "connection.execute(sa.text('DELETE FROM nodes'))",
        "table.nodes.insert()",
    ):
        assert writes(ast.parse(text)), text
    for text in ("columns.update({})", "changes.insert.append(1)", "parts.delete()"):
        assert not writes(ast.parse(text)), text
