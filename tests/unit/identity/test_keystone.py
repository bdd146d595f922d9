# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Identity `keystone`: whom a token makes the caller, and that a Keystone that is away is never taken for a token that is wrong."""

from __future__ import annotations

import logging
import time
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend import keystone_section
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.errors import Refusal
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.identity.keystone import Keystone
from ansible_collections.baremetal.maintenance.tests.support import fake_keystone
from ansible_collections.baremetal.maintenance.tests.support.fake_keystone import FakeKeystone


@pytest.fixture
def keystone() -> t.Iterator[FakeKeystone]:
    """A Keystone with an operator, an owner's member and a service."""
    with FakeKeystone() as keystone:
        keystone.user("op", system=["member"])
        keystone.user("own", projects={"tenant": ["Member"]})
        keystone.user("nova", projects={"service": ["service"]})
        keystone.offer("baremetal", "http://127.0.0.1:6385")
        yield keystone


def authenticator(keystone: FakeKeystone, **more: t.Any) -> Keystone:
    """Give an authenticator that logs in to this Keystone."""
    members = {
        "auth_url": keystone.url,
        "username": fake_keystone.SERVICE,
        "password": f"{fake_keystone.SERVICE}-password",
        "user_domain_name": "Default",
        "project_name": "service",
        "project_domain_name": "Default",
        "http_request_max_retries": 0,
        **more,
    }
    return Keystone(keystone_section.options(keystone_section.KeystoneSection(tuple(members.items()))))


def request(token: str | None = None, method: str = "GET", path: str = "/v1/nodes", **headers: str) -> dict[str, t.Any]:
    """Give the WSGI environ of a request; headers are named as an environ has them, HTTP_ left out."""
    environ = {"REQUEST_METHOD": method, "PATH_INFO": path, "SCRIPT_NAME": "", "SERVER_NAME": "x", "SERVER_PORT": "80"}
    environ |= {"SERVER_PROTOCOL": "HTTP/1.1", "wsgi.url_scheme": "http", "QUERY_STRING": ""}
    environ |= {f"HTTP_{name}": value for name, value in headers.items()}
    return environ if token is None else {**environ, "HTTP_X_AUTH_TOKEN": token}


def refusal(identity: Keystone, environ: dict[str, t.Any]) -> Refusal:
    """Give the refusal that a request meets."""
    with pytest.raises(Refusal) as caught:
        identity.identify(environ)
    return caught.value


def test_a_system_token(keystone: FakeKeystone) -> None:
    token = keystone.token("op")
    caller = authenticator(keystone).identify(request(token))
    assert (caller.user_id, caller.user_name, caller.user_domain_id) == ("op-id", "op", "default")
    assert (caller.system, caller.project_id, caller.project_name) == (True, "", None)
    assert (caller.roles, caller.credential) == (("member", "reader"), token)
    assert token not in repr(caller)


def test_a_project_token(keystone: FakeKeystone) -> None:
    caller = authenticator(keystone).identify(request(keystone.token("own")))
    assert (caller.system, caller.project_id, caller.project_name, caller.project_domain_id) == (False, "tenant-id", "tenant", "default")
    assert caller.roles == ("member",)


def test_a_token_without_a_scope_has_no_role(keystone: FakeKeystone) -> None:
    keystone.user("nobody", projects={"tenant": []})
    caller = authenticator(keystone).identify(request(keystone.token("nobody")))
    assert (caller.user_id, caller.roles, caller.system) == ("nobody-id", (), False)


def test_a_service_token_beside_it(keystone: FakeKeystone) -> None:
    environ = request(keystone.token("own"), X_SERVICE_TOKEN=keystone.token("nova"))
    caller = authenticator(keystone).identify(environ)
    assert (caller.project_id, caller.service_project_name, caller.service_roles) == ("tenant-id", "service", ("service",))


def test_a_service_token_of_somebody_without_the_role_is_refused(keystone: FakeKeystone) -> None:
    assert refusal(authenticator(keystone), request(keystone.token("own"), X_SERVICE_TOKEN=keystone.token("op"))).status == 401


def test_a_service_token_lets_a_token_that_has_expired_finish_its_work(keystone: FakeKeystone) -> None:
    identity = authenticator(keystone)
    expired = keystone.token("own", seconds=-60)
    assert refusal(identity, request(expired)).status == 401
    assert identity.identify(request(expired, X_SERVICE_TOKEN=keystone.token("nova"))).user_id == "own-id"


