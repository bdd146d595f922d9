# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes from a running Ironic: every page, or an error."""

from __future__ import annotations

import base64
import dataclasses
import http.client
import json
import re
import ssl
import typing as t
import urllib.error
import urllib.parse
import urllib.request

from .document import SourceError, nodes_of

#: The newest version whose answers this code knows.
_NEWEST: t.Final = 115
_PAGE: t.Final = 500
_TIMEOUT: t.Final = 60.0
#: A page of 500 nodes is about 2 MiB; this is a bound against a server that never stops, not a limit to meet.
_LARGEST_PAGE: t.Final = 64 * 1024 * 1024
_MOST_NODES: t.Final = 1_000_000


@dataclasses.dataclass(frozen=True)
class Access:
    """How to be let in: a login with its password, a token, or neither. ca: PEM file of the authority to trust, None for the system's."""

    login: str | None = None
    password: str | None = dataclasses.field(default=None, repr=False)
    token: str | None = dataclasses.field(default=None, repr=False)
    ca: str | None = None

    def headers(self) -> dict[str, str]:
        """Give the headers that carry the credential."""
        if self.token is not None:
            return {"X-Auth-Token": self.token}
        if self.login is not None:
            pair = f"{self.login}:{self.password or ''}".encode()
            return {"Authorization": "Basic " + base64.b64encode(pair).decode("ascii")}
        return {}


def read(url: str, access: Access) -> list[dict[str, t.Any]]:
    """Give every node of the Ironic at this URL (with or without /v1). Raises SourceError."""
    base = _base(url)
    opener = _opener(base, access)
    version = _version(opener, base, access)
    headers = {**access.headers(), "X-OpenStack-Ironic-API-Version": version}
    nodes: dict[str, dict[str, t.Any]] = {}
    marker = None
    while True:
        query = {"limit": str(_PAGE), **({"marker": marker} if marker else {})}
        address = f"{base}/v1/nodes/detail?{urllib.parse.urlencode(query)}"
        body, _headers = _get(opener, address, headers)
        page, document = nodes_of(body, f"the answer of {base}")
        fresh = {node["uuid"]: node for node in page}
        if len(fresh) < len(page) or fresh.keys() & nodes.keys():
            raise SourceError(f"{base} gave a node twice while its pages were read; nothing is imported, try again")
        nodes.update(fresh)
        if not document.get("next"):
            return list(nodes.values())
        # Its own link may name an address that only others reach; the credential goes nowhere but to `base`.
        if not page or len(nodes) > _MOST_NODES:
            raise SourceError(f"{base} goes on giving pages without an end; nothing is imported")
        marker = page[-1]["uuid"]


def _base(url: str) -> str:
    parts = urllib.parse.urlsplit(url)
    if parts.username is not None or parts.password is not None:
        raise SourceError("the source's URL holds a credential, which others on this machine can read: use --source-user")
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise SourceError(f"{url} is not the URL of an Ironic: expected is https://HOST:PORT")
    return url.rstrip("/").removesuffix("/v1").rstrip("/")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Lets a redirect be an answer like any other, so that no credential follows one."""

    def redirect_request(self, *_arguments: t.Any, **_named: t.Any) -> None:
        return None


def _opener(base: str, access: Access) -> urllib.request.OpenerDirector:
    try:
        context = ssl.create_default_context(cafile=access.ca)
    except OSError as error:
        reason = "it holds no certificate" if isinstance(error, ssl.SSLError) else (error.strerror or str(error)).lower()
        raise SourceError(f"{access.ca} cannot be used to verify {base}: {reason}") from None
    return urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context), _NoRedirect()
    )


def _version(opener: urllib.request.OpenerDirector, base: str, access: Access) -> str:
    """Give the newest version that both sides know."""
    body, headers = _get(opener, f"{base}/v1", access.headers())
    newest = re.fullmatch(r"1\.(\d{1,6})", headers.get("X-OpenStack-Ironic-API-Maximum-Version", ""))
    if newest is None:
        try:
            named = json.loads(body)["version"]["version"]
            newest = re.fullmatch(r"1\.(\d{1,6})", named)
        except (ValueError, KeyError, TypeError):
            newest = None
    if newest is None:
        raise SourceError(f"{base} does not answer as an Ironic does: {base}/v1 names no version")
    return f"1.{min(int(newest[1]), _NEWEST)}"


def _get(opener: urllib.request.OpenerDirector, address: str, headers: dict[str, str]) -> tuple[bytes, t.Mapping[str, str]]:
    request = urllib.request.Request(address, headers={"Accept": "application/json", **headers})
    where = address.partition("?")[0]
    try:
        with opener.open(request, timeout=_TIMEOUT) as response:
            body = response.read(_LARGEST_PAGE + 1)
            if len(body) > _LARGEST_PAGE:
                raise SourceError(f"{where} answers more than {_LARGEST_PAGE} bytes; nothing is imported")
            # Reading up to a limit, the library takes an answer that breaks off for a complete one.
            if response.length:
                raise SourceError(f"{where} broke off its answer; nothing is imported")
            return body, response.headers
    except urllib.error.HTTPError as error:
        with error:
            raise SourceError(f"{where} answered {error.code}{_meaning(error)}; nothing is imported") from None
    except urllib.error.URLError as error:
        raise SourceError(f"{where} cannot be reached: {error.reason}; nothing is imported") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise SourceError(f"{where} broke off: {str(error) or type(error).__name__}; nothing is imported") from None


def _meaning(error: urllib.error.HTTPError) -> str:
    if error.code in (401, 403):
        return ": the credential is missing or not sufficient (--source-user, --source-token-file)"
    if 300 <= error.code < 400:
        return f" and points to {error.headers.get('Location', 'another address')!r}: give that URL if it is right"
    return ""
