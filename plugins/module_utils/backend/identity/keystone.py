# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Identity `keystone`: tokens, which keystonemiddleware checks at Keystone and remembers for a while."""

from __future__ import annotations

import logging
import typing as t

from .. import libs
from ..caller import Caller
from ..errors import Refusal
from . import headers

_log = logging.getLogger(__name__)

_REMEDY: t.Final = "send a valid Keystone token as X-Auth-Token."
#: Seconds after which a client may ask again while Keystone is away.
_RETRY_AFTER: t.Final = "5"


class Keystone:
    """Knows callers by their tokens."""

    def __init__(self, options: t.Mapping[str, t.Any]) -> None:
        """options: those of keystonemiddleware's section keystone_authtoken, www_authenticate_uri among them."""
        self._challenge = {"WWW-Authenticate": f'Keystone uri="{options["www_authenticate_uri"]}"'}
        # A request that needs no identity is never handed to the middleware, so its decision need not be delayed; and delayed, it takes
        # a Keystone that is away for a token that is wrong.
        self._middleware = libs.keystonemiddleware().AuthProtocol(_identified, {**_texts(options), **_own(), "delay_auth_decision": False})

    def identify(self, environ: dict[str, t.Any]) -> Caller:
        """Give the caller whose token the request carries. Strips identity headers from the environ, and adds none.

        Raises Refusal 401, with Keystone's challenge, for a token (or service token) that is missing, wrong, revoked or expired, and 503
        while Keystone cannot be asked or does not let this service ask.
        """
        headers.strip(environ)
        token = environ.get("HTTP_X_AUTH_TOKEN", "").strip()
        if not token:
            raise Refusal(401, "unauthenticated", f"Authentication required: {_REMEDY}", headers=self._challenge)
        if not all("!" <= character <= "~" for character in token):
            raise self._invalid()
        asked = {name: value for name, value in environ.items() if name not in _NOT_FOR_THE_MIDDLEWARE}
        status = self._checked(asked)
        if status == 200:
            return _caller(asked, token)
        if status == 401:
            _log.info("authentication failed for a token")
            raise self._invalid()
        raise _unavailable()

    def _invalid(self) -> Refusal:
        return Refusal(401, "unauthenticated", f"The token is not valid, or no longer: {_REMEDY}", headers=self._challenge)

    def _checked(self, asked: dict[str, t.Any]) -> int:
        """Give the status with which the middleware decides; it writes what it knows of the caller into the environ."""
        said: list[str] = []

        def start_response(status: str, _headers: t.Any, _exc_info: t.Any = None) -> t.Callable[[bytes], None]:
            said.append(status)
            return lambda _data: None

        try:
            for _part in self._middleware(asked, start_response):
                pass
        except (libs.keystoneauth1().exceptions.ClientException, AttributeError, LookupError, RuntimeError, TypeError, ValueError) as error:
            # All but the first are what the middleware stumbles over when something else than Keystone answers at its address.
            _log.error("Keystone's answer cannot be used: %s: %s", type(error).__name__, str(error)[:300])
            raise _unavailable() from None
        return int(said[0].partition(" ")[0])


#: The body is the application's. The middleware would also take a token for object storage, and a cache from a server in front.
_NOT_FOR_THE_MIDDLEWARE: t.Final = frozenset({"wsgi.input", "HTTP_X_STORAGE_TOKEN", "CONTENT_LENGTH"})


def _identified(_environ: dict[str, t.Any], start_response: t.Callable[..., t.Any]) -> t.Iterable[bytes]:
    """Stand for the application behind the middleware: to be called means that the caller is known."""
    start_response("200 OK", [("Content-Length", "0")])
    return [b""]


def _texts(options: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Give the options as the middleware takes them from a file of paste.deploy."""
    return {name: ",".join(value) if isinstance(value, (list, tuple)) else value for name, value in options.items()}


def _own() -> dict[str, t.Any]:
    """Give the middleware a configuration of its own: it would else share one with every library of the process, and look for files."""
    conf = libs.oslo_config.cfg.ConfigOpts()
    conf([], project="baremetal-maintenance", default_config_files=[], default_config_dirs=[])
    return {"oslo_config_config": conf}


def _caller(environ: t.Mapping[str, t.Any], token: str) -> Caller:
    """Read what the middleware wrote."""

    def text(name: str) -> str | None:
        return environ.get(f"HTTP_{name}") or None

    def names(name: str) -> tuple[str, ...]:
        return tuple(part.strip().lower() for part in (text(name) or "").split(",") if part.strip())

    user = text("X_USER_ID")
    if user is None:
        raise _unavailable()
    return Caller(
        user_id=user,
        user_name=text("X_USER_NAME"),
        project_id=text("X_PROJECT_ID") or "",
        project_name=text("X_PROJECT_NAME"),
        user_domain_id=text("X_USER_DOMAIN_ID"),
        project_domain_id=text("X_PROJECT_DOMAIN_ID"),
        # Keystone lists implied roles itself, as the deployment has defined them.
        roles=names("X_ROLES"),
        system=text("OPENSTACK_SYSTEM_SCOPE") == "all",
        service_project_id=text("X_SERVICE_PROJECT_ID"),
        service_project_name=text("X_SERVICE_PROJECT_NAME"),
        service_roles=names("X_SERVICE_ROLES"),
        credential=token,
    )


def _unavailable() -> Refusal:
    return Refusal(
        503,
        "unavailable",
        "The identity service cannot be asked whether the token is valid, so nothing was done: try again in a moment.",
        headers={"Retry-After": _RETRY_AFTER},
    )
