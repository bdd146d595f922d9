# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What it means when no answer came: the errors of requests, urllib3 and ssl in words that a user can act on."""

from __future__ import annotations

import ssl
import typing as t

from . import libs


def diagnose(error: BaseException, *, url: str, timeout: float, client_cert: str | None, option: str = "api_url") -> tuple[str, bool, bool]:
    """Give what happened in words, whether the request may have reached the service, and whether trying again can help.

    error: what requests or urllib3 raised, or something on top of it. url: what was asked; option: where the user says it.
    """
    requests, urllib3 = libs.requests.exceptions, libs.urllib3.exceptions
    chain = list(_causes(error))
    error = next((cause for cause in chain if isinstance(cause, requests.RequestException)), error)
    distrust = next((cause for cause in chain if isinstance(cause, ssl.SSLCertVerificationError)), None)
    if distrust is not None:
        return (
            f"is not trusted ({distrust.verify_message.rstrip('.')}): check {option}, or give the CA of its certificate as ca_path",
            False,
            False,
        )
    if any(isinstance(cause, (ssl.SSLEOFError, ssl.SSLZeroReturnError)) for cause in chain):
        return _closed(url, client_cert), True, True
    if any(isinstance(cause, (requests.SSLError, urllib3.SSLError, ssl.SSLError)) for cause in chain):
        # A server may refuse a client's certificate, or break a connection, after it has read the request.
        reason = next((cause.reason for cause in chain if isinstance(cause, ssl.SSLError) and cause.reason), "no reason given")
        return f"could not agree on a TLS connection ({reason}): check {option}, ca_path, client_cert and client_key", True, False
    if isinstance(error, requests.ConnectTimeout):
        return f"did not accept a connection within {timeout:g} s", False, True
    if isinstance(error, requests.ProxyError):
        return "was not reached, because the proxy refused or failed", False, True
    if any(isinstance(cause, urllib3.NameResolutionError) for cause in chain):
        return "was not reached, because its host name does not resolve", False, True
    if any(isinstance(cause, urllib3.NewConnectionError) for cause in chain):
        return f"did not accept a connection: check that the service runs and that {option} is right", False, True
    if isinstance(error, requests.Timeout):
        return f"gave no answer within {timeout:g} s", True, True
    if isinstance(error, requests.ConnectionError):
        return _closed(url, client_cert), True, True
    # What is left was wrong before anything was sent: a URL, a header, a file.
    before = isinstance(error, (ValueError, FileNotFoundError, PermissionError))
    return f"could not be asked ({type(error).__name__}): check {option}, proxy and the files of certificates", not before, False


def _closed(url: str, client_cert: str | None) -> str:
    """Say that the connection ended. Over TLS that may be all that is seen of a service that wants a client's certificate."""
    certificate = url.startswith("https:") and client_cert is None
    return f"closed the connection without an answer{' (if it asks for a client certificate, give client_cert)' if certificate else ''}"


def _causes(error: BaseException) -> t.Iterator[BaseException]:
    """Give an error and what lies under it: requests and urllib3 pass causes as arguments and reasons, not only as causes."""
    seen: set[int] = set()
    queue: list[t.Any] = [error]
    while queue:
        cause = queue.pop(0)
        if not isinstance(cause, BaseException) or id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        queue += [cause.__cause__, cause.__context__, getattr(cause, "reason", None), *cause.args]
