# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who may do what through us, for everybody in the Keystone: what the real Ironic says itself, asked round us about a twin node."""

from __future__ import annotations

import dataclasses
import typing as t

import pytest
import requests
from ansible_collections.baremetal.maintenance.tests.lab.direct import NEWEST, Answer, Direct, Flag
from ansible_collections.baremetal.maintenance.tests.lab.fronted import TYPED, Fronted
from ansible_collections.baremetal.maintenance.tests.lab.fronting.holding import entries, flag, hold, release_all, typed, until
from ansible_collections.baremetal.maintenance.tests.lab.keystone import PEOPLE, SYSTEM

pytestmark = [pytest.mark.lab, pytest.mark.timeout(600)]

WHY: t.Final = "twin"
#: None for a path: the list of nodes.
CALLS: t.Final[dict[str, tuple[str, str | None, t.Any]]] = {
    "see": ("GET", "", None),
    "list": ("GET", None, None),
    "set": ("PUT", "/maintenance", {"reason": WHY}),
    "history": ("GET", "/history", None),
    "clear": ("DELETE", "/maintenance", None),
    "patch": ("PATCH", "", [{"op": "replace", "path": "/maintenance", "value": True}]),
    "patch back": ("PATCH", "", [{"op": "replace", "path": "/maintenance", "value": False}]),
}
#: Where we differ on purpose: Ironic lets a member of the lessee set and clear by PATCH what it refuses by PUT and DELETE.
CLOSED: t.Final = {("lessee-member", "patch"), ("lessee-member", "patch back")}
#: What two nodes never have in common. The flag is among it: what clears the twin's round us, we set again.
OF_A_NODE: t.Final = frozenset(("uuid", "name", "links", "created_at", "updated_at", "portgroups", "ports", "states", "volume", "bios")) | {
    "maintenance",
    "maintenance_reason",
    "reservation",
    "last_error",
}


@dataclasses.dataclass(frozen=True)
class May:
    """What a person may do with typed holds: the scope of their own, or the status of a refusal; and whether they outrank all."""

    hold: str | int
    see: int = 200
    history: int = 200

    @property
    def system(self) -> bool:
        """Nothing is above them."""
        return self.hold == "system"


def may(user: str) -> May:
    """Give what the design says of a person: by the scope of their token, and their role."""
    role, place = PEOPLE[user][0]
    if place not in (SYSTEM, "owner", "lessee"):
        return May(404, 404, 404)
    history = 403 if place == "lessee" else 200
    if role == "reader" or (place, role) == ("lessee", "member"):
        return May(403, history=history)
    return May(place, history=history)


@pytest.fixture(scope="module")
def twins(fronted: Fronted) -> tuple[str, str]:
    """Two nodes alike: one is asked about through us, the other round us."""
    return fronted.enrol("twin-through"), fronted.enrol("twin-direct")


def test_everybody_gets_what_ironic_says_itself(fronted: Fronted, twins: tuple[str, str]) -> None:
    ours, theirs = twins
    differing = []
    for user in PEOPLE:
        through, direct = fronted.through(user), fronted.direct(user)
        for name, (method, tail, body) in CALLS.items():
            got, wanted = (
                who.send(method, "/v1/nodes" if tail is None else f"/v1/nodes/{node}{tail}", body)
                for who, node in ((through, ours), (direct, theirs))
            )
            if (user, name) in CLOSED:
                assert (got.status, wanted.status) == (403, 200), (user, name)
            elif (got.status, shown(got, ours)) != (wanted.status, shown(wanted, theirs)):
                differing.append((user, name, got.status, shown(got, ours), wanted.status, shown(wanted, theirs)))
        # The last of these calls that anybody may do clears.
        until(lambda: flag(fronted, ours) == Flag(False, None, None), 120, f"{user} leaves the node set")
    release_all(fronted, [theirs])
    assert differing == []


def shown(answer: Answer, node: str) -> t.Any:
    """Give what an answer shows: an error's text, a node's members without OF_A_NODE, whether a list has the node."""
    if answer.status >= 400:
        assert answer.headers["Content-Type"].startswith("application/json")
        assert set(answer.json) - {"refusal"} == {"error_message"}
        return answer.said.replace(node, "NODE")
    if not isinstance(answer.json, dict):
        return answer.content
    if "nodes" in answer.json:
        return node in {each["uuid"] for each in answer.json["nodes"]}
    if "history" in answer.json:
        return sorted(answer.json)
    return {name: None if name in OF_A_NODE else value for name, value in answer.json.items()}


@pytest.fixture(scope="module")
def held(fronted: Fronted) -> t.Iterator[tuple[str, str]]:
    """A node with a hold at system scope; give both."""
    node = fronted.enrol("who-may-hold")
    entry = hold(fronted, node, "system-admin", key="row", reason="canary")
    yield node, entry["uuid"]
    release_all(fronted, [node])


