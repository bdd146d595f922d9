# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Getting in and out: the root without a password, then user and password with each request, or a session that is ended again."""

from __future__ import annotations

import typing as t
import urllib.parse

from ..errors import BmcError, Ends
from ..report import Json
from ..target import Target
from . import values
from .connection import ROOT, Connection

_SESSIONS = "/redfish/v1/SessionService/Sessions"
#: What vendors say when there are too many sessions.
_TOO_MANY = ("SessionLimitExceeded", "RAC0218", "session limit", "maximum number of", "Maximum number of")

#: Told of a session that is open, and with None that it is closed: whoever kills this process ends it then.
Tell = t.Callable[["Json | None"], None]


class Service:
    """A service that let us in. `root` is its root resource. Ends its session, if it has one, in `close`."""

    def __init__(self, connection: Connection, root: Json, tell: Tell) -> None:
        self.connection = connection
        self.root = root
        self._tell = tell
        self._session: Json | None = None

    def log_in(self) -> None:
        """Raises Ends; never tries twice."""
        target = self.connection.target
        if target.auth == "basic":
            self.connection.use_basic()
            return
        path = values.text(values.mapping(self.root, "Links", "Sessions").get("@odata.id")) or _SESSIONS
        try:
            response = self.connection.post(path, {"UserName": target.username, "Password": target.password})
        except BmcError as error:
            raise _login_failed(self.connection.address, error) from error
        token, where = response.headers.get("X-Auth-Token"), response.headers.get("Location")
        if not token:
            raise Ends("malformed", f"The BMC {self.connection.address} opened a session but gave no token for it.")
        self._session = {"token": token, "path": urllib.parse.urlsplit(where or "").path or None}
        self._tell(self._session)
        self.connection.use_token(token)

    def close(self) -> None:
        """End the session."""
        try:
            if self._session and self._session["path"]:
                self.connection.delete(self._session["path"])
                self._tell(None)
        except BmcError:
            # The one who started this process was told of the session and tries again.
            return
        finally:
            self.connection.close()


def enter(target: Target, tell: Tell) -> Service:
    """Find the service and log in. Raises BmcError."""
    connection = Connection(target)
    try:
        service = Service(connection, _root(connection), tell)
        service.log_in()
    except BaseException:
        connection.close()
        raise
    return service


def end(target: Target, session: Json) -> None:
    """End a session that a process which was killed has left open."""
    connection = Connection(target)
    try:
        connection.use_token(session["token"])
        if session["path"]:
            connection.delete(session["path"])
    finally:
        connection.close()


def _root(connection: Connection) -> Json:
    """The root, which shows before any password is sent that this is a Redfish service. Some want a password even for that."""
    try:
        root = connection.fresh(ROOT)
    except Ends as error:
        if error.kind == "auth_failed":
            return {}
        raise
    except BmcError as error:
        if error.kind in ("bmc_error", "privilege"):
            raise Ends("not_redfish", f"There is no Redfish service at {connection.address}: {error.msg}") from error
        raise
    if root and not {"RedfishVersion", "Systems", "@odata.id"} & set(root):
        raise Ends("not_redfish", f"What {connection.address} sent for {ROOT} is JSON, but no Redfish root.")
    return root


def _login_failed(address: str, error: BmcError) -> Ends:
    if any(words in error.msg for words in _TOO_MANY) or " 503 " in error.msg:
        return Ends("session_limit", f"The BMC {address} opens no more sessions: {error.msg}")
    if error.kind in ("auth_failed", "privilege"):
        return Ends("auth_failed", f"The BMC {address} does not accept this user and password.")
    return Ends(error.kind, f"The login at {address} failed: {error.msg}")
