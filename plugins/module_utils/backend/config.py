# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The backend's configuration: one YAML file, environment variables over it, the command line over both.

Everything is checked before anything starts, and every mistake is reported at once. Secrets are in files; no password has a default.
"""

from __future__ import annotations

import dataclasses
import os
import typing as t

from ..rules import types
from . import config_keys, database_url, ironic_section, keystone_section, libs, tls, trusted_file
from .identity import files as identity_files
from .ironic_section import IronicSection
from .keystone_section import KeystoneSection
from .loopback import is_loopback
from .mistakes import ConfigErrors, near_miss
from .policy import rulefile
from .yaml_file import read_mapping

__all__ = ["ENVIRONMENT_PREFIX", "Config", "ConfigErrors", "load"]

ENVIRONMENT_PREFIX: t.Final = "BAREMETAL_MAINTENANCE_BACKEND_"
#: The variable that names the file itself; not one of the keys.
FILE_VARIABLE: t.Final = f"{ENVIRONMENT_PREFIX}CONFIG"
#: What cannot change while the processes run.
_FIXED: t.Final = (
    "database",
    "node_source",
    "host",
    "port",
    "workers",
    "threads",
    "tls_certificate",
    "tls_key",
    "log_level",
    "test_clock",
)

#: What reads the settings that have members of their own.
_SECTIONS: t.Final[dict[str, t.Any]] = {keystone_section.NAME: keystone_section, ironic_section.NAME: ironic_section}


@dataclasses.dataclass(frozen=True)
class Config:
    """The settings of one backend. Plain data, so that it can be handed to another process. Paths are absolute."""

    #: The SQLite file, or a PostgreSQL's URL.
    database: str
    auth_strategy: str
    host: str = "127.0.0.1"
    #: 0: the system chooses a free one.
    port: int = 6386
    #: The URL under which clients reach the service, for links; None: what the request itself says. Without a slash at the end.
    public_endpoint: str | None = None
    #: htpasswd file with bcrypt hashes, as Ironic's.
    basic_auth_file: str | None = None
    #: YAML file: login → user, project, roles, system.
    identities_file: str | None = None
    #: How the service logs in to Keystone, for auth_strategy keystone.
    keystone_authtoken: KeystoneSection | None = None
    #: Where nodes live: `local`, the backend's own registry, or `ironic`, an Ironic that the backend stands in front of.
    node_source: str = "local"
    #: That Ironic, and the service's own login there.
    ironic: IronicSection | None = None
    #: Pass everything through untouched and write nothing to the Ironic; say in the log what would have been done.
    observe: bool = False
    #: What becomes of a power fault that Ironic's own recovery ended: `release` it, or leave a hold for `review`.
    recovered_power_fault: str = "release"
    #: Seconds between two looks at nodes whose holds Ironic's own recovery may wipe, and at all nodes.
    hot_interval: float = 5.0
    reconcile_interval: float = 60.0
    #: True only where it was said in two places (see `load`).
    noauth_beyond_loopback: bool = False
    #: A path, the name of a shipped policy (`guarded`), or None for the defaults.
    policy_file: str | None = None
    #: Count the admin of any project as a system admin: what the specification calls enforce_scope=False.
    project_admin_is_system: bool = False
    #: The name of the project whose service role acts at system scope.
    service_project: str | None = None
    #: The deployment's own maintenance types, each with the prefix x_.
    types: tuple[str, ...] = ()
    #: False: the API is the specification's and nothing more, as that of an Ironic would be.
    extensions: bool = True
    max_entries_per_node: int = 500
    #: Seconds that a write waits for the database before it is answered 503.
    busy_timeout: float = 5.0
    workers: int = 1
    #: Requests that one worker serves at the same time.
    threads: int = 16
    tls_certificate: str | None = None
    tls_key: str | None = None
    #: Days for which maintenance events are kept at least.
    maintenance_history_minimum_days: int = 400
    #: Days for which a node's other events are kept at least, and how many of them at most.
    node_history_minimum_days: int = 0
    node_history_max_entries: int = 300
    #: Seconds between two runs of retention.
    retention_interval: float = 3600.0
    log_level: str = "info"
    #: Seconds by which the service's clock is ahead of the database's; for tests.
    test_clock: float = 0.0
    #: What is allowed but unwise, a sentence each, for the log.
    warnings: tuple[str, ...] = ()

    @property
    def database_url(self) -> str:
        """The database as SQLAlchemy names it."""
        return self.database if database_url.is_postgresql(self.database) else f"sqlite:///{self.database}"

    @property
    def scheme(self) -> str:
        """`https` where TLS is set up, else `http`."""
        return "https" if self.tls_certificate else "http"

    def reloaded(self, fresh: Config) -> Config:
        """Give the settings of `fresh`, but for those that hold as long as the processes run."""
        return dataclasses.replace(fresh, **{name: getattr(self, name) for name in _FIXED})

    def waiting_for_restart(self, fresh: Config) -> tuple[str, ...]:
        """Give the names of the settings in `fresh` that differ and that a reload does not take over."""
        return tuple(name for name in _FIXED if getattr(self, name) != getattr(fresh, name))


def load(
    path: str | None,
    environ: t.Mapping[str, str],
    overrides: t.Mapping[str, str] | None = None,
    *,
    serving: bool = True,
) -> Config:
    """Read and check the configuration.

    path: the YAML file, None for none. environ: the process's environment; a key's variable is ENVIRONMENT_PREFIX and the key in
    capitals. overrides: what the command line sets, as text. Relative paths count from the file's folder if they stand in the
    file, else from the working directory. `noauth_beyond_loopback` needs two of the three places; `test_clock` is for the
    command line only. serving False: only the database matters; what else is wrong with a known key is for the server to say.
    Raises ConfigErrors with every mistake; MissingPackage where a package is missing.
    """
    libs.require()
    errors: list[str] = []
    places = [
        _Place(path or "", _file(path, errors), os.path.dirname(os.path.abspath(path)) if path else os.getcwd(), is_text=False),
        _Place("the environment", _environment(environ, errors), os.getcwd(), is_text=True),
        _Place("the command line", dict(overrides or {}), os.getcwd(), is_text=True),
    ]
    given: dict[str, t.Any] = {}
    told = 0
    secret_in_file = False
    wrong: set[str] = set()
    for place in places:
        for name, raw in place.values.items():
            key = config_keys.KEYS.get(name)
            if key is None:
                errors.append(f"{place.label(name)} is not a setting of this service{near_miss(name, config_keys.KEYS)}")
                continue
            if name == "test_clock" and place is not places[2]:
                errors.append(f"{place.label(name)} can be set on the command line only")
                continue
            try:
                value = key.read(raw, folder=place.folder, is_text=place.is_text and not key.section)
            except ValueError as error:
                errors.append(f"{place.label(name)} {error}")
                wrong.add(name)
                continue
            if key.section:
                section = _SECTIONS[name]
                value = section.read(value, place.folder, is_text=place.is_text, errors=errors, label=place.label(name))
                secret_in_file = secret_in_file or (not place.is_text and section.holds_secret(value))
                value = given.get(name) if value is None else value.over(given.get(name))
            elif name == "database":
                secret_in_file = secret_in_file or (not place.is_text and database_url.has_password(value))
            given[name] = value
            if name == "noauth_beyond_loopback" and given[name]:
                told += 1
    given = {name: value for name, value in given.items() if name not in wrong}
    for name in ("database", "auth_strategy") if serving else ("database",):
        if given.get(name) is None and name not in wrong:
            errors.append(f"{name} is missing: {config_keys.KEYS[name].expects}")
    if given.get("noauth_beyond_loopback"):
        given["noauth_beyond_loopback"] = told >= 2
    # What is missing or wrong is reported already; these stand in so that the rest can be checked as well.
    config = Config(**{"database": "", "auth_strategy": "", **{name: value for name, value in given.items() if value is not None}})
    errors += _database_mistakes(config)
    if serving:
        errors += _contradictions(config, told)
    if errors:
        raise ConfigErrors(errors)
    found = [*_warnings(config), *(trusted_file.warnings(path) if path and secret_in_file else [])]
    return dataclasses.replace(config, warnings=tuple(found))


@dataclasses.dataclass(frozen=True)
class _Place:
    """One of the places where settings are made."""

    name: str
    values: t.Mapping[str, t.Any]
    folder: str
    is_text: bool

    def label(self, key: str) -> str:
        if self.name == "the environment":
            return ENVIRONMENT_PREFIX + key.upper()
        if self.name == "the command line":
            return "--" + key.replace("_", "-")
        return f"{self.name}: {key}"


def _file(path: str | None, errors: list[str]) -> dict[str, t.Any]:
    if path is None:
        return {}
    errors += [f"configuration file {sentence}" for sentence in trusted_file.mistakes(path)]
    try:
        return read_mapping(path)
    except ValueError as error:
        errors.append(f"configuration file {error}")
        return {}


def _environment(environ: t.Mapping[str, str], errors: list[str]) -> dict[str, t.Any]:
    """Give the settings made in the environment. A variable that is empty counts as not set. A section's variables begin with its name."""
    names = sorted(name for name in environ if name.startswith(ENVIRONMENT_PREFIX) and name != FILE_VARIABLE)
    found: dict[str, t.Any] = {name.removeprefix(ENVIRONMENT_PREFIX).lower(): environ[name] for name in names if environ[name]}
    for section in (name for name, key in config_keys.KEYS.items() if key.section):
        members = {name: found.pop(name) for name in list(found) if name.startswith(f"{section}_")}
        if members:
            found[section] = {name.removeprefix(f"{section}_"): text for name, text in members.items()}
    return found


