# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The first playbook works as it stands there, and again, on a backend without authentication such as `make serve` starts."""

from __future__ import annotations

import pathlib
import subprocess
import sys
import typing as t

import pytest

from tests.support.backend import Backend, own_environment

ROOT = pathlib.Path(__file__).resolve().parents[3]
PLAYBOOK = [str(pathlib.Path(sys.executable).with_name("ansible-playbook")), str(ROOT / "examples" / "first.yml"), "--diff"]

#: Ansible's own words about a play on localhost without an inventory.
QUIET = {"ANSIBLE_LOCALHOST_WARNING": "false", "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false"}


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Backend]:
    with Backend(tmp_path_factory.mktemp("first")) as backend:
        yield backend


def play(backend: Backend, *arguments: str) -> str:
    done = subprocess.run(
        [*PLAYBOOK, "-e", f"api_url={backend.url}", *arguments],
        env={**own_environment(), **QUIET, "ANSIBLE_NOCOLOR": "1"},
        cwd=backend.folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "[WARNING]" not in done.stdout + done.stderr
    return done.stdout


def test_it_works_and_works_again_and_in_check_mode_changes_nothing(backend: Backend) -> None:
    for arguments, changed in (((), 5), (("--check",), 2), ((), 4)):
        output = play(backend, *arguments)
        assert f"changed={changed}" in output
        assert ("hardware_failure: Disk 3 has bad sectors" in output) is not bool(arguments)
