# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One Redfish service: sushy carries the requests, what comes back is read by us, and what goes wrong is said in our words."""

from __future__ import annotations

import json
import ssl
import time
import types
import typing as t
import urllib.parse

from .. import libs
from ..errors import BmcError, Ends
from ..report import Json
from ..target import Target
from . import values

ROOT = "/redfish/v1/"
#: Seconds for the connection, and for each piece of an answer. The whole has the deadline of the reading.
CONNECT, READ = 5, 15
#: Requests of one reading.
MOST_REQUESTS = 1000
_MOST_REDIRECTS = 3
_PAUSE = 1.0


class NotFound(BmcError):
    """There is no such resource, or the BMC has not built it (404, 405, 501)."""

    def __init__(self, path: str) -> None:
        super().__init__("bmc_error", f"The BMC has no {path}.")


class Connection:
    """A service as it is read: each resource once, unless it is asked for afresh."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.requests = 0
        self._lib = libs.sushy()
        self._read: dict[str, Json | BmcError] = {}
        self._let_in = False
        #: Whether a connection is used again: until the BMC has broken one off.
        self._keeps = True
        verify: bool | str = (target.ca_path or True) if target.validate_certs else False
        # sushy tries a connection this often, and after a 5xx a GET this often once more.
        self._sushy = self._lib.connector.Connector(
            target.url,
            verify=verify,
            server_side_retries=1,
            server_side_retries_delay=_PAUSE,
            default_request_timeout=READ,
            connect_timeout=CONNECT,
        )
        session = self._session = self._sushy._session
        # sushy closes each after one request because BMCs choke at connections that stay for long; a reading is over soon, and a BMC
        # computes longer for a TLS handshake than for an answer.
        session.headers["Connection"] = "keep-alive"
        # Neither a proxy nor a netrc file of the user's is for BMCs.
        session.trust_env = False
        session.max_redirects = _MOST_REDIRECTS
        session.get_redirect_target = types.MethodType(self._redirect_target(session.get_redirect_target), session)

    @property
    def address(self) -> str:
        return self.target.address

    def use_basic(self) -> None:
        """Send user and password with every request from now on."""
        self._sushy.set_http_basic_auth(self.target.username.encode(), self.target.password.encode())

    def use_token(self, token: str) -> None:
        """Send a session's token with every request from now on."""
        self._sushy.set_http_session_auth(token)

    def get(self, path: str) -> Json:
        """A resource, from memory if it was read before, or failed to. Raises NotFound, BmcError; Ends if nothing more can be read."""
        key = path.split("#")[0].rstrip("/")
        if key not in self._read:
            try:
                self._read[key] = self.fresh(path)
            except Ends:
                raise
            except BmcError as error:
                self._read[key] = error
        known = self._read[key]
        if isinstance(known, BmcError):
            raise known
        return known

    def fresh(self, path: str) -> Json:
        """A resource as it is now. What the BMC broke off is asked for once more, over a connection of its own."""
        try:
            return self._document(path, self._send("GET", path))
        except _BrokenOff:
            if self._keeps:
                # It may have closed, without saying so, what was used again.
                self._keeps = False
                self._session.headers["Connection"] = "close"
            else:
                time.sleep(_PAUSE)
            return self._document(path, self._send("GET", path))

    def post(self, path: str, body: Json) -> t.Any:
        """Send a POST, once, and give the response."""
        return self._send("POST", path, data=body)

    def patch(self, path: str, body: Json, etag: str | None = None) -> None:
        """Send a PATCH; sushy knows how to go on where a BMC is peculiar about the ETag."""
        self._send("PATCH", path, data=body, **({"etag": etag} if etag else {}))

    def delete(self, path: str) -> None:
        """Send a DELETE."""
        self._send("DELETE", path)

    def close(self) -> None:
        """Let go of the sockets."""
        self._sushy.close()

    def _send(self, method: str, path: str, **more: t.Any) -> t.Any:
        if not path.startswith("/") or path.startswith("//"):
            raise BmcError("malformed", f"The BMC names a resource that is not its own: {path[:100]}.")
        self.requests += 1
        if self.requests > MOST_REQUESTS:
            raise BmcError("too_large", f"The BMC has more than the {MOST_REQUESTS} resources that are read.")
        exceptions = self._lib.exceptions
        if not self._keeps or method != "GET":
            # What changes something is sent once: not over a connection that may be closed at the other end.
            self._session.close()
        try:
            response = getattr(self._sushy, method.lower())(path.split("#")[0], **more)
        except exceptions.HTTPError as error:
            raise self._refused(path, error) from error
        except (exceptions.ConnectionError, OSError) as error:
            # Not all that goes wrong below sushy becomes an exception of its own.
            raise self._failed(path, error) from error
        except exceptions.SushyError as error:
            raise BmcError("malformed", f"The answer to {method} {path} makes no sense: {type(error).__name__}.") from error
        if path.rstrip("/") != ROOT.rstrip("/"):
            self._let_in = True
        return response

    def _document(self, path: str, response: t.Any) -> Json:
        text = response.content.decode("utf-8-sig", "replace")
        try:
            document = json.loads(text)
        except ValueError as error:
            what = "a page for people, not data" if text.lstrip()[:1] == "<" else f"no JSON ({error.args[0] if error.args else error})"
            kind = "malformed" if self._let_in and path != ROOT else "not_redfish"
            raise BmcError(kind, f"What {self.address} sent for {path} is {what}.") from error
        except RecursionError as error:
            raise BmcError("malformed", f"What {self.address} sent for {path} is nested too deeply.") from error
        if document is None:
            return {}
        if not isinstance(document, dict):
            raise BmcError("malformed", f"What {self.address} sent for {path} is no resource.")
        return document

    def _refused(self, path: str, error: t.Any) -> BmcError:
        code = error.status_code
        if code == 401:
            if self._let_in:
                return BmcError("privilege", f"The BMC does not show {path} to this user (401).")
            return Ends("auth_failed", f"The BMC {self.address} does not accept this user and password.")
        if code == 403:
            return BmcError("privilege", f"The BMC does not show {path} to this user (403).")
        if code in (404, 405, 501):
            return NotFound(path)
        said = str(error.detail or "")[:200]
        return BmcError("bmc_error", f"The BMC answered {code} for {path}{': ' + said if said else ''}.")

    def _failed(self, path: str, error: Exception) -> BmcError:
        requests = self._lib.requests.exceptions
        chain = list(_chain(error))
        redirect = next((link for link in chain if isinstance(link, _Redirected)), None)
        if redirect or any(isinstance(link, requests.TooManyRedirects) for link in chain):
            where = f"to {redirect.where}" if redirect else "in a circle"
            return Ends("redirect", f"{self.address} sends {path} elsewhere: {where}.")
        if any(isinstance(link, ssl.SSLCertVerificationError) for link in chain):
            why = next(link.verify_message for link in chain if isinstance(link, ssl.SSLCertVerificationError))
            return Ends("tls_untrusted", f"The certificate of {self.address} is not trusted: {why}.")
        if any(isinstance(link, OSError) and "certificate" in str(link) and "find" in str(link) for link in chain):
            return Ends("tls_untrusted", f"The file bmc_ca_path cannot be read: {self.target.ca_path}.")
        if any(isinstance(link, (ssl.SSLError, requests.SSLError)) for link in chain):
            return Ends("tls_or_port", f"There is no TLS connection with {self.address}: {_reason(chain)}.")
        if any(isinstance(link, requests.ReadTimeout) for link in chain):
            silent = f"{self.address} did not answer GET {path} within {READ} s."
            return BmcError("bmc_error", silent) if self._let_in else BmcError("unreachable", silent)
        broken_off = any(isinstance(link, (ConnectionResetError, _remote_disconnected())) for link in chain)
        if broken_off and self.requests == 1 and self.target.scheme == "http":
            return BmcError("tls_or_port", f"{self.address} breaks off what comes without TLS.")
        if broken_off:
            return _BrokenOff("unreachable", f"{self.address} broke off the connection when it was asked for {path}.")
        if any(isinstance(link, (requests.ChunkedEncodingError, requests.ContentDecodingError)) for link in chain):
            return BmcError("malformed", f"The answer of {self.address} for {path} ends before its end.")
        return Ends("unreachable", f"No connection with {self.address}: {_reason(chain)}.")

    def _redirect_target(self, follow: t.Callable[[t.Any], str | None]) -> t.Callable[[t.Any, t.Any], str | None]:
        """Follow redirects that stay with this service (many add or take a slash); a password goes nowhere else."""
        ours = (self.target.scheme, self.target.host.lower(), self.target.port)

        def target(_session: t.Any, response: t.Any) -> str | None:
            where = follow(response)
            if where is None:
                return None
            parts = urllib.parse.urlsplit(urllib.parse.urljoin(response.url, where))
            port = parts.port or {"https": 443, "http": 80}.get(parts.scheme)
            if (parts.scheme, (parts.hostname or "").lower(), port) != ours:
                raise _Redirected(f"{parts.scheme}://{parts.hostname}:{port}{parts.path}")
            return where

        return target


class _BrokenOff(BmcError):
    """The BMC ended a connection without an answer, as some do that have not said that they will."""


class _Redirected(OSError):
    def __init__(self, where: str) -> None:
        super().__init__(f"redirected to {where}")
        self.where = where


def _chain(error: BaseException | None) -> t.Iterator[BaseException]:
    """An exception and all that it came from, those that urllib3 keeps as a reason or an argument too."""
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        link = waiting.pop(0)
        if link is None or id(link) in seen:
            continue
        seen.add(id(link))
        yield link
        more = [link.__cause__, link.__context__, getattr(link, "reason", None), *link.args]
        waiting += [other for other in more if isinstance(other, BaseException)]


def _reason(chain: t.Sequence[BaseException]) -> str:
    """What the operating system or TLS said, which is last in the chain and shortest."""
    for link in reversed(chain):
        said = getattr(link, "strerror", None) or getattr(link, "reason", None)
        if isinstance(said, str) and said:
            return said
    return "no answer"


def _remote_disconnected() -> type[BaseException]:
    import http.client

    return http.client.RemoteDisconnected


def etag(resource: Json) -> str | None:
    """The ETag of a resource that was read."""
    return values.text(resource.get("@odata.etag"))
