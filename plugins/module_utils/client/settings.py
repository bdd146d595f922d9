# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings: what a client needs to reach one API, checked before anything is sent."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import os
import typing as t
import urllib.parse

from . import errors, network, options
from .keystone.wanted import Wanted, wanted

#: The options on TLS.
_TLS: t.Final = ("validate_certs", "ca_path", "client_cert", "client_key")
#: How many rows a page is asked for; also Ironic's maximum.
PAGE_SIZE: t.Final = 1000


@dataclasses.dataclass(frozen=True)
class Settings:
    """One API and one identity. `url` has neither a trailing slash nor `/v1`; proxy is None for none; timeout is in seconds.

    keystone: the login for auth_type keystone, None for any other. With one, an empty url stands for the endpoint in its catalogue.
    """

    url: str
    auth_type: str = "none"
    username: str | None = None
    password: str | None = dataclasses.field(default=None, repr=False)
    token: str | None = dataclasses.field(default=None, repr=False)
    validate_certs: bool = True
    ca_path: str | None = None
    client_cert: str | None = None
    client_key: str | None = None
    proxy: str | None = dataclasses.field(default=None, repr=False)
    timeout: float = 30
    retries: int = 3
    page_size: int = PAGE_SIZE
    keystone: Wanted | None = None

    @property
    def place(self) -> str:
        """Where the API is, in words."""
        return self.url or "the bare-metal endpoint in Keystone's catalogue"

    def headers(self) -> dict[str, str]:
        """Give the headers that carry the credential."""
        if self.auth_type == "http_basic":
            return {"Authorization": f"Basic {self._basic()}"}
        if self.auth_type == "token":
            return {"X-Auth-Token": self.token or ""}
        return {}

    def secrets(self) -> tuple[str, ...]:
        """Give every text that must not appear in a message, a result or a log, the longest first."""
        userinfo = urllib.parse.urlsplit(self.proxy).password if self.proxy else None
        found = {self.password, self.token, userinfo, urllib.parse.unquote(userinfo) if userinfo else None}
        if self.auth_type == "http_basic":
            found.add(self._basic())
        if self.keystone is not None:
            found |= self.keystone.secrets()
        return tuple(sorted((secret for secret in found if secret), key=len, reverse=True))

    def identity(self) -> str:
        """Give a digest that differs for every way to reach an API as somebody, and holds no secret in the clear.

        The password is left out: what is shared under an identity (version answers) is not worth letting a digest be tried against guesses.
        """
        parts: list[t.Any] = [self.url, self.auth_type, self.username, self.validate_certs, self.ca_path, self.client_cert, self.client_key]
        parts += [self.keystone and self.keystone.parts()]
        parts += [self.proxy and urllib.parse.urlsplit(self.proxy).hostname, self.token and hashlib.sha256(self.token.encode()).hexdigest()]
        return hashlib.sha256(repr(parts).encode("utf-8", "backslashreplace")).hexdigest()

    def warnings(self) -> list[str]:
        """Say what the user should know about these settings, a sentence each."""
        parts = urllib.parse.urlsplit(self.url)
        if self.auth_type == "none" or not self.url or parts.scheme == "https" or network.is_loopback(parts.hostname or ""):
            return []
        kind = "password" if self.auth_type == "http_basic" else "token"
        return [f"The {kind} goes to {parts.hostname} over plain HTTP, where anyone on the way can read it: use an https:// api_url."]

    def _basic(self) -> str:
        return base64.b64encode(f"{self.username}:{self.password}".encode()).decode("ascii")


def resolve(given: t.Mapping[str, t.Any], environ: t.Mapping[str, str]) -> Settings:
    """Give Settings from options and an environment (see options.resolved). Raises BadOption, one sentence, at the first mistake."""
    chosen = options.resolved(given, environ)
    keystone = chosen["auth_type"] == "keystone"
    _check_keystone(chosen)
    url = "" if keystone and not chosen["api_url"] else address(chosen["api_url"])
    _check_credentials(chosen)
    _check_files(chosen)
    for name, least in (("timeout", 1), ("retries", 0)):
        if chosen[name] < least:
            raise errors.BadOption(f"{name} is {chosen[name]}, and must be at least {least}")
    return Settings(
        url=url,
        auth_type=chosen["auth_type"],
        username=chosen["username"],
        password=chosen["password"],
        token=chosen["token"],
        validate_certs=chosen["validate_certs"] is not False,
        ca_path=chosen["ca_path"],
        client_cert=chosen["client_cert"],
        client_key=chosen["client_key"],
        proxy=way_to(url, chosen["proxy"], environ),
        timeout=chosen["timeout"],
        retries=chosen["retries"],
        keystone=wanted(chosen, environ, [name for name in _TLS if given.get(name) is not None]) if keystone else None,
    )


