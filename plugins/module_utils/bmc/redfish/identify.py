# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The locator LED over Redfish: LocationIndicatorActive, or IndicatorLED of older machines; of the system, or of its chassis."""

from __future__ import annotations

import time
import typing as t

from .. import alarm
from ..errors import BmcError, Ends
from ..report import Json
from ..target import Target
from . import machine, sessions, values
from .connection import etag
from .machine import Machine
from .sessions import Service, Tell
from .walk import Walk, path_of

_LIT = ("lit", "blinking")
#: Some BMCs show the new state only after a while, in seconds.
_PATIENCE, _PAUSE = 3.0, 0.5


class _Led(t.NamedTuple):
    path: str
    member: str
    resource: Json

    @property
    def method(self) -> str:
        return "location_indicator_active" if self.member == "LocationIndicatorActive" else "indicator_led"


def identify(target: Target, state: str, check: bool, tell: Tell, told: t.Callable[[Json], None]) -> None:
    """Set the LED and tell (`told`) what came of it so far, as `checking.identify` describes it. Raises BmcError."""
    service = sessions.enter(target, tell)
    try:
        _identify(service, state, check, told)
    finally:
        alarm.silence()
        service.close()


def _identify(service: Service, state: str, check: bool, told: t.Callable[[Json], None]) -> None:
    led = _find(service, machine.find(service))
    before = _state(led.member, led.resource)
    result: Json = {"before": before, "after": before, "method": led.method, "changed": False}
    told(result)
    if before == state:
        return
    if check:
        told({**result, "after": state, "changed": True})
        return
    # Whatever happens from here on, it may have been set.
    told({**result, "after": "unknown", "changed": True})
    try:
        _set(service, led, state)
    except Ends:
        raise
    except BmcError as error:
        if error.kind != "unreachable":
            told(result)
        raise
    told({**result, "after": _settled(service, led, state), "changed": True})


def _find(service: Service, found: Machine) -> _Led:
    resources = [(found.path, found.system())]
    resources += [(path, one) for one in found.chassis(Walk(service, "check", {})) if (path := path_of(one))]
    for member in ("LocationIndicatorActive", "IndicatorLED"):
        for path, resource in resources:
            if member in resource:
                return _Led(path, member, resource)
    raise BmcError("bmc_error", f"The BMC {service.connection.address} offers no locator LED.")


def _state(member: str, resource: Json) -> str:
    value = resource.get(member)
    if member == "LocationIndicatorActive":
        return {True: "on", False: "off"}.get(value, "unknown") if isinstance(value, bool) else "unknown"
    word = (values.text(value) or "").lower()
    return "on" if word in _LIT else "off" if word == "off" else "unknown"


def _set(service: Service, led: _Led, state: str) -> None:
    wanted: list[t.Any] = [state == "on"]
    if led.member == "IndicatorLED":
        wanted = ["Lit", "Blinking"] if state == "on" else ["Off"]
    for position, value in enumerate(wanted):
        try:
            service.connection.patch(led.path, {led.member: value}, etag(led.resource))
            return
        except BmcError as error:
            if position == len(wanted) - 1 or error.kind == "unreachable":
                raise


def _settled(service: Service, led: _Led, state: str) -> str:
    until = time.monotonic() + _PATIENCE
    while True:
        now = _state(led.member, service.connection.fresh(led.path))
        if now == state or time.monotonic() > until:
            return now
        time.sleep(_PAUSE)
