# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The section `ironic` of the configuration: the Ironic behind the backend, and how the service itself logs in to it.

Beside `endpoint` its members are keystoneauth's for the chosen auth_type: password, v3applicationcredential, http_basic, none. A
member that holds a secret may be given as a file that holds it instead: `password_file`.
"""

from __future__ import annotations

import dataclasses
import os
import typing as t
import urllib.parse

from . import libs, trusted_file
from .loopback import is_loopback
from .mistakes import ConfigErrors, near_miss

NAME: t.Final = "ironic"

_COMMON: t.Final = ("endpoint", "auth_type", "cafile", "insecure")
_FILE_SUFFIX: t.Final = "_file"
_SECRET_ENDS: t.Final = ("password", "secret", "token", "passcode")


@dataclasses.dataclass(frozen=True)
class IronicSection:
    """The members as given, paths absolute; plain data. They are never shown, since there are secrets among them."""

    members: tuple[tuple[str, t.Any], ...] = dataclasses.field(default=(), repr=False)

    def over(self, other: IronicSection | None) -> IronicSection:
        """Give the members of both, this one's winning."""
        return self if other is None else IronicSection(tuple({**dict(other.members), **dict(self.members)}.items()))

    @property
    def endpoint(self) -> str:
        """The Ironic's URL, without /v1."""
        return str(dict(self.members)["endpoint"]).rstrip("/").removesuffix("/v1").rstrip("/")

    @property
    def cafile(self) -> str | None:
        """The authority's certificates, None for the system's."""
        return dict(self.members).get("cafile")

    @property
    def auth_type(self) -> str:
        """How the service logs in."""
        return str(dict(self.members).get("auth_type", "password"))

    @property
    def insecure(self) -> bool:
        """Whether certificates are not checked."""
        return bool(dict(self.members).get("insecure", False))


def read(raw: dict[t.Any, t.Any] | None, folder: str, *, is_text: bool, errors: list[str], label: str) -> IronicSection | None:
    """Give the section that stands in one place, adding a sentence to `errors` for each mistake. No sentence holds a value."""
    if raw is None:
        return None
    found: dict[str, t.Any] = {}
    for name, value in ((str(name), value) for name, value in raw.items() if value is not None):
        place = f"{label}_{name.upper()}" if is_text else f"{label}.{name}"
        if name == "insecure":
            words = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
            value = words.get(value.strip().lower(), value) if is_text else value
            if not isinstance(value, bool):
                errors.append(f"{place} must be true or false")
                continue
        elif not isinstance(value, str) or not value.strip() or any(ord(character) < 32 for character in value):
            errors.append(f"{place} must be text; quote it")
            continue
        elif name == "cafile" or name.endswith(_FILE_SUFFIX):
            value = os.path.abspath(os.path.join(folder, os.path.expanduser(value)))
        found[name] = value
    return IronicSection(tuple(found.items()))


def holds_secret(section: IronicSection | None) -> bool:
    """Tell whether a secret stands in the section itself, not in a file of its own."""
    return section is not None and any(name.endswith(_SECRET_ENDS) for name, _value in section.members)


def mistakes(section: IronicSection | None) -> list[str]:
    """Give one sentence for each mistake in the section, or for the lack of it. No sentence holds a secret."""
    try:
        options(section)
    except ConfigErrors as found:
        return list(found.errors)
    return []


def warnings(section: IronicSection | None) -> list[str]:
    """Give what is allowed but unwise, a sentence each."""
    given = dict(section.members) if section else {}
    found = []
    parts = urllib.parse.urlsplit(given.get("endpoint", ""))
    if parts.scheme == "http" and not is_loopback(parts.hostname or ""):
        found.append(f"{NAME}: credentials reach {parts.hostname} unencrypted: use https in endpoint, or keep to a network of your own")
    if given.get("insecure"):
        found.append(f"{NAME}: insecure is true, so that anyone on the way can pass for the Ironic")
    for name, value in given.items():
        if name.endswith(_FILE_SUFFIX) and isinstance(value, str):
            found += trusted_file.warnings(value)
    return found


def options(section: IronicSection | None) -> dict[str, t.Any]:
    """Give keystoneauth's options for the login, secrets read from their files. Raises ConfigErrors with every mistake."""
    if section is None or not section.members:
        raise ConfigErrors([f"{NAME} is missing: node_source ironic needs this section, with endpoint, auth_type and a login"])
    given = {"auth_type": "password", **dict(section.members)}
    errors: list[str] = []
    auth_type = given["auth_type"]
    login = _login_options(auth_type, errors)
    secrets = {name for name, option in login.items() if option.secret or name.endswith(_SECRET_ENDS)}
    known = {*_COMMON, *login, *(f"{name}{_FILE_SUFFIX}" for name in secrets)}
    for name in given:
        if login is not None and name not in known and not errors:
            errors.append(f"{NAME}: {name} is not a member for auth_type {auth_type}{near_miss(name, known)}")
    for name in sorted(secrets):
        _read_secret(name, given, errors)
    _check_url("endpoint", given, errors)
    if "auth_url" in login and auth_type not in ("none", "http_basic"):
        _check_url("auth_url", given, errors)
    if auth_type == "http_basic":
        errors += [f"{NAME}: {name} is missing, which auth_type http_basic needs" for name in ("username", "password") if name not in given]
    cafile = given.get("cafile")
    if cafile is not None and not os.access(cafile, os.R_OK):
        errors.append(f"{NAME}: cafile {cafile} does not exist or cannot be read")
    if errors:
        raise ConfigErrors(errors)
    # keystoneauth would otherwise look for the endpoint in a catalogue; it must be this Ironic, never what the catalogue names, which
    # is this service.
    return {name: value for name, value in given.items() if name in login} | ({"endpoint": section.endpoint} if "endpoint" in login else {})


def session(section: IronicSection) -> tuple[t.Any, t.Any]:
    """Give keystoneauth's session and login. Raises ConfigErrors."""
    found = options(section)
    keystoneauth1 = libs.keystoneauth1()
    auth = keystoneauth1.loading.get_plugin_loader(section.auth_type).load_from_options(**found)
    verify: t.Any = False if section.insecure else section.cafile or True
    return keystoneauth1.session.Session(verify=verify, collect_timing=False), auth


def _login_options(auth_type: str, errors: list[str]) -> dict[str, t.Any]:
    keystoneauth1 = libs.keystoneauth1()
    try:
        loader = keystoneauth1.loading.get_plugin_loader(auth_type)
    except keystoneauth1.exceptions.NoMatchingPlugin:
        errors.append(
            f"{NAME}: auth_type {auth_type!r} is not known to keystoneauth; the usual are"
            " password, v3applicationcredential, http_basic and none"
        )
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


def _check_url(name: str, given: t.Mapping[str, t.Any], errors: list[str]) -> None:
    if name not in given:
        errors.append(f"{NAME}: {name} is missing, such as https://ironic.example.org:6385")
        return
    try:
        parts = urllib.parse.urlsplit(given[name])
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    # Its text is not repeated: it may hold a password.
    if not usable or parts.username or parts.query or parts.fragment:
        errors.append(f"{NAME}: {name} must be a URL, http://… or https://…, without a user name or a query")
