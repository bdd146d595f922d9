# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Action plugins: what each declares, and that loading one opens nothing."""

from __future__ import annotations

import importlib
import subprocess
import sys
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.operations import hold
from ansible_collections.baremetal.maintenance.plugins.plugin_utils.action import MaintenanceAction
from ansible_collections.baremetal.maintenance.plugins.plugin_utils.bmc_action import BmcAction

BMC_NAMES: t.Final = ("bmc_check", "bmc_identify", "bmc_info")
NAMES: t.Final = ("history_info", "hold", "hold_info", "maintenance_flag", "node", "node_fault", "node_info", *BMC_NAMES)
PLUGINS: t.Final = "ansible_collections.baremetal.maintenance.plugins.action"


@pytest.mark.parametrize("name", NAMES)
def test_an_action_runs_the_operation_of_its_name_without_a_connection(name: str) -> None:
    action = importlib.import_module(f"{PLUGINS}.{name}").ActionModule
    assert action.operation.name == name
    assert vars(action)["_supports_check_mode"] is True
    assert action._supports_async is False
    assert action._requires_connection is False


@pytest.mark.parametrize("base", [MaintenanceAction, BmcAction])
def test_an_action_that_does_not_declare_its_check_mode_is_an_error(base: type) -> None:
    with pytest.raises(TypeError, match="_supports_check_mode"):
        type("ActionModule", (base,), {"operation": hold.OPERATION})


def test_loading_every_action_opens_no_socket_starts_no_thread_and_makes_no_session() -> None:
    script = f"""
import importlib, socket, threading
import requests

def refuse(*arguments, **options):
    raise AssertionError("opened while loading")

socket.socket.connect = socket.create_connection = threading.Thread.start = requests.Session.__init__ = refuse
for name in {NAMES!r}:
    importlib.import_module("{PLUGINS}." + name)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_loading_an_action_loads_the_library_that_it_will_need() -> None:
    script = f"import sys, {PLUGINS}.hold; raise SystemExit('requests' not in sys.modules or 'jmespath' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], timeout=60, check=False).returncode == 0


def test_a_module_says_which_python_it_needs_before_anything_else_can_fail() -> None:
    script = f"""
import sys
sys.version_info = (3, 9, 18, "final", 0)
try:
    from {PLUGINS.replace(".action", ".module_utils.operations")} import as_module
except ImportError as error:
    raise SystemExit("need Python 3.10 or later" not in str(error) or "this is Python 3.9.18" not in str(error))
raise SystemExit(2)
"""
    assert subprocess.run([sys.executable, "-c", script], timeout=60, check=False).returncode == 0


def test_the_process_of_a_task_about_bmcs_never_loads_the_libraries_that_talk_to_them() -> None:
    script = f"""
import importlib, sys
for name in {BMC_NAMES!r}:
    importlib.import_module("{PLUGINS}." + name)
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import checking
options = dict(username="admin", password="canary", power_reads=1, retries=0, deadline=1)
for protocol in ("ipmi", "redfish"):
    report = checking.check(dict(options, protocol=protocol, address="127.0.0.1:9"), deadline=1)
    assert not report["reachable"] and report["errors"], report
checking.many([dict(options, protocol="redfish", address="127.0.0.1:9")] * 2, workers=1)
loaded = {{name.partition(".")[0] for name in sys.modules}}
raise SystemExit(repr(loaded & {{"pyghmi", "sushy"}}) if loaded & {{"pyghmi", "sushy"}} else 0)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
