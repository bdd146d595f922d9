# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The section `keystone_authtoken` of the configuration: how the service itself logs in to Keystone, in order to check its callers' tokens.

Its members are those of the section of the same name in other OpenStack services. A member that holds a secret, such as `password`, may
be given as a file that holds it instead: `password_file`.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import os
import typing as t
import urllib.parse

from . import libs, trusted_file
from .loopback import is_loopback
from .mistakes import ConfigErrors, near_miss

NAME: t.Final = "keystone_authtoken"

_FILES: t.Final = ("cafile", "certfile", "keyfile")
_SWITCHES: t.Final = ("insecure", "service_token_roles_required")
_NUMBERS: t.Final = {"http_connect_timeout": (1, 300), "http_request_max_retries": (0, 10), "token_cache_time": (0, 3600)}
_LISTS: t.Final = ("memcached_servers", "service_token_roles")
_TEXTS: t.Final = (
    "auth_url",
    "www_authenticate_uri",
    "auth_type",
    "region_name",
    "interface",
    "memcache_security_strategy",
    "memcache_secret_key",
    "service_type",
)
#: What holds whatever the service logs in with; the rest belongs to the auth_type and is known to keystoneauth.
_COMMON: t.Final = (*_TEXTS, *_FILES, *_SWITCHES, *_NUMBERS, *_LISTS)
_FILE_SUFFIX: t.Final = "_file"
_SECRET_ENDS: t.Final = ("password", "secret", "secret_key", "token", "passcode")

_DEFAULTS: t.Final[dict[str, t.Any]] = {
    "auth_type": "password",
    # The middleware would wait for ever by default.
    "http_connect_timeout": 10,
    "http_request_max_retries": 1,
    "token_cache_time": 60,
    "service_token_roles": ["service"],
    "service_token_roles_required": True,
    # Tokens of application credentials with access rules name the service that they are good for.
    "service_type": "baremetal",
}
#: Of these, which the plugins do not require because a token could also stand in for them, one must be given.
_EITHER: t.Final = {
    "password": (("username", "user_id"), ("password",)),
    "v3password": (("username", "user_id"), ("password",)),
    "v3applicationcredential": (("application_credential_id", "application_credential_name"), ("application_credential_secret",)),
}


@dataclasses.dataclass(frozen=True)
class KeystoneSection:
    """The members as given, paths absolute; plain data. They are never shown, since there are secrets among them."""

    members: tuple[tuple[str, t.Any], ...] = dataclasses.field(default=(), repr=False)

    def over(self, other: KeystoneSection | None) -> KeystoneSection:
        """Give the members of both, this one's winning."""
        return self if other is None else KeystoneSection(tuple({**dict(other.members), **dict(self.members)}.items()))


def read(raw: dict[t.Any, t.Any] | None, folder: str, *, is_text: bool, errors: list[str], label: str) -> KeystoneSection | None:
    """Give the section that stands in one place, adding a sentence to `errors` for each mistake. No sentence holds a value.

    is_text: the values are text, as the environment has them. label: how the place names the section.
    """
    if raw is None:
        return None
    found: dict[str, t.Any] = {}
    for name, value in ((str(name), value) for name, value in raw.items() if value is not None):
        try:
            found[name] = _converted(name, value, folder, is_text)
        except ValueError as error:
            place = f"{label}_{name.upper()}" if is_text else f"{label}.{name}"
            errors.append(f"{place} must be {error}")
    return KeystoneSection(tuple(found.items()))


def holds_secret(section: KeystoneSection | None) -> bool:
    """Tell whether a secret stands in the section itself, not in a file of its own."""
    return section is not None and any(name.endswith(_SECRET_ENDS) for name, _value in section.members)


def mistakes(section: KeystoneSection | None) -> list[str]:
    """Give one sentence for each mistake in the section, or for the lack of it. No sentence holds a secret."""
    try:
        options(section)
    except ConfigErrors as found:
        return list(found.errors)
    return []


