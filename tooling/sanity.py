# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run `ansible-test sanity` on a copy of the checkout, with a home of its own under .build.

usage: .venv/bin/python tooling/sanity.py [ARGUMENT OF ansible-test sanity]...

ansible-test insists on a path that ends in ansible_collections/NAMESPACE/NAME, resolves links, keeps caches in the home folder, downloads
a script to bring pip into its virtual environments, and takes version-manager shims on PATH for Pythons. So it gets a copy, a home,
that script, and a PATH that begins with the folders of the Pythons that were seen to run.
"""

from __future__ import annotations

import ast
import configparser
import fcntl
import glob
import os
import pathlib
import shutil
import subprocess
import sys
import types

from ansible_test._internal.python_requirements import get_venv_packages
from ansible_test._util.target.common.constants import CONTROLLER_PYTHON_VERSIONS, REMOTE_ONLY_PYTHON_VERSIONS
from checkout_copy import copy

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build" / "ansible-test"
CONTROLLER = "{}.{}".format(*sys.version_info[:2])


def real_python(version: str) -> str | None:
    """The path of a Python `version` that runs and can make virtual environments; a shim is resolved to what it starts."""
    pyenv = os.environ.get("PYENV_ROOT", os.path.expanduser("~/.pyenv"))
    for candidate in (f"python{version}", *sorted(glob.glob(f"{pyenv}/versions/{version}.*/bin/python{version}"))):
        try:
            answer = subprocess.run(
                [candidate, "-c", "import ensurepip, sys, venv; print(sys.executable)"], capture_output=True, text=True, check=False
            )
        except OSError:
            continue
        if answer.returncode == 0:
            return answer.stdout.strip()
    return None


def pip_configuration() -> configparser.RawConfigParser:
    """What the user's pip is configured to do, from all of its files and the environment."""
    listing = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True).stdout
    cache = subprocess.run([sys.executable, "-m", "pip", "cache", "dir"], capture_output=True, text=True, check=False).stdout.strip()
    parser = configparser.RawConfigParser()
    parser.read_dict({"global": {"quiet": "2", **({"cache-dir": cache} if cache else {})}})
    for line in listing.splitlines():
        key, _equals, value = line.partition("=")
        section, _dot, option = key.rpartition(".")
        section = "global" if section == ":env:" else section
        if option in ("config-file", "require-virtualenv"):
            continue
        if not parser.has_section(section):
            parser.add_section(section)
        parser.set(section, option, ast.literal_eval(value))
    return parser


def make_home() -> pathlib.Path:
    """A home folder that gives ansible-test pip's configuration and the script that brings pip; return its path."""
    home = BUILD / "home"
    settings = home / ".config" / "pip" / "pip.conf"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.touch(mode=0o600)  # an index URL may hold a password
    with settings.open("w") as stream:
        pip_configuration().write(stream)
    version = get_venv_packages(types.SimpleNamespace(version=CONTROLLER))["pip"]
    script = home / ".ansible" / "test" / "cache" / f"get_pip_{version.replace('.', '_')}.py"
    script.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ROOT / "tooling" / "get_pip.py", script)
    return home


def main() -> int:
    if CONTROLLER not in CONTROLLER_PYTHON_VERSIONS:
        raise SystemExit(f"ansible-test of the installed ansible-core does not know Python {CONTROLLER}: rebuild .venv with another.")
    pythons = {version: path for version in (*REMOTE_ONLY_PYTHON_VERSIONS, *CONTROLLER_PYTHON_VERSIONS) if (path := real_python(version))}
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        collection = copy(ROOT, BUILD)
        subprocess.run(["git", "init", "--quiet"], cwd=collection, check=True)
        subprocess.run(["git", "add", "--all"], cwd=collection, check=True)
        command = [sys.executable, "-m", "ansible_test._util.target.cli.ansible_test_cli_stub", "sanity", "--color", "no"]
        command += ["--controller", f"origin:python={CONTROLLER}"]
        for version in pythons:
            command += ["--target-python", version]
        folders = [os.path.dirname(path) for path in (sys.executable, *pythons.values())]
        environment = {**os.environ, "HOME": str(make_home()), "PATH": os.pathsep.join([*folders, os.environ.get("PATH", os.defpath)])}
        return subprocess.run([*command, *sys.argv[1:]], cwd=collection, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
