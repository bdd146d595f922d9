# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The errors of the client: each is one sentence and the fields that a playbook can branch on."""

from __future__ import annotations

import typing as t


class ClientError(Exception):
    """A request was not done, or what it did is not known.

    msg: one sentence that says what was refused, on which node, and what would make it work; it holds no secret.
    code: the service's own `refusal.code`, or where it gave none, what the HTTP status means in the same words; `conflict` for a 409 that
        says neither locked nor duplicate; and the client's own unreachable, bad_answer, failed, option and missing_library.
    status: the HTTP status, None if there was no answer.
    node: the node as the caller named it, None if no single one is meant.
    blockers: the entries in the way, each with uuid, type, scope, project, why and who_can.
    outcome_unknown: the request was a write and may have been done.
    attempts: how often it was sent.
    retryable, retry_after: whether sending it again can help, and after how many seconds the service says.
    explained: the code is the service's own.
    newest: the newest version that the refusing service says it has, None if it does not say.
    """

    def __init__(
        self,
        msg: str,
        *,
        code: str,
        status: int | None = None,
        node: str | None = None,
        blockers: t.Sequence[t.Mapping[str, t.Any]] = (),
        outcome_unknown: bool = False,
        retryable: bool = False,
        retry_after: float | None = None,
        explained: bool = False,
        newest: str | None = None,
    ) -> None:
        super().__init__(msg)
        self.msg = msg
        self.code = code
        self.status = status
        self.node = node
        self.blockers = [dict(blocker) for blocker in blockers]
        self.outcome_unknown = outcome_unknown
        self.attempts = 1
        self.retryable = retryable
        self.retry_after = retry_after
        self.explained = explained
        self.newest = newest

    def __str__(self) -> str:
        return self.msg

    def to_result(self) -> dict[str, t.Any]:
        """Give the fields of a failed result; the keys are always the same ones."""
        return {
            "msg": self.msg,
            "code": self.code,
            "status": self.status,
            "node": self.node,
            "blockers": self.blockers,
            "outcome_unknown": self.outcome_unknown,
        }


class Unreachable(ClientError):
    """No answer came: the service is down, too slow, not trusted, or closed the connection."""


class Refused(ClientError):
    """The service answered with an error; status and code say which."""


class NotSupported(ClientError):
    """The service lacks what was asked of it, and nothing was sent."""


class BadAnswer(ClientError):
    """An answer came that is not one of this API: HTML, broken JSON, another shape, a redirect."""


class BadOption(ClientError):
    """An option is missing or wrong, and nothing was sent."""

    def __init__(self, msg: str, *, node: str | None = None) -> None:
        super().__init__(msg, code="option", node=node)


class MissingLibrary(ClientError):
    """The Python library that speaks HTTP is not installed where this runs."""

    def __init__(self, msg: str) -> None:
        super().__init__(msg, code="missing_library")
