# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What `pip install .` puts into an environment: the collection where ansible looks, the commands where the OpenStack clients look."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

import pytest
import tomllib
import yaml
from checkout_copy import copy, files
from packaging.requirements import Requirement

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PLACE = "ansible_collections/baremetal/maintenance"

GATHERED = [
    "plugins/modules/__pycache__/hold.cpython-312.pyc",
    "clients/baremetal_maintenance/__pycache__/errors.cpython-312.pyc",
    "tests/output/results.xml",
    "baremetal-maintenance-0.0.9.tar.gz",
]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder of installed packages that has the distribution of this checkout, built without any network, and nothing else."""
    place = tmp_path_factory.mktemp("distribution")
    checkout = copy(ROOT, place)
    for name in GATHERED:
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text("gathered")
    packages = place / "site-packages"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--no-index", "--no-deps"]
    subprocess.run([*pip, "--no-build-isolation", "--no-compile", "--target", str(packages), str(checkout)], check=True)
    return packages


def python(installed: pathlib.Path, *arguments: str) -> str:
    """What a Python that has these packages before all others writes."""
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    done = subprocess.run([sys.executable, *arguments], env=environment, cwd="/", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def names(installed: pathlib.Path) -> set[str]:
    """Paths of all installed files."""
    return {str(path.relative_to(installed)) for path in installed.rglob("*") if path.is_file()}


def requirements(name: str) -> dict[str, str]:
    """The requirements of a file by name, as text."""
    lines = (line.partition("#")[0].strip() for line in (ROOT / name).read_text().splitlines())
    return {Requirement(line).name: str(Requirement(line)) for line in lines if line}


def declared(*extras: str) -> dict[str, str]:
    """The requirements of the distribution's extras by name, as text; "" means those without an extra."""
    table = {"": PROJECT["project"]["dependencies"], **PROJECT["project"]["optional-dependencies"]}
    return {Requirement(line).name: str(Requirement(line)) for extra in extras for line in table[extra]}


def test_the_whole_collection_is_where_ansible_looks(installed: pathlib.Path) -> None:
    ours = [name for name in files(ROOT) if name.split("/")[0] in ("plugins", "roles", "playbooks", "meta") and "/." not in name]
    assert ours
    single = ["galaxy.yml", "README.md", "CHANGELOG.md", "COPYING", "requirements.txt", "requirements-backend.txt"]
    assert {f"{PLACE}/{name}" for name in [*ours, *single]} <= names(installed)
    found = json.loads(python(installed, "-m", "ansible", "doc", "--json", "baremetal.maintenance.hold"))
    assert found["baremetal.maintenance.hold"]["doc"]["filename"].startswith(str(installed))


def test_the_commands_are_where_the_clients_look(installed: pathlib.Path) -> None:
    program = """
import importlib.metadata as metadata, json, sys
points = [point for group in sys.argv[1:] for point in metadata.distribution("baremetal-maintenance").entry_points.select(group=group)]
print(json.dumps({point.name: sys.modules[point.load().__module__].__file__ for point in points}))
"""
    groups = [group for group in PROJECT["project"]["entry-points"] if group != "tempest.test_plugins"]
    found = json.loads(python(installed, "-c", program, *groups))
    assert set(found) == {name for group in groups for name in PROJECT["project"]["entry-points"][group]}
    assert [file for file in found.values() if not file.startswith(str(installed))] == []


def test_the_backend_runs_from_there(installed: pathlib.Path) -> None:
    program = "import ansible_collections.baremetal.maintenance.plugins.module_utils.backend.app as app; print(app.__file__)"
    assert python(installed, "-c", program).startswith(str(installed))


def test_licences_are_there_and_nothing_that_only_a_checkout_needs(installed: pathlib.Path) -> None:
    found = names(installed)
    assert f"{PLACE}/LICENSES/GPL-3.0-or-later.txt" in found
    assert [name for name in found if name.endswith("licenses/LICENSES/GPL-3.0-or-later.txt")]
    collection = {name.removeprefix(f"{PLACE}/").split("/")[0] for name in found if name.startswith(PLACE)}
    assert collection.isdisjoint({"tests", "tooling", "clients", "collections", "Makefile", "constraints.txt", "pyproject.toml"})
    assert {name.split("/")[0] for name in found} - {"ansible_collections", "baremetal_maintenance"} == {
        f"baremetal_maintenance-{version()}.dist-info"
    }
    assert [name for name in found if (installed / name).read_bytes() == b"gathered"] == []


def version() -> str:
    """The collection's version."""
    return yaml.safe_load((ROOT / "galaxy.yml").read_text())["version"]


def test_the_version_is_the_collections(installed: pathlib.Path) -> None:
    assert python(installed, "-c", "import importlib.metadata as m; print(m.version('baremetal-maintenance'))").strip() == version()


def test_what_is_required_is_what_the_requirements_files_say() -> None:
    assert declared("", "bmc", "keystone") == requirements("requirements.txt")
    assert declared("backend") == requirements("requirements-backend.txt")
    tested = {**requirements("requirements-test.txt"), **requirements("requirements.txt")}
    assert declared("cli").items() <= tested.items()
    assert set(PROJECT["build-system"]["requires"]) <= set(tested.values())
