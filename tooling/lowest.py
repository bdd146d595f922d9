# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run the tests with the lowest versions that the requirements files allow: the proof of their lower bounds.

usage: .venv/bin/python tooling/lowest.py [ARGUMENT OF pytest]...
Makes a second virtual environment under .build with each `name>=version` taken as `name==version`, and what those ask for as pip
resolves it.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import venv

import fill_venv

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLACE = ROOT / ".build" / "lowest"


def lowest(name: str) -> list[str]:
    """The requirements of a file, each at its lower bound."""
    lines = (line.partition("#")[0].strip() for line in (ROOT / name).read_text().splitlines())
    return [line.replace(">=", "==") for line in lines if line]


def main() -> int:
    wanted = [requirement for name in fill_venv.PROFILES["test"] for requirement in lowest(name)]
    sys.stdout.write(" ".join(wanted) + "\n")
    venv.create(PLACE, with_pip=True, clear=True)
    python = str(PLACE / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "-qq", *wanted], check=True)
    subprocess.run([python, str(ROOT / "tooling" / "fill_venv.py"), "link"], check=True)
    subprocess.run([python, "-m", "pip", "install", "-qq", "--no-deps", "--no-build-isolation", "--editable", str(ROOT)], check=True)
    arguments = sys.argv[1:] or [str(ROOT / "tests" / "unit"), str(ROOT / "tests" / "integration")]
    path = os.pathsep.join([str(PLACE / "bin"), os.environ.get("PATH", os.defpath)])
    return subprocess.run([python, "-m", "pytest", "-q", *arguments], cwd=ROOT, env={**os.environ, "PATH": path}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
