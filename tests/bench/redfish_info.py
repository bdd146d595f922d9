# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""community.general.redfish_info, of the package `ansible` in an environment of its own under .build/bench."""

from __future__ import annotations

import hashlib
import pathlib
import shutil
import subprocess
import sys
import typing as t

import redfish_farm

_HERE: t.Final = pathlib.Path(__file__).resolve().parent
_ROOT: t.Final = _HERE.parents[1]
_REQUIREMENTS: t.Final = _HERE / "requirements.txt"
#: So that both sides run on the same ansible-core.
_CONSTRAINTS: t.Final = _ROOT / "constraints.txt"


def python() -> pathlib.Path:
    """Give the Python of the environment, which is built on first use and when what it is built from changes."""
    folder = _ROOT / ".build" / "bench" / "ansible-venv"
    binary, stamp = folder / "bin" / "python", folder / "built"
    wanted = hashlib.sha256(_REQUIREMENTS.read_bytes() + _CONSTRAINTS.read_bytes() + sys.version.encode()).hexdigest()
    if not (stamp.exists() and stamp.read_text(encoding="ascii") == wanted):
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
        install = ["-m", "pip", "--python", str(binary), "install", "--quiet", "--no-compile", "--disable-pip-version-check"]
        subprocess.run([sys.executable, *install, "--constraint", str(_CONSTRAINTS), "--requirement", str(_REQUIREMENTS)], check=True)
        stamp.write_text(wanted, encoding="ascii")
    return binary


def task(ca: str, ports: t.Sequence[int]) -> dict[str, t.Any]:
    """Give a task that asks each BMC for what a check reads: one run of the module for each, whatever it takes with it."""
    return {
        "community.general.redfish_info": {
            "baseuri": "127.0.0.1:{{ item }}",
            "username": redfish_farm.USER,
            "password": redfish_farm.PASSWORD,
            "ca_path": ca,
            "validate_certs": True,
            "category": ["Systems", "Chassis", "Manager"],
            "command": ["all"],
        },
        "loop": list(ports),
        "no_log": True,
    }
