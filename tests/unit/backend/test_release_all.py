# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""DELETE of a node's collection: release everything or nothing (spec, "REST API impact"; scenarios 4 to 7)."""

from __future__ import annotations

import pytest
from ansible_collections.baremetal.maintenance.tests.support.cast import LESSEE, OWNER
from ansible_collections.baremetal.maintenance.tests.support.service import ABSENT, BELOW, TYPED, Client, Service

VERSIONS = [(ABSENT, 202), ("1.1", 202), ("1.78", 202), (BELOW, 202), (TYPED, 204), ("latest", 204)]


@pytest.mark.parametrize(("version", "status"), VERSIONS)
def test_it_is_202_below_the_typed_version_and_204_from_it_on(service: Service, operator: Client, version: str, status: int) -> None:
    node = service.uuid_of(service.node())
    service.hold(node, "legacy")
    service.hold(node, "fault", extra={"fault": "power failure"})
    service.hold(node, "operator_hold")
    service.hold(node, "hardware_failure", scope="owner", project=OWNER)
    answer = operator.delete(f"/nodes/{node}/maintenance", version=version)
    assert (answer.status, answer.content) == (status, b"")
    assert service.entries(node) == []
    assert service.flag(node) == (False, None)
    assert [event["maintenance"]["action"] for event in service.events(node)] == ["assert"] * 4 + ["release"] * 4


@pytest.mark.parametrize(("version", "status"), VERSIONS)
def test_a_node_without_entries_is_cleared_without_an_event(service: Service, operator: Client, version: str, status: int) -> None:
    node = service.uuid_of(service.node())
    assert operator.delete(f"/nodes/{node}/maintenance", version=version).status == status
    assert service.events(node) == []


@pytest.mark.parametrize("version", [ABSENT, BELOW, TYPED])
def test_a_refusal_names_every_blocking_entry_in_order_and_releases_nothing(service: Service, lessee: Client, version: str) -> None:
    node = service.uuid_of(service.node())
    first = service.hold(node, "hardware_failure")
    service.hold(node, "operator_hold", scope="lessee", project=LESSEE)
    third = service.hold(node, "operator_hold", scope="owner", project=OWNER)
    service.hold(node, "legacy", scope="system")
    fifth = service.hold(node, "hardware_failure", scope="lessee", project="project-of-before")
    before = service.entries(node)
    answer = lessee.delete(f"/nodes/{node}/maintenance", version=version)
    assert (answer.status, answer.code, answer.refusal["node"]) == (403, "not_permitted", node)
    assert answer.said == (
        f"Cannot release maintenance entry {first} (type hardware_failure, scope system): not permitted at lessee scope. "
        f"Cannot release maintenance entry {third} (type operator_hold, scope owner): not permitted at lessee scope. "
        f"Cannot release maintenance entry {fifth} (type hardware_failure, scope lessee, asserted by project project-of-before):"
        " not asserted by your project"
    )
    assert [blocker["uuid"] for blocker in answer.blockers] == [first, third, fifth]
    assert [blocker["project"] for blocker in answer.blockers] == [None, None, "project-of-before"]
    assert service.entries(node) == before
    assert len(service.events(node)) == 5


def test_fifty_blockers_are_all_named(service: Service, lessee: Client) -> None:
    node = service.node()
    entries = [service.hold(node, key=f"{number}") for number in range(60)]
    answer = lessee.delete(f"/nodes/{node}/maintenance", version=ABSENT)
    # By name is for 1.5 and newer.
    assert answer.status == 404
    answer = lessee.delete(f"/nodes/{node}/maintenance", version="1.5")
    assert answer.status == 403
    assert [blocker["uuid"] for blocker in answer.blockers] == entries
    assert all(entry in answer.said for entry in entries)


def test_the_owner_clears_what_its_lessees_left(service: Service, owner: Client) -> None:
    node = service.node()
    for project in (LESSEE, "project-of-before"):
        service.hold(node, scope="lessee", project=project)
    assert owner.delete(f"/nodes/{node}/maintenance").status == 204
    assert service.flag(node) == (False, None)


@pytest.mark.parametrize("login", ["owner", "owner-admin", "lessee", "lessee-mate", "operator", "conductor"])
@pytest.mark.parametrize(("version", "status"), [("1.5", 202), (TYPED, 204)])
def test_legacy_and_fault_are_cleared_by_whoever_policy_lets_clear(service: Service, login: str, version: str, status: int) -> None:
    node = service.node()
    service.hold(node, "legacy", scope="system", user="migration")
    service.hold(node, "fault", extra={"fault": "clean failure"})
    assert service.by(login).delete(f"/nodes/{node}/maintenance", version=version).status == status
    assert service.flag(node) == (False, None)


@pytest.mark.parametrize("login", ["auditor", "owner-reader", "lessee-reader", "lessee-member"])
@pytest.mark.parametrize("version", ["1.5", BELOW, TYPED])
def test_without_clear_maintenance_nothing_is_cleared_not_even_an_empty_node(service: Service, version: str, login: str) -> None:
    empty, node = service.node(), service.node()
    entry = service.hold(node, "legacy")
    for ident in (empty, node):
        answer = service.by(login).delete(f"/nodes/{ident}/maintenance", version=version)
        assert (answer.status, answer.code, answer.refusal["node"]) == (403, "not_permitted", ident)
        assert answer.said == "Access was denied to the following resource: baremetal:node:clear_maintenance"
    assert service.uuids(node) == [entry]


@pytest.mark.parametrize("version", ["1.5", BELOW, TYPED])
@pytest.mark.parametrize("spelling", ["?reason=x", "?comment=x", "?type=operator_hold", "?entry=x", "?foo"])
def test_it_takes_no_argument_that_could_be_meant_as_a_selection(service: Service, operator: Client, spelling: str, version: str) -> None:
    node = service.node()
    entry = service.hold(node)
    answer = operator.delete(f"/nodes/{node}/maintenance{spelling}", version=version)
    name = spelling[1:].partition("=")[0]
    assert (answer.status, answer.said) == (400, f"Unexpected arguments: {name}")
    answer = operator.delete(f"/nodes/{node}/maintenance", {name: "x"}, version=version)
    assert (answer.status, answer.said) == (400, f"Unexpected arguments: {name}")
    assert service.uuids(node) == [entry]
