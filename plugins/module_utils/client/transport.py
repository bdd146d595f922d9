# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One HTTP exchange: sent with the credential, answered completely within limits, or an error that says what happened."""

from __future__ import annotations

import json
import time
import typing as t
import urllib.parse

from . import answers, diagnosis, errors, libs
from .settings import Settings

#: The largest answer that is read, in bytes: a page of 1000 nodes is about 3 MB.
BODY_LIMIT: t.Final = 64 * 1024 * 1024

_CHUNK: t.Final = 65536
_REDIRECTS: t.Final = frozenset({301, 302, 303, 307, 308})
_REDIRECT_LIMIT: t.Final = 3


class Transport:
    """Speaks HTTP to the API of these settings, which carry the credential itself. Opens nothing before the first exchange.

    It uses the adapter of requests and not its session: a session reads ~/.netrc and proxies from the environment, keeps cookies, and looks
    into redirects that it is told not to follow.
    """

    def __init__(self, settings: Settings, body_limit: int = BODY_LIMIT) -> None:
        self._settings = settings
        self._body_limit = body_limit
        self._adapter: t.Any = None

    def become(self, settings: Settings) -> None:
        """Go on with other settings, such as a newer token."""
        if settings.validate_certs != self._settings.validate_certs:
            self._adapter = None
        self._settings = settings

    def exchange(self, request: answers.Request) -> answers.Answer:
        """Send a request and give its answer, of whatever status. Raises Unreachable, BadAnswer, BadOption or MissingLibrary.

        A redirect is followed for GET on the same origin only: a credential goes nowhere else, and a write is never re-addressed.
        """
        body = self._encode(request)
        url = self._settings.url + request.path
        query: t.Mapping[str, str] | None = request.query
        for _hop in range(_REDIRECT_LIMIT + 1):
            response = self._send(request, url, query, body)
            try:
                if response.status_code not in _REDIRECTS:
                    return self._read(request, response)
                url, query = self._redirected(request, url, response), None
            finally:
                response.close()
        raise self._not_followed(request, response.status_code, "too many redirects")

    def _encode(self, request: answers.Request) -> bytes | None:
        if request.body is None:
            return None
        try:
            return json.dumps(request.body, allow_nan=False).encode("ascii")
        except (TypeError, ValueError, RecursionError) as error:
            raise errors.BadOption(f"Cannot {request.what}: what is to be sent is not JSON ({error})", node=request.node) from error

    def _send(self, request: answers.Request, url: str, query: t.Mapping[str, str] | None, body: bytes | None) -> t.Any:
        adapter = self._open()
        settings = self._settings
        headers = {
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": "baremetal.maintenance",
            **settings.headers(),
        }
        if request.microversion is not None:
            headers["X-OpenStack-Ironic-API-Version"] = request.microversion
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            return adapter.send(
                libs.requests.Request(request.method, url, headers=headers, params=query, data=body).prepare(),
                stream=True,
                timeout=(settings.timeout, settings.timeout),
                verify=(settings.ca_path or True) if settings.validate_certs else False,
                cert=(settings.client_cert, settings.client_key) if settings.client_key else settings.client_cert,
                proxies={"http": settings.proxy, "https": settings.proxy} if settings.proxy else {},
            )
        except (libs.requests.exceptions.RequestException, libs.urllib3.exceptions.HTTPError, OSError, ValueError) as error:
            raise self._unreachable(request, error) from error

    def _open(self) -> t.Any:
        if libs.requests is None:
            raise errors.MissingLibrary("The Python library requests is needed where this runs and is not installed: pip install requests")
        if self._adapter is None:
            self._adapter = libs.requests.adapters.HTTPAdapter()
            if not self._settings.validate_certs:
                # The user has said so; a line on stderr for each request would say it again.
                libs.urllib3.disable_warnings(libs.urllib3.exceptions.InsecureRequestWarning)
        return self._adapter

    def _read(self, request: answers.Request, response: t.Any) -> answers.Answer:
        deadline = time.monotonic() + self._settings.timeout
        body = bytearray()
        try:
            # read1 gives what has arrived: a server that sends a byte a second cannot hold us beyond the deadline.
            while chunk := response.raw.read1(_CHUNK, decode_content=True):
                body += chunk
                if len(body) > self._body_limit:
                    raise self._broken(
                        request, response.status_code, f"an answer of more than {self._body_limit // 1024} KiB", retryable=False
                    )
                if time.monotonic() > deadline:
                    raise self._broken(request, response.status_code, f"an answer that was not complete after {self._settings.timeout:g} s")
        except (libs.urllib3.exceptions.HTTPError, OSError) as error:
            raise self._broken(request, response.status_code, "an answer that ended in the middle") from error
        headers = {name.lower(): value for name, value in response.headers.items()}
        return answers.Answer(request=request, status=response.status_code, headers=headers, body=bytes(body))

    def _broken(self, request: answers.Request, status: int, what: str, *, retryable: bool = True) -> errors.Unreachable:
        return errors.Unreachable(
            f"Cannot {request.what}: {self._settings.url} sent {what}",
            code="unreachable",
            status=status,
            node=request.node,
            outcome_unknown=request.writes,
            retryable=retryable,
        )

    def _unreachable(self, request: answers.Request, error: BaseException) -> errors.Unreachable:
        what, sent, retryable = diagnosis.diagnose(
            error, url=self._settings.url, timeout=self._settings.timeout, client_cert=self._settings.client_cert
        )
        return errors.Unreachable(
            f"Cannot {request.what}: {self._settings.url} {what}",
            code="unreachable",
            node=request.node,
            outcome_unknown=sent and request.writes,
            retryable=retryable,
        )

    def _redirected(self, request: answers.Request, url: str, response: t.Any) -> str:
        """Give the address to ask instead, or raise BadAnswer."""
        location = response.headers.get("location", "")
        try:
            target = urllib.parse.urljoin(url, location)
            here, there = _origin(url), _origin(target)
        except ValueError:
            raise self._not_followed(request, response.status_code, "a redirect to an address that cannot be read") from None
        if not location:
            raise self._not_followed(request, response.status_code, "a redirect to nowhere")
        if request.method != "GET" or here != there:
            parts = urllib.parse.urlsplit(target)
            shown = urllib.parse.urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
            raise self._not_followed(request, response.status_code, f"a redirect to {shown}")
        return target

    def _not_followed(self, request: answers.Request, status: int, what: str) -> errors.BadAnswer:
        return errors.BadAnswer(
            f"Cannot {request.what}: {self._settings.url} answered HTTP {status} with {what}, "
            "which is not followed because the credential would go along: set api_url to the address that is meant",
            code="bad_answer",
            status=status,
            node=request.node,
        )


def _origin(url: str) -> tuple[str, str, int]:
    parts = urllib.parse.urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