@pytest.mark.parametrize("claim", ["X_ROLES", "X_USER_ID", "X_PROJECT_ID", "X_SERVICE_ROLES", "OPENSTACK_SYSTEM_SCOPE", "X_STORAGE_TOKEN"])
def test_what_a_client_claims_about_itself_counts_for_nothing(keystone: FakeKeystone, claim: str) -> None:
    identity = authenticator(keystone)
    honest = identity.identify(request(keystone.token("own")))
    liar = request(keystone.token("own"), **{claim: "all" if "SCOPE" in claim else "admin"})
    assert {**vars(identity.identify(liar)), "credential": None} == {**vars(honest), "credential": None}
    alone = request(None, **{claim: keystone.token("op")})
    assert refusal(identity, alone).status == 401


def test_the_application_sees_no_header_of_the_middleware(keystone: FakeKeystone) -> None:
    environ = request(keystone.token("op"))
    before = dict(environ)
    authenticator(keystone).identify(environ)
    assert environ == before


@pytest.mark.parametrize("token", [None, "", " ", "bogus", "b\xf6gus", "bo gus"])
def test_no_token_and_a_wrong_one(keystone: FakeKeystone, token: str | None) -> None:
    refused = refusal(authenticator(keystone), request(token))
    assert (refused.status, refused.code) == (401, "unauthenticated")
    assert refused.headers == {"WWW-Authenticate": f'Keystone uri="{keystone.url}"'}
    assert "send a valid Keystone token as X-Auth-Token" in refused.text


def test_without_a_token_keystone_is_not_asked(keystone: FakeKeystone) -> None:
    refusal(authenticator(keystone), request())
    assert keystone.requests == []


def test_a_token_is_checked_once_in_a_while(keystone: FakeKeystone) -> None:
    identity = authenticator(keystone)
    token = keystone.token("op")
    for _turn in range(3):
        identity.identify(request(token))
    assert (keystone.logins, keystone.checks) == (1, 1)


def test_without_a_cache_a_token_is_checked_every_time(keystone: FakeKeystone) -> None:
    identity = authenticator(keystone, token_cache_time=0)
    token = keystone.token("op")
    identity.identify(request(token))
    keystone.revoke(token)
    assert refusal(identity, request(token)).status == 401


def test_a_token_that_ends_is_refused_though_it_was_checked(keystone: FakeKeystone) -> None:
    identity = authenticator(keystone)
    token = keystone.token("op", seconds=2)
    assert identity.identify(request(token)).user_id == "op-id"
    time.sleep(2.1)
    assert refusal(identity, request(token)).status == 401
    assert keystone.checks == 1


AWAY: list[tuple[int, str] | None] = [None, (500, "broken"), (503, ""), (200, "<html>"), (200, "[]"), (200, "{}"), (401, "{}"), (302, "")]


@pytest.mark.parametrize("broken", AWAY, ids=str)
def test_a_keystone_that_is_away_or_mad_is_503_and_no_fault_of_the_token(
    keystone: FakeKeystone, broken: tuple[int, str] | None, caplog: pytest.LogCaptureFixture
) -> None:
    identity = authenticator(keystone)
    identity.identify(request(keystone.token("op")))
    token = keystone.token("op")
    if broken is None:
        keystone.stop()
    keystone.broken = broken
    with caplog.at_level(logging.DEBUG):
        refused = refusal(identity, request(token))
    assert (refused.status, refused.code) == (503, "unavailable")
    assert refused.headers == {"Retry-After": "5"}
    assert refused.text.startswith("The identity service cannot be asked")
    assert any(record.levelno >= logging.ERROR for record in caplog.records)
    assert token not in caplog.text
    assert "checker-password" not in caplog.text
    keystone.broken = None
    if broken is None:
        keystone.start()
    assert identity.identify(request(token)).user_id == "op-id"


def test_a_keystone_that_is_away_from_the_beginning_is_503_until_it_comes(keystone: FakeKeystone) -> None:
    token = keystone.token("op")
    keystone.stop()
    identity = authenticator(keystone)
    assert refusal(identity, request(token)).status == 503
    keystone.start()
    assert identity.identify(request(token)).user_id == "op-id"


def test_a_service_that_may_not_ask_is_503(keystone: FakeKeystone) -> None:
    identity = authenticator(keystone, password="wrong-1f3a")
    assert refusal(identity, request(keystone.token("op"))).status == 503


def test_an_application_credential_does_what_its_rules_say(keystone: FakeKeystone) -> None:
    identity = authenticator(keystone)
    token = keystone.token("own")
    rule = {"id": "r1", "service": "baremetal", "method": "GET", "path": "/v1/nodes/*"}
    keystone.tokens[token]["token"]["application_credential"] = {"id": "a1", "restricted": True, "access_rules": [rule]}
    assert identity.identify(request(token, path="/v1/nodes/n1")).user_id == "own-id"
    assert refusal(identity, request(token, path="/v1/nodes/n1", method="DELETE")).status == 401
    assert refusal(identity, request(token, path="/v1/nodes/n1/maintenance")).status == 401