def _database_mistakes(config: Config) -> list[str]:
    if not config.database or database_url.is_postgresql(config.database):
        return []
    folder = os.path.dirname(config.database)
    if not os.path.isdir(folder):
        return [f"database: the folder {folder} does not exist"]
    if os.path.isdir(config.database):
        return [f"database: {config.database} is a folder, not a file"]
    return []


def _contradictions(config: Config, told: int) -> list[str]:
    """Find what is wrong with the settings together, and with what they point to."""
    errors: list[str] = []
    if config.auth_strategy == "http_basic":
        errors += identity_files.mistakes(config.basic_auth_file, config.identities_file)
    if config.auth_strategy == "keystone":
        errors += keystone_section.mistakes(config.keystone_authtoken)
    if config.node_source == "ironic":
        errors += ironic_section.mistakes(config.ironic)
    elif config.observe:
        errors.append("observe is for a service in front of an Ironic: set node_source to ironic, or leave observe out")
    if config.auth_strategy == "noauth" and not is_loopback(config.host) and not config.noauth_beyond_loopback:
        again = "it stands in one place only: say it a second time, in the environment or as --noauth-beyond-loopback"
        first = "set noauth_beyond_loopback in the file and again on the command line"
        errors.append(
            f"auth_strategy noauth makes everyone a system admin, so it is refused on {config.host}, which is not loopback; "
            f"if that is meant, {again if told else first}"
        )
    if config.test_clock and not is_loopback(config.host):
        errors.append(f"--test-clock is refused on {config.host}: it is for tests on loopback")
    if not config.extensions and config.node_source != "local":
        errors.append("extensions can be false for local nodes only: it is for trying out clients")
    errors += _type_mistakes(config.types)
    errors += rulefile.mistakes(config.policy_file)
    errors += tls.mistakes(config.tls_certificate, config.tls_key)
    for path in _deciding_files(config):
        errors += trusted_file.mistakes(path)
    return errors


