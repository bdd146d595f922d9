# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection openstack.cloud as the PyPI package `ansible` brings it, for plays that use Ironic without knowing of us.

    collections()           a folder for ANSIBLE_COLLECTIONS_PATH; raises environment.NotBuilt

Of the package only this collection is kept: all of them together would take minutes to install. It runs with this environment's
ansible-core and openstacksdk.
"""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys
import tempfile
import typing as t
import zipfile

from ansible_collections.baremetal.maintenance.tests.lab import environment

REQUIREMENT: t.Final = "ansible==14.5.0"
_PREFIX: t.Final = "ansible_collections/openstack/cloud/"


def collections() -> pathlib.Path:
    """Give the folder that has it; the package is fetched on first use."""
    folder = environment.BUILD / f"openstack-cloud-{REQUIREMENT.rpartition('=')[2]}"
    environment.BUILD.mkdir(parents=True, exist_ok=True)
    with environment.locked("openstack-cloud"):
        if not folder.exists():
            with tempfile.TemporaryDirectory(dir=environment.BUILD) as scratch:
                _fetch(pathlib.Path(scratch))
                shutil.move(pathlib.Path(scratch) / "collections", folder)
    return folder


def _fetch(scratch: pathlib.Path) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "download", "--no-deps", "--only-binary", ":all:"]
    try:
        done = subprocess.run(
            [*command, "--dest", str(scratch), REQUIREMENT],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=environment.MOST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise environment.NotBuilt(_remedy(f"not there after {environment.MOST_SECONDS} s")) from None
    if done.returncode:
        raise environment.NotBuilt(_remedy(done.stderr.strip()[-2000:]))
    [wheel] = scratch.glob("ansible-*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(scratch / "collections", [name for name in packed.namelist() if name.startswith(_PREFIX)])


def _remedy(why: str) -> str:
    return (
        f"{REQUIREMENT} could not be fetched: {why}\nThese tests take the collection openstack.cloud out of it once. Let pip reach a"
        " Python package index and run them again, or leave the tests of real parts out on purpose: make test ARGS=\"-m 'not lab'\""
    )
