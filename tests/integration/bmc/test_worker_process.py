# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that reads BMCs: where it can be started, what it gets to see, and that nothing of it is left."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import zipfile

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils import bmc as package
from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import checking
from ansible_collections.baremetal.maintenance.tests.integration.bmc.asking import kinds, read

CANARY = "pa55-canary/word"
SYSTEM = "/redfish/v1/Systems/1"


def children_of(pid):
    """The processes that a process has started."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{pid}/children") as listing:
        return [int(child) for child in listing.read().split()]
    return []


def lives(pid):
    with contextlib.suppress(OSError), open(f"/proc/{pid}/stat") as status:
        return status.read().rsplit(")", 1)[1].split()[0] not in ("Z", "X")
    return False


def test_a_task_loads_no_library_for_bmcs():
    """The parent is started anew for each host; pyghmi and sushy would cost it half a second each time."""
    heavy = ("pyghmi", "sushy", "requests", "asyncio")
    script = f"import sys; import {checking.__name__}; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_it_works_from_an_archive_as_a_module_is_shipped(tmp_path, redfish):
    archive = tmp_path / "payload.zip"
    folder = pathlib.Path(package.__file__).resolve().parent
    where = "ansible_collections/baremetal/maintenance/plugins/module_utils/bmc"
    with zipfile.ZipFile(archive, "w") as payload:
        for file in folder.rglob("*.py"):
            payload.write(file, f"{where}/{file.relative_to(folder)}")
        for parent in pathlib.PurePath(where).parents:
            if str(parent) != ".":
                payload.writestr(f"{parent}/__init__.py", "")
    script = (
        "import sys, json; sys.path.insert(0, sys.argv[1])\n"
        "from ansible_collections.baremetal.maintenance.plugins.module_utils.bmc import checking\n"
        "assert '.zip' in checking.__file__\n"
        "json.dump(checking.check(json.loads(sys.argv[2]), deadline=20), sys.stdout)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(archive), json.dumps(redfish.target())], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["complete"]


def test_a_library_that_is_missing_is_named(redfish, ipmi, monkeypatch):
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if "site-packages" not in entry])
    reports = checking.many([redfish.target(), ipmi.target()])
    assert [kinds(report) for report in reports] == [["library_missing"], ["library_missing"]]
    assert "sushy" in reports[0]["errors"][0]["msg"] and "pyghmi" in reports[1]["errors"][0]["msg"]
    assert "requirements.txt" in reports[0]["errors"][0]["hint"]


def test_a_python_that_cannot_be_started_is_said(redfish, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    report = checking.check(redfish.target())
    assert kinds(report) == ["child_failed"]
    assert "/nowhere/python" in report["errors"][0]["msg"]


def test_a_worker_that_fails_says_why(redfish, monkeypatch):
    monkeypatch.setattr(sys, "path", ["/nowhere"])
    report = checking.check(redfish.target())
    assert kinds(report) == ["child_failed"]
    assert "No module named" in report["errors"][0]["msg"]


def test_a_child_that_dies_is_said_and_what_it_read_is_kept(redfish):
    redfish.fault(f"{SYSTEM}/Memory", hang=60)
    with when_asked(redfish, "Memory", lambda child: os.kill(child, signal.SIGKILL)):
        report = read(redfish.target())
    assert kinds(report) == ["child_failed"]
    assert "signal 9" in report["errors"][0]["msg"]
    assert report["power"]["state"] == "on"


def test_a_worker_that_dies_is_said(redfish):
    redfish.fault(f"{SYSTEM}/Memory", hang=60)
    with when_asked(redfish, "Memory", lambda child: os.kill(parent_of(child), signal.SIGKILL)):
        report = read(redfish.target())
    assert kinds(report) == ["child_failed"]
    assert report["seconds"] < 20


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_is_left_of_a_task_that_is_killed_not_even_a_session(redfish, end):
    redfish.fault(f"{SYSTEM}/Memory", hang=60)
    script = f"import json, sys; from {checking.__name__} import check; check(json.loads(sys.argv[1]), deadline=50)"
    target = json.dumps(redfish.target(auth="session"))
    task = subprocess.Popen([sys.executable, "-c", script, target], stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: any("Memory" in path for _method, path in redfish.requests))
        (worker,) = children_of(task.pid)
        (child,) = children_of(worker)
        assert len(redfish.sessions) == 1
        task.send_signal(end)
    finally:
        wait_for(lambda: task.poll() is not None)
    wait_for(lambda: not lives(worker) and not lives(child))
    assert redfish.sessions == {}


def test_nothing_is_left_after_a_reading(redfish, ipmi):
    before = children_of(os.getpid())
    open_files = len(os.listdir("/proc/self/fd"))
    for _round in range(2):
        checking.many([redfish.target(), ipmi.target()])
    assert children_of(os.getpid()) == before
    assert len(os.listdir("/proc/self/fd")) == open_files


@pytest.mark.parametrize("auth", ["basic", "session"])
def test_a_password_is_in_no_process_list_environment_file_or_message(redfish, tmp_path, monkeypatch, auth):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    redfish.password = CANARY
    # A service that says the password back.
    redfish.fault(f"{SYSTEM}/Memory", status=500, message=f"cannot do this for {CANARY}")
    redfish.patch(SYSTEM, {"Model": f"model {CANARY}"})
    redfish.fault(f"{SYSTEM}/Storage", hang=1)
    seen = []

    def look(child):
        for pid in (child, parent_of(child)):
            for what in ("cmdline", "environ"):
                seen.append(pathlib.Path(f"/proc/{pid}/{what}").read_bytes())

    with when_asked(redfish, "Storage", look):
        report = read(redfish.target(password=CANARY, auth=auth))
    assert len(seen) == 4 and not any(CANARY.encode() in text for text in seen)
    assert "canary" not in json.dumps(report)
    assert "********" in report["system"]["model"] and "********" in report["errors"][0]["msg"]
    assert report["components"]
    assert list(tmp_path.iterdir()) == []


def test_a_password_over_ipmi_is_in_no_message(ipmi):
    report = read(ipmi.target(password=CANARY))
    assert kinds(report) == ["auth_failed"]
    assert "canary" not in json.dumps(report)
    assert not any("canary" in line for line in ipmi.asked())


def parent_of(pid):
    return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])


def wait_for(ready, patience=30.0):
    until = time.monotonic() + patience
    while not ready():
        assert time.monotonic() < until
        time.sleep(0.02)


@contextlib.contextmanager
def when_asked(service, word, act):
    """Do something with the child that reads, as soon as it asks for a resource."""
    over = threading.Event()

    def watch():
        while not over.wait(0.02):
            if any(word in path for _method, path in service.requests):
                for worker in children_of(os.getpid()):
                    for child in children_of(worker):
                        act(child)
                        return

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
