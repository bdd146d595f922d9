# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hold the layers of the collection to the one direction in which they may import.

usage: python tooling/layers.py CHECKOUT      one line per import that breaks a rule; exit 1 if there is any.

What a playbook sees is on top, then the operations, the client and the rules; the backend stands on the rules alone and meets the
client over HTTP only. The clients for the command line and the SDK stand beside the collection: neither imports the other. Libraries that
are not Python's own are imported in a layer's libs.py, guarded, and nowhere else. Imports are read as text: nothing runs.
"""

from __future__ import annotations

import ast
import pathlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass

CLIENTS = "baremetal_maintenance"
COLLECTION = ("ansible_collections", "baremetal", "maintenance", "plugins")

BELOW = {
    "rules": frozenset(),
    "bmc": frozenset(),
    "client": frozenset({"rules"}),
    "backend": frozenset({"rules"}),
    "operations": frozenset({"client", "rules", "bmc"}),
    "modules": frozenset({"operations", "client", "rules", "bmc"}),
    "plugin_utils": frozenset({"operations", "client", "rules", "bmc"}),
    "doc_fragments": frozenset(),
}
CONTROLLER_PLUGIN = frozenset({"plugin_utils", "operations", "client", "rules", "bmc"})

WITH_LIBRARIES = frozenset({"client", "backend", "bmc"})
WITHOUT_ANSIBLE = frozenset({"rules", "backend", "bmc"})
NOT_PURE = frozenset({"asyncio", "http", "io", "os", "pathlib", "random", "secrets", "socket", "sqlite3", "subprocess", "time", "urllib"})


@dataclass(frozen=True)
class Import:
    """One imported name: where it stands, and the dotted path that it means, as parts."""

    line: int
    parts: tuple[str, ...]

    @property
    def ours(self) -> tuple[str, ...] | None:
        """The path under plugins/, or None for an import from elsewhere."""
        return self.parts[len(COLLECTION):] if self.parts[: len(COLLECTION)] == COLLECTION else None


def imports(source: str, folder: tuple[str, ...]) -> Iterator[Import]:
    """Yield the imports of `source`, a file in plugins/`folder`, relative ones resolved; what only type checkers read is left out."""
    tree = ast.parse(source)
    unread = {id(inner) for node in ast.walk(tree) if is_type_checking(node) for inner in ast.walk(node)}
    package = (*COLLECTION, *folder)
    for node in ast.walk(tree):
        if id(node) in unread:
            continue
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(node.lineno, tuple(alias.name.split(".")))
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = tuple(node.module.split(".")) if node.module else ()
            for alias in node.names:
                yield Import(node.lineno, (*base, *module, alias.name))


def is_type_checking(node: ast.AST) -> bool:
    """Whether `node` is an `if TYPE_CHECKING:` without an else."""
    return isinstance(node, ast.If) and not node.orelse and ast.unparse(node.test).rpartition(".")[2] == "TYPE_CHECKING"


def layer_of(path: tuple[str, ...]) -> str:
    """The layer of a path under plugins/: the folder, within module_utils the one below it."""
    if path[0] == "module_utils":
        return path[1] if len(path) > 1 else "module_utils"
    return path[0]


def broken_rule(layer: str, is_libs: bool, name: Import) -> str | None:
    """The rule that this import in a file of `layer` breaks, as the end of a sentence; None if there is none."""
    if name.ours is not None:
        target = layer_of(name.ours)
        if target != layer and target not in BELOW.get(layer, CONTROLLER_PLUGIN):
            return f"{layer} must not import {target}"
        return None
    top = name.parts[0]
    if top == CLIENTS:
        return "the collection must not import the clients"
    if top == "ansible":
        return f"{layer} must work without ansible" if layer in WITHOUT_ANSIBLE else None
    if top == "ansible_collections":
        return "the collection depends on no other"
    if top in sys.stdlib_module_names:
        return f"rules are pure: no {top}" if layer == "rules" and top in NOT_PURE else None
    if layer in WITH_LIBRARIES:
        return None if is_libs else f"{top} is imported in {layer}/libs.py only"
    return f"{layer} imports no library such as {top}"


def broken_rules(root: pathlib.Path) -> Iterator[str]:
    """Yield `file:line: what is wrong` for every import under `root`/plugins and `root`/clients that breaks a rule."""
    plugins = root / "plugins"
    for file in sorted(plugins.rglob("*.py")):
        path = file.relative_to(plugins).parts
        layer = layer_of(path)
        is_libs = path == ("module_utils", layer, "libs.py")
        for name in imports(file.read_text(encoding="utf-8"), path[:-1]):
            rule = broken_rule(layer, is_libs, name)
            if rule:
                yield f"{file.relative_to(root)}:{name.line}: {rule}"
    for file in sorted((root / "clients").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            if any(name.split(".")[0] in ("ansible", "ansible_collections") for name in names):
                yield f"{file.relative_to(root)}:{node.lineno}: clients must work without the collection and ansible"


def main() -> int:
    found = list(broken_rules(pathlib.Path(sys.argv[1])))
    sys.stdout.writelines(f"{line}\n" for line in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
