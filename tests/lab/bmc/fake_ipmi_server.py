# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""IPMI BMCs on loopback that can be made to fail, as a process: pyghmi's own server class with sensors, a log and faults.

usage: fake_ipmi_server.py FOLDER ADDRESS PORT [PORT]…
Each BMC does at every request what FOLDER/PORT.json says (see `DEFAULT`); a test rewrites that file. What it was asked is appended to
FOLDER/PORT.log, a line each: `login NAME`, `session open`, `session closed`, or `NETFN:COMMAND DATA` in hex. Login admin, password secret
or what FOLDER/password has.
"""

from __future__ import annotations

import json
import os
import pathlib
import struct
import sys
import time
import traceback
import typing as t

import pyghmi.ipmi.bmc
from pyghmi.ipmi.private import serversession
from pyghmi.ipmi.private import session as client_session

DEFAULT: dict[str, t.Any] = {
    "power": "on",
    # The three bytes of the chassis status beyond the bit for power; the bits for the LED are added.
    "chassis": [0, 0, 0],
    "identify": None,
    # Of each sensor: the raw reading and its state bits. One that is missing here answers 0xCB.
    "sensors": {"1": [24, 0, 0], "2": [55, 0, 0], "3": [0, 1, 0], "4": [0, 1, 0], "5": [0, 64, 0], "6": [0, 1, 0]},
    # Positions in SENSORS below; null: all. Their names, by position, for one that replaces the usual.
    "records": None,
    "names": {},
    "sdr_time": 1700000000,
    # Longer pieces of a record are refused with 0xCA.
    "longest_piece": 255,
    # Entries as 16 bytes in hex; the first two, their number, are filled in.
    "log": [],
    "log_overflow": False,
    "log_erased": 0,
    # The record that follows the last one; null: none follows.
    "log_next": None,
    # Every entry is followed by a new one, for ever.
    "log_endless": False,
    "clock_ahead": 0,
    # By "NETFN:COMMAND" or, for sensor readings, "NETFN:COMMAND:SENSOR", in hex: a completion code; or not answered at all.
    "codes": {},
    "lost": [],
    # Seconds before each answer.
    "delay": 0.0,
    # Answer no login: none / after the session was opened / every one.
    "login": "answered",
    # A key of the BMC's own, which a client must know beside the password.
    "kg": None,
    "boot": [0, 0, 0, 0, 0],
    # Serial numbers in inventory data by its number, for those that replace the usual: 0 is the machine, 1 its first power supply.
    "serials": {},
}


def coded(name: str) -> bytes:
    """A name as a record has it, in 8-bit ASCII; one that begins with "6:" is packed to 6 bits a letter."""
    if name.startswith("6:"):
        value = sum((ord(letter) - 0x20 & 0x3F) << 6 * place for place, letter in enumerate(name[2:]))
        packed = value.to_bytes((len(name[2:]) * 6 + 7) // 8, "little")
        return bytes([0x80 | len(packed)]) + packed
    return bytes([0xC0 | len(name)]) + name.encode("latin-1")


def analog(number: int, kind: int, unit: int, name: str, factor: int = 1, entity: int = 7, upper_critical: int = 0) -> bytes:
    """A full record of a linear sensor; the upper critical threshold can be read if there is one."""
    body = bytearray([0x20, 0, number, entity, 1, 0x7F, 0x68, kind, 0x01, 0, 0, 0, 0, 0x10 if upper_critical else 0, 0x3F, 0, unit, 0, 0])
    body += bytes([factor & 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0])
    body += bytes([0, upper_critical, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    body += coded(name)
    return bytes([0x51, 0x01, len(body)]) + bytes(body)


def discrete(number: int, kind: int, name: str, entity: int = 7, instance: int = 1, shared: int = 1, owner: int = 0x20) -> bytes:
    """A compact record of a sensor with states of its own, or of `shared` of them that are counted on from `number`."""
    body = bytearray(
        [owner, 0, number, entity, instance, 0x67, 0x40, kind, 0x6F, 0xFF, 0, 0xFF, 0, 0xFF, 0, 0xC0, 0, 0, shared, 1 if shared > 1 else 0]
    )
    body += bytes([0, 0, 0, 0, 0, 0])
    body += coded(name)
    return bytes([0x51, 0x02, len(body)]) + bytes(body)


def place(number: int, entity: int, instance: int, name: str) -> bytes:
    """A record that says where inventory data is."""
    body = bytes([0x20, number, 0x80, 0, 0, 0x10, 0, entity, instance, 0]) + coded(name)
    return bytes([0x51, 0x11, len(body)]) + body


#: The builders of the records, each taking the name.
SENSORS: list[tuple[str, t.Callable[[str], bytes]]] = [
    ("Inlet Temp", lambda name: analog(1, 1, 1, name, upper_critical=45)),
    ("Fan1A", lambda name: analog(2, 4, 18, name, factor=100, entity=29)),
    ("PS1 Status", lambda name: discrete(3, 0x08, name, entity=10)),
    ("Drive 1", lambda name: discrete(4, 0x0D, name, entity=4)),
    ("DIMM A1", lambda name: discrete(5, 0x0C, name, entity=8)),
    ("PS2 Status", lambda name: discrete(6, 0x08, name, entity=10, instance=2)),
    ("PSU inventory", lambda name: place(1, 10, 1, name)),
    ("Slot ", lambda name: discrete(0x20, 0x0D, name, entity=4, shared=3)),
    ("ME Temp", lambda name: discrete(0x30, 0x01, name, owner=0x2C)),
]
#: Without the last two, which tests ask for.
USUAL = range(7)


def area(body: bytes) -> bytes:
    """An area of inventory data: version, length and check sum around fields."""
    raw = bytes([1, 0]) + body + b"\xc1"
    length = (len(raw) + 1 + 7) // 8 * 8
    padded = bytearray(raw + bytes(length - 1 - len(raw)))
    padded[1] = length // 8
    padded.append(-sum(padded) & 0xFF)
    return bytes(padded)


def inventory(serial: str) -> bytes:
    """Inventory data with one product area."""
    fields = (coded(text) for text in ("Contoso", "Lab 1U", "PN-77", "1.0", serial, "asset"))
    header = bytearray([1, 0, 0, 0, 1, 0, 0])
    header.append(-sum(header) & 0xFF)
    return bytes(header) + area(bytes([0x19]) + b"".join(fields) + b"\xc0")


class Session(serversession.ServerSession):
    """A session that offers what the client asks for or refuses, and is written down."""

    def create_open_session_response(self, request: bytes) -> t.Any:
        # pyghmi's server answers a client that asks for SHA-256 with SHA-1, on which its own client breaks; a BMC refuses.
        if len(request) > 12 and request[12] != 1:
            return bytearray([request[0], 0x04, 0, 0]) + bytearray(request[4:8])
        return super().create_open_session_response(request)

    def _got_rakp1(self, data: t.Any) -> None:
        name = bytes(data[28:]).decode("latin-1")
        self.bmc.note(f"login {name}")
        if self.bmc.state()["login"] == "silent":
            return
        if name not in self.authdata:
            reply = bytearray([data[0], 0x0D, 0, 0]) + self.clientsessionid
            self.send_payload(reply, 0x13, retry=False)
            return
        kg = self.bmc.state()["kg"]
        self.kg = kg.encode() if kg else None
        super()._got_rakp1(data)

    def _got_rakp3(self, data: t.Any) -> None:
        super()._got_rakp3(data)
        if self.integrityalgo:
            self.bmc.note("session open")

    def close_server_session(self) -> None:
        self.bmc.note("session closed")


serversession.ServerSession = Session


class Bmc(pyghmi.ipmi.bmc.Bmc):
    """One BMC."""

    def __init__(self, folder: pathlib.Path, address: str, port: int, password: str) -> None:
        super().__init__({"admin": password}, port=port, address=address)
        self._state = folder / f"{port}.json"
        self._log = folder / f"{port}.log"
        self._serials = {"0": f"SN{port}", "1": f"PSU{port}"}
        self.firmwaremajor, self.firmwareminor, self.additionaldevices = 9, 8, 0x9F

    def state(self) -> dict[str, t.Any]:
        try:
            return {**DEFAULT, **json.loads(self._state.read_text())}
        except (OSError, ValueError):
            return dict(DEFAULT)

    def change(self, **changes: t.Any) -> None:
        fresh = self._state.with_suffix(".new")
        fresh.write_text(json.dumps({**self.state(), **changes}))
        fresh.rename(self._state)

    def note(self, line: str) -> None:
        with self._log.open("a") as stream:
            stream.write(line + "\n")

    def sessionless_data(self, data: bytes, sockaddr: t.Any) -> None:
        if self.state()["login"] != "deaf":
            super().sessionless_data(data, sockaddr)

    def handle_raw_request(self, request: dict[str, t.Any], session: t.Any) -> None:
        netfn, command, data = request["netfn"], request["command"], bytes(request["data"])
        state = self.state()
        self.note(f"{netfn:x}:{command:x} {data.hex()}".strip())
        names = [f"{netfn:x}:{command:x}", *([f"{netfn:x}:{command:x}:{data[0]:x}"] if data else [])]
        if any(name in state["lost"] for name in names):
            return
        if state["delay"]:
            time.sleep(state["delay"])
        for name in names:
            if name in state["codes"]:
                session.send_ipmi_response(code=state["codes"][name])
                return
        answer = getattr(self, f"_do_{netfn:x}_{command:x}", None)
        if not answer:
            session.send_ipmi_response(code=0xC1)
            return
        reply = answer(data, state)
        if isinstance(reply, int):
            session.send_ipmi_response(code=reply)
        else:
            session.send_ipmi_response(data=list(reply))

    def _do_6_1(self, data: bytes, state: dict[str, t.Any]) -> bytes:
        return bytes([0x20, 1, 9, 0x08, 2, 0x9F, 0x91, 0x12, 0, 0x02, 0x0F])

    def _do_0_1(self, data: bytes, state: dict[str, t.Any]) -> bytes:
        first, second, third = state["chassis"]
        led = 0 if state["identify"] is None else 0x40 | (0x10 if state["identify"] else 0)
        return bytes([first | (state["power"] == "on"), second, third | led])

    def _do_0_2(self, data: bytes, state: dict[str, t.Any]) -> bytes:
        self.change(power="off" if data[0] in (0, 5) else "on")
        return b""

    def _do_0_4(self, data: bytes, state: dict[str, t.Any]) -> bytes:
        self.change(identify=data != b"\0")
        return b""

    def _do_0_9(self, data: bytes, state: dict[str, t.Any]) -> bytes:
        return bytes([1, 5, *state["boot"]])

    def _records(self, state: dict[str, t.Any]) -> list[bytes]:
        chosen = USUAL if state["records"] is None else state["records"]
        return [SENSORS[position][1](state["names"].get(str(position), SENSORS[position][0])) for position in chosen]

    def _do_a_20(self, data: bytes, state: dict[str, t.Any]) -> bytes:
        return b"\x51" + struct.pack("<HHII", len(self._records(state)), 0xFFFF, state["sdr_time"], 0) + b"\x02"

    def _do_a_22(self, data: bytes, state: dict[str, t.Any]) -> bytes:
        return bytes([1, 0])

    def _do_a_23(self, data: bytes, state: dict[str, t.Any]) -> bytes | int:
        records = self._records(state)
        (number,) = struct.unpack("<H", data[2:4])
        offset, length = data[4], data[5]
        position = max(number - 1, 0)
        if position >= len(records):
            return 0xCB
        if length > state["longest_piece"]:
            return 0xCA
        record = struct.pack("<H", position + 1) + records[position]
        following = position + 2 if position + 1 < len(records) else 0xFFFF
        return struct.pack("<H", following) + record[offset : offset + length]

    def _do_4_2d(self, data: bytes, state: dict[str, t.Any]) -> bytes | int:
        values = state["sensors"].get(str(data[0]))
        return 0xCB if values is None else bytes([values[0], 0xC0, *values[1:]])

    def _do_a_40(self, data: bytes, state: dict[str, t.Any]) -> bytes:
        overflow = 0x80 if state["log_overflow"] else 0
        return b"\x51" + struct.pack("<HHII", len(state["log"]), 1000, 0, state["log_erased"]) + bytes([overflow])

    def _do_a_43(self, data: bytes, state: dict[str, t.Any]) -> bytes | int:
        log = state["log"]
        (number,) = struct.unpack("<H", data[2:4])
        position = max(number - 1, 0)
        if state["log_endless"] and log:
            entry = bytearray.fromhex(log[0])
            following = position + 2
        elif position < len(log):
            entry = bytearray.fromhex(log[position])
            following = position + 2 if position + 1 < len(log) else (state["log_next"] or 0xFFFF)
        else:
            return 0xCB
        entry[0:2] = struct.pack("<H", position + 1)
        return struct.pack("<H", following) + bytes(entry)

    def _do_a_48(self, data: bytes, state: dict[str, t.Any]) -> bytes:
        return struct.pack("<I", int(time.time()) + state["clock_ahead"])

    def _do_a_10(self, data: bytes, state: dict[str, t.Any]) -> bytes | int:
        found = self._inventory(data[0], state)
        return 0xCB if found is None else struct.pack("<H", len(found)) + b"\0"

    def _inventory(self, number: int, state: dict[str, t.Any]) -> bytes | None:
        serial = {**self._serials, **state["serials"]}.get(str(number))
        return None if serial is None else inventory(serial)

    def _do_a_11(self, data: bytes, state: dict[str, t.Any]) -> bytes | int:
        if data[3] > state["longest_piece"]:
            return 0xC8
        (offset,) = struct.unpack("<H", data[1:3])
        piece = (self._inventory(data[0], state) or b"")[offset : offset + data[3]]
        return bytes([len(piece)]) + piece


def main() -> None:
    """Serve until the process is ended."""
    folder, address, *ports = sys.argv[1:]
    kept = pathlib.Path(folder, "password")
    password = kept.read_text() if kept.exists() else "secret"
    bmcs = [Bmc(pathlib.Path(folder), address, int(port), password) for port in ports]
    sys.stdout.write(f"ready {len(bmcs)} {os.getpid()}\n")
    sys.stdout.flush()
    while True:
        try:
            client_session.Session.wait_for_rsp(30)
        except Exception:
            # pyghmi's server class fails on packets of a client that was killed; a BMC goes on.
            traceback.print_exc(limit=-2)


if __name__ == "__main__":
    main()
