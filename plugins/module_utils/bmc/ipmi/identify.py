# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The locator LED over IPMI (IPMI 2.0 section 28.5, Chassis Identify)."""

from __future__ import annotations

import typing as t

from .. import alarm
from ..report import Json
from ..target import Target
from . import chassis
from .session import Refused, Session, connect

_FOREVER = 1
#: What ipmi_sim (openipmi 2.0.33) answers although it has done what it was told; its handler forgets to set the length of the reply.
_DONE_ALL_THE_SAME = 0xFF


def identify(target: Target, state: str, seconds: int | None, check: bool, told: t.Callable[[Json], None]) -> None:
    """Set the LED and tell what came of it so far, as `checking.identify` describes it. Raises BmcError."""
    session = connect(target)
    try:
        _identify(session, state, seconds, check, told)
    finally:
        alarm.silence()
        session.close()


def _identify(session: Session, state: str, seconds: int | None, check: bool, told: t.Callable[[Json], None]) -> None:
    before = chassis.status(session).identify
    result: Json = {"before": before, "after": before, "method": "chassis_identify", "changed": False}
    told(result)
    # With a number of seconds the time runs anew, so that is a change even if the LED is on.
    if before == state and seconds is None:
        return
    if check:
        told({**result, "after": state, "changed": True})
        return
    told({**result, "after": "unknown", "changed": True})
    refused = _send(session, state, seconds)
    now = chassis.status(session).identify
    if refused and now != state and not (now == "unknown" and refused.code == _DONE_ALL_THE_SAME):
        told({**result, "after": now})
        raise refused
    told({**result, "after": now, "changed": True})


def _send(session: Session, state: str, seconds: int | None) -> Refused | None:
    if state == "off":
        data = [0]
    elif seconds is None:
        data = [0, _FOREVER]
    else:
        data = [seconds]
    try:
        session.ask("its locator LED", 0x00, 0x04, data)
    except Refused as refused:
        return refused
    return None