def address(given: str | None) -> str:
    """Give the address of an API without a trailing slash and `/v1`. Raises BadOption."""
    if not given or not given.strip():
        raise errors.BadOption(
            "api_url is missing: give it, or set BAREMETAL_MAINTENANCE_URL, for example to https://baremetal.example.org:6386"
        )
    parts = _split("api_url", given.strip())
    if parts.query or parts.fragment:
        raise errors.BadOption("api_url may not have a query or a fragment: give the address of the API alone")
    if parts.username is not None or parts.password is not None:
        raise errors.BadOption("api_url holds a user name or password: give them as username and password, with auth_type http_basic")
    path = parts.path.rstrip("/")
    if path.endswith("/v1"):
        path = path[: -len("/v1")].rstrip("/")
    return urllib.parse.urlunsplit((parts.scheme, parts.netloc, path, "", ""))


def _split(option: str, given: str) -> urllib.parse.SplitResult:
    """Give the parts of a URL that http can reach. Its text is not repeated in an error, since it may hold a password."""
    try:
        parts = urllib.parse.urlsplit(given)
        parts.port  # noqa: B018 - reading it checks it
    except ValueError as error:
        raise errors.BadOption(
            f"{option} is not a URL that can be used: give http:// or https://, a host and a port from 1 to 65535"
        ) from error
    if parts.scheme not in ("http", "https") or not parts.hostname or any(char.isspace() for char in given):
        raise errors.BadOption(f"{option} is not a URL that can be used: it begins with http:// or https:// and a host")
    return parts


def way_to(url: str, given: str | None, environ: t.Mapping[str, str]) -> str | None:
    """Give the proxy for a URL: the one given, else the environment's, None for none."""
    if given:
        _split("proxy", given)
        return given
    parts = urllib.parse.urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return network.proxy_for(parts.scheme, parts.hostname or "", port, environ)


def _check_keystone(chosen: t.Mapping[str, t.Any]) -> None:
    auth_type = chosen["auth_type"]
    given = next((name for name in ("cloud", "auth") if chosen[name]), None)
    if given and auth_type != "keystone":
        raise errors.BadOption(f"{given} is given, but auth_type is {auth_type} and would not use it: set auth_type to keystone")


def _check_credentials(chosen: t.Mapping[str, t.Any]) -> None:
    auth_type = chosen["auth_type"]
    if auth_type == "http_basic":
        missing = [name for name in ("username", "password") if not chosen[name]]
        if missing:
            raise errors.BadOption(f"auth_type http_basic needs {' and '.join(missing)}")
        if ":" in chosen["username"]:
            raise errors.BadOption("username holds a colon, which a basic login cannot carry")
    elif auth_type == "token":
        if not chosen["token"]:
            raise errors.BadOption("auth_type token needs token")
        if not all("!" <= char <= "~" for char in chosen["token"]):
            raise errors.BadOption(
                "token holds a character that a header cannot carry, such as a line break, a space or a non-ASCII letter"
            )
    else:
        given = next((name for name in ("username", "password", "token") if chosen[name]), None)
        if given and auth_type == "keystone":
            raise errors.BadOption(f"{given} is given, but auth_type is keystone: give it as a member of auth")
        if given:
            remedy = "token" if given == "token" else "http_basic"
            raise errors.BadOption(f"{given} is given, but auth_type is none and would not send it: set auth_type to {remedy}")


def _check_files(chosen: t.Mapping[str, t.Any]) -> None:
    if chosen["client_key"] and not chosen["client_cert"]:
        raise errors.BadOption("client_key is given without client_cert: give both, or a client_cert file that holds the key too")
    for name in ("ca_path", "client_cert", "client_key"):
        if chosen[name] and not os.path.exists(chosen[name]):
            raise errors.BadOption(f"{name} is {chosen[name]}, which does not exist where this runs")
