# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A BMC of Debian's openipmi (ipmi_sim): an implementation of IPMI that has nothing in common with the library that reads it."""

from __future__ import annotations

import pathlib
import re
import socket
import subprocess
import typing as t

from . import processes
from .fake_ipmi import PASSWORD, USER
from .fake_ipmi_server import inventory

#: Another user, with the role of an operator.
OPERATOR, OPERATOR_PASSWORD = "oper", "operpw"

_LAN = """\
name "labbmc"
set_working_mc 0x20
  startlan 1
    addr 127.0.0.1 {port}
    priv_limit admin
    allowed_auths_callback none md2 md5 straight
    allowed_auths_user none md2 md5 straight
    allowed_auths_operator none md2 md5 straight
    allowed_auths_admin none md2 md5 straight
    guid a123456789abcdefa123456789abcdef
  endlan
  chassis_control "{folder}/chassis.sh"
  user 1 false "" "" user 10 none md2 md5 straight
  user 2 true "{user}" "{password}" admin 10 none md2 md5 straight
  user 3 true "{operator}" "{operator_password}" operator 10 none md2 md5 straight
console 127.0.0.1 {console}
"""

#: Sensors 0 to 5 of the records below; a wrong line here is not reported, the port just never opens (08 is no octal number).
_EMULATION = """\
mc_setbmc 0x20
mc_add 0x20 0 no-device-sdrs 0x23 9 8 0x9f 0x1291 0xf02 persist_sdr
sel_enable 0x20 64 0x0a
sensor_add 0x20 0 1 0x01 0x01 poll 1000 file "{folder}/inlet_temp"
sensor_set_value 0x20 0 1 24 0
sensor_set_threshold 0x20 0 1 settable 111000 0x32 0x2d 0x26 00 00 00
sensor_set_event_support 0x20 0 1 enable scanning per-state 000111111000000 000111111000000 000111111000000 000111111000000
sensor_add 0x20 0 2 0x04 0x01
sensor_set_value 0x20 0 2 55 0
sensor_set_threshold 0x20 0 2 settable 000111 0 0 0 2 5 8
sensor_set_event_support 0x20 0 2 enable scanning per-state 000000000111111 000000000111111 000000000111111 000000000111111
sensor_add 0x20 0 3 0x08 0x6f
sensor_set_bit_clr_rest 0x20 0 3 0 1 0
sensor_set_event_support 0x20 0 3 enable scanning per-state 000000000001011 000000000001011 000000000001011 000000000001011
sensor_add 0x20 0 4 0x0d 0x6f
sensor_set_bit_clr_rest 0x20 0 4 0 1 0
sensor_set_event_support 0x20 0 4 enable scanning per-state 000000000000111 000000000000111 000000000000111 000000000000111
sensor_add 0x20 0 5 0x0c 0x6f
sensor_set_bit 0x20 0 5 6 1 0
sensor_set_event_support 0x20 0 5 enable scanning per-state 000000001000011 000000001000011 000000001000011 000000001000011
mc_add_fru_data 0x20 0 128 file 0 "{folder}/inventory"
mc_enable 0x20
"""

#: Keeps the state of the chassis in files, and fails for the power where there is a file power.fail.
_CHASSIS = """\
#!/bin/sh
cd "{folder}" || exit 1
act=$1; shift
while [ $# -gt 0 ]; do
  case $act.$1 in
    get.power) if [ -e power.fail ]; then echo unreadable; exit 1; fi; echo "power:$(cat power)"; shift ;;
    get.boot) echo "boot:$(cat boot 2>/dev/null || echo default)"; shift ;;
    set.power|set.boot) echo "$2" > "$1"; shift 2 ;;
    set.reset) echo "$2" >> resets; shift 2 ;;
    set.shutdown) echo 0 > power; shift 2 ;;
    set.identify) echo "$2 $3" >> identify; shift 3 ;;
    *) echo "Invalid parameter: $1"; exit 1 ;;
  esac
done
"""

_ANALOG = """\
sdr type 1
  sensor_owner_id 0x20
  sensor_owner_lun 0
  channel_number 0
  sensor_number {number}
  entity_id {entity}
  entity_instance 1
  sensor_type {kind}
  init_scanning true
  init_sensor_type true
  default_sensor_scan_on true
  event_reading_type_code 1
  analog_data_format unsigned
  rate_unit none
  modifier_unit none
  percentage false
  base_unit {unit}
  modifier_unit_code unspecified
  linearization linear
  m {factor}
  tolerance 0
  b 0
  accuracy 1
  accuracy_exp 0
  sensor_direction input
  r_exp 0
  b_exp 0
  sensor_maximum 255
  sensor_minimum 0
  id_string "{name}"
endsdr
"""

_DISCRETE = """\
sdr type 2
  sensor_owner_id 0x20
  sensor_owner_lun 0
  channel_number 0
  sensor_number {number}
  entity_id {entity}
  entity_instance 1
  sensor_type {kind}
  event_reading_type_code 0x6f
  event0_state_ret true
  assert_event0 true
  event1_state_ret true
  assert_event1 true
  event6_state_ret true
  assert_event6 true
  id_string "{name}"
endsdr
"""


