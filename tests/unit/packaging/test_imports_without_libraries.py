# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every plugin can be imported where its libraries are missing: ansible documents and tests it there, and a target may lack them."""

from __future__ import annotations

import importlib.metadata
import pathlib
import subprocess
import sys
import sysconfig
from collections.abc import Iterator

import ansible
import pytest
from packaging.requirements import Requirement

ROOT = pathlib.Path(__file__).resolve().parents[3]
PLUGINS = ROOT / "plugins"
NEEDS_NOTHING = [f"module_utils/{layer}" for layer in ("rules", "backend", "bmc")]
ON_A_TARGET = ["module_utils", "modules"]

IMPORT_ALL = """
import importlib, io, sys, traceback
sys.path[:0] = [sys.argv[1]]
for name in sys.argv[2:]:
    try:
        importlib.import_module(name)
    except BaseException:
        sys.stderr.write(name + ": " + traceback.format_exc().splitlines()[-1] + "\\n")
"""


def names(under: list[str], but_not: list[str] = ()) -> list[str]:
    """Dotted names of the files of plugins/ that lie under one of the folders `under` and none of `but_not`."""
    found = []
    for file in sorted(PLUGINS.rglob("*.py")):
        path = file.relative_to(PLUGINS)
        if any(path.is_relative_to(folder) for folder in under) and not any(path.is_relative_to(folder) for folder in but_not):
            parts = path.with_suffix("").parts
            dotted = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found.append(f"ansible_collections.baremetal.maintenance.plugins.{dotted}")
    return found


def distributions(name: str, seen: set[str]) -> Iterator[importlib.metadata.Distribution]:
    """Yield an installed distribution and all that it requires."""
    if name.lower() in seen:
        return
    seen.add(name.lower())
    found = importlib.metadata.distribution(name)
    yield found
    for line in found.requires or ():
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield from distributions(requirement.name, seen)


@pytest.fixture
def place(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder to import from that has the collection and nothing else."""
    (tmp_path / "ansible_collections" / "baremetal").mkdir(parents=True)
    (tmp_path / "ansible_collections" / "baremetal" / "maintenance").symlink_to(ROOT)
    return tmp_path


def complaints(place: pathlib.Path, modules: list[str]) -> str:
    """Import `modules` in a Python that sees its standard library and `place` only; return all that was printed."""
    command = [sys.executable, "-I", "-S", "-B", "-c", IMPORT_ALL, str(place), *modules]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
    return done.stdout


def test_rules_and_backend_import_without_any_library(place: pathlib.Path) -> None:
    modules = names(NEEDS_NOTHING)
    assert len(modules) > 10
    assert complaints(place, modules) == ""


def test_what_a_target_gets_imports_with_nothing_but_ansibles_own_module_utils(place: pathlib.Path) -> None:
    (place / "ansible").mkdir()
    (place / "ansible" / "__init__.py").touch()
    (place / "ansible" / "module_utils").symlink_to(pathlib.Path(ansible.__file__).parent / "module_utils")
    modules = names(ON_A_TARGET, but_not=NEEDS_NOTHING)
    assert modules
    assert complaints(place, modules) == ""


def test_what_a_controller_runs_imports_with_nothing_but_ansible_core(place: pathlib.Path) -> None:
    installed = pathlib.Path(sysconfig.get_path("purelib"))
    tops = {file.parts[0] for found in distributions("ansible-core", set()) for file in found.files or ()}
    for top in tops - {"..", "ansible_collections", "__pycache__"}:
        (place / top).symlink_to(installed / top)
    modules = names(["."], but_not=ON_A_TARGET)
    assert modules
    assert complaints(place, modules) == ""


def test_a_missing_library_would_be_noticed(place: pathlib.Path) -> None:
    assert "No module named 'requests'" in complaints(place, ["requests"])
