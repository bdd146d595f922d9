# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors of the clients: one sentence each, read from every shape in which a bare-metal API refuses."""

from __future__ import annotations

import dataclasses
import json
import typing as t

#: Characters: a refusal that names every hold of a node is long, a page of something else is not wanted.
_LONGEST: t.Final = 6000


class MaintenanceError(Exception):
    """A request was not done. Its text is one sentence: what was refused, on which node, and what would make it work.

    status: the HTTP status, None if no answer came. code: the service's own `refusal.code`, None where it gave none. blockers: the entries
    in the way, each with uuid, type, scope, project, why and who_can.
    """

    def __init__(
        self, sentence: str, *, status: int | None = None, code: str | None = None, blockers: t.Sequence[t.Mapping[str, t.Any]] = ()
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.code = code
        self.blockers = [dict(blocker) for blocker in blockers]


class NotSupported(MaintenanceError):
    """The service lacks what was asked of it, and the request was not sent."""


@dataclasses.dataclass(frozen=True)
class Problem:
    """What an error answer says. text is one line, "" where it explains nothing; code is None where the answer has no `refusal`."""

    text: str
    code: str | None = None
    blockers: tuple[dict[str, t.Any], ...] = ()


def read(body: bytes) -> Problem:
    """Read the body of an error answer, of whatever shape; never raises.

    Ironic wraps a JSON string with `faultstring`, its router one with `description`; the specification's examples have plain text there;
    Keystone and basic authentication answer {"error": {"message"}}; an oversized body gets a bare fault; our backend adds `refusal`.
    """
    decoded = _decode(body)
    if not isinstance(decoded, dict):
        text = body.decode("utf-8", "replace")
        if text.lstrip()[:1] == "<":
            return Problem("a web page came instead of the API's answer, so something in front of the API answered")
        return Problem(_one_line(text))
    refusal = decoded.get("refusal")
    refusal = refusal if isinstance(refusal, dict) else {}
    code, blockers = refusal.get("code"), refusal.get("blockers")
    return Problem(
        text=_one_line(_text(decoded)),
        code=code if isinstance(code, str) else None,
        blockers=tuple(blocker for blocker in blockers if isinstance(blocker, dict)) if isinstance(blockers, list) else (),
    )


def refused(what: str, status: int, body: bytes) -> MaintenanceError:
    """Give the error for an answer that is no success. what: the deed, in words that follow "Cannot"."""
    problem = read(body)
    if problem.code is not None and problem.text:
        sentence = problem.text
    else:
        sentence = f"Cannot {what}: {problem.text.rstrip('.') or 'the service gives no reason'} (HTTP {status})"
    helpers = sorted({str(blocker["who_can"]) for blocker in problem.blockers if blocker.get("who_can") and status == 403})
    if helpers and not any(helper in sentence for helper in helpers):
        sentence = f"{sentence.rstrip('.')}; who can: {'; '.join(helpers)}"
    return MaintenanceError(sentence, status=status, code=problem.code, blockers=problem.blockers)


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
    for nested in (message, decoded.get("error")):
        if isinstance(nested, dict):
            return _text(nested)
    for name in ("faultstring", "message", "description", "title"):
        value = decoded.get(name)
        if isinstance(value, str) and value.strip():
            return value
    error = decoded.get("error")
    return error if isinstance(error, str) else ""


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
