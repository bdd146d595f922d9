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
        install += ["--constraint", str(_CONSTRAINTS), "--requirement", str(_REQUIREMENTS)]
        if subprocess.run([sys.executable, *install], check=False).returncode:
            raise SystemExit(f"The package ansible could not be installed into {folder}: let pip reach a package index once.")
        stamp.write_text(wanted, encoding="ascii")
    return binary


#: What a check reads, by the module's words. It takes the commands of one category at a time.
_COMMANDS: t.Final = {
    "Systems": ["GetSystemInventory", "GetHealthReport", "GetCpuInventory", "GetMemoryInventory", "GetDiskInventory"],
    "Chassis": ["GetPsuInventory", "GetFanInventory", "GetChassisThermals"],
    "Manager": ["GetManagerInventory", "GetVirtualMedia", "GetLogs"],
}


def tasks(ca: str, ports: t.Sequence[int]) -> list[dict[str, t.Any]]:
    """Give the tasks that ask each BMC, in a loop, for what a check reads."""
    login = {"username": redfish_farm.USER, "password": redfish_farm.PASSWORD, "ca_path": ca, "validate_certs": True}
    return [
        {
            "community.general.redfish_info": {"baseuri": "127.0.0.1:{{ item }}", **login, "category": [category], "command": commands},
            "loop": list(ports),
        }
        for category, commands in _COMMANDS.items()
    ]
