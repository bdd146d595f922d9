# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Several backends on one PostgreSQL: what SQLite gives by letting one write at a time must hold there as well."""

from __future__ import annotations

import concurrent.futures
import pathlib
import threading
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema import migrate
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store import leases, retention
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.store import Store
from ansible_collections.baremetal.maintenance.tests.lab.postgresql import Postgresql
from ansible_collections.baremetal.maintenance.tests.support.agreement import disagreements
from ansible_collections.baremetal.maintenance.tests.support.service import Service

WRITERS = 4
EACH = 25


def at_once(calls: t.Sequence[t.Callable[[], t.Any]]) -> list[t.Any]:
    ready = threading.Barrier(len(calls))

    def run(call: t.Callable[[], t.Any]) -> t.Any:
        ready.wait(60)
        return call()

    with concurrent.futures.ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(run, call) for call in calls]]


def test_who_follows_the_fleets_history_misses_nothing(postgresql: Postgresql, tmp_path: pathlib.Path) -> None:
    """An event that is committed late must not have an id that a reader has passed."""
    url = postgresql.database()
    services = [Service(tmp_path, database=url, busy_timeout=60) for _number in range(2)]
    nodes = [services[0].node() for _number in range(WRITERS)]
    done = threading.Event()

    def write(place: int) -> None:
        who = services[place % 2].by("operator")
        for number in range(EACH):
            answer = who.post(f"/nodes/{nodes[place]}/maintenance", {"type": "operator_hold", "key": f"k{number}"})
            assert answer.status == 201

    def follow() -> list[str]:
        seen: list[str] = []
        cursor = ""
        while True:
            last = done.is_set()
            page = services[0].by("auditor").get(f"/maintenance/history?limit=1000{cursor}")
            assert page.status == 200
            seen += [event["uuid"] for event in page.json["history"]]
            cursor = f"&after={page.json['cursor']}"
            if last:
                return seen

    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        reading = pool.submit(follow)
        try:
            at_once([lambda place=place: write(place) for place in range(WRITERS)])
        finally:
            done.set()
        seen = reading.result()
    assert len(seen) == len(set(seen)) == WRITERS * EACH
    assert disagreements(url) == []
    for service in services:
        service.parts.store.close()


def test_of_two_first_starts_one_makes_the_tables(postgresql: Postgresql) -> None:
    url = postgresql.database()
    stores = [Store(url, busy_timeout=60) for _number in range(4)]
    at_once([lambda store=store: migrate.check(store) for store in stores])
    with stores[0].reading() as connection:
        assert migrate.current(connection) == migrate.HEAD
    for store in stores:
        store.close()


def test_a_lease_is_one_holders(postgresql: Postgresql) -> None:
    stores = [Store(url) for url in [postgresql.database()] * 4]
    migrate.check(stores[0])
    taken = at_once([lambda place=place, store=store: leases.take(store, "x", f"h{place}", 30) for place, store in enumerate(stores)])
    assert sorted(taken) == [False, False, False, True]
    for store in stores:
        store.close()


def test_retention_may_run_in_each(postgresql: Postgresql, tmp_path: pathlib.Path) -> None:
    url = postgresql.database()
    service = Service(tmp_path, database=url)
    service.hold(service.node())
    stores = [Store(url, clock_offset=2 * 86400) for _number in range(4)]
    purges = [lambda store=store: retention.purge(store, maintenance_days=1, other_days=0, other_most=0) for store in stores]
    assert sum(at_once(purges)) == 1
    for store in (*stores, service.parts.store):
        store.close()


@pytest.mark.parametrize("descending", [False, True])
def test_names_are_sorted_by_code_points_whatever_the_databases_language(
    postgresql: Postgresql, tmp_path: pathlib.Path, descending: bool
) -> None:
    """As on SQLite, where a node without a name comes first."""
    service = Service(tmp_path, database=postgresql.database())
    names = ["a-2", "B-1", "a_1", "Z"]
    for name in names:
        assert service.by("admin").post("/nodes", {"name": name}).status == 201
    service.by("admin").post("/nodes", {})
    direction = "desc" if descending else "asc"
    listed = service.by("admin").get(f"/nodes?sort_key=name&sort_dir={direction}").json["nodes"]
    wanted = [None, *sorted(names)]
    assert [node["name"] for node in listed] == (wanted[::-1] if descending else wanted)
    service.parts.store.close()
