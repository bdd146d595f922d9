# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading the fleet: how many questions each kind of service is asked, and that a failure is never a shorter list.

The client is played by a few lines here, to count its calls; the real one is met in tests/integration/inventory.
"""

from __future__ import annotations

import threading
import time
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.service import Service
from ansible_collections.baremetal.maintenance.plugins.plugin_utils.inventory import errors, fetch, snapshot
from ansible_collections.baremetal.maintenance.tests.unit.inventory.fleets import entry, node, uuid_of


class Refused(Exception):
    """As the client raises."""


class Fleet:
    """A service with nodes; every connection to it notes what it is asked."""

    def __init__(self, service: Service, *nodes: dict[str, t.Any], refused: t.Collection[str] = ()) -> None:
        self._service = service
        self._nodes = nodes
        self._refused = {uuid_of(name) for name in refused}
        self._lock = threading.Lock()
        self.asked: list[str] = []
        self.connections = 0
        self.busy = 0
        self.busiest = 0

    def connect(self) -> Fleet:
        with self._lock:
            self.connections += 1
        return self

    def service(self) -> Service:
        return self._service

    def types(self) -> list[t.Any]:
        return [{"name": "legacy", "reserved": True}, {"name": "x_network", "reserved": False}]

    def iter_nodes(self, fields: t.Any = None, filters: t.Any = None, with_entries: bool = False) -> t.Iterator[dict[str, t.Any]]:
        self.asked.append(f"nodes {filters} {with_entries}")
        keep = {*fields, "maintenance_entries"} if with_entries else set(fields)
        yield from ({key: value for key, value in one.items() if key in keep} for one in self._nodes)

    def list_entries(self, uuid: str) -> list[dict[str, t.Any]]:
        with self._lock:
            self.asked.append(uuid)
            self.busy += 1
            self.busiest = max(self.busiest, self.busy)
        time.sleep(0.002)
        with self._lock:
            self.busy -= 1
        if uuid in self._refused:
            raise Refused(uuid)
        return next(one["maintenance_entries"] for one in self._nodes if one["uuid"] == uuid)


OURS = Service("extended", "1.116", frozenset({"node_entries", "types"}))
NATIVE = Service("native", "1.116")
BOOLEAN = Service("boolean", "1.115")


def read(fleet: Fleet, **filters: t.Any) -> snapshot.Snapshot:
    return fetch.fetch(fleet.connect, fields=snapshot.FIELDS, filters=filters)


def test_our_backend_is_asked_once_for_nodes_and_entries() -> None:
    fleet = Fleet(OURS, node("a", entry("operator_hold")), node("b"))
    got = read(fleet, owner="p1")
    assert got.nodes == (node("a", entry("operator_hold")), node("b"))
    assert got.types == ("legacy", "x_network")
    assert fleet.asked == ["nodes {'owner': 'p1'} True"]


def test_a_typed_api_without_the_extension_is_asked_for_maintained_nodes_only() -> None:
    fleet = Fleet(NATIVE, node("a", entry("operator_hold")), node("b"), node("c", entry("legacy")))
    got = read(fleet)
    assert got.nodes == (node("a", entry("operator_hold")), node("b"), node("c", entry("legacy")))
    assert got.types == ("legacy", "fault", "hardware_failure", "operator_hold")
    assert sorted(fleet.asked[1:]) == sorted([uuid_of("a"), uuid_of("c")])


def test_many_maintained_nodes_are_asked_at_once_but_not_all_at_once() -> None:
    fleet = Fleet(NATIVE, *(node(f"n{number}", entry("operator_hold")) for number in range(60)))
    got = read(fleet)
    assert all(one["maintenance_entries"] for one in got.nodes)
    assert 2 <= fleet.busiest <= fetch.PARALLEL
    assert fleet.connections == 1 + fetch.PARALLEL


def test_one_refused_node_fails_the_whole_and_ends_the_asking() -> None:
    fleet = Fleet(NATIVE, *(node(f"n{number}", entry("operator_hold")) for number in range(400)), refused=["n3"])
    with pytest.raises(Refused):
        read(fleet)
    assert len(fleet.asked) < 200


def test_a_node_released_while_it_is_asked_stays_held() -> None:
    fleet = Fleet(NATIVE, node("a", maintenance=True))
    assert snapshot.is_held(read(fleet).nodes[0])


def test_a_service_that_knows_the_flag_only_is_listed_and_not_asked_for_entries() -> None:
    fleet = Fleet(BOOLEAN, node("a"), node("b", maintenance=True, fault="power failure"), node("c", maintenance=True))
    got = read(fleet)
    assert not got.typed
    assert [one["maintenance_entries"] for one in got.nodes] == [[], [], []]
    assert fleet.asked == ["nodes {} False"]


def test_an_empty_fleet_is_no_error() -> None:
    assert read(Fleet(NATIVE)).nodes == ()


@pytest.mark.parametrize("name", ["fields", "limit", "marker", "sort_key", "sort_dir", "detail"])
def test_a_filter_that_would_shape_the_listing_is_refused_before_anything_is_asked(name: str) -> None:
    fleet = Fleet(OURS)
    with pytest.raises(errors.InventoryError, match=f"{name} can't be used in filters"):
        read(fleet, **{name: "1"})
    assert fleet.connections == 0


def test_a_page_with_a_broken_node_fails_the_whole() -> None:
    fleet = Fleet(OURS, node("a"), node("b", maintenance=None))
    with pytest.raises(errors.InventoryError, match=uuid_of("b")):
        read(fleet)
