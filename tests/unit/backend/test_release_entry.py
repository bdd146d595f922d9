# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""DELETE of one entry (spec, "REST API impact"; scenario 3)."""

from __future__ import annotations

import uuid

import pytest
from ansible_collections.baremetal.maintenance.tests.support.cast import LESSEE, NEXT_LESSEE, OWNER
from ansible_collections.baremetal.maintenance.tests.support.service import Client, Service


def test_the_other_holds_stay_and_the_node_stays_in_maintenance(service: Service, operator: Client, owner: Client) -> None:
    node = service.node()
    disk = owner.post(f"/nodes/{node}/maintenance", {"type": "hardware_failure", "reason": "Disk 3"}).json
    power = operator.post(f"/nodes/{node}/maintenance", {"type": "operator_hold", "reason": "Row C power work"}).json
    assert service.flag(node) == (True, "hardware_failure: Disk 3; operator_hold: Row C power work")
    answer = operator.delete(f"/nodes/{node}/maintenance/{power['uuid']}")
    assert (answer.status, answer.content) == (204, b"")
    assert service.uuids(node) == [disk["uuid"]]
    assert service.flag(node) == (True, "hardware_failure: Disk 3")


def test_the_last_one_takes_the_node_out_of_maintenance(service: Service, owner: Client) -> None:
    node = service.node()
    entry = owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json["uuid"]
    assert owner.delete(f"/nodes/{node}/maintenance/{entry}").status == 204
    assert service.flag(node) == (False, None)
    assert service.entries(node) == []


def test_the_release_is_recorded_with_who_what_and_why_it_was_held(service: Service, owner: Client) -> None:
    node = service.node()
    entry = owner.post(f"/nodes/{node}/maintenance", {"type": "hardware_failure", "reason": "Disk 3", "ticket": "CHG-1", "run": "r"}).json
    service.by("owner-mate").delete(f"/nodes/{node}/maintenance/{entry['uuid']}")
    asserted, released = service.events(node)
    assert (asserted["user"], asserted["project"]) == ("id-of-owner", OWNER)
    assert (released["user"], released["project"]) == ("id-of-owner-mate", OWNER)
    for event, action in ((asserted, "assert"), (released, "release")):
        said = event["maintenance"]
        assert said["action"] == action
        assert (said["entry_uuid"], said["type"], said["scope"], said["key"]) == (entry["uuid"], "hardware_failure", "owner", "")
        assert (said["reason"], said["ticket"], said["run"], said["comment"]) == ("Disk 3", "CHG-1", "r", None)


def test_releasing_it_again_is_404(service: Service, owner: Client) -> None:
    node = service.node()
    entry = owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json["uuid"]
    assert owner.delete(f"/nodes/{node}/maintenance/{entry}").status == 204
    answer = owner.delete(f"/nodes/{node}/maintenance/{entry}")
    assert (answer.status, answer.code, answer.said) == (404, "not_found", f"Maintenance entry {entry} could not be found.")
    assert len(service.events(node)) == 2


@pytest.mark.parametrize("entry", [str(uuid.UUID(int=7)), "nope", "UPPER", "maintenance", "%00", "a%20b", "%F0%9F%98%80", "x" * 400])
def test_an_entry_that_does_not_exist_is_404(service: Service, operator: Client, entry: str) -> None:
    node = service.node()
    held = service.hold(node)
    for answer in (
        operator.delete(f"/nodes/{node}/maintenance/{entry}"),
        operator.get(f"/nodes/{node}/maintenance/{entry}"),
        operator.patch(f"/nodes/{node}/maintenance/{entry}", {"reason": "x"}),
    ):
        assert (answer.status, answer.code) == (404, "not_found")
    assert service.uuids(node) == [held]


def test_a_uuid_is_compared_as_it_is_written(service: Service, operator: Client) -> None:
    node = service.node()
    entry = service.hold(node)
    for spelling in (entry.upper(), entry.replace("-", ""), "{" + entry + "}", f" {entry}"):
        assert operator.delete(f"/nodes/{node}/maintenance/{spelling}").status == 404
    assert service.uuids(node) == [entry]


def test_an_entry_is_not_reached_through_another_node(service: Service, operator: Client) -> None:
    node, other = service.node(), service.node()
    entry = service.hold(node)
    for answer in (
        operator.get(f"/nodes/{other}/maintenance/{entry}"),
        operator.patch(f"/nodes/{other}/maintenance/{entry}", {"reason": "x"}),
        operator.delete(f"/nodes/{other}/maintenance/{entry}"),
    ):
        assert (answer.status, answer.said) == (404, f"Maintenance entry {entry} could not be found.")
    assert service.uuids(node) == [entry]


def test_a_lessee_is_refused_a_system_entry_in_the_words_of_the_spec(service: Service, lessee: Client) -> None:
    node = service.node()
    entry = service.hold(node, "hardware_failure")
    answer = lessee.delete(f"/nodes/{node}/maintenance/{entry}")
    assert (answer.status, answer.code, answer.refusal["node"]) == (403, "not_permitted", node)
    assert answer.said == f"Cannot release maintenance entry {entry} (type hardware_failure, scope system): not permitted at lessee scope"
    assert answer.blockers == [
        {
            "uuid": entry,
            "type": "hardware_failure",
            "scope": "system",
            "project": None,
            "why": "not permitted at lessee scope",
            "who_can": "a system operator",
        }
    ]
    assert service.uuids(node) == [entry]


def test_an_owner_is_refused_a_system_entry_likewise(service: Service, owner: Client) -> None:
    node = service.node()
    entry = service.hold(node)
    answer = owner.delete(f"/nodes/{node}/maintenance/{entry}")
    assert answer.said == f"Cannot release maintenance entry {entry} (type operator_hold, scope system): not permitted at owner scope"


def test_the_next_lessee_is_refused_the_former_ones_entry_in_the_words_of_the_spec(service: Service) -> None:
    node = service.node(lessee=NEXT_LESSEE)
    entry = service.hold(node, scope="lessee", project=LESSEE)
    answer = service.by("next-lessee").delete(f"/nodes/{node}/maintenance/{entry}")
    assert answer.status == 403
    assert answer.said == (
        f"Cannot release maintenance entry {entry} (type operator_hold, scope lessee, asserted by project {LESSEE}):"
        " not asserted by your project"
    )
    [blocker] = answer.blockers
    assert (blocker["project"], blocker["why"]) == (LESSEE, "not asserted by your project")
    assert LESSEE in blocker["who_can"]


def test_standing_is_that_of_the_moment_of_the_release(service: Service, operator: Client, lessee: Client) -> None:
    node = service.node()
    entry = lessee.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json["uuid"]
    operator.patch(f"/nodes/{node}", [{"op": "replace", "path": "/lessee", "value": NEXT_LESSEE}])
    assert lessee.delete(f"/nodes/{node}/maintenance/{entry}").status == 404
    operator.patch(f"/nodes/{node}", [{"op": "replace", "path": "/lessee", "value": LESSEE}])
    assert lessee.delete(f"/nodes/{node}/maintenance/{entry}").status == 204


def test_a_body_is_not_taken_for_a_comment_or_anything_else(service: Service, owner: Client) -> None:
    node = service.node()
    entry = owner.post(f"/nodes/{node}/maintenance", {"type": "operator_hold"}).json["uuid"]
    for query in ("?comment=repaired", "?reason=x", "?force=true"):
        answer = owner.delete(f"/nodes/{node}/maintenance/{entry}{query}")
        assert (answer.status, answer.code) == (400, "invalid")
    assert service.uuids(node) == [entry]
