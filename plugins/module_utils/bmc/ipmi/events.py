# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The system event log (SEL, IPMI 2.0 section 31), read with an end, and each entry's time corrected by the clock of the BMC."""

from __future__ import annotations

import struct
import time
import types
import typing as t

from .. import clock, libs
from ..errors import BmcError, NotOffered
from ..report import Json
from . import sensors
from .sensors import Sensors
from .session import Refused, Session, stumbles

_EMPTY = 0xCB
_UNKNOWN_COMMAND = (0xC1, 0xC2)
_LAST = 0xFFFF
_UNSPECIFIED = (0, 0xFFFFFFFF)
_OVERFLOW = 0x80
#: How many entries may come without the log's count having said so.
_SLACK = 64

_CLOCK_CHANGE = "Clock time change"


def skew(session: Session) -> float | None:
    """How far the BMC's clock is ahead of ours, in seconds; None if it was not set since the BMC started. Raises NotOffered, BmcError."""
    before = time.time()
    try:
        data = session.ask("its time", 0x0A, 0x48)
    except Refused as refused:
        raise NotOffered from refused
    if len(data) < 4:
        raise BmcError("malformed", "The time of the BMC is too short.")
    (theirs,) = struct.unpack("<I", bytes(data[:4]))
    if theirs < clock.UNSET_BEFORE or theirs in _UNSPECIFIED:
        return None
    return theirs - (before + time.time()) / 2


class Log:
    """The entries as they are read; `piece` gets what was read however the reading ends."""

    def __init__(self, session: Session, known: Sensors | None, ahead: float | None, since: float | None) -> None:
        self._session = session
        self._ahead = ahead
        self._since = since
        described = {one.key: one.entry for one in known.sensors} if known else {}
        table = types.SimpleNamespace(sensors=described, fru={})
        self._decoder = libs.pyghmi().events.EventHandler(table, session.command)
        self._events: list[Json] = []

    def read(self, piece: Json) -> None:
        """The section `events`."""
        try:
            info = self._session.ask("its event log", 0x0A, 0x40)
        except Refused as refused:
            if refused.code in _UNKNOWN_COMMAND:
                raise NotOffered from refused
            raise
        if len(info) < 14:
            raise BmcError("malformed", "The description of the event log is too short.")
        (count,) = struct.unpack("<H", bytes(info[1:3]))
        (erased,) = struct.unpack("<I", bytes(info[9:13]))
        overflow = bool(info[13] & _OVERFLOW)
        cleared = None if erased in _UNSPECIFIED else clock.corrected(erased, self._ahead)
        piece["events"] = {"complete": False, "overflow": overflow, "cleared_at": clock.iso(cleared), "read": 0, "entries": []}
        whole = False
        try:
            if count:
                self._fetch(count)
            whole = True
        finally:
            read = {"read": len(self._events), "entries": entries(self._events, self._ahead, self._since)}
            piece["events"].update(read, complete=whole and not overflow)

    def _fetch(self, count: int) -> None:
        record, seen = 0, set()
        while record != _LAST:
            if record in seen or len(seen) > count + _SLACK:
                raise BmcError("malformed", f"The event log has no end: entry {record} comes again, or more than the {count} it counts.")
            seen.add(record)
            try:
                data = self._session.ask(f"entry {record} of its event log", 0x0A, 0x43, [0, 0, record & 0xFF, record >> 8, 0, 0xFF])
            except Refused as refused:
                if refused.code == _EMPTY:
                    # Cleared, or wrapped, while we read it.
                    return
                raise
            if len(data) < 18:
                raise BmcError("malformed", f"Entry {record} of the event log is too short.")
            self._events.append(self._decode(bytes(data[2:18])))
            record = data[0] | data[1] << 8

    def _decode(self, raw: bytes) -> Json:
        try:
            return {"raw": raw, **self._decoder._sel_decode(raw)}
        except stumbles():
            return {"raw": raw, "record_id": raw[0] | raw[1] << 8}


def entries(events: t.Sequence[Json], ahead: float | None, since: float | None) -> list[Json]:
    """The entries for a report, of what pyghmi decoded: those that are not ok, at or after `since` or without a time. One that the BMC has
    taken back since (a deassertion of the same state of the same sensor) is repaired."""
    times = corrected_times(events, ahead)
    taken_back: set[t.Any] = set()
    found = []
    for event, stamp in zip(reversed(events), reversed(times), strict=True):
        state = (event.get("component_id"), event.get("event_id"))
        if event.get("deassertion"):
            taken_back.add(state)
        severity = _severity(event)
        if severity == "ok" or event.get("event") == _CLOCK_CHANGE or (stamp is not None and since is not None and stamp < since):
            continue
        found.append(
            {
                "id": str(event.get("record_id", "")),
                "log": "sel",
                "time": clock.iso(stamp),
                "severity": severity,
                "about": event.get("component_type") or None,
                "message": _message(event),
                "repaired": True if state[1] is not None and state in taken_back else None,
            }
        )
    return found[::-1]


def corrected_times(events: t.Sequence[Json], ahead: float | None) -> list[float | None]:
    """When each event was by our clock. Where the log says that the BMC's clock was set, what comes before is corrected by that step, too;
    where times run backwards without that, nothing before is believed."""
    times: list[float | None] = []
    behind = -(ahead or 0.0)
    after: int | None = None
    later: float | None = None
    believed = True
    for event in reversed(events):
        stamp = event.get("timecode")
        if event.get("event") == _CLOCK_CHANGE and stamp is not None:
            if event.get("event_data") == "After":
                after = stamp
            elif after is not None:
                behind += after - stamp
                after, later = None, None
            times.append(None)
            continue
        after = None
        if stamp is None or stamp < clock.UNSET_BEFORE or stamp in _UNSPECIFIED:
            times.append(None)
            continue
        believed = believed and (later is None or stamp <= later)
        later = stamp
        times.append(stamp + behind if believed else None)
    return times[::-1]


def _severity(event: Json) -> str:
    level = event.get("severity")
    if level is None or not event.get("event") or str(event["event"]).startswith("Unknown"):
        return "unknown"
    return sensors.health(level, ())


def _message(event: Json) -> str:
    if not event.get("event"):
        return f"Record 0x{event['raw'][2]:02x} of no known meaning: {event['raw'][3:].hex()}"
    words = [str(event[name]) for name in ("component", "event", "event_data") if event.get(name)]
    return ": ".join(words)
