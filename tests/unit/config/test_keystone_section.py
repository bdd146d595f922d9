# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The section keystone_authtoken: what it takes, from where, what is refused, and that no secret of it is ever shown."""

from __future__ import annotations

import pathlib
import pickle
import typing as t

import pytest
import yaml
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend import config, keystone_section
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.config import Config, ConfigErrors

PREFIX = config.ENVIRONMENT_PREFIX + "KEYSTONE_AUTHTOKEN_"
SECRET = "canary-5d1e"
LOGIN = {
    "auth_url": "https://keystone.example.org/v3",
    "username": "maintenance",
    "password": SECRET,
    "user_domain_name": "Default",
    "project_name": "service",
    "project_domain_name": "Default",
}


class Setting:
    """A folder with a configuration whose section can be changed."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder

    def load(self, environ: t.Mapping[str, str] | None = None, mode: int = 0o600, **changes: t.Any) -> Config:
        """Load LOGIN with changes; None takes a member out."""
        section = {name: value for name, value in {**LOGIN, **changes}.items() if value is not None}
        path = self.folder / "backend.yml"
        path.write_text(yaml.safe_dump({"database": "m.sqlite", "auth_strategy": "keystone", "keystone_authtoken": section}))
        path.chmod(mode)
        return config.load(str(path), environ or {})

    def options(self, environ: t.Mapping[str, str] | None = None, **changes: t.Any) -> dict[str, t.Any]:
        """Give what the middleware is told."""
        return keystone_section.options(self.load(environ, **changes).keystone_authtoken)

    def errors(self, environ: t.Mapping[str, str] | None = None, **changes: t.Any) -> list[str]:
        """Give the mistakes; fail if there is none."""
        with pytest.raises(ConfigErrors) as caught:
            self.load(environ, **changes)
        assert SECRET not in str(caught.value)
        return list(caught.value.errors)


@pytest.fixture
def setting(tmp_path: pathlib.Path) -> Setting:
    """A right configuration, to change."""
    return Setting(tmp_path)


def test_a_login_is_enough(setting: Setting) -> None:
    told = setting.options()
    assert {name: told[name] for name in LOGIN} == LOGIN
    assert told["www_authenticate_uri"] == LOGIN["auth_url"]
    assert (told["auth_type"], told["token_cache_time"], told["service_token_roles_required"]) == ("password", 60, True)


def test_an_application_credential_is_enough(setting: Setting) -> None:
    nothing = dict.fromkeys(("username", "password", "user_domain_name", "project_name", "project_domain_name"))
    given = {"application_credential_id": "a1", "application_credential_secret": SECRET}
    assert setting.options(**nothing, **given, auth_type="v3applicationcredential")["application_credential_secret"] == SECRET


def test_a_secret_may_stand_in_a_file_beside_the_configuration(setting: Setting) -> None:
    file = setting.folder / "password"
    file.write_text(f"{SECRET}\n")
    file.chmod(0o600)
    told = setting.options(password=None, password_file="password")
    assert told["password"] == SECRET
    assert "password_file" not in told


def test_the_environment_is_over_the_file_member_by_member(setting: Setting) -> None:
    environ = {PREFIX + "PASSWORD": SECRET, PREFIX + "TOKEN_CACHE_TIME": "5", PREFIX + "SERVICE_TOKEN_ROLES": "service, nova"}
    told = setting.options(environ, password=None, token_cache_time=300)
    assert (told["password"], told["token_cache_time"], told["username"]) == (SECRET, 5, "maintenance")
    assert told["service_token_roles"] == ("service", "nova")


def test_the_environment_alone_is_enough(tmp_path: pathlib.Path) -> None:
    environ = {f"{PREFIX}{name.upper()}": value for name, value in LOGIN.items()}
    environ |= {f"{config.ENVIRONMENT_PREFIX}DATABASE": str(tmp_path / "m"), f"{config.ENVIRONMENT_PREFIX}AUTH_STRATEGY": "keystone"}
    assert keystone_section.options(config.load(None, environ).keystone_authtoken)["password"] == SECRET


def test_a_secret_is_in_no_representation(setting: Setting) -> None:
    loaded = setting.load()
    assert SECRET not in repr(loaded)
    assert SECRET not in str(loaded.keystone_authtoken)
    assert pickle.loads(pickle.dumps(loaded)) == loaded


def test_no_cache_is_none_and_not_one_for_ever(setting: Setting) -> None:
    assert setting.options(token_cache_time=0)["token_cache_time"] == -1


WRONG = [
    ({"auth_url": None}, "keystone_authtoken: auth_url is missing"),
    ({"auth_url": "keystone.example.org"}, "auth_url must be a URL"),
    ({"auth_url": f"https://u:{SECRET}@keystone.example.org"}, "auth_url must be a URL, http://… or https://…, without a user name"),
    ({"auth_url": "https://[keystone"}, "auth_url must be a URL"),
    ({"username": None}, "username or user_id is missing, which auth_type password needs"),
    ({"password": None}, "password is missing, which auth_type password needs"),
    ({"password": 1234}, "keystone_authtoken.password must be text; quote it"),
    ({"user_domain_name": None}, "user_domain_name (or user_domain_id) is missing, which username needs"),
    ({"project_domain_name": None}, "project_domain_name (or project_domain_id) is missing, which project_name needs"),
    ({"project_name": None}, "project_name or system_scope is missing"),
    ({"auth_type": "passwort"}, "auth_type 'passwort' is not known to keystoneauth"),
    ({"user_name": "x"}, "user_name is not a member for auth_type password; did you mean username?"),
    ({"password_file": "none"}, "password and password_file are both given"),
    ({"password": None, "password_file": "none"}, "none cannot be read: no such file or directory"),
    ({"cafile": "none.pem"}, "none.pem does not exist or cannot be read"),
    ({"keyfile": "backend.yml"}, "keyfile is given without certfile"),
    ({"insecure": "yes"}, "keystone_authtoken.insecure must be true or false"),
    ({"token_cache_time": "60"}, "keystone_authtoken.token_cache_time must be a whole number from 0 to 3600"),
    ({"http_connect_timeout": 0}, "http_connect_timeout must be a whole number from 1 to 300"),
    ({"service_token_roles": "service"}, "service_token_roles must be a list of names"),
    ({"memcache_security_strategy": "mac"}, "memcache_secret_key is missing, which memcache_security_strategy needs"),
    ({"memcache_security_strategy": "rot13"}, "memcache_security_strategy must be MAC or ENCRYPT"),
]


@pytest.mark.parametrize(("change", "expected"), WRONG, ids=[f"{next(iter(case[0].items()))}" for case in WRONG])
def test_a_wrong_member_is_a_sentence(setting: Setting, change: dict[str, t.Any], expected: str) -> None:
    assert any(expected in sentence for sentence in setting.errors(**change))


def test_every_mistake_is_told_at_once(setting: Setting) -> None:
    found = setting.errors({PREFIX + "INSECURE": "perhaps"}, auth_url=None, password=None, cafile="none.pem", projekt="x")
    assert len(found) == 5
    assert any(sentence.startswith(PREFIX + "INSECURE must be") for sentence in found)


def test_a_section_that_is_no_mapping_is_not_repeated(setting: Setting) -> None:
    path = setting.folder / "backend.yml"
    path.write_text(f"database: m\nauth_strategy: keystone\nkeystone_authtoken: {SECRET}\n")
    with pytest.raises(ConfigErrors) as caught:
        config.load(str(path), {})
    assert "keystone_authtoken must be a mapping, not text" in str(caught.value)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"auth_url": "http://keystone.example.org/v3"}, "tokens reach keystone.example.org unencrypted"),
        ({"insecure": True}, "insecure is true"),
        ({"mode": 0o644}, "can be read by every user of this machine"),
    ],
)
def test_what_is_unwise_is_a_warning(setting: Setting, changes: dict[str, t.Any], expected: str) -> None:
    assert [sentence for sentence in setting.load(**changes).warnings if expected in sentence]
    assert setting.load().warnings == ()
