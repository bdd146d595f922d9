# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Serial numbers over IPMI: the inventory data (FRU, IPMI 2.0 section 34) of the machine and of the parts that have some."""

from __future__ import annotations

from .. import libs, report
from ..errors import BmcError, NotOffered
from ..report import Json
from .entries import Place
from .sensors import Sensors
from .session import Refused, Session, stumbles

_NOT_THERE = (0xC3, 0xC9, 0xCB, 0x81, 0xC1)
_TOO_LONG = (0xC7, 0xC8, 0xC9, 0xCA, 0xFF)
_PIECES = (128, 64, 32, 16, 8)
_MOST_BYTES = 8192

_MACHINE = 0


class Inventory:
    """Reads piece by piece; `read` fills the section `fru`."""

    def __init__(self, session: Session, known: Sensors) -> None:
        self._session = session
        self._known = known

    def read(self, piece: Json) -> None:
        """The machine's own inventory data gives `system`, each other one a part."""
        piece["components"] = []
        machine = self._read(_MACHINE)
        if machine is None and not self._known.places:
            raise NotOffered
        if machine:
            piece["system"] = {
                "manufacturer": _first(machine, "Manufacturer", "Board manufacturer"),
                "model": _first(machine, "Product name", "Board product name"),
                "serial": _first(machine, "Serial Number", "Chassis serial number", "Board serial number"),
            }
        for place in self._known.places:
            if place.number == _MACHINE:
                continue
            try:
                found = self._read(place.number)
            except Refused as refused:
                piece.setdefault("errors", []).append(refused.problem("fru"))
                continue
            if found:
                piece["components"].append(_part(place, found, self._known.parts.get(place.part, [])))

    def _read(self, number: int) -> Json | None:
        """What one place says, as pyghmi names it; None if there is nothing."""
        what = f"inventory data {number}"
        try:
            info = self._session.ask(what, 0x0A, 0x10, [number])
            size = min(info[0] | info[1] << 8, _MOST_BYTES) if len(info) > 1 else 0
            data = self._fetch(what, number, size)
        except Refused as refused:
            if refused.code in _NOT_THERE:
                return None
            raise
        try:
            return libs.pyghmi().fru.FRU(rawdata=data).info or None
        except stumbles() as error:
            raise BmcError("malformed", f"The {what} of the BMC makes no sense.") from error

    def _fetch(self, what: str, number: int, size: int) -> bytearray:
        data, pieces = bytearray(), list(_PIECES)
        while len(data) < size:
            offset = len(data)
            try:
                reply = self._session.ask(what, 0x0A, 0x11, [number, offset & 0xFF, offset >> 8, min(pieces[0], size - offset)])
            except Refused as refused:
                if refused.code in _TOO_LONG and len(pieces) > 1:
                    pieces.pop(0)
                    continue
                raise
            if len(reply) < 2 or not reply[0]:
                break
            data += reply[1 : 1 + reply[0]]
        return data


def _part(place: Place, found: Json, told: list[report.Component]) -> report.Component:
    """A part: one that a sensor has told of, if exactly one is about the same part; else one of which nothing else is known."""
    model = _first(found, "Product name", "Board product name", "Model", "Part number")
    serial = _first(found, "Serial Number", "Board serial number", "Serial number")
    if len(told) == 1:
        one = told[0]
        return report.component(one["kind"], one["name"], state=one["state"], model=model, serial=serial, uri=one["uri"])
    return report.component("other", place.name or f"inventory data {place.number}", model=model, serial=serial)


def _first(found: Json, *names: str) -> str | None:
    return next((str(found[name]).strip() for name in names if isinstance(found.get(name), str) and found[name].strip()), None)
