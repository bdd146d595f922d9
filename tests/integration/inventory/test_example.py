# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The example inventory works as it is, and fails as it should."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

from ansible_collections.baremetal.maintenance.tests.integration.inventory import fleet, wire

EXAMPLE = pathlib.Path(__file__).resolve().parents[3] / "examples" / "inventory"


def graph(url: str) -> subprocess.CompletedProcess[str]:
    """Run the command of the example's own comment, in its folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ANSIBLE_", "BAREMETAL_", "OS_"))}
    env = {**kept, "BAREMETAL_MAINTENANCE_URL": url}
    command = [str(pathlib.Path(sys.executable).with_name("ansible-inventory")), "-i", "fleet.holds.yml", "--graph"]
    return subprocess.run(command, cwd=EXAMPLE, env=env, capture_output=True, text=True, check=False)


def test_it_shows_the_fleet() -> None:
    with wire.serving("extended", fleet.NODES) as service:
        done = graph(service.url)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for group in ("hold_any", "hold_none", "class_compute_medium", "rack_r0", "rack_r1"):
        assert f"|--@{group}:" in done.stdout


def test_it_fails_when_the_fleet_can_not_be_read() -> None:
    with wire.serving("extended", fleet.NODES) as service:
        service.spoil = lambda exchange: exchange.where == "/v1/nodes" and (exchange.refuse(403, "no") or True)
        done = graph(service.url)
    assert done.returncode != 0
    assert "no host is added" in " ".join(done.stderr.split())
