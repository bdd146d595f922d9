# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The records that describe the sensors of a BMC (SDR, IPMI 2.0 section 33), read with an end to every loop."""

from __future__ import annotations

import typing as t

from ..errors import BmcError, NotOffered
from .session import Refused, Session

#: Completion codes.
_NO_RESERVATION = 0xC5
_TOO_LONG = (0xC7, 0xC8, 0xCA, 0xFF)
_NO_SUCH_RECORD = 0xCB
_UNKNOWN_COMMAND = (0xC1, 0xC2)

_LAST = 0xFFFF
_WHOLE = 0xFF
_HEADER = 5
#: Lengths that are tried, in bytes, where a BMC cannot send a record at once.
_PIECES = (64, 32, 16, 8)
_MOST_RECORDS = 2000
_MOST_TRIES = 12


class Repository(t.NamedTuple):
    """Where a BMC keeps records: the network function and its commands."""

    netfn: int
    info: int
    get: int
    reserve: int


_SHARED = Repository(0x0A, 0x20, 0x23, 0x22)
#: The sensors of the device itself, of a BMC without a repository.
_DEVICE = Repository(0x04, 0x20, 0x21, 0x22)


def read(session: Session) -> t.Iterator[bytearray]:
    """Each record as it is stored, header included. Raises NotOffered if there is no repository, BmcError if it makes no sense."""
    repository = _find(session)
    reader = _Reader(session, repository)
    record, seen = 0, set()
    while record != _LAST:
        if record in seen or len(seen) >= _MOST_RECORDS:
            raise BmcError("malformed", f"The list of sensors has no end: record {record} comes again or is one too many.")
        seen.add(record)
        try:
            following, data = reader.record(record)
        except Refused as refused:
            if refused.code == _NO_SUCH_RECORD and record == 0:
                return
            raise
        yield data
        record = following


def _find(session: Session) -> Repository:
    device = session.ask("its device id", 0x06, 0x01)
    has_repository = len(device) > 5 and device[5] & 0x02
    device_only = len(device) > 1 and device[1] & 0x80 and not has_repository
    repository = _DEVICE if device_only else _SHARED
    try:
        session.ask("its list of sensors", repository.netfn, repository.info)
    except Refused as refused:
        if refused.code in _UNKNOWN_COMMAND:
            raise NotOffered from refused
        raise
    return repository


class _Reader:
    def __init__(self, session: Session, repository: Repository) -> None:
        self._session = session
        self._repository = repository
        self._reservation = 0
        self._pieces = list(_PIECES)
        self._at_once = True

    def record(self, number: int) -> tuple[int, bytearray]:
        """The number of the record that follows, and this record."""
        for _try in range(_MOST_TRIES):
            try:
                if self._at_once:
                    following, data = self._ask(number, 0, _WHOLE)
                    if len(data) >= _HEADER and len(data) >= _HEADER + data[4]:
                        return following, data
                    self._at_once = False
                return self._by_pieces(number)
            except Refused as refused:
                if refused.code == _NO_RESERVATION:
                    self._reserve()
                elif refused.code in _TOO_LONG and self._at_once:
                    self._at_once = False
                elif refused.code in _TOO_LONG and len(self._pieces) > 1:
                    self._pieces.pop(0)
                else:
                    raise
        raise BmcError("malformed", f"The description of sensor record {number} could not be read in {_MOST_TRIES} attempts.")

    def _by_pieces(self, number: int) -> tuple[int, bytearray]:
        if not self._reservation:
            self._reserve()
        following, data = self._ask(number, 0, _HEADER)
        if len(data) < _HEADER:
            raise BmcError("malformed", f"Sensor record {number} has no header.")
        size = _HEADER + data[4]
        while len(data) < size:
            _following, more = self._ask(number, len(data), min(self._pieces[0], size - len(data)))
            if not more:
                raise BmcError("malformed", f"Sensor record {number} ends before its end.")
            data += more
        return following, data

    def _ask(self, number: int, offset: int, count: int) -> tuple[int, bytearray]:
        reserved = self._reservation
        request = [reserved & 0xFF, reserved >> 8, number & 0xFF, number >> 8, offset, count]
        reply = self._session.ask(f"sensor record {number}", self._repository.netfn, self._repository.get, request)
        if len(reply) < 2:
            raise BmcError("malformed", f"The reply about sensor record {number} is too short.")
        return reply[0] | reply[1] << 8, reply[2:]

    def _reserve(self) -> None:
        reply = self._session.ask("a reservation of its list of sensors", self._repository.netfn, self._repository.reserve)
        self._reservation = reply[0] | reply[1] << 8 if len(reply) > 1 else 0