def warnings(section: KeystoneSection | None) -> list[str]:
    """Give what is allowed but unwise, a sentence each."""
    given = dict(section.members) if section else {}
    found = []
    parts = urllib.parse.urlsplit(given.get("auth_url", ""))
    if parts.scheme == "http" and not is_loopback(parts.hostname or ""):
        found.append(f"{NAME}: the service's password and its callers' tokens reach {parts.hostname} unencrypted: use https in auth_url")
    if given.get("insecure"):
        found.append(f"{NAME}: insecure is true, so that anyone on the way can pass for Keystone and let everyone in")
    for name, value in given.items():
        if name.endswith(_FILE_SUFFIX) and isinstance(value, str):
            found += trusted_file.warnings(value)
    return found


def options(section: KeystoneSection | None) -> dict[str, t.Any]:
    """Give the options of keystonemiddleware: the members, secrets read from their files, with defaults. Raises ConfigErrors."""
    if section is None or not section.members:
        raise ConfigErrors([f"{NAME} is missing: auth_strategy keystone needs this section, with auth_url, username, password and so on"])
    libs.keystonemiddleware()
    given = {**_DEFAULTS, **dict(section.members)}
    errors: list[str] = []
    login = _login_options(given["auth_type"], errors)
    secrets = {name for name, option in login.items() if option.secret} | {"memcache_secret_key"}
    known = {*_COMMON, *login, *(f"{name}{_FILE_SUFFIX}" for name in secrets)}
    for name in given:
        if login and name not in known:
            errors.append(f"{NAME}: {name} is not a member for auth_type {given['auth_type']}{near_miss(name, known)}")
    for name in sorted(secrets):
        _read_secret(name, given, errors)
    _check_urls(given, errors)
    _check_login(given, login, errors)
    _check_files(given, errors)
    _check_cache(given, errors)
    if errors:
        raise ConfigErrors(errors)
    given.setdefault("www_authenticate_uri", given["auth_url"])
    if given["token_cache_time"] == 0:
        # The middleware would take 0 for "for ever".
        given["token_cache_time"] = -1
    return given


def _converted(name: str, value: t.Any, folder: str, is_text: bool) -> t.Any:
    """Give a member's value. Raises ValueError with what it must be."""
    if name in _SWITCHES:
        words = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
        value = words.get(value.strip().lower(), value) if is_text else value
        if not isinstance(value, bool):
            raise ValueError("true or false")
    elif name in _NUMBERS:
        low, high = _NUMBERS[name]
        value = int(value) if is_text and value.strip().isdecimal() else value
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError(f"a whole number from {low} to {high}")
    elif name in _LISTS:
        value = [item.strip() for item in value.split(",") if item.strip()] if is_text else value
        if not isinstance(value, list) or not value or not all(isinstance(item, str) and item for item in value):
            raise ValueError("a list of names")
        value = tuple(value)
    elif not isinstance(value, str) or not value.strip() or any(ord(character) < 32 for character in value):
        raise ValueError("text; quote it")
    elif name in _FILES or name.endswith(_FILE_SUFFIX):
        value = os.path.abspath(os.path.join(folder, os.path.expanduser(value)))
    return value


def _login_options(auth_type: str, errors: list[str]) -> dict[str, t.Any]:
    """Give keystoneauth's options for an auth_type by the names that they have here; {} and a sentence if it knows none."""
    loading = libs.keystoneauth1().loading
    try:
        loader = loading.get_plugin_loader(auth_type)
    except libs.keystoneauth1().exceptions.NoMatchingPlugin:
        errors.append(f"{NAME}: auth_type {auth_type!r} is not known to keystoneauth; the usual are password and v3applicationcredential")
        return {}
    return {option.dest: option for option in loader.get_options()}


