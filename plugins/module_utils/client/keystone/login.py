# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The credential of a run: asked for once, shared by its forks, and asked for anew when it ends or is refused."""

from __future__ import annotations

import time
import typing as t

from .. import errors, shared_cache
from ..settings import Settings
from . import session
from .session import Access

#: A token is not used any more so many seconds before it ends: the request that it goes with takes time too.
MARGIN: t.Final = 60
#: For so many seconds the forks of a run take Keystone's refusal of a login from the one that met it: a hundred of them could lock a user.
REFUSED: t.Final = 10

_FILE: t.Final = "baremetal-maintenance-login"
_TLS: t.Final = ("validate_certs", "ca_path", "client_cert", "client_key")


class Login:
    """How settings become settings that carry the credential itself. Without a Keystone they do from the beginning.

    cache_dir: a folder of this run where its forks share the token, None to share nothing.
    """

    def __init__(self, settings: Settings, cache_dir: str | None = None) -> None:
        self._settings = settings
        self._cache = shared_cache.SharedCache(cache_dir, _FILE) if cache_dir is not None else None
        self._access = Access(settings) if settings.keystone is None else None

    def access(self) -> Access:
        """Give the access, logging in if need be. Raises what session.log_in does."""
        if self._access is None or not _is_good(self._access.expires):
            self._access = self._shared() or self._asked(None)
        return self._access

    def renewed(self, refused: Access) -> Access | None:
        """Give another access than one that the API refused: another fork's, or a fresh one. None: there is none to be had."""
        if refused.expires is None:
            return None
        self._access = self._asked(refused.settings.token)
        return self._access

    @property
    def place(self) -> str:
        """Where the API is, in words."""
        return self._access.settings.place if self._access is not None else self._settings.place

    def secrets(self) -> tuple[str, ...]:
        """Give every text that must not be shown, as far as is known, the longest first."""
        found = {*self._settings.secrets(), *(self._access.settings.secrets() if self._access is not None else ())}
        return tuple(sorted(found, key=len, reverse=True))

    def _asked(self, not_this: str | None) -> Access:
        """Log in, unless another fork has done it meanwhile."""
        if self._cache is None:
            return session.log_in(self._settings)
        with self._cache.lock(self._settings.timeout):
            found = self._shared()
            if found is not None and found.settings.token != not_this:
                return found
            key = self._settings.identity()
            self._raise_refusal(key)
            try:
                access = session.log_in(self._settings)
            except errors.Refused as error:
                if error.status == 401:
                    self._cache.put(key, {"refused": error.msg, "until": time.time() + REFUSED})
                raise
            if access.expires is not None:
                self._cache.put(key, _stored(access))
            return access

    def _shared(self) -> Access | None:
        """Give the access that another fork has stored and that is good for a while, None if there is none."""
        stored = self._cache.get(self._settings.identity()) if self._cache is not None else None
        if stored is None or not _is_good(stored.get("expires", 0)):
            return None
        try:
            return Access(session.at_same_place(self._settings, stored), stored["expires"], stored["who"], tuple(stored["warnings"]))
        except (KeyError, TypeError):
            return None

    def _raise_refusal(self, key: str) -> None:
        stored = self._cache.get(key) if self._cache is not None else None
        if stored is not None and isinstance(stored.get("refused"), str) and stored.get("until", 0) > time.time():
            raise errors.Refused(stored["refused"], code="unauthenticated", status=401)


def _stored(access: Access) -> dict[str, t.Any]:
    settings = access.settings
    shared = {name: getattr(settings, name) for name in (*_TLS, "url", "token")}
    return {**shared, "expires": access.expires, "who": access.who, "warnings": list(access.warnings)}


def _is_good(expires: t.Any) -> bool:
    return expires is None or (isinstance(expires, (int, float)) and expires - MARGIN > time.time())
