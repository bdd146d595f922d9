# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which login to Keystone the options and the environment ask for. Nothing is read or sent here, and no library is needed."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import typing as t

from .. import errors, network, options

#: What holds a secret among the members of a login, by the end of its name.
_SECRET_ENDS: t.Final = ("password", "secret", "token", "passcode")
#: Variables that say which files openstacksdk reads, by what they replace.
_FILES: t.Final = ("OS_CLIENT_CONFIG_FILE", "OS_CLIENT_SECURE_FILE")
_PREFIX: t.Final = "OS_"
#: By plugin, the members of which one must be given.
_NEEDED: t.Final = {
    "password": (("username", "user_id"), ("password",)),
    "v3applicationcredential": (("application_credential_secret",),),
    "token": (),
}


@dataclasses.dataclass(frozen=True)
class Wanted:
    """One login. Either `cloud` names an entry of clouds.yaml, or `auth` has the members of a login with keystoneauth's `plugin`.

    loose: `auth` comes from variables, of which some may be for others. region_name, interface: which endpoint of the catalogue; None: any
    region, and what the entry says or else the public one. files: openstacksdk's files, by variable. proxies: the proxy variables.
    insisted: the options on TLS that are given as such, which an entry of clouds.yaml does not change.
    """

    cloud: str | None = None
    plugin: str | None = None
    auth: tuple[tuple[str, t.Any], ...] = dataclasses.field(default=(), repr=False)
    loose: bool = False
    region_name: str | None = None
    interface: str | None = None
    files: tuple[tuple[str, str], ...] = ()
    proxies: tuple[tuple[str, str], ...] = dataclasses.field(default=(), repr=False)
    insisted: frozenset[str] = frozenset()

    def secrets(self) -> set[str]:
        """Give the texts that must not be shown."""
        return {value for name, value in self.auth if name.endswith(_SECRET_ENDS) and isinstance(value, str) and value}

    def parts(self) -> list[t.Any]:
        """Give what tells this login from others, without a secret in the clear. A password is left out altogether."""
        members = []
        for name, value in sorted(self.auth):
            if not name.endswith(_SECRET_ENDS):
                members.append((name, value))
            elif name.endswith("token"):
                members.append((name, hashlib.sha256(str(value).encode("utf-8", "backslashreplace")).hexdigest()))
        # Which clouds.yaml is found depends on the working folder.
        place = os.getcwd() if self.cloud is not None else None
        return [self.cloud, self.plugin, members, self.region_name, self.interface, self.files, place]


def wanted(chosen: t.Mapping[str, t.Any], environ: t.Mapping[str, str], insisted: t.Iterable[str] = ()) -> Wanted:
    """Give the login that resolved options ask for. insisted: as Wanted has it. Raises BadOption, one sentence, if they are not a login."""
    about: dict[str, t.Any] = {
        "region_name": chosen["region_name"],
        "interface": chosen["interface"],
        "insisted": frozenset(insisted),
        "files": tuple((name, environ[name]) for name in _FILES if environ.get(name)),
        "proxies": tuple((name, value) for name, value in environ.items() if name.lower() in network.PROXY_VARIABLES and value),
    }
    given = {name: value for name, value in (chosen["auth"] or {}).items() if value is not None}
    if chosen["cloud"] is not None and given:
        raise errors.BadOption("cloud and auth are both given: a login is one or the other")
    if chosen["cloud"] is not None:
        if not chosen["cloud"].strip():
            raise errors.BadOption("cloud is empty: give the name of an entry of clouds.yaml")
        return Wanted(cloud=chosen["cloud"], **about)
    if given:
        _check(given)
        return Wanted(plugin=_plugin(given), auth=tuple(given.items()), **about)
    members = {name.removeprefix(_PREFIX).lower(): value for name, value in environ.items() if name.startswith(_PREFIX) and value}
    for old, new in (("tenant_name", "project_name"), ("tenant_id", "project_id")):
        if old in members:
            members.setdefault(new, members.pop(old))
    said = members.pop("auth_type", "")
    if "auth_url" not in members:
        raise errors.BadOption(
            "auth_type keystone needs a login: give cloud (an entry of clouds.yaml) or auth, "
            "or set OS_CLOUD, or OS_AUTH_URL and the rest of the login, in the environment"
        )
    return Wanted(plugin=said if options.means_keystone(said) else _plugin(members), auth=tuple(members.items()), loose=True, **about)


def _check(given: t.Mapping[str, t.Any]) -> None:
    unknown = sorted(set(given) - set(options.AUTH_MEMBERS))
    if unknown:
        raise errors.BadOption(f"auth has {', '.join(unknown)}, and may have {', '.join(options.AUTH_MEMBERS)}")
    if not given.get("auth_url"):
        raise errors.BadOption("auth lacks auth_url, the address of Keystone, for example https://keystone.example.org/v3")
    for names in _NEEDED[_plugin(given)]:
        if not any(given.get(name) for name in names):
            raise errors.BadOption(f"auth lacks {' or '.join(names)}")


def _plugin(members: t.Mapping[str, t.Any]) -> str:
    """Give keystoneauth's plugin for a login with these members."""
    if "application_credential_id" in members or "application_credential_name" in members:
        return "v3applicationcredential"
    return "token" if "token" in members and "password" not in members else "password"
