# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The make targets find a Python that runs, or say what to install; they ask for Debian packages in one sentence."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
TOOLS = ["sh", "dirname", "uname"]


@pytest.fixture
def checkout(tmp_path: pathlib.Path) -> pathlib.Path:
    """A checkout with a space in its name, whose fill_venv.py only says which Python runs it; beside it an almost empty PATH."""
    place = tmp_path / "a clone"
    (place / "tooling").mkdir(parents=True)
    shutil.copy(ROOT / "tooling" / "venv.sh", place / "tooling")
    (place / "tooling" / "fill_venv.py").write_text("import sys; print(*sys.argv[1:], sys.prefix, sys.version_info[:2])")
    (tmp_path / "bin").mkdir()
    for tool in TOOLS:
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool))
    return place


def make_venv(checkout: pathlib.Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run venv.sh in a world with no other programs than those in the `bin` beside the checkout."""
    world = {"PATH": str(checkout.parent / "bin"), "HOME": str(checkout.parent), **environment}
    return subprocess.run(
        ["sh", str(checkout / "tooling" / "venv.sh"), "run"], env=world, cwd="/", capture_output=True, text=True, check=False
    )


def program(path: pathlib.Path, text: str) -> pathlib.Path:
    """Make a program of shell commands."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def python(path: pathlib.Path) -> pathlib.Path:
    """Make a Python that leaves pip out of its virtual environments, which takes seconds."""
    real = f'exec "{sys.executable}"'
    return program(
        path, f'case "$*" in *_base_executable*) echo "$0" ;; "-m venv "*) {real} -m venv --without-pip "$3" "$4" ;; *) {real} "$@" ;; esac'
    )


def test_without_a_python_one_sentence_says_what_to_install(checkout: pathlib.Path) -> None:
    done = make_venv(checkout)
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert "No Python 3.12 or newer" in line
    assert "python3-venv" in line
    assert not (checkout / ".venv").exists()


def test_a_shim_that_does_not_run_and_an_old_python_are_passed_over(checkout: pathlib.Path) -> None:
    programs = checkout.parent / "bin"
    program(programs / "python3.13", "exit 127")
    program(programs / "python3.12", 'case "$2" in *version_info*) exit 1 ;; esac')
    python(programs / "python3")
    done = make_venv(checkout)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"run {checkout / '.venv'}")


def test_a_python_of_pyenv_is_found_without_its_shims(checkout: pathlib.Path) -> None:
    python(checkout.parent / ".pyenv" / "versions" / "3.12.99" / "bin" / "python")
    assert make_venv(checkout).returncode == 0


def test_an_existing_environment_is_kept_and_a_broken_one_replaced(checkout: pathlib.Path) -> None:
    mine = str(python(checkout.parent / "mine"))
    assert make_venv(checkout, PYTHON=mine).returncode == 0
    (checkout / ".venv" / "mark").touch()
    assert make_venv(checkout).returncode == 0
    assert (checkout / ".venv" / "mark").exists()
    (checkout / ".venv" / "bin" / "python").unlink()
    done = make_venv(checkout, PYTHON=mine)
    assert done.returncode == 0, done.stderr
    assert not (checkout / ".venv" / "mark").exists()


def test_missing_debian_packages_are_named_to_a_user_who_is_not_root(tmp_path: pathlib.Path) -> None:
    (tmp_path / "tooling").mkdir()
    shutil.copy(ROOT / "tooling" / "deps.sh", tmp_path / "tooling")
    (tmp_path / "bindep.txt").write_text("# comment [test]\nlibfoo [platform:dpkg]\nfoo [test platform:dpkg]\nbar [test]\n")
    for name, text in {"id": "echo 1000", "dpkg-query": '[ "$4" = bar ] && echo installed', "apt-get": "exit 99"}.items():
        program(tmp_path / "bin" / name, text)
    world = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    done = subprocess.run(["sh", str(tmp_path / "tooling" / "deps.sh")], env=world, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Not root, so nothing was installed: run 'apt-get install foo' as root.\n"
