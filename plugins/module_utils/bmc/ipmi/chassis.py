# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Chassis status (IPMI 2.0 section 28.2): power, fault bits, locator LED; and the boot override (28.13)."""

from __future__ import annotations

import typing as t

from ..errors import BmcError, NotOffered
from ..report import Json
from .session import Refused, Session

#: Byte, bit and name of each fault.
_FAULTS = (
    (0, 1, "overload"),
    (0, 2, "interlock"),
    (0, 3, "main_power_fault"),
    (0, 4, "power_control_fault"),
    (2, 2, "drive_fault"),
    (2, 3, "cooling_fault"),
)
_IDENTIFY_KNOWN = 0x40
_IDENTIFY_STATES = {0: "off", 1: "on", 2: "on"}

#: Boot devices in the words of Redfish.
_BOOT_DEVICES = {
    0: "none",
    1: "pxe",
    2: "hdd",
    3: "hdd",
    4: "diags",
    5: "cd",
    6: "biossetup",
    8: "cd",
    9: "remotedrive",
    11: "hdd",
    15: "usb",
}
_BOOT_FLAGS = 5


class Status(t.NamedTuple):
    """`power` is on or off; `identify` is on, off or unknown."""

    power: str
    faults: list[str]
    identify: str


def status(session: Session) -> Status:
    """Ask for the chassis status. Raises BmcError."""
    data = session.ask("its chassis status", 0x00, 0x01)
    if len(data) < 3:
        raise BmcError("malformed", "The chassis status is too short.")
    known = data[2] & _IDENTIFY_KNOWN
    return Status(
        power="on" if data[0] & 1 else "off",
        faults=[name for byte, bit, name in _FAULTS if data[byte] >> bit & 1],
        identify=_IDENTIFY_STATES.get(data[2] >> 4 & 3, "unknown") if known else "unknown",
    )


def boot_override(session: Session, piece: Json) -> None:
    """The section `system`: all that IPMI knows of it is where the machine is told to boot from."""
    try:
        data = session.ask("its boot flags", 0x00, 0x09, [_BOOT_FLAGS, 0, 0])
    except Refused as refused:
        raise NotOffered from refused
    if len(data) < 4:
        raise BmcError("malformed", "The boot flags are too short.")
    valid = not data[1] & 0x80 and data[2] & 0x80
    piece["system"] = {"boot_override": _BOOT_DEVICES.get(data[3] >> 2 & 0x0F, "other") if valid else "none"}
