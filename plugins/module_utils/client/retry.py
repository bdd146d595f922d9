# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sending again: when, how often, and what to do about a write whose reply was lost."""

from __future__ import annotations

import dataclasses
import random
import time
import typing as t

from . import errors

T = t.TypeVar("T")

_FIRST_WAIT: t.Final = 0.5
_LONGEST_WAIT: t.Final = 8.0


@dataclasses.dataclass(frozen=True)
class Limits:
    """At most `retries` repetitions; a Retry-After beyond `timeout` seconds is not waited for."""

    retries: int
    timeout: float
    sleep: t.Callable[[float], None] = time.sleep
    clock: t.Callable[[], float] = time.monotonic


def run(
    once: t.Callable[[], T],
    limits: Limits,
    *,
    recover: t.Callable[[errors.ClientError], T | None] | None = None,
    resend_in_doubt: bool = True,
) -> T:
    """Call `once` until it succeeds, fails for good, or the limits are reached; then raise its last error, saying how often it was tried.

    From the first attempt on whose outcome is unknown the request is *in doubt*: it may have been done. Then `recover` is asked after each
    error, that one included; what it gives (not None) is the result. resend_in_doubt=False: a request in doubt is not sent again, because
    doing it twice could undo what somebody did in between.
    """
    started = limits.clock()
    attempts = 0
    in_doubt = False
    while True:
        attempts += 1
        try:
            return once()
        except errors.ClientError as error:
            in_doubt = in_doubt or error.outcome_unknown
            if in_doubt and recover is not None:
                result = recover(error)
                if result is not None:
                    return result
            wait = _wait(error, attempts, limits, resend=resend_in_doubt or not in_doubt)
            if wait is None:
                _conclude(error, attempts, limits.clock() - started, in_doubt, limits)
                raise
        limits.sleep(wait)


def _wait(error: errors.ClientError, attempts: int, limits: Limits, *, resend: bool) -> float | None:
    """Give the seconds to wait before the next attempt, None for no further attempt."""
    if not error.retryable or not resend or attempts > limits.retries:
        return None
    if error.retry_after is not None:
        return error.retry_after if error.retry_after <= limits.timeout else None
    return min(_FIRST_WAIT * 2 ** (attempts - 1), _LONGEST_WAIT) * random.uniform(0.7, 1.0)


def _conclude(error: errors.ClientError, attempts: int, elapsed: float, in_doubt: bool, limits: Limits) -> None:
    """Write into the last error how it came to it."""
    # A definite refusal of a later attempt answers for the earlier ones too: what the service refuses now it did not do then.
    error.outcome_unknown = error.outcome_unknown or (in_doubt and error.retryable)
    error.attempts = attempts
    said = []
    if attempts > 1:
        said.append(f"given up after {attempts} attempts in {elapsed:.0f} s")
    if error.retryable and error.retry_after is not None and error.retry_after > limits.timeout:
        said.append(f"the service asks to wait {error.retry_after:.0f} s, longer than the timeout of {limits.timeout:.0f} s")
    if error.outcome_unknown:
        said.append("it is not known whether this was done, so read the node before going on")
    if said:
        error.msg = "; ".join([error.msg.rstrip("."), *said])
