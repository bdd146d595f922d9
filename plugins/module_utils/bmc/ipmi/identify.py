# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The locator LED over IPMI (IPMI 2.0 section 28.5, Chassis Identify)."""

from __future__ import annotations

from .. import alarm
from ..report import Json
from ..target import Target
from . import chassis
from .session import Refused, Session, connect

_FOREVER = 1
#: What ipmi_sim (openipmi 2.0.33) answers although it has done what it was told; its handler forgets to set the length of the reply.
_DONE_ALL_THE_SAME = 0xFF


def identify(target: Target, state: str, seconds: int | None, check: bool) -> Json:
    """Set the LED and give what came of it, as `checking.identify` describes it. Raises BmcError."""
    session = connect(target)
    try:
        return _identify(session, state, seconds, check)
    finally:
        alarm.silence()
        session.close()


def _identify(session: Session, state: str, seconds: int | None, check: bool) -> Json:
    before = chassis.status(session).identify
    result: Json = {"before": before, "after": before, "method": "chassis_identify", "changed": False}
    # With a number of seconds the time runs anew, so that is a change even if the LED is on.
    if before == state and seconds is None:
        return result
    result.update(after=state, changed=True)
    if not check:
        refused = _send(session, state, seconds)
        now = chassis.status(session).identify
        if refused and now != state and not (now == "unknown" and refused.code == _DONE_ALL_THE_SAME):
            raise refused
        result["after"] = now
    return result


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
