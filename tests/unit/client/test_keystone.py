# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Logging in to Keystone: from where, for whom, to which endpoint, how often, and what is said when it does not work."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import stat
import subprocess
import sys
import time
import typing as t

import pytest
import yaml
from ansible_collections.baremetal.maintenance.plugins.module_utils.client import errors, settings
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.keystone import login as login_module
from ansible_collections.baremetal.maintenance.tests.support.certificates import Authority
from ansible_collections.baremetal.maintenance.tests.support.fake_keystone import FakeKeystone
from ansible_collections.baremetal.maintenance.tests.support.wire import Wire, extended

#: No password of the cast may be seen anywhere but at Keystone.
PASSWORD = "op-password"


@pytest.fixture
def keystone(wire: Wire) -> t.Iterator[FakeKeystone]:
    """A Keystone with an operator, who also has a project, and an endpoint of ours."""
    with FakeKeystone() as keystone:
        keystone.user("op", system=["admin"], projects={"tenant": ["member"]})
        keystone.offer("baremetal", f"{wire.url}/v1")
        yield keystone


@pytest.fixture(autouse=True)
def _nowhere(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work where no clouds.yaml of anybody is found."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))


def member(keystone: FakeKeystone, **changes: t.Any) -> dict[str, t.Any]:
    """Give the login of the operator for the project, changed; None takes a member out."""
    login = {
        "auth_url": keystone.url,
        "username": "op",
        "password": PASSWORD,
        "user_domain_name": "Default",
        "project_name": "tenant",
        "project_domain_name": "Default",
        **changes,
    }
    return {name: value for name, value in login.items() if value is not None}


def on_the_system(keystone: FakeKeystone) -> dict[str, t.Any]:
    """Give the login of the operator for the system."""
    return member(keystone, project_name=None, project_domain_name=None, system_scope="all")


def clouds(folder: pathlib.Path, **entries: t.Any) -> None:
    """Write a clouds.yaml."""
    (folder / "clouds.yaml").write_text(yaml.safe_dump({"clouds": entries}))


def client(given: dict[str, t.Any], environ: dict[str, str] | None = None, cache: pathlib.Path | None = None) -> Api:
    """Give a client with these options."""
    made = settings.resolve({"timeout": 10, **given}, environ or {})
    return Api(made, cache_dir=str(cache) if cache else None, sleep=lambda _seconds: None)


def sent(keystone: FakeKeystone, wire: Wire) -> dict[str, t.Any]:
    """Give what Keystone knows of the token that came with the last request."""
    return keystone.tokens[wire.requests[-1].headers["x-auth-token"]]["token"]


def who(token: t.Mapping[str, t.Any]) -> tuple[str, str]:
    """Give a token's user and scope."""
    return token["user"]["name"], "system" if "system" in token else token["project"]["name"]


def failure(given: dict[str, t.Any], environ: dict[str, str] | None = None, kind: type[errors.ClientError] = errors.ClientError) -> str:
    """Give the sentence with which a login fails."""
    with pytest.raises(kind) as caught:
        client({"retries": 0, **given}, environ).service()
    assert PASSWORD not in str(caught.value)
    assert "\n" not in caught.value.msg
    return caught.value.msg


def test_a_password_for_a_project(keystone: FakeKeystone, wire: Wire) -> None:
    extended(wire)
    assert client({"auth": member(keystone)}).service().kind == "extended"
    assert who(sent(keystone, wire)) == ("op", "tenant")
    assert keystone.logins == 1


def test_a_password_for_the_system(keystone: FakeKeystone, wire: Wire) -> None:
    extended(wire)
    client({"auth": on_the_system(keystone)}).service()
    assert who(sent(keystone, wire)) == ("op", "system")


def test_an_application_credential(keystone: FakeKeystone, wire: Wire) -> None:
    extended(wire)
    name, secret = keystone.application("op", "tenant")
    auth = {"auth_url": keystone.url, "application_credential_id": name, "application_credential_secret": secret}
    client({"auth": auth}).service()
    assert sent(keystone, wire)["application_credential"]["id"] == name


def test_a_token_for_a_token(keystone: FakeKeystone, wire: Wire) -> None:
    extended(wire)
    old = keystone.token("op", system=True)
    client({"auth": member(keystone, username=None, password=None, user_domain_name=None, token=old)}).service()
    assert who(sent(keystone, wire)) == ("op", "tenant")
    assert wire.requests[-1].headers["x-auth-token"] != old


@pytest.mark.parametrize("auth_type", [None, "password", "v3password"])
def test_variables(keystone: FakeKeystone, wire: Wire, auth_type: str | None) -> None:
    extended(wire)
    environ = {f"OS_{name.upper()}": value for name, value in member(keystone).items()}
    environ |= {"OS_AUTH_TYPE": auth_type} if auth_type else {}
    # Of other tools, and older than Keystone's third version.
    environ |= {"OS_IDENTITY_API_VERSION": "3", "OS_IMAGE_API_VERSION": "2", "OS_TENANT_NAME": environ.pop("OS_PROJECT_NAME")}
    client({}, environ).service()
    assert who(sent(keystone, wire)) == ("op", "tenant")


def test_an_entry_of_clouds_yaml_with_its_secret_in_secure_yaml(keystone: FakeKeystone, wire: Wire, tmp_path: pathlib.Path) -> None:
    extended(wire)
    clouds(tmp_path, lab={"auth": member(keystone, password=None), "region_name": "RegionOne"}, other={"auth": {}})
    (tmp_path / "secure.yaml").write_text(yaml.safe_dump({"clouds": {"lab": {"auth": {"password": PASSWORD}}}}))
    client({"cloud": "lab"}).service()
    assert who(sent(keystone, wire)) == ("op", "tenant")


@pytest.mark.parametrize("way", ["option", "OS_CLOUD"])
def test_clouds_yaml_elsewhere(keystone: FakeKeystone, wire: Wire, tmp_path: pathlib.Path, way: str) -> None:
    extended(wire)
    (tmp_path / "elsewhere").mkdir()
    clouds(tmp_path, lab={"auth": {"auth_url": "http://127.0.0.1:1"}})
    clouds(tmp_path / "elsewhere", lab={"auth": on_the_system(keystone)})
    environ = {"OS_CLIENT_CONFIG_FILE": str(tmp_path / "elsewhere" / "clouds.yaml"), "OS_PROJECT_NAME": "of another tool"}
    client({"cloud": "lab"} if way == "option" else {}, {**environ, **({"OS_CLOUD": "lab"} if way == "OS_CLOUD" else {})}).service()
    assert who(sent(keystone, wire)) == ("op", "system")


def test_an_entry_may_name_the_endpoint(keystone: FakeKeystone, tmp_path: pathlib.Path) -> None:
    with Wire() as other:
        clouds(tmp_path, lab={"auth": member(keystone), "baremetal_endpoint_override": other.url})
        extended(other)
        client({"cloud": "lab"}).service()


@pytest.mark.parametrize(
    ("entry", "header"),
    [
        ({"auth_type": "none"}, {}),
        ({"auth_type": "http_basic", "auth": {"username": "op", "password": PASSWORD}}, {"authorization": "Basic b3A6b3AtcGFzc3dvcmQ="}),
    ],
)
def test_an_entry_for_a_service_without_keystone(
    wire: Wire, tmp_path: pathlib.Path, entry: dict[str, t.Any], header: dict[str, str]
) -> None:
    extended(wire)
    clouds(tmp_path, bifrost={**entry, "baremetal_endpoint_override": wire.url})
    client({"cloud": "bifrost"}, cache=tmp_path).service()
    assert {name: value for name, value in wire.requests[-1].headers.items() if name in ("authorization", "x-auth-token")} == header


def test_the_catalogues_endpoint_by_interface_and_region(keystone: FakeKeystone) -> None:
    with Wire() as internal, Wire() as second:
        keystone.offer("baremetal", internal.url, interface="internal")
        keystone.offer("baremetal", second.url, region="RegionTwo")
        extended(internal)
        extended(second)
        client({"auth": member(keystone), "interface": "internal"}).service()
        client({"auth": member(keystone)}, {"OS_REGION_NAME": "RegionTwo"}).service()


def test_an_address_that_is_given_comes_before_the_catalogue(keystone: FakeKeystone) -> None:
    with Wire() as other:
        extended(other)
        client({"auth": member(keystone), "api_url": other.url}).service()


def test_an_endpoint_that_is_not_there(keystone: FakeKeystone) -> None:
    said = failure({"auth": member(keystone), "interface": "admin", "region_name": "RegionOne"}, kind=errors.Refused)
    assert said == (
        f"Keystone at {keystone.url} has no endpoint of type baremetal with interface admin in region RegionOne for this login; "
        "it has public in RegionOne: set interface or region_name"
    )


def test_no_endpoint_at_all() -> None:
    with FakeKeystone() as keystone:
        keystone.user("op", projects={"tenant": ["member"]})
        said = failure({"auth": member(keystone)}, kind=errors.Refused)
    assert said.endswith("for this login; give its address as api_url, or have the catalogue name it")


@pytest.mark.parametrize(
    ("changes", "about"),
    [
        ({"password": "wrong"}, "user 'op' for project 'tenant'"),
        ({"username": "nobody"}, "user 'nobody' for project 'tenant'"),
        ({"project_name": "none"}, "user 'op' for project 'none'"),
    ],
)
def test_a_login_that_is_refused(keystone: FakeKeystone, changes: dict[str, str], about: str) -> None:
    said = failure({"auth": member(keystone, **changes)}, kind=errors.Refused)
    assert said == (
        f"Cannot log in: Keystone at {keystone.url} refuses {about} (HTTP 401): "
        "check name, domain and password, that the project exists, and that the user has a role there"
    )
    assert keystone.logins == 1


def test_a_refused_login_is_401_and_unauthenticated(keystone: FakeKeystone) -> None:
    with pytest.raises(errors.Refused) as caught:
        client({"auth": member(keystone, password="wrong")}).service()
    assert (caught.value.status, caught.value.code, caught.value.attempts) == (401, "unauthenticated", 1)


def test_an_application_credential_that_is_refused(keystone: FakeKeystone) -> None:
    auth = {"auth_url": keystone.url, "application_credential_id": "a1", "application_credential_secret": PASSWORD}
    assert "refuses application credential 'a1' (HTTP 401): check its id and secret" in failure({"auth": auth})


def test_a_keystone_that_is_not_there_is_tried_again(keystone: FakeKeystone) -> None:
    keystone.stop()
    with pytest.raises(errors.Unreachable) as caught:
        client({"auth": member(keystone), "retries": 2}).service()
    assert caught.value.msg.startswith(
        f"Cannot log in: Keystone at {keystone.url} did not accept a connection: check that the service runs and that auth_url is right"
    )
    assert caught.value.attempts == 3


@pytest.mark.parametrize("broken", [(404, "no such page"), (200, "<html>"), (200, "[]"), (200, "{}"), (201, "[1]"), (302, "")], ids=str)
def test_what_is_no_keystone(keystone: FakeKeystone, broken: tuple[int, str]) -> None:
    keystone.broken = broken
    assert "is not a Keystone with the API v3; check auth_url" in failure({"auth": member(keystone)}, kind=errors.BadAnswer)


def test_a_keystone_that_is_overloaded_is_tried_again(keystone: FakeKeystone) -> None:
    keystone.broken = (503, "")
    with pytest.raises(errors.Refused, match="HTTP 503.*try again later") as caught:
        client({"auth": member(keystone), "retries": 1}).service()
    assert caught.value.attempts == 2


def test_a_login_without_a_scope(keystone: FakeKeystone) -> None:
    said = failure({"auth": member(keystone, project_name=None, project_domain_name=None)})
    assert "has no scope" in said
    assert "give project_name with its domain, or system_scope with the value all" in said


WRONG: list[tuple[dict[str, t.Any], dict[str, str], str]] = [
    ({"auth_type": "keystone"}, {}, "auth_type keystone needs a login: give cloud (an entry of clouds.yaml) or auth"),
    ({"cloud": "lab", "auth": {"auth_url": "http://k"}}, {}, "cloud and auth are both given"),
    ({"cloud": "lab", "auth_type": "token", "token": "x"}, {}, "cloud is given, but auth_type is token and would not use it"),
    ({"cloud": " "}, {}, "cloud is empty"),
    ({"auth": {"username": "op"}}, {}, "auth lacks auth_url"),
    ({"auth": {"auth_url": "http://k", "user": "op"}}, {}, "auth has user, and may have auth_url, username"),
    (
        {"auth": {"auth_url": "http://k"}, "password": PASSWORD},
        {},
        "password is given, but auth_type is keystone: give it as a member of auth",
    ),
    ({"auth": {"auth_url": "http://k", "application_credential_id": "a"}}, {}, "auth lacks application_credential_secret"),
    ({"auth": {"auth_url": "http://k", "username": "op"}}, {}, "auth lacks password"),
    ({"auth": {"auth_url": "http://k", "password": PASSWORD}}, {}, "auth lacks username or user_id"),
    ({}, {"OS_AUTH_TYPE": "v3kerberus", "OS_AUTH_URL": "http://k"}, "OS_AUTH_TYPE is 'v3kerberus', which keystoneauth does not know"),
    ({"cloud": "lab"}, {}, "there is no clouds.yaml: it is looked for in"),
    ({"cloud": "lab"}, {"OS_CLIENT_CONFIG_FILE": "/none.yaml"}, "OS_CLIENT_CONFIG_FILE is /none.yaml, which does not exist"),
]


@pytest.mark.parametrize(("given", "environ", "expected"), WRONG, ids=[case[2][:40] for case in WRONG])
def test_what_is_no_login(wire: Wire, given: dict[str, t.Any], environ: dict[str, str], expected: str) -> None:
    assert expected in failure(given, environ, errors.BadOption)


def test_a_cloud_that_is_not_in_the_file(keystone: FakeKeystone, tmp_path: pathlib.Path) -> None:
    clouds(tmp_path, lab={"auth": member(keystone)}, field={"auth": {}})
    said = failure({"cloud": "lap"}, kind=errors.BadOption)
    assert said == f"cloud is 'lap', which {tmp_path}/clouds.yaml does not have; it has field, lab"


def test_an_entry_that_lacks_something(keystone: FakeKeystone, tmp_path: pathlib.Path) -> None:
    clouds(tmp_path, lab={"auth": {"username": "op"}})
    assert "cloud 'lab' of clouds.yaml cannot be used: " in failure({"cloud": "lab"}, kind=errors.BadOption)


def test_clients_of_a_run_share_one_token(keystone: FakeKeystone, wire: Wire, tmp_path: pathlib.Path) -> None:
    extended(wire)
    for _turn in range(3):
        client({"auth": member(keystone)}, cache=tmp_path).service()
    wire.expect("GET", "/v1/nodes/n1").json({"uuid": "n1"})
    client({"auth": member(keystone)}, cache=tmp_path).get_node("n1")
    assert (keystone.logins, who(sent(keystone, wire))) == (1, ("op", "tenant"))


def test_another_scope_is_another_token(keystone: FakeKeystone, wire: Wire, tmp_path: pathlib.Path) -> None:
    extended(wire, times=2)
    client({"auth": member(keystone)}, cache=tmp_path).service()
    client({"auth": on_the_system(keystone)}, cache=tmp_path).service()
    assert (keystone.logins, who(sent(keystone, wire))) == (2, ("op", "system"))


def test_an_entry_of_clouds_yaml_is_read_once_in_a_run(keystone: FakeKeystone, wire: Wire, tmp_path: pathlib.Path) -> None:
    extended(wire)
    clouds(tmp_path, lab={"auth": member(keystone), "verify": False})
    client({"cloud": "lab"}, cache=tmp_path).service()
    (tmp_path / "clouds.yaml").unlink()
    client({"cloud": "lab"}, cache=tmp_path).service()
    assert keystone.logins == 1


ASK = """
import json, sys
from ansible_collections.baremetal.maintenance.plugins.module_utils.client import errors, settings
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api
made = settings.resolve({"auth": json.loads(sys.argv[1])}, {})
sys.stdin.readline()
try:
    sys.stdout.write(Api(made, cache_dir=sys.argv[2]).service().kind)
except errors.ClientError as error:
    sys.stdout.write(error.code)
"""


def at_once(login: dict[str, t.Any], folder: pathlib.Path, number: int = 4) -> list[str]:
    """Let so many processes log in at the same moment; give what each said."""
    command = [sys.executable, "-c", ASK, json.dumps(login), str(folder)]
    processes = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _turn in range(number)]
    return [process.communicate("now\n", timeout=120)[0] for process in processes]


