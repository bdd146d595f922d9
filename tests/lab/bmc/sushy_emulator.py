# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenStack's Redfish emulator (sushy-tools) with its fake driver, behind TLS and HTTP basic authentication."""

from __future__ import annotations

import pathlib
import socket
import subprocess
import sys
import typing as t

import bcrypt
import requests
from ansible_collections.baremetal.maintenance.tests.support.certificates import Authority

from . import processes
from .fake_ipmi import PASSWORD, USER

#: A node that is on and has two drives, and one that is off.
ON, OFF = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"


class SushyEmulator:
    """The emulator; `ca` is the certificate of the authority that signed its own."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        (self.port,) = processes.free_ports(1, socket.SOCK_STREAM)
        authority = Authority(folder)
        self.ca = authority.certificate
        self._pair = authority.issue("emulator")
        self.url = f"https://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        passwords = self.folder / "htpasswd"
        # The emulator computes the hash anew for every request.
        passwords.write_bytes(USER.encode() + b":" + bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(4)) + b"\n")
        nics = [{"mac": "00:5c:52:31:3a:01", "ip": "172.22.0.101"}]
        common = {"external_notifier": False, "nics": nics}
        drives = [{"Id": name, "Name": f"Drive {name}", "CapacityBytes": 899527000000, "Protocol": "SAS"} for name in ("D1", "D2")]
        controllers = [{"MemberId": "0", "Name": "Contoso RAID", "SpeedGbps": 12}]
        settings: dict[str, t.Any] = {
            "LISTEN_IP": "127.0.0.1",
            "LISTEN_PORT": self.port,
            "SSL_CERT": self._pair.certificate,
            "SSL_KEY": self._pair.key,
            "AUTH_FILE": str(passwords),
            "FAKE_DRIVER": True,
            "FEATURE_SET": "full",
            "STATE_DIR": str(self.folder / "state"),
            "FAKE_SYSTEMS": [
                {"uuid": ON, "name": "node1", "power_state": "On", **common},
                {"uuid": OFF, "name": "node2", "power_state": "Off", **common},
            ],
            "STORAGE": {ON: [{"Id": "1", "Name": "Local Storage Controller", "StorageControllers": controllers, "Drives": ["D1", "D2"]}]},
            "DRIVES": {(ON, "1"): drives},
        }
        (self.folder / "state").mkdir()
        configuration = self.folder / "emulator.conf"
        configuration.write_text("".join(f"SUSHY_EMULATOR_{name} = {value!r}\n" for name, value in settings.items()))
        log = self.folder / "log"
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                [str(pathlib.Path(sys.executable).with_name("sushy-emulator")), "--config", str(configuration)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        processes.wait_until(self._answers, self._process, log)

    def stop(self) -> None:
        processes.end(self._process)

    def ask(self, path: str, method: str = "GET", **more: t.Any) -> requests.Response:
        """Ask independently of what is tested."""
        with requests.Session() as session:
            session.trust_env = False
            return session.request(method, self.url + path, auth=(USER, PASSWORD), verify=self.ca, timeout=10, **more)

    def target(self, **options: t.Any) -> dict[str, t.Any]:
        """Options that read the node that is on; the power state once, unless they say otherwise."""
        usual = {"protocol": "redfish", "address": self.url, "username": USER, "password": PASSWORD, "ca_path": self.ca, "system": ON}
        return {**usual, "power_reads": 1, "retries": 0, **options}

    def _answers(self) -> bool:
        try:
            return self.ask("/redfish/v1/Systems").ok
        except requests.ConnectionError:
            return False
