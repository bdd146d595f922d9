# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Retention of events that the service itself wrote, as time goes by: the clock is the store's, so --test-clock moves it."""

from __future__ import annotations

import pathlib
import typing as t

import falcon.testing
import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend import app, config
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema import migrate
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store import retention
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.store import Store
from ansible_collections.baremetal.maintenance.tests.support.agreement import disagreements

DAY: t.Final = 86_400


class Years:
    """A service whose database goes through time. Each call says on which day it happens."""

    def __init__(self, database: pathlib.Path) -> None:
        self._database = database
        self.node = self.call(0, "POST", "/v1/nodes", {"name": "n1", "driver": "fake"})["uuid"]

    def call(self, day: float, method: str, path: str, body: t.Any = None) -> t.Any:
        """Send a request on this day; give the answer's body."""
        settings = config.Config(database=str(self._database), auth_strategy="noauth", test_clock=day * DAY)
        answer = falcon.testing.TestClient(app.build(settings)).simulate_request(
            method, path, json=body, headers={"X-OpenStack-Ironic-API-Version": "1.116"}
        )
        assert answer.status_code < 300, answer.text
        return answer.json if answer.text else None

    def purge(self, day: float) -> int:
        """Run retention on this day, keeping maintenance events for 400."""
        store = Store(f"sqlite:///{self._database}", clock_offset=day * DAY)
        try:
            return retention.purge(store, maintenance_days=400, other_days=0, other_most=300)
        finally:
            store.close()

    def history(self) -> list[tuple[str, int]]:
        """The actions that the fleet's history has of the node, and how often each happened."""
        events = self.call(0, "GET", f"/v1/maintenance/history?node={self.node}")["history"]
        return [(event["maintenance"]["action"], event["maintenance"]["count"]) for event in events]


@pytest.fixture
def years(tmp_path: pathlib.Path) -> Years:
    """A service with one node, on day 0."""
    store = Store(f"sqlite:///{tmp_path}/maintenance.sqlite")
    migrate.upgrade(store)
    store.close()
    return Years(tmp_path / "maintenance.sqlite")


def test_the_history_of_a_deleted_node_stays_until_its_time(years: Years) -> None:
    entry = years.call(1, "POST", f"/v1/nodes/{years.node}/maintenance", {"type": "operator_hold", "reason": "r"})
    years.call(2, "DELETE", f"/v1/nodes/{years.node}/maintenance/{entry['uuid']}")
    years.call(3, "DELETE", f"/v1/nodes/{years.node}")
    assert years.purge(400.9) == 0
    assert years.history() == [("assert", 1), ("release", 1)]
    assert years.purge(401.1) == 1
    assert years.history() == [("release", 1)]
    assert years.purge(402.1) == 1
    assert years.history() == []


def test_a_fault_that_keeps_coming_is_one_event_that_stays_as_long_as_it_comes(years: Years) -> None:
    for day in (0, 100, 200, 300):
        years.call(day, "PUT", f"/v1/nodes/{years.node}/maintenance/fault", {"fault": "power failure", "reason": f"day {day}"})
    assert years.history() == [("assert", 1), ("update", 3)]
    assert years.purge(401) == 1
    assert years.history() == [("update", 3)]
    assert years.purge(699) == 0
    assert years.purge(701) == 1
    assert years.history() == []


def test_what_is_active_is_never_touched(years: Years, tmp_path: pathlib.Path) -> None:
    """Retention ends memories, not holds."""
    entry = years.call(0, "POST", f"/v1/nodes/{years.node}/maintenance", {"type": "operator_hold", "reason": "r"})
    assert disagreements(tmp_path / "maintenance.sqlite") == []
    assert years.purge(4000) == 1
    held = years.call(4000, "GET", f"/v1/nodes/{years.node}/maintenance")["maintenance"]
    assert [found["uuid"] for found in held] == [entry["uuid"]]
    node = years.call(4000, "GET", f"/v1/nodes/{years.node}")
    assert (node["maintenance"], node["maintenance_reason"]) == (True, "operator_hold: r")
