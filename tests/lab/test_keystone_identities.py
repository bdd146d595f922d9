# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Our backend with a real Keystone: who may do what is what a real Ironic with that Keystone says, and Keystone may go away."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.lab.direct import Direct
from ansible_collections.baremetal.maintenance.tests.lab.ironic import Ironic
from ansible_collections.baremetal.maintenance.tests.lab.keystone import PEOPLE, Keystone
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend

# The first run installs Ironic and Keystone.
pytestmark = [pytest.mark.lab, pytest.mark.timeout(600)]

TYPED: t.Final = "1.116"
WHO: t.Final = [user for user in PEOPLE if user not in ("ironic", "backend")]
#: At this version the answer to every boolean call is Ironic's own.
CALLS: t.Final[dict[str, tuple[str, str, t.Any]]] = {
    "see": ("GET", "", None),
    "set": ("PUT", "/maintenance", {"reason": "why"}),
    "clear": ("DELETE", "/maintenance", None),
    "patch": ("PATCH", "", [{"op": "replace", "path": "/maintenance", "value": True}]),
    "history": ("GET", "/history", None),
}
#: Where we differ on purpose: Ironic lets a member of the lessee set by PATCH what it refuses by PUT.
CLOSED: t.Final = {("lessee-member", "patch"): 403}


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory, real_keystone: Keystone) -> t.Iterator[Backend]:
    """A backend whose people are the Keystone's."""
    with Backend(tmp_path_factory.mktemp("backend"), **settings(real_keystone)) as backend:
        yield backend


def settings(keystone: Keystone) -> dict[str, t.Any]:
    """Give the backend's settings."""
    return {"auth_strategy": "keystone", "keystone_authtoken": keystone.credentials("backend", "service")}


def person(backend: Backend, keystone: Keystone, user: str) -> Direct:
    """Ask the backend as one of the users."""
    return Direct(backend.url, {"X-Auth-Token": keystone.token(user)})


@pytest.fixture(scope="module")
def node(backend: Backend, real_keystone: Keystone) -> str:
    """A node of the backend with an owner and a lessee; give its uuid."""
    return enrolled(backend, real_keystone, "both")


def enrolled(backend: Backend, keystone: Keystone, name: str) -> str:
    """Make a node of the owner's project that the lessee's has on lease."""
    projects = {"owner": keystone.project_id("owner"), "lessee": keystone.project_id("lessee")}
    answer = person(backend, keystone, "system-admin").send("POST", "/v1/nodes", {"name": name, "driver": "fake-hardware", **projects})
    assert answer.status == 201, answer.content
    return t.cast(str, answer.json["uuid"])


@pytest.fixture(scope="module")
def same_node(ironic_with_keystone: Ironic, real_keystone: Keystone) -> str:
    """The same node of a real Ironic."""
    return ironic_with_keystone.nodes.enrol(owner=real_keystone.project_id("owner"), lessee=real_keystone.project_id("lessee"))


@pytest.mark.parametrize("user", WHO)
def test_who_may_do_what_is_what_a_real_ironic_says(
    backend: Backend, real_keystone: Keystone, ironic_with_keystone: Ironic, node: str, same_node: str, user: str
) -> None:
    ours, theirs = person(backend, real_keystone, user), ironic_with_keystone.direct(real_keystone.token(user))
    for name, (method, path, body) in CALLS.items():
        expected = theirs.send(method, f"/v1/nodes/{same_node}{path}", body).status
        assert ours.send(method, f"/v1/nodes/{node}{path}", body).status == CLOSED.get((user, name), expected), name
    listed = [node in [each["uuid"] for each in ours.send("GET", "/v1/nodes").json["nodes"]]]
    assert listed == [same_node in [each["uuid"] for each in theirs.send("GET", "/v1/nodes").json["nodes"]]]


#: At which scope a user's hold is recorded; of the others, the status of the refusal.
SCOPES: t.Final[dict[str, str | int]] = {
    "system-admin": "system",
    "system-member": "system",
    "system-reader": 403,
    "owner-admin": "owner",
    "owner-manager": "owner",
    "owner-member": "owner",
    "owner-reader": 403,
    "lessee-admin": "lessee",
    "lessee-manager": "lessee",
    "lessee-member": 403,
    "lessee-reader": 403,
    "stranger-admin": 404,
    "operations-admin": 404,
    "nova": 404,
}


