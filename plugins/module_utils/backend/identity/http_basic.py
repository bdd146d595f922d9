# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Identity `http_basic`: bcrypt hashes in an htpasswd file, as Ironic's, and a file that says who each login is."""

from __future__ import annotations

import base64
import binascii
import collections
import dataclasses
import logging
import typing as t

from .. import libs
from ..caller import Caller
from ..errors import Refusal
from . import headers
from .credential_cache import CredentialCache

_log = logging.getLogger(__name__)

#: bcrypt reads no more; a longer password would be the same as its first 72 bytes.
_LONGEST_PASSWORD: t.Final = 72
_CHALLENGE: t.Final = {"WWW-Authenticate": 'Basic realm="Baremetal API"'}
_REMEDY = "send a login and its password by HTTP Basic authentication."


class HttpBasic:
    """Knows callers by login and password."""

    def __init__(self, passwords: t.Mapping[str, bytes], callers: t.Mapping[str, Caller]) -> None:
        """passwords: each login's bcrypt hash, any cost. callers: each login's identity; a login without one is not let in."""
        self._passwords = dict(passwords)
        self._callers = dict(callers)
        self._nobody = _hash_of_nobody(self._passwords.values())
        self._cache = CredentialCache()

    def identify(self, environ: dict[str, t.Any]) -> Caller:
        """Give the caller whose login and password the Authorization header holds. Strips identity headers from the environ.

        Raises Refusal 401, with Ironic's challenge, for a header that is missing or malformed, an unknown login and a wrong
        password. The last two are not told apart, by text or by time.
        """
        headers.strip(environ)
        login, password = _parse(environ.get("HTTP_AUTHORIZATION"))
        if len(password) > _LONGEST_PASSWORD or b"\0" in password:
            raise _incorrect()
        if not self._cache.verified(login, password, lambda: self._check(login, password)):
            _log.info("authentication failed for login %r", login)
            raise _incorrect()
        # An Ironic behind us is asked with what the caller showed.
        return dataclasses.replace(self._callers[login], credential=environ["HTTP_AUTHORIZATION"])

    def _check(self, login: str, password: bytes) -> bool:
        known = login in self._passwords and login in self._callers
        matches = libs.bcrypt.checkpw(password, self._passwords[login] if known else self._nobody)
        return known and matches


def _parse(header: str | None) -> tuple[str, bytes]:
    """Give login and password. Raises Refusal 401 with Ironic's texts; the header's content is never repeated."""
    if header is None:
        raise _refusal("Authorization required")
    scheme, _space, token = header.strip().partition(" ")
    if not token.strip():
        raise _refusal("Could not parse Authorization header")
    if scheme.lower() != "basic":
        raise _refusal("Unsupported authorization type")
    try:
        login, colon, password = base64.b64decode(token.strip().encode("ascii"), validate=True).partition(b":")
        name = login.decode("utf-8")
    except (UnicodeError, binascii.Error):
        raise _refusal("Could not decode authorization token") from None
    if not colon:
        raise _refusal("Could not decode authorization token")
    return name, password


def _incorrect() -> Refusal:
    return _refusal("Incorrect username or password")


def _refusal(text: str) -> Refusal:
    return Refusal(401, "unauthenticated", f"{text}: {_REMEDY}", headers=_CHALLENGE)


def _hash_of_nobody(hashes: t.Collection[bytes]) -> bytes:
    """Give a hash that takes as long to check as most of the file's do, and that no password has."""
    usual_cost = collections.Counter(digest[:7] for digest in hashes).most_common(1)[0][0]
    salt = next(digest for digest in hashes if digest.startswith(usual_cost))[:29]
    return salt + b"." * 31
