# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The virtual environment is filled when the requirements changed, and sees the checkout as a collection."""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys
import venv

import fill_venv
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PIP = """
import os, pathlib, sys
with open(pathlib.Path(sys.prefix, "pip-calls"), "a") as calls:
    print(*(word for word in sys.argv[1:] if word.endswith(".txt") or word == "--editable"), file=calls)
sys.exit(int(os.environ.get("PIP_FAILS", "0")))
"""


@pytest.fixture
def checkout(tmp_path: pathlib.Path) -> pathlib.Path:
    """A checkout under another name, with an environment whose pip only writes down what it was asked."""
    place = tmp_path / "some clone"
    (place / "tooling").mkdir(parents=True)
    (place / "plugins" / "module_utils").mkdir(parents=True)
    (place / "plugins" / "module_utils" / "here.py").write_text("WHERE = __file__\n")
    shutil.copy(ROOT / "tooling" / "fill_venv.py", place / "tooling")
    for name in (*fill_venv.PROFILES["test"], fill_venv.LOCK, *fill_venv.CLIENTS):
        shutil.copy(ROOT / name, place)
    venv.create(place / ".venv", symlinks=True)
    pip = packages(place) / "pip"
    pip.mkdir()
    (pip / "__main__.py").write_text(PIP)
    return place


def packages(checkout: pathlib.Path) -> pathlib.Path:
    """The folder of installed packages."""
    (found,) = (checkout / ".venv").glob("lib/python*/site-packages")
    return found


def fill(checkout: pathlib.Path, profile: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Fill the environment of `checkout`."""
    command = [str(checkout / ".venv" / "bin" / "python"), str(checkout / "tooling" / "fill_venv.py"), profile]
    return subprocess.run(command, cwd="/", env=environment, capture_output=True, text=True, check=False)


def installs(checkout: pathlib.Path) -> list[str]:
    """What pip was asked for, call by call."""
    calls = checkout / ".venv" / "pip-calls"
    return calls.read_text().splitlines() if calls.exists() else []


def test_requirements_are_installed_against_the_lock_and_only_once(checkout: pathlib.Path) -> None:
    for _attempt in range(2):
        assert fill(checkout, "run").returncode == 0
    assert installs(checkout) == ["constraints.txt requirements.txt requirements-controller.txt requirements-backend.txt"]


@pytest.mark.parametrize("changed", ["requirements.txt", "constraints.txt"])
def test_a_change_of_requirements_or_lock_installs_again(checkout: pathlib.Path, changed: str) -> None:
    fill(checkout, "run")
    with (checkout / changed).open("a") as stream:
        stream.write("# changed\n")
    fill(checkout, "run")
    assert len(installs(checkout)) == 2


def test_what_the_tests_need_covers_what_a_run_needs_but_not_the_other_way(checkout: pathlib.Path) -> None:
    fill(checkout, "run")
    fill(checkout, "test")
    fill(checkout, "run")
    assert len(installs(checkout)) == 3
    assert "requirements-test.txt" in installs(checkout)[1]


def test_tests_know_the_commands_of_this_checkout_and_learn_them_again_when_they_change(checkout: pathlib.Path) -> None:
    for _attempt in range(2):
        assert fill(checkout, "test").returncode == 0
    assert installs(checkout)[1:] == ["--editable"]
    with (checkout / "pyproject.toml").open("a") as stream:
        stream.write("# changed\n")
    fill(checkout, "test")
    assert installs(checkout)[1:] == ["--editable", "--editable"]


def test_a_failed_install_is_tried_again(checkout: pathlib.Path) -> None:
    failed = fill(checkout, "run", PIP_FAILS="1")
    assert failed.returncode == 1
    assert failed.stderr.splitlines()[-1] == "The requirements could not be installed: see pip's message above."
    assert fill(checkout, "run").returncode == 0
    assert len(installs(checkout)) == 2


def where(checkout: pathlib.Path) -> pathlib.Path:
    """The checkout that the environment imports the collection from, asked from another folder."""
    program = "import ansible_collections.baremetal.maintenance.plugins.module_utils.here as here; print(here.WHERE)"
    command = [str(checkout / ".venv" / "bin" / "python"), "-c", program]
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=True)
    return pathlib.Path(done.stdout.strip()).resolve().parents[2]


def test_the_checkout_is_the_collection_and_follows_when_it_is_moved(checkout: pathlib.Path) -> None:
    fill(checkout, "link")
    assert where(checkout) == checkout
    moved = checkout.rename(checkout.with_name("moved"))
    fill(moved, "link")
    assert where(moved) == moved
    assert installs(moved) == []


def test_an_installed_copy_is_named_not_overwritten(checkout: pathlib.Path) -> None:
    copy = packages(checkout) / "ansible_collections" / "baremetal" / "maintenance"
    copy.mkdir(parents=True)
    done = fill(checkout, "link")
    assert done.returncode == 1
    assert done.stderr == f"{copy} is an installed copy of the collection that would hide this checkout: remove it.\n"


def test_this_run_is_of_such_an_environment() -> None:
    import ansible_collections.baremetal.maintenance as collection

    assert [pathlib.Path(path).resolve() for path in collection.__path__] == [ROOT]
    assert sys.prefix != sys.base_prefix