def test_everybody_may_do_with_typed_holds_what_their_standing_says(fronted: Fronted, held: tuple[str, str]) -> None:
    node, of_system = held
    path = f"/v1/nodes/{node}/maintenance"
    for user in PEOPLE:
        expected = may(user)
        listed = typed(fronted, user, "GET", path)
        assert listed.status == typed(fronted, user, "GET", f"{path}/{of_system}").status == expected.see, user
        asserted = typed(fronted, user, "POST", path, {"type": "operator_hold", "key": user})
        got = asserted.json["scope"] if asserted.status == 201 else asserted.status
        assert got == expected.hold, (user, asserted.content)
        if asserted.status == 201:
            # Enforced or not yet: on a busy machine that takes longer than the answer waits.
            place = PEOPLE[user][0][1]
            project = "" if place == SYSTEM else fronted.keystone.project_id(place)
            assert (asserted.json["asserted_by"], asserted.json["asserted_by_project"]) == (fronted.keystone.user_id(user), project)
            assert asserted.json["enforced_by"] == "ironic"
            assert typed(fronted, user, "DELETE", f"{path}/{asserted.json['uuid']}").status == 204, user
        if not expected.system:
            refusal = 404 if expected.see == 404 else 403
            for version in (NEWEST, TYPED):
                assert fronted.through(user).delete(path, version=version).status == refusal, user
            refused = typed(fronted, user, "DELETE", f"{path}/{of_system}")
            assert refused.status == refusal, user
            if isinstance(expected.hold, str):
                assert refused.said.endswith(
                    f"entry {of_system} (type operator_hold, scope system): not permitted at {expected.hold} scope"
                )
        if expected.see == 200:
            name = fronted.keystone.user_id("system-admin").encode()
            seen = name in listed.content
            assert seen is (PEOPLE[user][0][1] == SYSTEM), user
    assert [entry["uuid"] for entry in entries(fronted, node)] == [of_system]
    until(lambda: flag(fronted, node) == Flag(True, "operator_hold: canary", None), 120, "Ironic does not say what is left")


def test_clear_is_204_from_the_typed_version_on(fronted: Fronted, twins: tuple[str, str]) -> None:
    owner, path = fronted.through("owner-member"), f"/v1/nodes/{twins[0]}/maintenance"
    for version, status in ((NEWEST, 202), (TYPED, 204), (None, 202)):
        assert owner.put(path, {"reason": WHY}, version=version).status == 202
        answer = owner.delete(path, version=version)
        assert (answer.status, answer.content) == (status, b"")


def test_claims_in_headers_change_nothing(fronted: Fronted, twins: tuple[str, str]) -> None:
    claims = {
        "OpenStack-System-Scope": "all",
        "Openstack_System_Scope": "all",
        "X-Roles": "admin,member,service",
        "X_Roles": "admin",
        "X-Is-Admin-Project": "True",
        "X-Identity-Status": "Confirmed",
        "X-Project-Id": fronted.keystone.project_id("owner"),
        "X-User-Id": fronted.keystone.user_id("system-admin"),
    }
    path = f"/v1/nodes/{twins[0]}"
    assert fronted.through("stranger-admin").get(path, headers=claims).status == 404
    assert fronted.through("lessee-reader").put(f"{path}/maintenance", {}, headers=claims).status == 403
    refused = fronted.through("owner-reader").send("POST", f"{path}/maintenance", {"type": "operator_hold"}, version=TYPED, headers=claims)
    assert refused.status == 403
    for asked in (path, f"{path}/maintenance", "/v1/nodes", "/v1/drivers"):
        nobody = Direct(fronted.backend.url).get(asked, version=TYPED, headers=claims)
        assert nobody.status == 401, asked


def test_a_service_token_beside_the_users_own(fronted: Fronted, twins: tuple[str, str]) -> None:
    ours, theirs = twins
    for service in (fronted.keystone.token("nova"), "gAAAAABwrong"):
        with_it = {"X-Service-Token": service}
        for tail, method in (("", "GET"), ("/maintenance", "PUT"), ("/maintenance", "DELETE")):
            got = fronted.through("owner-member").send(method, f"/v1/nodes/{ours}{tail}", headers=with_it)
            assert got.status == fronted.direct("owner-member").send(method, f"/v1/nodes/{theirs}{tail}", headers=with_it).status
        # A service's standing does not rub off on whom it speaks for.
        assert fronted.through("stranger-admin").get(f"/v1/nodes/{ours}", headers=with_it).status in (401, 404)
    # Unlike this Ironic, ours is set to take the token of a service for one only with the role for it.
    no_service = {"X-Service-Token": fronted.keystone.token("stranger-reader")}
    assert fronted.through("owner-member").put(f"/v1/nodes/{ours}/maintenance", {}, headers=no_service).status == 401


def test_a_revoked_token_is_401(fronted: Fronted, twins: tuple[str, str]) -> None:
    token = fronted.keystone.token("owner-manager", fresh=True)
    own = {"X-Auth-Token": fronted.keystone.token("owner-member"), "X-Subject-Token": token}
    with requests.Session() as session:
        session.trust_env = False
        own["X-Auth-Token"] = token
        assert session.delete(f"{fronted.keystone.url}/auth/tokens", headers=own, timeout=60).status_code == 204
    try:
        for path in (f"/v1/nodes/{twins[0]}", f"/v1/nodes/{twins[0]}/maintenance", "/v1/maintenance", "/v1/drivers"):
            answer = Direct(fronted.backend.url, {"X-Auth-Token": token}).get(path, version=TYPED)
            assert answer.status == 401, path
            assert answer.headers["WWW-Authenticate"] == f'Keystone uri="{fronted.keystone.url}"'
    finally:
        fronted.keystone.token("owner-manager", fresh=True)
