# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The password and the key of a BMC are seen by nobody: one run of every module, the role and the runbook, watched from all sides."""

from __future__ import annotations

import base64
import dataclasses
import json
import os
import pathlib
import sys
import typing as t
import urllib.parse

import ansible_runner
import pytest

from tests.integration.playbooks.running import LOCAL, USERS, Site
from tests.lab.bmc import trees
from tests.lab.bmc.fake_ipmi import USER, FakeIpmi
from tests.lab.bmc.static_redfish import StaticRedfish
from tests.support.backend import Backend

from .watching import Watcher

# One long run of ansible, on a machine that may be busy.
pytestmark = pytest.mark.timeout(600)

REDFISH, IPMI, KEY, WRONG = "c4nary/red fish#1", "c4nary-ipmi-1", "c4nary-kg-1", "c4nary-wrong"
DRIVE: t.Final = "/redfish/v1/Systems/1/Storage/1/Drives/Bay1"
QUICK: t.Final = {"bmc_power_reads": 1, "bmc_retries": 0, "bmc_username": USER}
FAST_ROLE: t.Final = {"fault_recovery_attempts": 1, "fault_recovery_retry_delay": 0, "fault_recovery_storm_window": 0}


@dataclasses.dataclass(frozen=True)
class Seen:
    """What a run showed, and where it was kept."""

    output: str
    artifacts: str
    events: list[dict[str, t.Any]]
    history: str
    kept: bytes
    watcher: Watcher

    def of(self, task: str) -> list[dict[str, t.Any]]:
        """Give the results of a task."""
        data = [event.get("event_data") or {} for event in self.events]
        return [one["res"] for one in data if one.get("task") == task and "res" in one]


def tasks(redfish: t.Iterable[str], ipmi: t.Iterable[str]) -> list[dict[str, t.Any]]:
    """Every module, with the right login and with a wrong one. Logins come from host variables, as they do from a vault."""
    found: list[dict[str, t.Any]] = []
    options = {host: {name: f"{{{{ hostvars.{host}.{name} }}}}" for name in names} for host, names in (("one", redfish), ("two", ipmi))}
    wrong_password = {"bmc_password": "{{ wrong_password }}"}
    for name, host in (("redfish", "one"), ("ipmi", "two")):
        bmc = options[host]
        wrong = {**bmc, **wrong_password}
        for module in ("bmc_info", "bmc_identify"):
            found.append({"name": f"{module} {name}", f"baremetal.maintenance.{module}": bmc, "diff": True})
        found.append({"name": f"wrong {name}", "baremetal.maintenance.bmc_check": wrong, "ignore_errors": True})
    targets = [{**options["one"], "node": "a"}, {**options["two"], "node": "b"}, {**options["one"], **wrong_password, "node": "c"}]
    return [*found, {"name": "several", "baremetal.maintenance.bmc_check": {"targets": targets}}]


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Seen]:
    """One run of them all, watched."""
    root = tmp_path_factory.mktemp("secrets")
    folders = {name: root / name for name in ("backend", "ipmi", "run", "tmp", "ansible")}
    for folder in folders.values():
        folder.mkdir()
    fakes = FakeIpmi(folders["ipmi"], 1, password=IPMI)
    fakes.start()
    try:
        with (
            Backend(folders["backend"], users=USERS) as backend,
            StaticRedfish(trees.machine(), password=REDFISH) as service,
            Watcher(folders["tmp"], folders["ansible"]) as watcher,
        ):
            fakes.bmcs[0].set(kg=KEY)
            # So that there is time to look at the processes that read; and a BMC that tells the password back.
            service.delay = 0.03
            service.patch(DRIVE, {"Model": f"X4 {REDFISH}"})
            redfish = {**QUICK, "bmc_protocol": "redfish", "bmc_address": service.url, "bmc_password": REDFISH}
            ipmi = {**QUICK, "bmc_protocol": "ipmi", "bmc_address": fakes.bmcs[0].address, "bmc_password": IPMI, "bmc_kg": KEY}
            site = Site(folders["backend"], backend)
            for name in ("red", "ip"):
                site.call("dc", "POST", "/v1/nodes", {"name": name, "owner": "storage-project"})
            site.call("dc", "PUT", "/v1/nodes/ip/maintenance/fault", {"fault": "power failure", "reason": "no answer"})
            hosts = {"one": {"baremetal_node": "red", **redfish}, "two": {"baremetal_node": "ip", **ipmi}}
            path = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
            runbook = "baremetal.maintenance.hardware_replacement"
            run = ansible_runner.run(
                private_data_dir=str(folders["run"]),
                playbook=[
                    {"hosts": "localhost", "gather_facts": False, "tasks": tasks(redfish, ipmi)},
                    {"ansible.builtin.import_playbook": runbook, "vars": {"phase": "before", "target": "red", "reason": "a disk"}},
                    {
                        "ansible.builtin.import_playbook": runbook,
                        "vars": {"phase": "after", "target": "red", "unchanged": "accept"},
                    },
                    {"ansible.builtin.import_playbook": "baremetal.maintenance.fault_recovery", "vars": {"target": "ip", **FAST_ROLE}},
                ],
                inventory={"all": {"hosts": {"localhost": {**LOCAL, "wrong_password": WRONG}, **hosts}}},
                envvars={**site.environment("dc"), "PATH": path, "TMPDIR": str(folders["tmp"]), "ANSIBLE_HOME": str(folders["ansible"])},
                cmdline="-vvv",
                quiet=True,
                suppress_env_files=True,
            )
            history = "".join(json.dumps(site.call("dc", "GET", f"/v1/nodes/{name}/history?detail=true")) for name in ("red", "ip"))
            kept = b"".join(path.read_bytes() for path in folders["backend"].glob("*") if path.is_file())
    finally:
        fakes.stop()
    files = [path for path in sorted((folders["run"] / "artifacts").rglob("*")) if path.is_file()]
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in files]
    events = [json.loads(text) for path, text in zip(files, texts, strict=True) if path.parent.name == "job_events"]
    output = "".join(f"{event['stdout']}\n" for event in sorted(events, key=lambda event: event["counter"]))
    assert run.rc == 0, output
    yield Seen(output, "\n".join(texts), events, history, kept, watcher)


