# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""release_run: it ends exactly what a run or a ticket left held, a killed run's too."""

from __future__ import annotations

import os
import signal
import subprocess
import time
import typing as t

import pytest

from .fleet import Fleet


def test_a_killed_run_is_ended_by_release_run_and_nothing_else_is(fleet: Fleet) -> None:
    names = fleet.names
    other = fleet.hold("dc", names[2], run="another-run", key="other")
    by_night = fleet.hold("night", names[3], run="r-killed", key="night")
    fleet.site.inventory(fleet.hosts)
    command = fleet.site.command("rolling_deploy", variables=fleet.variables(run="r-killed", batch=4, deploy_seconds=60))
    process = subprocess.Popen(
        command,
        env=fleet.site.environment("dc"),
        cwd=fleet.site.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        end = time.monotonic() + 60
        while len(fleet.deployed) < 2 and time.monotonic() < end:
            time.sleep(0.1)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert set(fleet.held()) == set(names[:4])
    ran = fleet.site.play("release_run", variables={"run": "r-killed"})
    assert ran.status == 0, ran.output
    assert fleet.held() == {names[2]: [other], names[3]: [by_night]}


@pytest.mark.parametrize("variables", [{}, {"run": ""}, {"run": "a", "ticket": "b"}, {"ticket": " "}])
def test_release_run_needs_one_label(fleet: Fleet, variables: dict[str, t.Any]) -> None:
    kept = fleet.hold("dc", fleet.names[0], run="", ticket="CHG-1")
    ran = fleet.site.play("release_run", variables=variables)
    assert ran.status != 0
    assert "Give either run or ticket" in ran.output
    assert fleet.held() == {fleet.names[0]: [kept]}


def test_release_run_releases_by_ticket(fleet: Fleet) -> None:
    fleet.hold("dc", fleet.names[0], ticket="CHG-2211")
    kept = fleet.hold("dc", fleet.names[1], ticket="CHG-2212")
    checked = fleet.site.play("release_run", "--check", variables={"ticket": "CHG-2211"})
    assert checked.status == 0, checked.output
    assert set(fleet.held()) == set(fleet.names[:2])
    ran = fleet.site.play("release_run", variables={"ticket": "CHG-2211"})
    assert ran.status == 0, ran.output
    assert fleet.held() == {fleet.names[1]: [kept]}
