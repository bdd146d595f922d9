# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A test that needs a program of Debian's says what to install where it is missing."""

from __future__ import annotations

import pathlib

import pytest
from ansible_collections.baremetal.maintenance.tests.lab.bmc import processes

BINDEP = pathlib.Path(__file__).resolve().parents[3] / "bindep.txt"


@pytest.mark.parametrize("name, package", [("ipmi_sim", "openipmi"), ("sdrcomp", "openipmi"), ("ipmitool", "ipmitool")])
def test_a_program_that_is_missing(monkeypatch, name, package):
    monkeypatch.setattr(processes.shutil, "which", lambda *_name, **_path: None)
    with pytest.raises(processes.NotInstalled, match=f"apt-get install {package}"):
        processes.program(name)
    assert f"{package} [test platform:dpkg]" in BINDEP.read_text().splitlines()
