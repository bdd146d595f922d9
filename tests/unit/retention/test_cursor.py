# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A reader of the fleet's history is told when retention took events that it has not read (api.md 7)."""

from __future__ import annotations

import pathlib
import typing as t

import falcon.testing
import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend import app, config

from .past import StoppedClock, days, happened, purge

TYPED: t.Final = {"X-OpenStack-Ironic-API-Version": "1.116"}


@pytest.fixture
def client(store: StoppedClock, tmp_path: pathlib.Path) -> falcon.testing.TestClient:
    """The service on the same database; everyone is a system admin."""
    return falcon.testing.TestClient(app.build(config.Config(database=f"{tmp_path}/maintenance.sqlite", auth_strategy="noauth")))


def read(client: falcon.testing.TestClient, after: int | str | None = None) -> tuple[int, list[str], str | None]:
    """Read on from a cursor: the status, the events, the next cursor."""
    answer = client.simulate_get("/v1/maintenance/history", params={} if after is None else {"after": str(after)}, headers=TYPED)
    if answer.status_code != 200:
        return answer.status_code, [], None
    return 200, [event["uuid"] for event in answer.json["history"]], answer.json["cursor"]


def test_a_cursor_before_events_that_are_gone_is_410(store: StoppedClock, client: falcon.testing.TestClient) -> None:
    first = happened(store, "old 1", days(402))
    happened(store, "old 2", days(401))
    happened(store, "new", days(1))
    assert read(client, first) == (200, ["old 2", "new"], "3")
    purge(store)
    status, _events, _cursor = read(client, first)
    assert status == 410


def test_what_it_says_tells_what_to_do(store: StoppedClock, client: falcon.testing.TestClient) -> None:
    first = happened(store, "old 1", days(402))
    happened(store, "old 2", days(401))
    purge(store)
    answer = client.simulate_get("/v1/maintenance/history", params={"after": str(first)}, headers=TYPED)
    assert "Events after the cursor 1 are gone by retention: start again without a cursor." in answer.json["error_message"]


def test_a_cursor_at_the_last_event_that_is_gone_reads_on(store: StoppedClock, client: falcon.testing.TestClient) -> None:
    """It was read before it went: nothing is missed."""
    happened(store, "old 1", days(402))
    last = happened(store, "old 2", days(401))
    happened(store, "new", days(1))
    purge(store)
    assert read(client, last) == (200, ["new"], "3")


def test_without_a_cursor_everything_that_is_left_is_read(store: StoppedClock, client: falcon.testing.TestClient) -> None:
    happened(store, "old", days(401))
    happened(store, "new", days(1))
    purge(store)
    assert read(client) == (200, ["new"], "2")


def test_other_events_are_not_in_it_so_their_end_is_none_of_its_business(store: StoppedClock, client: falcon.testing.TestClient) -> None:
    first = happened(store, "new 1", days(2))
    for number in range(3):
        happened(store, f"other {number}", days(1), kind="provisioning")
    assert purge(store, other_most=1) == 2
    assert read(client, first)[0] == 200


def test_a_later_run_that_takes_earlier_events_keeps_the_cursor_of_the_first(
    store: StoppedClock, client: falcon.testing.TestClient
) -> None:
    """A folded event of a low id goes after others of higher ids: the mark never moves back."""
    folded = happened(store, "folded", days(1000), again=days(399))
    middle = happened(store, "old 1", days(500))
    happened(store, "old 2", days(450))
    happened(store, "new", days(1))
    assert purge(store) == 2
    assert read(client, middle)[0] == 410
    assert purge(store, maintenance_days=390) == 1
    assert read(client, middle)[0] == 410
    assert read(client, folded)[0] == 410


def test_ids_are_not_given_again_after_the_newest_events_went(store: StoppedClock, client: falcon.testing.TestClient) -> None:
    """Else a cursor would skip the events that took them."""
    last = happened(store, "old", days(401))
    purge(store)
    assert happened(store, "new", days(1)) > last
    assert read(client, last) == (200, ["new"], "2")
