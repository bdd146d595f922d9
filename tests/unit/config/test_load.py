# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The configuration: where settings come from, what is refused, and that every mistake is reported at once."""

from __future__ import annotations

import dataclasses
import pathlib
import pickle
import typing as t

import pytest
import yaml
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend import config, config_keys, database_url
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.config import Config, ConfigErrors
from ansible_collections.baremetal.maintenance.tests.support.certificates import Authority

HASH = "$2y$05$BC47Q7g5iCv.xPfLSXSjsuuMhXOkgNTuSKwV3CIkUsFhBUzg4HZQ."
PREFIX = config.ENVIRONMENT_PREFIX


class Setting:
    """A folder with the files of a right http_basic configuration, and what to load from it."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.settings: dict[str, t.Any] = {
            "database": "maintenance.sqlite",
            "auth_strategy": "http_basic",
            "basic_auth_file": "htpasswd",
            "identities_file": "identities.yml",
        }
        self.write("htpasswd", f"op:{HASH}\n")
        self.write("identities.yml", "op: {user_id: op-id, roles: [admin], system: true}\n")

    def write(self, name: str, text: str, mode: int = 0o600) -> str:
        """Write a file and give its path."""
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        path.chmod(mode)
        return str(path)

    def load(self, environ: t.Mapping[str, str] | None = None, overrides: t.Mapping[str, str] | None = None, **more: t.Any) -> Config:
        """Load the settings, changed by `more`; None takes one out."""
        chosen = {name: value for name, value in {**self.settings, **more}.items() if value is not None}
        return config.load(self.write("backend.yml", yaml.safe_dump(chosen)), environ or {}, overrides)

    def errors(self, environ: t.Mapping[str, str] | None = None, overrides: t.Mapping[str, str] | None = None, **more: t.Any) -> list[str]:
        """Give the mistakes; fail if there is none."""
        with pytest.raises(ConfigErrors) as caught:
            self.load(environ, overrides, **more)
        assert all("\n" not in sentence for sentence in caught.value.errors)
        return list(caught.value.errors)


@pytest.fixture
def setting(tmp_path: pathlib.Path) -> Setting:
    """A right configuration, to change."""
    return Setting(tmp_path)


def test_a_right_file_is_taken(setting: Setting) -> None:
    loaded = setting.load(port=7000, types=["x_recall"], busy_timeout=2)
    assert (loaded.port, loaded.types, loaded.busy_timeout, loaded.host) == (7000, ("x_recall",), 2.0, "127.0.0.1")
    assert loaded.warnings == ()


def test_every_setting_has_a_key_and_every_key_a_setting() -> None:
    fields = {field.name for field in dataclasses.fields(Config)}
    assert fields - {"warnings"} == set(config_keys.KEYS)


def test_paths_in_the_file_count_from_its_folder(setting: Setting) -> None:
    loaded = setting.load()
    assert loaded.database == str(setting.folder / "maintenance.sqlite")
    assert loaded.basic_auth_file == str(setting.folder / "htpasswd")


def test_paths_elsewhere_count_from_the_working_folder(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    other = setting.folder / "elsewhere"
    other.mkdir()
    monkeypatch.chdir(other)
    assert setting.load({PREFIX + "DATABASE": "a.sqlite"}).database == str(other / "a.sqlite")
    assert setting.load({}, {"database": "b.sqlite"}).database == str(other / "b.sqlite")


def test_the_environment_overrides_the_file_and_the_command_line_both(setting: Setting) -> None:
    environ = {PREFIX + "PORT": "7001", PREFIX + "THREADS": "4", PREFIX + "TYPES": "x_a, x_b"}
    loaded = setting.load(environ, {"port": "7002"}, port=7000, threads=2)
    assert (loaded.port, loaded.threads, loaded.types) == (7002, 4, ("x_a", "x_b"))


def test_an_empty_variable_counts_as_not_set(setting: Setting) -> None:
    assert setting.load({PREFIX + "PORT": ""}, port=7000).port == 7000


def test_no_file_is_needed(tmp_path: pathlib.Path) -> None:
    environ = {PREFIX + "DATABASE": str(tmp_path / "m.sqlite"), PREFIX + "AUTH_STRATEGY": "noauth"}
    assert config.load(None, environ).auth_strategy == "noauth"


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("m.sqlite", "sqlite:///{folder}/m.sqlite"),
        ("sqlite:///m.sqlite", "sqlite:///{folder}/m.sqlite"),
        ("sqlite:////{folder}/m.sqlite", "sqlite:///{folder}/m.sqlite"),
    ],
)
def test_the_database_is_a_path_or_an_sqlite_url(setting: Setting, given: str, url: str) -> None:
    folder = str(setting.folder)
    assert setting.load(database=given.replace("/{folder}", folder)).database_url == url.replace("{folder}", folder)


@pytest.mark.parametrize("scheme", ["postgresql", "postgresql+psycopg"])
def test_the_database_may_be_a_postgresql(setting: Setting, scheme: str) -> None:
    loaded = setting.load(database=f"{scheme}://op:s%40cret@db.example:5433/holds?sslmode=verify-full")
    assert loaded.database_url == "postgresql+psycopg://op:s%40cret@db.example:5433/holds?sslmode=verify-full"
    assert database_url.shown(loaded.database) == "postgresql://db.example:5433/holds"


def test_a_password_in_a_file_that_all_can_read_is_warned_of(setting: Setting) -> None:
    path = setting.write("all.yml", "database: postgresql://op:secret@db.example/holds\nauth_strategy: noauth\n")
    pathlib.Path(path).chmod(0o644)
    assert any("all.yml can be read by every user" in sentence for sentence in config.load(path, {}).warnings)
    pathlib.Path(path).chmod(0o600)
    assert not any("all.yml" in sentence for sentence in config.load(path, {}).warnings)


def test_every_mistake_is_reported_at_once(setting: Setting) -> None:
    setting.write("policy.yaml", "'baremetal:node:gett': '@'\n")
    setting.write("identities.yml", "op: {user_id: 7, role: admin}\n")
    found = setting.errors(
        {PREFIX + "PROT": "1"},
        databse="x",
        port="6386",
        workers=0,
        types=["x_a", "x_a", "recall"],
        policy_file="policy.yaml",
        tls_certificate="none.pem",
    )
    expected = [
        "backend.yml: databse is not a setting of this service; did you mean database?",
        "backend.yml: port must be a number from 0 to 65535, not '6386'",
        "backend.yml: workers must be a number from 1 to 64, not 0",
        f"{PREFIX}PROT is not a setting of this service; did you mean port?",
        "identities.yml: 'op': 'role' is not known here; did you mean roles?",
        "identities.yml: 'op': user_id must be text, not a number; quote it",
        "identities.yml: 'op': roles must be a list of at least one role's name",
        "types: maintenance type 'x_a' is listed twice",
        "types: maintenance type 'recall' is refused",
        "'baremetal:node:gett' is not a rule of this service",
        "none.pem cannot be read: no such file or directory",
        "tls_key is missing",
    ]
    for sentence in expected:
        assert any(sentence in error for error in found), (sentence, found)
    assert len(found) == len(expected)


WRONG = [
    ({"database": None}, "database is missing: the path of an SQLite file or a postgresql URL"),
    ({"auth_strategy": None}, "auth_strategy is missing: http_basic, keystone or noauth"),
    ({"auth_strategy": "basic"}, "auth_strategy must be http_basic, keystone or noauth, not 'basic'"),
    ({"auth_strategy": "keystone"}, "keystone_authtoken is missing: auth_strategy keystone needs this section"),
    ({"database": "none/m.sqlite"}, "none does not exist"),
    ({"database": "."}, "is a folder, not a file"),
    ({"database": ":memory:"}, "a database in memory cannot be shared"),
    ({"database": "sqlite://"}, "a database in memory cannot be shared"),
    ({"database": "postgresql://db"}, "names no database"),
    ({"database": "postgresql+psycopg2://u:secret@db/m"}, "names 'postgresql+psycopg2'"),
    ({"database": "postgresql://u:secret@db:x/m"}, "must be postgresql+psycopg://USER:PASSWORD@HOST:PORT/DATABASE"),
    ({"database": "postgresql://u:secret@db/m?sslmod=require"}, "has the option 'sslmod', which PostgreSQL's client does not know"),
    ({"database": "mysql://u:secret@db/m"}, "names 'mysql'"),
    ({"database": 3}, "must be the path of an SQLite file or a postgresql URL, not 3"),
    ({"basic_auth_file": None}, "basic_auth_file is missing"),
    ({"identities_file": None}, "identities_file is missing"),
    ({"basic_auth_file": "none"}, "none cannot be read: no such file or directory"),
    ({"basic_auth_file": "."}, "cannot be read: is a directory"),
    ({"policy_file": "none.yaml"}, "none.yaml cannot be read: no such file or directory"),
    ({"policy_file": ""}, "policy_file must be the path of a policy file or the name of a shipped one"),
    ({"port": 65536}, "port must be a number from 0 to 65535, not 65536"),
    ({"port": True}, "port must be a number from 0 to 65535, not True"),
    ({"port": 1.5}, "port must be a number"),
    ({"busy_timeout": "fast"}, "busy_timeout must be seconds from 0.1 to 300, not 'fast'"),
    ({"busy_timeout": float("nan")}, "busy_timeout must be seconds"),
    ({"project_admin_is_system": "yes"}, "project_admin_is_system must be true or false, not 'yes'"),
    ({"types": "x_a"}, "types must be a list of names, not 'x_a'"),
    ({"types": [1]}, "types must be a list of names, not a list"),
    ({"public_endpoint": "db.example"}, "public_endpoint must be a URL"),
    ({"public_endpoint": "http://u:p@db.example"}, "public_endpoint must be a URL"),
    ({"log_level": "verbose"}, "log_level must be one of debug, info, warning, error"),
    ({"test_clock": 5}, "test_clock can be set on the command line only"),
    ({"max_entries_per_node": 0}, "max_entries_per_node must be a number from 1"),
    ({"service_project": ""}, "service_project must be the name of a project"),
]


@pytest.mark.parametrize(("change", "expected"), WRONG, ids=[f"{next(iter(case[0].items()))}" for case in WRONG])
def test_a_wrong_setting_is_one_sentence(setting: Setting, change: dict[str, t.Any], expected: str) -> None:
    if next(iter(change.values())) is None:
        setting.settings.pop(next(iter(change)))
        change = {}
    found = setting.errors(**change)
    assert len(found) == 1
    assert expected in found[0]


def test_a_password_in_a_refused_database_url_is_not_repeated(setting: Setting) -> None:
    assert "secret" not in setting.errors(database="mysql://u:secret@db/m")[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("port: [\n", "is not valid YAML at line"),
        ("- port\n", "must hold a mapping of names to values, not a list"),
        ("port: 1\nport: 2\n", "the key 'port' stands twice"),
        ("1: 2\n", "the key 1 is a number, not text; quote it"),
    ],
)
def test_a_broken_file_is_one_sentence(tmp_path: pathlib.Path, text: str, expected: str) -> None:
    path = tmp_path / "backend.yml"
    path.write_text(text, encoding="utf-8")
    environ = {PREFIX + "DATABASE": str(tmp_path / "m"), PREFIX + "AUTH_STRATEGY": "noauth"}
    with pytest.raises(ConfigErrors) as caught:
        config.load(str(path), environ)
    assert len(caught.value.errors) == 1
    assert expected in caught.value.errors[0]


def test_a_missing_file_is_one_sentence_beside_what_is_missing_for_it(tmp_path: pathlib.Path) -> None:
    with pytest.raises(ConfigErrors, match="none.yml cannot be read: no such file or directory"):
        config.load(str(tmp_path / "none.yml"), {})


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_noauth_is_taken_on_loopback(setting: Setting, host: str) -> None:
    loaded = setting.load(auth_strategy="noauth", host=host)
    assert any("everyone who reaches" in sentence for sentence in loaded.warnings)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "node.example", ""])
def test_noauth_is_refused_elsewhere(setting: Setting, host: str) -> None:
    assert setting.errors(auth_strategy="noauth", host=host)


def test_noauth_elsewhere_needs_to_be_told_twice(setting: Setting) -> None:
    beyond = {"auth_strategy": "noauth", "host": "0.0.0.0"}
    variable, option = {PREFIX + "NOAUTH_BEYOND_LOOPBACK": "true"}, {"noauth_beyond_loopback": "true"}
    assert "one place only" in setting.errors(**beyond, noauth_beyond_loopback=True)[0]
    assert "one place only" in setting.errors({}, option, **beyond)[0]
    assert setting.load({}, option, **beyond, noauth_beyond_loopback=True).noauth_beyond_loopback
    assert setting.load(variable, {}, **beyond, noauth_beyond_loopback=True).noauth_beyond_loopback
    assert setting.load(variable, option, **beyond).noauth_beyond_loopback


def test_noauth_elsewhere_is_taken_back_by_the_later_place(setting: Setting) -> None:
    variable = {PREFIX + "NOAUTH_BEYOND_LOOPBACK": "true"}
    again = {"noauth_beyond_loopback": "false"}
    assert setting.errors(variable, again, auth_strategy="noauth", host="0.0.0.0", noauth_beyond_loopback=True)


def test_the_test_clock_is_for_loopback(setting: Setting) -> None:
    assert setting.load({}, {"test_clock": "-86400.5"}).test_clock == -86400.5
    assert "--test-clock is refused on 0.0.0.0" in setting.errors({}, {"test_clock": "1"}, host="0.0.0.0")[0]
    assert "can be set on the command line only" in setting.errors({PREFIX + "TEST_CLOCK": "1"})[0]


def test_the_shipped_policy_is_named_by_its_name(setting: Setting) -> None:
    assert setting.load(policy_file="guarded").policy_file == "guarded"


@pytest.mark.parametrize("name", ["htpasswd", "identities.yml", "policy.yaml"])
def test_a_file_that_decides_who_is_let_in_is_not_everyones_to_write(setting: Setting, name: str) -> None:
    setting.write("policy.yaml", "'baremetal:node:get': '!'\n")
    setting.load(policy_file="policy.yaml")
    (setting.folder / name).chmod(0o606)
    assert setting.errors(policy_file="policy.yaml")[0].endswith("can be changed by every user of this machine: chmod o-w it")


def test_the_configuration_file_is_not_everyones_to_write(setting: Setting) -> None:
    setting.load()
    path = setting.folder / "backend.yml"
    path.chmod(0o606)
    with pytest.raises(ConfigErrors, match="backend.yml can be changed by every user of this machine"):
        config.load(str(path), {})


def test_a_secret_that_everyone_can_read_is_warned_about(setting: Setting) -> None:
    (setting.folder / "htpasswd").chmod(0o644)
    assert setting.load().warnings == (f"{setting.folder}/htpasswd can be read by every user of this machine: chmod o-r it",)


def test_passwords_without_tls_are_warned_about(setting: Setting) -> None:
    assert "unencrypted" in setting.load(host="0.0.0.0").warnings[0]


def test_a_certificate_and_its_key_are_taken(setting: Setting) -> None:
    pair = Authority(setting.folder).issue("backend")
    assert setting.load(tls_certificate=pair.certificate, tls_key=pair.key).scheme == "https"
    assert setting.load().scheme == "http"


def test_a_key_of_another_certificate_is_refused(setting: Setting) -> None:
    authority = Authority(setting.folder)
    one, other = authority.issue("one"), authority.issue("other")
    assert "the key does not belong to the certificate" in setting.errors(tls_certificate=one.certificate, tls_key=other.key)[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nonsense", "not a PEM certificate and key"),
        ("-----BEGIN ENCRYPTED PRIVATE KEY-----\n", "is encrypted"),
    ],
)
def test_a_key_that_is_none_is_refused(setting: Setting, text: str, expected: str) -> None:
    pair = Authority(setting.folder).issue("backend")
    assert expected in setting.errors(tls_certificate=pair.certificate, tls_key=setting.write("key.pem", text))[0]


def test_a_command_that_does_not_serve_needs_the_database_alone(setting: Setting) -> None:
    path = setting.write("backend.yml", "database: m.sqlite\n")
    assert config.load(path, {}, serving=False).database == str(setting.folder / "m.sqlite")
    with pytest.raises(ConfigErrors, match="database is missing"):
        config.load(setting.write("backend.yml", "auth_strategy: noauth\n"), {}, serving=False)


def test_a_configuration_can_be_handed_to_another_process(setting: Setting) -> None:
    loaded = setting.load()
    assert pickle.loads(pickle.dumps(loaded)) == loaded
    errors = ConfigErrors(["one", "two"])
    assert pickle.loads(pickle.dumps(errors)).errors == ("one", "two")


def test_what_cannot_change_while_serving_is_kept_and_named(setting: Setting) -> None:
    running = setting.load(port=7000)
    fresh = setting.load(port=7001, types=["x_new"])
    assert running.waiting_for_restart(fresh) == ("port",)
    assert (running.reloaded(fresh).port, running.reloaded(fresh).types) == (7000, ("x_new",))
