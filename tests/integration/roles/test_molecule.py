# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The scenarios of Molecule pass, as `make molecule` runs them, and leave nothing running."""

from __future__ import annotations

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("scenario", ["fault_recovery"])
def test_a_scenario_passes(scenario: str, tmp_path: pathlib.Path) -> None:
    done = subprocess.run(
        ["sh", str(ROOT / "tooling" / "molecule.sh"), scenario],
        env={**os.environ, "MOLECULE_FOLDER": str(tmp_path), "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=1150,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    for step in ("create", "prepare", "converge", "idempotence", "verify", "destroy"):
        assert f"{step}: Executed: Successful" in done.stdout, done.stdout
    assert not (tmp_path / scenario / "services").exists()