def _type_mistakes(names: t.Iterable[str]) -> list[str]:
    errors: list[str] = []
    good: list[str] = []
    for name in names:
        try:
            types.Registry([*good, name])
        except ValueError as error:
            errors.append(f"types: {error}")
        else:
            good.append(name)
    return errors


def _deciding_files(config: Config) -> list[str]:
    policy_file = None if config.policy_file is None else rulefile.path_of(config.policy_file)
    files = [policy_file, config.tls_key]
    if config.auth_strategy == "http_basic":
        files += [config.basic_auth_file, config.identities_file]
    return [file for file in files if file]


def _warnings(config: Config) -> tuple[str, ...]:
    found: list[str] = []
    if config.auth_strategy == "noauth":
        found.append(f"auth_strategy noauth: everyone who reaches {config.host} is a system admin")
    if config.test_clock:
        found.append(f"--test-clock: this service's clock is {config.test_clock:+g} seconds off, and what it records is too")
    secrets = [config.tls_key, config.basic_auth_file if config.auth_strategy == "http_basic" else None]
    for path in secrets:
        found += trusted_file.warnings(path) if path else []
    if config.auth_strategy == "keystone":
        found += keystone_section.warnings(config.keystone_authtoken)
    if config.node_source == "ironic":
        found += ironic_section.warnings(config.ironic)
    if config.observe:
        found.append("observe: nothing is refused and nothing is written to the Ironic; holds stop nobody")
    what = {"http_basic": "passwords", "keystone": "tokens"}.get(config.auth_strategy)
    if what and not config.tls_certificate and not is_loopback(config.host):
        found.append(f"{what} reach {config.host} unencrypted unless a TLS proxy stands in front; see tls_certificate")
    return tuple(found)
