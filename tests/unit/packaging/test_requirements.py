# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The requirements files, the lock and what is installed agree."""

from __future__ import annotations

import ast
import importlib.metadata
import pathlib
import sys

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = pathlib.Path(__file__).resolve().parents[3]
FILES = sorted(path.name for path in ROOT.glob("requirements*.txt"))
OF_LAYER = {"client": "requirements.txt", "backend": "requirements-backend.txt", "bmc": "requirements.txt"}
PYTHONS = ["3.12", "3.13", "3.14"]


def requirements(name: str) -> list[Requirement]:
    """The requirements of one file."""
    lines = (line.partition("#")[0].strip() for line in (ROOT / name).read_text().splitlines())
    return [Requirement(line) for line in lines if line]


def lock(python: str) -> dict[str, str]:
    """Version by canonical name, as the lock has them for this Python on Linux."""
    environment = {"python_version": python, "python_full_version": f"{python}.0", "sys_platform": "linux", "os_name": "posix"}
    pins = [pin for pin in requirements("constraints.txt") if pin.marker is None or pin.marker.evaluate(environment)]
    return {canonicalize_name(pin.name): next(iter(pin.specifier)).version for pin in pins}


def test_the_files_are_these() -> None:
    assert FILES == ["requirements-backend.txt", "requirements-controller.txt", "requirements-test.txt", "requirements.txt"]


@pytest.mark.parametrize("name", FILES)
def test_each_requirement_has_a_lower_bound_and_nothing_else(name: str) -> None:
    assert requirements(name)
    assert [str(one) for one in requirements(name) if [bound.operator for bound in one.specifier] != [">="]] == []


def test_the_lock_pins_exactly() -> None:
    assert [str(one) for one in requirements("constraints.txt") if [bound.operator for bound in one.specifier] != ["=="]] == []


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("name", FILES)
def test_the_lock_satisfies_every_requirement(name: str, python: str) -> None:
    pins = lock(python)
    unmet = [str(one) for one in requirements(name) if not one.specifier.contains(pins.get(canonicalize_name(one.name), "0"))]
    assert unmet == []


@pytest.mark.parametrize("python", PYTHONS)
def test_the_lock_names_all_that_an_installed_requirement_asks_for(python: str) -> None:
    pins = lock(python)
    environment = {"python_version": python, "python_full_version": f"{python}.0", "extra": ""}
    missing = set()
    installed = {canonicalize_name(found.name): found for found in importlib.metadata.distributions()}
    for name, version in pins.items():
        if name not in installed or installed[name].version != version:
            continue  # pinned for another Python, or these tests run with other versions on purpose
        for one in map(Requirement, installed[name].requires or []):
            if (one.marker is None or one.marker.evaluate(environment)) and canonicalize_name(one.name) not in pins:
                missing.add(f"{name} asks for {one.name}")
    assert missing == set()


def imported(file: pathlib.Path) -> set[str]:
    """Names of the packages of other projects that a file imports."""
    nodes = list(ast.walk(ast.parse(file.read_text())))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level}
    return {name.split(".")[0] for name in names} - set(sys.stdlib_module_names)


@pytest.mark.parametrize("layer", sorted(path.parent.name for path in (ROOT / "plugins" / "module_utils").glob("*/libs.py")))
def test_every_library_that_a_layer_imports_is_required(layer: str) -> None:
    installed = importlib.metadata.packages_distributions()
    required = {canonicalize_name(one.name) for one in requirements(OF_LAYER[layer])}
    names = imported(ROOT / "plugins" / "module_utils" / layer / "libs.py")
    assert names
    assert {name for name in names if required.isdisjoint(map(canonicalize_name, installed.get(name, [name])))} == set()
