# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tarball that users install has the collection and nothing that a checkout gathers beside it."""

from __future__ import annotations

import pathlib
import subprocess
import sys
import tarfile

import pytest
from checkout_copy import copy, files

ROOT = pathlib.Path(__file__).resolve().parents[3]

GATHERED = [
    ".venv/bin/python",
    ".build/serve/maintenance.sqlite",
    ".ansible/collections/x.yml",
    ".pytest_cache/v/cache/lastfailed",
    ".hypothesis/examples/0",
    ".ruff_cache/0",
    "tests/output/results.xml",
    "collections/ansible_collections/x.yml",
    "plugins/modules/__pycache__/hold.cpython-312.pyc",
    "plugins/module_utils/.hold.py.swp",
    "roles/a/.cache/x",
    "playbooks/.env",
    "baremetal-maintenance-0.0.9.tar.gz",
    "docs/fleet.tar.gz",
]
NEEDED = [
    "CHANGELOG.md",
    "COPYING",
    "LICENSES/GPL-3.0-or-later.txt",
    "README.md",
    "bindep.txt",
    "changelogs/changelog.yaml",
    "meta/execution-environment.yml",
    "meta/runtime.yml",
    "requirements-backend.txt",
    "requirements.txt",
]
FOLDERS_WITHOUT = ["clients", "tests", "tooling", "collections"]
FILES_WITHOUT = [
    "Makefile",
    "constraints.txt",
    "galaxy.yml",
    "hatch_build.py",
    "pyproject.toml",
    "requirements-controller.txt",
    "requirements-test.txt",
]


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Path and content of every file in the tarball built from this checkout, with what a busy checkout gathers planted into it."""
    place = tmp_path_factory.mktemp("build")
    checkout = copy(ROOT, place)
    for name in GATHERED:
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text("gathered")
    command = [str(pathlib.Path(sys.executable).with_name("ansible-galaxy")), "collection", "build", "--output-path", str(place)]
    subprocess.run(command, cwd=checkout, check=True, capture_output=True)
    (archive,) = place.glob("*.tar.gz")
    assert archive.name.startswith("baremetal-maintenance-")
    with tarfile.open(archive) as tar:
        return {member.name: tar.extractfile(member).read() for member in tar if member.isfile()}


def test_every_plugin_role_and_playbook_is_shipped(shipped: dict[str, bytes]) -> None:
    ours = [name for name in files(ROOT) if name.split("/")[0] in ("plugins", "roles", "playbooks") and "/." not in name]
    assert ours
    assert {name: (ROOT / name).read_bytes() for name in ours}.items() <= shipped.items()


@pytest.mark.parametrize("name", NEEDED)
def test_what_an_installer_needs_is_shipped(shipped: dict[str, bytes], name: str) -> None:
    assert name in shipped


def test_nothing_that_a_checkout_gathers_is_shipped(shipped: dict[str, bytes]) -> None:
    assert [name for name, content in shipped.items() if name in GATHERED or content == b"gathered"] == []


def test_nothing_that_only_a_checkout_needs_is_shipped(shipped: dict[str, bytes]) -> None:
    assert [name for name in shipped if name.split("/")[0] in FOLDERS_WITHOUT] == []
    assert [name for name in shipped if any(part.startswith(".") for part in name.split("/"))] == []
    assert set(FILES_WITHOUT).isdisjoint(shipped)


def test_the_copying_file_and_the_licence_folder_say_the_same() -> None:
    assert (ROOT / "COPYING").read_bytes() == (ROOT / "LICENSES" / "GPL-3.0-or-later.txt").read_bytes()