def _read_secret(name: str, given: dict[str, t.Any], errors: list[str]) -> None:
    """Put the secret that stands in a file in the place of the file's name."""
    path = given.pop(f"{name}{_FILE_SUFFIX}", None)
    if path is None:
        return
    if name in given:
        errors.append(f"{NAME}: {name} and {name}{_FILE_SUFFIX} are both given: leave one out")
        return
    errors += [f"{NAME}: {sentence}" for sentence in trusted_file.mistakes(path)]
    try:
        with open(path, encoding="utf-8") as stream:
            secret = stream.read().strip("\r\n")
    except UnicodeDecodeError:
        errors.append(f"{NAME}: {name}{_FILE_SUFFIX} {path} is not UTF-8 text")
        return
    except OSError as error:
        errors.append(f"{NAME}: {name}{_FILE_SUFFIX} {path} cannot be read: {(error.strerror or str(error)).lower()}")
        return
    if not secret or "\n" in secret:
        errors.append(f"{NAME}: {name}{_FILE_SUFFIX} {path} must hold one line")
        return
    given[name] = secret


def _check_urls(given: t.Mapping[str, t.Any], errors: list[str]) -> None:
    if "auth_url" not in given:
        errors.append(f"{NAME}: auth_url is missing: Keystone's address, such as https://keystone.example.org/v3")
    for name in ("auth_url", "www_authenticate_uri"):
        if name not in given:
            continue
        try:
            parts = urllib.parse.urlsplit(given[name])
            usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:
            usable = False
        # Its text is not repeated: it may hold a password.
        if not usable or parts.username or parts.query or parts.fragment or '"' in given[name]:
            errors.append(f"{NAME}: {name} must be a URL, http://… or https://…, without a user name or a query")


def _check_login(given: t.Mapping[str, t.Any], login: t.Mapping[str, t.Any], errors: list[str]) -> None:
    for names in _EITHER.get(given["auth_type"], ()):
        if not any(name in given for name in names):
            errors.append(f"{NAME}: {' or '.join(names)} is missing, which auth_type {given['auth_type']} needs")
    if given["auth_type"] in ("password", "v3password"):
        for what, name in (("user", "username"), ("project", "project_name")):
            domains = (f"{what}_domain_id", f"{what}_domain_name", "default_domain_id", "default_domain_name")
            if name in given and not any(domain in given for domain in domains):
                errors.append(f"{NAME}: {what}_domain_name (or {what}_domain_id) is missing, which {name} needs")
        if not any(name in given for name in ("project_id", "project_name", "system_scope", "trust_id")):
            errors.append(f"{NAME}: project_name or system_scope is missing: a login without either may check no token")
    for name, option in login.items():
        if option.required and name not in given and name != "auth_url":
            errors.append(f"{NAME}: {name} is missing, which auth_type {given['auth_type']} needs")


def _check_files(given: t.Mapping[str, t.Any], errors: list[str]) -> None:
    for name in _FILES:
        path = given.get(name)
        if path is not None and not os.access(path, os.R_OK):
            errors.append(f"{NAME}: {name} {path} does not exist or cannot be read")
    if "keyfile" in given and "certfile" not in given:
        errors.append(f"{NAME}: keyfile is given without certfile")


def _check_cache(given: t.Mapping[str, t.Any], errors: list[str]) -> None:
    strategy = given.get("memcache_security_strategy")
    if strategy is not None and strategy.upper() not in ("NONE", "MAC", "ENCRYPT"):
        errors.append(f"{NAME}: memcache_security_strategy must be MAC or ENCRYPT")
    elif strategy is not None and strategy.upper() != "NONE" and "memcache_secret_key" not in given:
        errors.append(f"{NAME}: memcache_secret_key is missing, which memcache_security_strategy needs")
    if "memcached_servers" in given and importlib.util.find_spec("memcache") is None:
        errors.append(f"{NAME}: memcached_servers needs the package python-memcached: install it with `pip install python-memcached`")
