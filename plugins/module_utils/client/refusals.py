# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading of error answers, in every shape that is met in the field.

Ironic wraps a JSON string, {"error_message": "{\\"faultstring\\": …}"}; its router puts {code, title, description} there; the
specification's examples have plain text there; Keystone and basic authentication answer {"error": {"message"}}; an oversized body gets a
bare fault; our backend adds `refusal`; and a proxy in between answers HTML, text or nothing.
"""

from __future__ import annotations

import dataclasses
import datetime
import email.utils
import html
import json
import re
import typing as t

from . import answers, errors

#: The header, in lower case, in which every answer of an Ironic, or of ours, says its newest version.
MAXIMUM_VERSION: t.Final = "x-openstack-ironic-api-maximum-version"

#: Ironic's words for a node that its conductor works on (ironic.common.exception.NodeLocked).
_LOCK: t.Final = re.compile(r"\bis locked by host\b", re.IGNORECASE)

_BY_STATUS: t.Final = {
    400: "invalid",
    401: "unauthenticated",
    403: "not_permitted",
    404: "not_found",
    405: "not_supported",
    406: "not_supported",
    409: "conflict",
    413: "invalid",
    429: "unavailable",
    503: "unavailable",
}

_RETRYABLE: t.Final = frozenset({"locked", "unavailable"})

_REMEDIES: t.Final = {
    "unauthenticated": "check auth_type, username, password and token",
    "not_permitted": "use credentials that the service's policy lets do this",
    "not_found": "check the name and the uuid, and that these credentials may see the node",
    "locked": "try again when the operation in progress has ended",
    "unavailable": "try again later",
    "not_supported": "this service does not do that",
    "failed": "the service's log says why",
}

_TEXT_LIMIT: t.Final = 300


@dataclasses.dataclass(frozen=True)
class Problem:
    """What an error answer says. text is one line, "" where the answer explains nothing; code None where it has no `refusal`."""

    text: str
    code: str | None = None
    node: str | None = None
    blockers: tuple[dict[str, t.Any], ...] = ()


def read(answer: answers.Answer) -> Problem:
    """Read an error answer of any shape; never raises."""
    decoded = _decode(answer.body)
    if isinstance(decoded, dict):
        refusal = decoded.get("refusal")
        refusal = refusal if isinstance(refusal, dict) else {}
        blockers = refusal.get("blockers")
        return Problem(
            text=_one_line(_text(decoded)),
            code=refusal.get("code") if isinstance(refusal.get("code"), str) else None,
            node=refusal.get("node") if isinstance(refusal.get("node"), str) else None,
            blockers=tuple(blocker for blocker in blockers if isinstance(blocker, dict)) if isinstance(blockers, list) else (),
        )
    raw = answer.body.decode("utf-8", "replace")
    if answer.looks_like_html:
        title = re.search(r"<title[^>]*>(.*?)</title>", raw[:65536], re.IGNORECASE | re.DOTALL)
        named = f" titled {_cut(html.unescape(title.group(1)))!r}" if title and title.group(1).strip() else ""
        return Problem(text=f"a web page{named} came instead of the API's answer, so something in front of the API answered")
    return Problem(text=_cut(raw))


def error_of(answer: answers.Answer) -> errors.Refused:
    """Give the error for an answer whose status is not a success."""
    problem = read(answer)
    request = answer.request
    code = problem.code or ("locked" if answer.status == 409 and _LOCK.search(problem.text) else _BY_STATUS.get(answer.status, "failed"))
    node = request.node or problem.node
    if problem.code and problem.text:
        msg = problem.text if not node or node in problem.text else f"Node {node}: {problem.text}"
    else:
        msg = f"Cannot {request.what}: {problem.text.rstrip('.') or 'the service gives no reason'} (HTTP {answer.status})"
    remedy = _REMEDIES.get(code)
    if remedy and (not problem.code or code == "unauthenticated"):
        msg = f"{msg.rstrip('.')}; {remedy}"
    return errors.Refused(
        msg,
        code=code,
        status=answer.status,
        node=node,
        blockers=problem.blockers,
        # A gateway that lost or timed out its backend does not know what became of the request, nor does a service that failed on it.
        outcome_unknown=request.writes and answer.status in (500, 502, 504),
        retryable=code in _RETRYABLE and answer.status in (409, 429, 503),
        retry_after=_retry_after(answer.headers.get("retry-after")),
        explained=problem.code is not None,
        newest=answer.headers.get(MAXIMUM_VERSION),
    )


def _decode(body: bytes) -> t.Any:
    try:
        return json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        return None


def _text(decoded: t.Mapping[str, t.Any]) -> str:
    """Find the words in a decoded error body."""
    message = decoded.get("error_message")
    if isinstance(message, str):
        inner = _decode(message.encode("utf-8", "replace"))
        return (_text(inner) if isinstance(inner, dict) else "") or message
    if isinstance(message, dict):
        return _text(message)
    error = decoded.get("error")
    if isinstance(error, dict):
        return _text(error)
    for name in ("faultstring", "message", "description", "title"):
        value = decoded.get(name)
        if isinstance(value, str) and value.strip():
            title = decoded.get("title")
            return f"{title}: {value}" if name == "description" and isinstance(title, str) and title.strip() else value
    return error if isinstance(error, str) else ""


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _cut(text: str) -> str:
    line = _one_line(text)
    return line if len(line) <= _TEXT_LIMIT else f"{line[:_TEXT_LIMIT]}…"


def _retry_after(value: str | None) -> float | None:
    """Give Retry-After in seconds, from either of its forms (RFC 9110, 10.2.3); None if there is none or it cannot be read."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        moment = email.utils.parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.timezone.utc)
    return max(0.0, (moment - datetime.datetime.now(datetime.timezone.utc)).total_seconds())
