# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Our client logs in to a real Keystone, and says of a login that fails what a real Keystone lets it say."""

from __future__ import annotations

import pathlib
import typing as t

import pytest
import requests
from ansible_collections.baremetal.maintenance.plugins.module_utils.client import errors, settings
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api
from ansible_collections.baremetal.maintenance.tests.lab.keystone import SYSTEM, Keystone
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend

# The first run installs Keystone.
pytestmark = [pytest.mark.lab, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory, real_keystone: Keystone) -> t.Iterator[Backend]:
    """A backend of that Keystone, and in its catalogue."""
    chosen = {"auth_strategy": "keystone", "keystone_authtoken": real_keystone.credentials("backend", "service")}
    with Backend(tmp_path_factory.mktemp("backend"), **chosen) as backend:
        real_keystone.set_endpoint(backend.url)
        yield backend


def client(given: dict[str, t.Any], environ: dict[str, str] | None = None, cache: pathlib.Path | None = None) -> Api:
    """Give a client with these options, found through the catalogue."""
    return Api(settings.resolve(given, environ or {}), cache_dir=str(cache) if cache else None)


def application(keystone: Keystone, user: str, name: str, **more: t.Any) -> dict[str, str]:
    """Make an application credential of a user; give the login."""
    answer = requests.post(
        f"{keystone.url}/users/{keystone.user_id(user)}/application_credentials",
        json={"application_credential": {"name": name, **more}},
        headers={"X-Auth-Token": keystone.token(user)},
        timeout=60,
    )
    made = answer.json()["application_credential"]
    return {"auth_url": keystone.url, "application_credential_id": made["id"], "application_credential_secret": made["secret"]}


def test_a_password_by_options_by_variables_and_by_clouds_yaml(backend: Backend, real_keystone: Keystone, tmp_path: pathlib.Path) -> None:
    clouds = real_keystone.clouds_yaml(tmp_path / "clouds.yaml", "owner-member")
    for api in (
        client({"auth": real_keystone.credentials("owner-member")}),
        client({}, real_keystone.environ("owner-member")),
        client({"cloud": "owner-member"}, {"OS_CLIENT_CONFIG_FILE": str(clouds)}),
    ):
        assert api.service().kind == "extended"
        assert api.place == backend.url
        assert api.iter_nodes() == []
        owner = f"{real_keystone.user_id('owner-member')} {real_keystone.project_id('owner')}"
        assert api.who().startswith(owner)


def test_a_scope_of_the_system(backend: Backend, real_keystone: Keystone) -> None:
    api = client({"auth": real_keystone.credentials("backend", SYSTEM)})
    assert api.create_node({"name": "by-the-system", "driver": "fake-hardware"})["owner"] is None
    assert api.fleet_history() == []


def test_an_application_credential_acts_for_its_project(backend: Backend, real_keystone: Keystone) -> None:
    api = client({"auth": application(real_keystone, "owner-admin", "deployer")})
    made = api.create_node({"name": "by-a-credential", "driver": "fake-hardware"})
    assert made["owner"] == real_keystone.project_id("owner")


def test_an_application_credential_with_access_rules_does_what_they_say(backend: Backend, real_keystone: Keystone) -> None:
    client({"auth": real_keystone.credentials("owner-admin")}).create_node({"name": "ruled", "driver": "fake-hardware"})
    rules = [{"service": "baremetal", "method": "GET", "path": "/v1/nodes/*"}]
    api = client({"auth": application(real_keystone, "owner-admin", "reader", access_rules=rules)})
    assert api.get_node("ruled")["maintenance"] is False
    with pytest.raises(errors.Refused) as caught:
        api.set_flag("ruled", "not mine to set")
    assert (caught.value.status, caught.value.code) == (401, "unauthenticated")


@pytest.mark.parametrize(
    ("changes", "about"),
    [
        ({"password": "wrong-7e21"}, "user 'owner-member' for project 'owner'"),
        ({"project_name": "lessee"}, "user 'owner-member' for project 'lessee'"),
        ({"project_name": "none"}, "user 'owner-member' for project 'none'"),
        ({"username": "nobody"}, "user 'nobody' for project 'owner'"),
    ],
)
def test_a_login_that_is_refused(real_keystone: Keystone, changes: dict[str, str], about: str) -> None:
    with pytest.raises(errors.Refused) as caught:
        client({"auth": {**real_keystone.credentials("owner-member"), **changes}}).service()
    assert caught.value.msg == (
        f"Cannot log in: Keystone at {real_keystone.url} refuses {about} (HTTP 401): "
        "check name, domain and password, that the project exists, and that the user has a role there"
    )


def test_a_login_without_a_scope(real_keystone: Keystone) -> None:
    login = real_keystone.credentials("owner-member")
    del login["project_name"], login["project_domain_name"]
    with pytest.raises(errors.BadOption, match="has no scope"):
        client({"auth": login}).service()


def test_an_address_that_is_not_keystones(backend: Backend, real_keystone: Keystone) -> None:
    login = {**real_keystone.credentials("owner-member"), "auth_url": f"{backend.url}/v3"}
    with pytest.raises(errors.ClientError) as caught:
        client({"auth": login}).service()
    assert "check auth_url" in caught.value.msg


def test_clients_of_a_run_share_a_token_and_replace_it_when_it_is_revoked(
    backend: Backend, real_keystone: Keystone, tmp_path: pathlib.Path
) -> None:
    login = real_keystone.credentials("owner-reader")
    first, second = (client({"auth": login}, cache=tmp_path) for _turn in range(2))
    before = [token_of(api) for api in (first, second)]
    assert before[0] == before[1]
    revoked = {"X-Auth-Token": before[0], "X-Subject-Token": before[0]}
    assert requests.delete(f"{real_keystone.url}/auth/tokens", headers=revoked, timeout=60).status_code == 204
    assert first.iter_nodes() == second.iter_nodes()
    after = [token_of(api) for api in (first, second)]
    assert after[0] == after[1] != before[0]


def token_of(api: Api) -> str:
    """Give the token that a client sends."""
    return t.cast(str, api._link.login.access().settings.token)
