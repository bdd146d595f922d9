# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the records say (IPMI 2.0 section 43): sensors and places of inventory data, decoded by pyghmi but for their names."""

from __future__ import annotations

import copy
import dataclasses
import functools
import typing as t

from .. import libs
from .session import Session, stumbles

#: Types of records that describe a sensor, one that may stand for several, and one that says where inventory data is.
_FULL, _COMPACT, _FRU = 0x01, 0x02, 0x11
_VERSION = 0x51
_SIX_BITS, _BCD = 2, 1
_BCD_DIGITS = "0123456789 -.:,_"
#: The slave address of the BMC itself.
_BMC_ADDRESS = 0x20


@dataclasses.dataclass(frozen=True)
class Described:
    """A sensor as its record describes it. `entry` is pyghmi's object, which decodes readings; `record` is the record itself."""

    entry: t.Any
    record: bytearray

    @property
    def name(self) -> str:
        return self.entry.sensor_name

    @property
    def is_ours(self) -> bool:
        """Whether the BMC itself has the sensor, and not another controller behind it."""
        return self.entry.sensor_owner == _BMC_ADDRESS

    @property
    def key(self) -> str:
        """How pyghmi names a sensor that an event is about."""
        return f"{self.entry.sensor_owner}.{self.entry.sensor_number}.{self.entry.sensor_lun}"

    @property
    def part(self) -> tuple[int, int]:
        """The part that it is about: which kind (section 43.14), and which of that kind."""
        return self.record[8], self.record[9] & 0x7F

    def mask(self) -> int:
        """The states that the sensor can report at all; 0: it does not say."""
        body = self.record[5:]
        return body[13] | body[14] << 8 if len(body) > 14 else 0

    def upper_critical(self, command: t.Any) -> float | None:
        """The upper critical threshold in the sensor's unit, where the record has one that can be read."""
        body = self.record[5:]
        linear = self.entry.linearization is not None and self.entry.linearization <= 11
        if self.record[3] != _FULL or len(body) <= 32 or not linear or not body[13] & 0x10:
            return None
        raw = body[32]
        if self.entry.numeric_format in (1, 2) and raw > 127:
            raw -= 256 if self.entry.numeric_format == 2 else 255
        try:
            return float(self.entry.decode_value(command, raw))
        except stumbles():
            return None


@dataclasses.dataclass(frozen=True)
class Place:
    """Where inventory data is: the number to ask for, and the part that it is about, as `Described.part`."""

    number: int
    name: str
    part: tuple[int, int]


def decode(session: Session, record: bytearray) -> list[Described | Place]:
    """The sensors that a record describes, or the place of inventory data; nothing for other records and those that make no sense."""
    if len(record) < 6 or record[2] != _VERSION or record[3] not in (_FULL, _COMPACT, _FRU):
        return []
    try:
        entry = _entry_class()(record, session.command.get_event_constants())
    except stumbles():
        return []
    if record[3] == _FRU:
        return [Place(entry.fru_number, entry.fru_name, (record[12], record[13] & 0x7F))] if entry.fru_logical and len(record) > 13 else []
    return [Described(one, record) for one in (_shared(entry, record[5:]) if record[3] == _COMPACT else [entry])]


def _shared(entry: t.Any, body: bytearray) -> list[t.Any]:
    """The sensors of a compact record, which may stand for several with numbers and names that follow one another."""
    count = body[18] & 0x0F
    if count <= 1:
        return [entry]
    letters, first = body[18] >> 4 & 0x03 == 1, body[19] & 0x7F
    sensors = []
    for step in range(count):
        one = copy.copy(entry)
        one.sensor_number = entry.sensor_number + step
        one.sensor_name = entry.sensor_name + (chr(ord("A") + (first + step) % 26) if letters else str(first + step))
        sensors.append(one)
    return sensors


@functools.cache
def _entry_class() -> t.Any:
    """pyghmi's class for records with names read by us: in pyghmi 1.6 one in 6-bit ASCII is an endless loop, one beyond ASCII an error."""

    class Entry(libs.pyghmi().sdr.SDREntry):
        def tlv_decode(self, tlv: int, data: t.Any) -> str:
            return text(tlv >> 6, bytes(data)[: tlv & 0x1F] if tlv & 0x1F else bytes(data))

    return Entry


def text(coding: int, data: bytes) -> str:
    """A text of a record: 8-bit, BCD plus or packed 6-bit ASCII (section 43.15)."""
    if coding == _SIX_BITS:
        value = int.from_bytes(data, "little")
        letters = (chr((value >> shift & 0x3F) + 0x20) for shift in range(0, len(data) * 8 // 6 * 6, 6))
        return "".join(letters).strip()
    if coding == _BCD:
        return "".join(_BCD_DIGITS[half] if half < 16 else "" for byte in data for half in (byte >> 4, byte & 0x0F)).strip()
    return data.decode("latin-1").replace("\0", "").strip()
