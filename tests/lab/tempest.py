# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real tempest with our plugin, as an operator runs it against a deployment.

    tempest = Tempest(tmp_path, keystone)
    assert tempest.run("baremetal_maintenance").passed == 8

It is installed on first use (environment.NotBuilt); our distribution is built from this checkout each time and put beside it.
"""

from __future__ import annotations

import configparser
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import typing as t

from ansible_collections.baremetal.maintenance.tests.lab import environment
from ansible_collections.baremetal.maintenance.tests.lab.keystone import REGION, Keystone
from ansible_collections.baremetal.maintenance.tests.support.backend import own_environment

ROOT: t.Final = pathlib.Path(__file__).resolve().parents[2]
REQUIREMENTS: t.Final = ("tempest==47.0.0",)
CONSTRAINTS: t.Final = pathlib.Path(__file__).with_name("tempest-constraints.txt")


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What a run came to. text: all that tempest wrote."""

    passed: int
    failed: int
    skipped: int
    text: str


class Tempest:
    """One workspace, for the cloud of one Keystone; users and projects are made for the run and removed after it."""

    def __init__(self, folder: pathlib.Path, keystone: Keystone) -> None:
        self._folder = folder / "workspace"
        self._packages = folder / "packages"
        self._programs = environment.python_with("tempest", REQUIREMENTS, CONSTRAINTS).parent
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--no-index", "--no-deps"]
        subprocess.run([*pip, "--no-build-isolation", "--target", str(self._packages), str(ROOT)], check=True)
        self._command("init", str(self._folder), where=folder)
        self._configure(keystone)

    def run(self, regex: str, seconds: float = 300) -> Outcome:
        """Run the tests whose names match, one after the other."""
        text = self._command("run", "--serial", "--regex", regex, where=self._folder, seconds=seconds, checked=False)
        count = {name: int(found[1]) if (found := re.search(rf" - {name}: (\d+)", text)) else 0 for name in ("Passed", "Failed", "Skipped")}
        return Outcome(count["Passed"], count["Failed"], count["Skipped"], text)

    def _configure(self, keystone: Keystone) -> None:
        settings: dict[str, dict[str, str]] = {
            "DEFAULT": {"log_file": "tempest.log"},
            "auth": {
                "use_dynamic_credentials": "true",
                "admin_username": "keystone-admin",
                "admin_password": "keystone-admin-password",
                "admin_project_name": "admin",
                "admin_domain_name": "Default",
                "create_isolated_networks": "false",
            },
            "identity": {"uri_v3": keystone.url, "auth_version": "v3", "region": REGION},
            "service_available": dict.fromkeys(("cinder", "neutron", "glance", "swift", "nova", "horizon"), "false"),
            "oslo_concurrency": {"lock_path": str(self._folder / "locks")},
        }
        parser = configparser.ConfigParser(interpolation=None)
        parser.read_dict(settings)
        with (self._folder / "etc" / "tempest.conf").open("w", encoding="utf-8") as stream:
            parser.write(stream)

    def _command(self, *arguments: str, where: pathlib.Path, seconds: float = 120, checked: bool = True) -> str:
        path = os.pathsep.join([str(self._programs), os.environ.get("PATH", os.defpath)])
        world = {**own_environment(), "PATH": path, "PYTHONPATH": str(self._packages), "HOME": str(where)}
        done = subprocess.run(
            [str(self._programs / "tempest"), *arguments],
            cwd=where,
            env=world,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
        said = done.stdout + done.stderr
        if checked and done.returncode:
            raise RuntimeError(f"tempest {arguments[0]} failed:\n{said[-3000:]}")
        return said
