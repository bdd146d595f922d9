# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Ironic on loopback: API and conductor in one process, SQLite, fake hardware, no message bus, no power synchronisation.

    with Ironic(tmp_path) as ironic:
        …ironic.url…

It is ended by its process id.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import time
import typing as t
import urllib.error
import urllib.request

from ansible_collections.baremetal.maintenance.tests.lab import environment
from ansible_collections.baremetal.maintenance.tests.support.backend import free_port, own_environment

REQUIREMENT: t.Final = "ironic==39.0.0"
CONSTRAINTS: t.Final = pathlib.Path(__file__).with_name("ironic-constraints.txt")

_CONFIGURATION: t.Final = """
[DEFAULT]
auth_strategy = noauth
rpc_transport = none
host = lab-conductor
my_ip = 127.0.0.1
state_path = {folder}
log_file = {folder}/ironic.log
use_stderr = false
enabled_hardware_types = fake-hardware,redfish
enabled_bios_interfaces = fake,no-bios
enabled_boot_interfaces = fake,redfish-virtual-media
enabled_console_interfaces = fake,no-console
enabled_deploy_interfaces = fake,ramdisk
enabled_firmware_interfaces = fake,no-firmware
enabled_inspect_interfaces = fake,no-inspect
enabled_management_interfaces = fake,redfish
enabled_network_interfaces = noop
enabled_power_interfaces = fake,redfish
enabled_raid_interfaces = fake,no-raid
enabled_rescue_interfaces = fake,no-rescue
enabled_storage_interfaces = noop
enabled_vendor_interfaces = fake,no-vendor
default_network_interface = noop
[api]
host_ip = 127.0.0.1
port = {port}
public_endpoint = {url}
api_workers = 1
# Otherwise, without Keystone, nobody may create a node with an owner.
project_admin_can_manage_own_nodes = false
[conductor]
automated_clean = false
sync_power_state_interval = 0
[database]
connection = sqlite:///{folder}/ironic.sqlite
[dhcp]
dhcp_provider = none
[service_catalog]
endpoint_override = {url}
[deploy]
http_root = {folder}/http
[pxe]
tftp_root = {folder}/tftp
tftp_master_path = {folder}/master
images_path = {folder}/images
instance_master_path = {folder}/master
[oslo_concurrency]
lock_path = {folder}/lock
[oslo_messaging_notifications]
driver = noop
[inventory]
data_backend = none
"""


class Ironic:
    """One Ironic; the folder keeps its configuration, database and logs. It is installed on first use (raises environment.NotBuilt)."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.database = folder / "ironic.sqlite"
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._configuration = folder / "ironic.conf"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Ironic:
        self.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self.stop()

    def start(self, seconds: float = 90.0) -> None:
        """Start it and wait until its conductor takes nodes. Raises RuntimeError with what it logged if it does not."""
        commands = environment.python_with("ironic", (REQUIREMENT,), CONSTRAINTS).parent
        for name in ("images", "master", "tftp", "http", "lock"):
            (self.folder / name).mkdir(exist_ok=True)
        self._configuration.write_text(_CONFIGURATION.format(folder=self.folder, port=self.port, url=self.url), encoding="utf-8")
        self._make_database(commands)
        with (self.folder / "stdout.log").open("ab") as log:
            command = [str(commands / "ironic"), "--config-file", str(self._configuration)]
            self._process = subprocess.Popen(
                command, env=own_environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        end = time.monotonic() + seconds
        while time.monotonic() < end and self._process.poll() is None:
            if self._takes_nodes():
                return
            time.sleep(0.2)
        self.stop()
        raise RuntimeError(f"Ironic did not start:\n{self._log()}")

    def stop(self) -> None:
        """Tell it to end, and end it and its worker after thirty seconds if it does not."""
        process, self._process = self._process, None
        if process is None or process.poll() is not None:
            return
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # the session that was started for it, nobody else's
            process.wait()

    @contextlib.contextmanager
    def rows(self) -> t.Iterator[sqlite3.Connection]:
        """Give its database, to bring about what takes a broken machine otherwise, such as a fault."""
        with contextlib.closing(sqlite3.connect(self.database, timeout=30)) as connection:
            yield connection
            connection.commit()

    def _make_database(self, commands: pathlib.Path) -> None:
        """Copy an empty database of the newest schema; it is made once, since that takes seconds."""
        empty = environment.BUILD / "ironic-venv" / "empty.sqlite"
        with environment.locked("ironic"):
            if not empty.exists():
                command = [str(commands / "ironic-dbsync"), "--config-file", str(self._configuration), "create_schema"]
                done = subprocess.run(command, env=own_environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
                if done.returncode:
                    raise RuntimeError(f"Ironic's database could not be made:\n{done.stderr[-2000:]}")
                shutil.copy(self.database, empty)
        shutil.copy(empty, self.database)

    def _takes_nodes(self) -> bool:
        try:
            with urllib.request.urlopen(self.url + "/v1/drivers", timeout=5) as answer:
                return "fake-hardware" in {driver["name"] for driver in json.load(answer)["drivers"]}
        except (OSError, urllib.error.URLError, ValueError):
            return False

    def _log(self) -> str:
        logs = (self.folder / name for name in ("stdout.log", "ironic.log"))
        return "\n".join(log.read_text(encoding="utf-8", errors="replace")[-3000:] for log in logs if log.exists())