def test_processes_that_start_at_once_ask_for_one_token(keystone: FakeKeystone, wire: Wire, tmp_path: pathlib.Path) -> None:
    extended(wire)
    assert at_once(member(keystone), tmp_path) == ["extended"] * 4
    assert keystone.logins == 1


def test_a_wrong_password_is_tried_once_by_the_forks_of_a_run(
    keystone: FakeKeystone, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _turn in range(3):
        with pytest.raises(errors.Refused, match="refuses user 'op'"):
            client({"auth": member(keystone, password="wrong")}, cache=tmp_path).service()
    assert keystone.logins == 1
    later = time.time() + login_module.REFUSED + 1
    monkeypatch.setattr(login_module.time, "time", lambda: later)
    with pytest.raises(errors.Refused):
        client({"auth": member(keystone, password="wrong")}, cache=tmp_path).service()
    assert keystone.logins == 2


def test_a_token_that_is_refused_is_replaced_once_and_the_request_done(keystone: FakeKeystone, wire: Wire, tmp_path: pathlib.Path) -> None:
    extended(wire)
    first, second = (client({"auth": member(keystone)}, cache=tmp_path) for _turn in range(2))
    first.service()
    second.who()
    wire.expect("PUT", "/v1/nodes/n1/maintenance").json({}, status=401)
    wire.expect("PUT", "/v1/nodes/n1/maintenance").empty(202)
    keystone.revoke_all()
    first.set_flag("n1", "x")
    assert (keystone.logins, who(sent(keystone, wire))) == (2, ("op", "tenant"))
    # The other one, which still has the old token, finds the new one.
    wire.expect("PUT", "/v1/nodes/n2/maintenance").json({}, status=401)
    wire.expect("PUT", "/v1/nodes/n2/maintenance").empty(202)
    second.set_flag("n2", "x")
    assert (keystone.logins, who(sent(keystone, wire))) == (2, ("op", "tenant"))


def test_an_api_that_refuses_a_fresh_token_too_is_an_error(keystone: FakeKeystone, wire: Wire, tmp_path: pathlib.Path) -> None:
    extended(wire)
    api = client({"auth": member(keystone)}, cache=tmp_path)
    api.service()
    for _turn in range(2):
        wire.expect("PUT", "/v1/nodes/n1/maintenance").json({}, status=401)
    with pytest.raises(errors.Refused) as caught:
        api.set_flag("n1", "x")
    assert (caught.value.status, keystone.logins) == (401, 2)


@pytest.mark.parametrize(("seconds", "logins"), [(login_module.MARGIN - 1, 2), (login_module.MARGIN + 300, 1)])
def test_a_token_that_is_about_to_end_is_not_used_any_more(
    keystone: FakeKeystone, wire: Wire, tmp_path: pathlib.Path, seconds: float, logins: int
) -> None:
    extended(wire)
    keystone.seconds = seconds
    for _turn in range(2):
        client({"auth": member(keystone)}, cache=tmp_path).who()
    client({"auth": member(keystone)}, cache=tmp_path).service() if logins == 1 else extended_is_left(wire)
    assert keystone.logins == logins


def extended_is_left(wire: Wire) -> None:
    """Ask for what was scripted."""
    client({"api_url": wire.url}).service()


def test_the_files_are_private_and_hold_no_password(keystone: FakeKeystone, wire: Wire, tmp_path: pathlib.Path) -> None:
    extended(wire)
    folder = tmp_path / "run"
    folder.mkdir()
    old = os.umask(0)
    try:
        client({"auth": member(keystone)}, cache=folder).service()
    finally:
        os.umask(old)
    files = list(folder.iterdir())
    assert sorted(file.name for file in files if file.suffix == ".json") == [
        "baremetal-maintenance-login.json",
        "baremetal-maintenance.json",
    ]
    for file in files:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert PASSWORD not in file.read_text()
    token = wire.requests[-1].headers["x-auth-token"]
    assert [file.name for file in files if token in file.read_text()] == ["baremetal-maintenance-login.json"]


def test_neither_password_nor_token_is_in_the_text_of_settings_nor_left_to_show(keystone: FakeKeystone, wire: Wire) -> None:
    extended(wire)
    made = settings.resolve({"auth": member(keystone)}, {})
    api = Api(made)
    api.service()
    token = wire.requests[-1].headers["x-auth-token"]
    assert PASSWORD not in repr(made)
    assert {PASSWORD, token} <= set(api.secrets())


def test_the_identity_tells_logins_apart_but_lets_no_password_be_guessed(keystone: FakeKeystone) -> None:
    logins = [
        member(keystone),
        on_the_system(keystone),
        member(keystone, username="other"),
        member(keystone, password=None, token="one"),
        member(keystone, password=None, token="another"),
    ]
    made = [settings.resolve({"auth": login}, {}) for login in logins]
    made += [settings.resolve({"auth": member(keystone), "region_name": "r"}, {}), settings.resolve({"cloud": "lab"}, {})]
    assert len({one.identity() for one in made}) == len(made)
    assert made[0].identity() == settings.resolve({"auth": member(keystone, password="guess")}, {}).identity()


def test_a_password_over_plain_http_to_another_machine_warns(keystone: FakeKeystone, wire: Wire, tmp_path: pathlib.Path) -> None:
    extended(wire)
    api = client({"auth": member(keystone)}, cache=tmp_path)
    api.service()
    assert api.warnings == []
    stored = json.loads((tmp_path / "baremetal-maintenance-login.json").read_text())
    assert [entry["warnings"] for entry in stored.values()] == [[]]


def test_tls(tmp_path: pathlib.Path, wire: Wire) -> None:
    authority = Authority(tmp_path)
    pair = authority.issue("keystone")
    with FakeKeystone(tls=(pair.certificate, pair.key)) as keystone:
        keystone.user("op", projects={"tenant": ["member"]})
        keystone.offer("baremetal", wire.url)
        said = failure({"auth": member(keystone)}, kind=errors.Unreachable)
        assert "is not trusted" in said
        assert "check auth_url, or give the CA of its certificate as ca_path" in said
        clouds(tmp_path, good={"auth": member(keystone), "cacert": authority.certificate}, lax={"auth": member(keystone), "verify": False})
        extended(wire, times=5)
        client({"auth": member(keystone), "ca_path": authority.certificate}).service()
        client({"auth": member(keystone), "validate_certs": False}).service()
        client({"cloud": "good"}).service()
        client({"cloud": "good"}, {"REQUESTS_CA_BUNDLE": pair.key}).service()
        client({"cloud": "lax"}).service()
        assert "is not trusted" in failure({"cloud": "lax", "validate_certs": True})


def test_a_redirect_gets_no_password(keystone: FakeKeystone) -> None:
    with Wire() as elsewhere:
        moved = dataclasses.replace(_Moved(elsewhere.url))
        keystone.answer = moved.answer  # type: ignore[method-assign]
        failure({"auth": member(keystone)}, kind=errors.BadAnswer)
        assert elsewhere.requests == []


@dataclasses.dataclass
class _Moved:
    """Answers every request by a redirect to another address."""

    url: str

    def answer(self, method: str, path: str, headers: t.Any, body: bytes) -> tuple[int, dict[str, str], str]:
        """Give the redirect; 307 keeps method and body."""
        return 307, {"Location": f"{self.url}{path}"}, ""
