# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The specification's seven usage scenarios, as the shipped playbook plays them."""

from __future__ import annotations

from tests.support.backend import password

from .running import USERS, Site


def test_the_seven_scenarios_hold_as_plays(site: Site) -> None:
    parties = {"system": "dc", "owner": "alice", "lessee_a": "lee", "lessee_b": "bo"}
    identities = {
        party: {"username": login, "password": password(login), "project": USERS[login].get("project_id", "")}
        for party, login in parties.items()
    }
    variables = {"scenarios_url": site.backend.url, "scenarios_auth_type": "http_basic", "scenarios_identities": identities}
    ran = site.play("scenarios", variables=variables)
    assert ran.status == 0, ran.output
    assert [number for number in range(1, 8) if f"PLAY [Scenario {number}:" in ran.output] == list(range(1, 8))
    for login in parties.values():
        assert password(login) not in ran.output