def test_the_scope_of_a_hold_is_its_asserters_standing(backend: Backend, real_keystone: Keystone) -> None:
    node = enrolled(backend, real_keystone, "scopes")
    for user, expected in SCOPES.items():
        answer = person(backend, real_keystone, user).send(
            "POST", f"/v1/nodes/{node}/maintenance", {"type": "operator_hold", "key": user}, version=TYPED
        )
        got = answer.json["scope"] if answer.status == 201 else answer.status
        assert got == expected, (user, answer.content)
        if answer.status == 201:
            project = PEOPLE[user][0][1]
            owned = "" if project == "system" else real_keystone.project_id(project)
            assert (answer.json["asserted_by"], answer.json["asserted_by_project"]) == (real_keystone.user_id(user), owned)
            assert answer.json["asserted_by_name"] == user


def test_a_lower_scope_releases_nothing_of_a_higher_one_and_does_not_learn_whose_it_is(backend: Backend, real_keystone: Keystone) -> None:
    node = enrolled(backend, real_keystone, "floors")
    path = f"/v1/nodes/{node}/maintenance"
    held = person(backend, real_keystone, "system-member").send("POST", path, {"type": "operator_hold", "reason": "r"}, version=TYPED).json
    owner = person(backend, real_keystone, "owner-admin")
    refused = owner.send("DELETE", f"{path}/{held['uuid']}", version=TYPED)
    assert (refused.status, owner.send("DELETE", path).status) == (403, 403)
    assert "not permitted at owner scope" in refused.said
    for answer in (refused, owner.send("GET", path, version=TYPED)):
        assert real_keystone.user_id("system-member").encode() not in answer.content
        assert b"system-member" not in answer.content
    assert person(backend, real_keystone, "system-admin").send("DELETE", path, version=TYPED).status == 204


def test_claims_in_headers_change_nothing(backend: Backend, real_keystone: Keystone, node: str) -> None:
    stranger = person(backend, real_keystone, "stranger-admin")
    claims = {"X-Roles": "admin", "OpenStack-System-Scope": "all", "X-Project-Id": real_keystone.project_id("owner"), "X_Roles": "admin"}
    assert stranger.send("GET", f"/v1/nodes/{node}", headers=claims).status == 404
    assert Direct(backend.url).send("GET", f"/v1/nodes/{node}", headers={**claims, "X-User-Id": "x"}).status == 401


def test_a_401_says_where_tokens_are_given(backend: Backend, real_keystone: Keystone) -> None:
    for headers in ({}, {"X-Auth-Token": "gAAAAABwrong"}):
        answer = Direct(backend.url, headers).send("GET", "/v1/nodes")
        assert answer.status == 401
        assert answer.headers["WWW-Authenticate"] == f'Keystone uri="{real_keystone.url}"'
        assert "X-Auth-Token" in answer.said


def test_version_documents_and_health_need_no_token(backend: Backend) -> None:
    for path in ("/", "/v1", "/healthz"):
        assert Direct(backend.url).send("GET", path).status == 200


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory, real_keystone: Keystone) -> t.Iterator[Backend]:
    """A backend that remembers no token, and takes the services of the project `service` for the system's."""
    chosen = settings(real_keystone)
    chosen["keystone_authtoken"]["token_cache_time"] = 0
    with Backend(tmp_path_factory.mktemp("other"), **chosen, service_project="service") as backend:
        yield backend


def test_a_service_in_the_service_project_acts_as_system_where_that_is_said(other: Backend, real_keystone: Keystone) -> None:
    node = enrolled(other, real_keystone, "served")
    nova = person(other, real_keystone, "nova")
    asserted = nova.send("POST", f"/v1/nodes/{node}/maintenance", {"type": "operator_hold"}, version=TYPED)
    assert (asserted.status, asserted.json["scope"]) == (201, "system")
    fault = {"fault": "power failure", "reason": "no answer"}
    assert nova.send("PUT", f"/v1/nodes/{node}/maintenance/fault", fault, version=TYPED).status == 201
    with_a_service = {"X-Service-Token": real_keystone.token("nova")}
    owner = person(other, real_keystone, "owner-member")
    assert owner.send("GET", f"/v1/nodes/{node}/maintenance", version=TYPED, headers=with_a_service).status == 200


def test_a_keystone_that_goes_away_is_503_and_comes_back(other: Backend, real_keystone: Keystone) -> None:
    operator = person(other, real_keystone, "system-admin")
    assert operator.send("GET", "/v1/nodes").status == 200
    real_keystone.close()
    try:
        answer = operator.send("GET", "/v1/nodes")
        assert answer.status == 503
        assert (answer.headers["Retry-After"], answer.json["refusal"]["code"]) == ("5", "unavailable")
        assert answer.said.startswith("The identity service cannot be asked")
        assert Direct(other.url).send("GET", "/healthz").status == 200
    finally:
        real_keystone.start()
    assert operator.send("GET", "/v1/nodes").status == 200
    assert real_keystone.password("backend") not in other.log
    assert real_keystone.token("system-admin") not in other.log