def _records() -> str:
    fields: list[tuple[str, dict[str, t.Any]]] = [
        (_ANALOG, {"number": 1, "entity": "system_board", "kind": "Temperature", "unit": "degrees_C", "factor": 1, "name": "Inlet Temp"}),
        (_ANALOG, {"number": 2, "entity": "fan_cooling_device", "kind": "Fan", "unit": "RPM", "factor": 100, "name": "Fan1A"}),
        (_DISCRETE, {"number": 3, "entity": "power_supply", "kind": "Power_Supply", "name": "PS1 Status"}),
        (_DISCRETE, {"number": 4, "entity": "disk_or_disk_bay", "kind": "Drive_Slot", "name": "Drive 1"}),
        (_DISCRETE, {"number": 5, "entity": "memory_module", "kind": "Memory", "name": "DIMM A1"}),
    ]
    return "".join(template.format(**values) for template, values in fields)


class IpmiSim:
    """The BMC. With `six_bits` the names of its sensors are packed, in a way on which pyghmi 1.6 never ends."""

    def __init__(self, folder: pathlib.Path, six_bits: bool = False) -> None:
        self.folder = folder
        self._six_bits = six_bits
        (self.port,) = processes.free_ports(1)
        (self._console,) = processes.free_ports(1, socket.SOCK_STREAM)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Raises NotInstalled."""
        sim, compiler = processes.program("ipmi_sim"), processes.program("sdrcomp")
        processes.program("ipmitool")
        values = {
            "folder": self.folder,
            "port": self.port,
            "console": self._console,
            "user": USER,
            "password": PASSWORD,
            "operator": OPERATOR,
            "operator_password": OPERATOR_PASSWORD,
        }
        for name, text in (("lan.conf", _LAN), ("bmc.emu", _EMULATION), ("chassis.sh", _CHASSIS)):
            (self.folder / name).write_text(text.format(**values))
        (self.folder / "chassis.sh").chmod(0o755)
        (self.folder / "inventory").write_bytes(inventory("SIM-1").ljust(128, b"\0"))
        self.write("power", "1")
        self.write("inlet_temp", "24")
        (self.folder / "records").write_text(_records())
        memory = self.folder / "state" / "ipmi_sim" / "labbmc"
        memory.mkdir(parents=True)
        packed = [] if self._six_bits else ["-8"]
        subprocess.run([compiler, *packed, "-o", str(memory / "sdr.20.main"), str(self.folder / "records")], check=True)
        log = self.folder / "log"
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                [sim, "-n", "-c", str(self.folder / "lan.conf"), "-f", str(self.folder / "bmc.emu"), "-s", str(self.folder / "state")],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                # It would die of a console that is closed while it answers; what is ignored here stays ignored there.
                restore_signals=False,
            )
        processes.wait_until(self._answers, self._process, log)

    def stop(self) -> None:
        processes.end(self._process)

    def write(self, name: str, text: str) -> None:
        """Write one of the files that make up the chassis: power (0 or 1), inlet_temp, power.fail."""
        (self.folder / name).write_text(f"{text}\n")

    def console(self, *commands: str) -> None:
        """Give commands to the console, such as `sensor_set_bit 0x20 0 4 1 1 1`: a fault of the drive, and an entry in the log."""
        with socket.create_connection(("127.0.0.1", self._console), 5) as connection:
            for command in commands:
                self._until_prompt(connection)
                connection.sendall(f"{command}\n".encode())
            self._until_prompt(connection)

    @staticmethod
    def _until_prompt(connection: socket.socket) -> None:
        """Wait until the console is ready for a command, the one before is done then."""
        heard = b""
        while not heard.endswith(b"> "):
            more = connection.recv(1000)
            if not more:
                raise RuntimeError(f"The console of ipmi_sim ended: {heard!r}")
            heard += more

    def ipmitool(self, *words: str) -> str:
        """What ipmitool, asked independently, gets for an answer."""
        command = [processes.program("ipmitool"), "-I", "lanplus", "-C", "3", "-H", "127.0.0.1", "-p", str(self.port)]
        command += ["-U", USER, "-P", PASSWORD, "-N", "2", "-R", "2", *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def sensors(self) -> dict[str, list[str]]:
        """The columns of ipmitool's `sdr elist`, by name."""
        rows = (re.split(r"\s*\|\s*", line) for line in self.ipmitool("sdr", "elist").splitlines())
        return {row[0]: row[1:] for row in rows if len(row) > 1}

    def target(self, **options: t.Any) -> dict[str, t.Any]:
        """Options that read this BMC; the power state once, unless they say otherwise."""
        usual = {
            "protocol": "ipmi",
            "address": f"127.0.0.1:{self.port}",
            "username": USER,
            "password": PASSWORD,
            "power_reads": 1,
            "retries": 0,
        }
        return {**usual, **options}

    def _answers(self) -> bool:
        wanted = f"0100007F:{self.port:04X}"
        if wanted not in pathlib.Path("/proc/net/udp").read_text():
            return False
        try:
            return "IPMI Version" in self.ipmitool("mc", "info")
        except subprocess.CalledProcessError:
            return False