def shown(text: str | bytes) -> list[str]:
    """Give the spellings of a secret that a text has."""
    found = text if isinstance(text, bytes) else text.encode()
    spellings = ["c4nary"]
    for secret in (REDFISH, IPMI, KEY, WRONG):
        spellings += [urllib.parse.quote(secret, safe=""), base64.b64encode(f"{USER}:{secret}".encode()).decode()]
    return [spelling for spelling in spellings if spelling.encode() in found]


def test_the_run_did_what_it_is_watched_for(seen: Seen) -> None:
    for name in ("bmc_info redfish", "bmc_info ipmi"):
        assert seen.of(name)[0]["report"]["reachable"]
    assert all(result["changed"] for name in ("redfish", "ipmi") for result in seen.of(f"bmc_identify {name}"))
    assert [row["release"] for row in seen.of("several")[0]["targets_result"]] == [True, True, False]
    for name in ("wrong redfish", "wrong ipmi"):
        assert seen.of(name)[0]["report"]["errors"][0]["kind"] == "auth_failed"
    for released in ("hardware_replacement: no replaced part seen; redfish BMC", "ipmi BMC"):
        assert released in seen.history
    assert "********" in seen.artifacts, "what the BMC told back is masked"


def test_no_process_shows_a_secret_in_its_command_line_or_environment(seen: Seen) -> None:
    readers = [command for _pid, command in seen.watcher.processes if b"\0-I\0-c\0" in command]
    assert len(readers) >= 8, "the processes that read BMCs were looked at"
    for (_pid, command), environment in seen.watcher.processes.items():
        assert not shown(command)
        assert not shown(environment)


def test_no_file_has_a_secret_in_it_while_it_runs_or_afterwards(seen: Seen) -> None:
    assert seen.watcher.files, "ansible writes temporary files"
    for path, contents in seen.watcher.files.items():
        assert not any(shown(content) for content in contents), path


def test_no_output_result_or_event_has_a_secret_in_it(seen: Seen) -> None:
    assert "task path" in seen.output
    assert not shown(seen.output)
    assert not shown(seen.artifacts)


def test_neither_the_history_nor_anything_that_the_backend_keeps_has_a_secret_in_it(seen: Seen) -> None:
    assert not shown(seen.history)
    assert b"SYS1-B1" in seen.kept
    assert not shown(seen.kept)
