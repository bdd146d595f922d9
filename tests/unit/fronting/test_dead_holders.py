# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Leases of processes that died: taken at once where the death is certain, waited for where it is not."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import threading
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.fronting.mirrors import Mirrors
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.fronting.nodes import register
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema import migrate
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store import holders, leases
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.store import Store

NODE: t.Final = "00000000-0000-4000-8000-000000000001"


class Other:
    """Another process and the name that it gives itself."""

    def __init__(self) -> None:
        text = f"from {holders.__name__} import new; print(new(), flush=True); input()"
        self.process = subprocess.Popen([sys.executable, "-c", text], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.name = self.process.stdout.readline().strip()

    def kill(self) -> None:
        """Kill it and leave its remains."""
        os.kill(self.process.pid, signal.SIGKILL)
        os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOWAIT)

    def bury(self) -> None:
        """Kill it, and ask how it ended."""
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def other() -> t.Iterator[Other]:
    process = Other()
    yield process
    process.bury()


@pytest.fixture
def store(tmp_path: pathlib.Path) -> t.Iterator[Store]:
    opened = Store(f"sqlite:///{tmp_path}/maintenance.sqlite")
    migrate.check(opened)
    yield opened
    opened.close()


def test_a_process_is_alive_until_it_has_ended(other: Other) -> None:
    assert not holders.is_dead(holders.new()) and holders.new() != holders.new()
    assert not holders.is_dead(other.name)
    other.kill()
    assert holders.is_dead(other.name), "its remains are no process"
    other.bury()
    assert holders.is_dead(other.name)


def test_another_process_of_the_same_number_is_not_the_holder(other: Other) -> None:
    host, machine, pid, began, rest = other.name.split("/")
    assert holders.is_dead("/".join([host, machine, pid, str(int(began) - 1), rest]))


@pytest.mark.parametrize("name", ["", "h", "host:12:uuid", "a/b/c", "h//1/2/u", "h/x/999999999/1/u", "h/x/-1/1/u", "////"])
def test_who_cannot_be_known_counts_as_alive(name: str) -> None:
    assert not holders.is_dead(name)


def test_the_machine_must_be_the_same(other: Other) -> None:
    host, machine, *rest = other.name.split("/")
    other.bury()
    assert not holders.is_dead("/".join([host, machine[::-1] + "0", *rest]))
    assert not holders.is_dead("/".join([host, "", *rest]))
    assert holders.is_dead("/".join(["another-name", machine, *rest])), "a host may be given another name"


def test_what_the_kernel_does_not_show_counts_as_alive(other: Other, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    """As where /proc hides the processes of others."""
    holders.new()
    monkeypatch.setattr(holders, "_PROC", tmp_path)
    assert not holders.is_dead(other.name)


def test_a_lease_of_the_dead_is_taken_at_once(store: Store, other: Other) -> None:
    assert leases.take(store, "x", other.name, 1000)
    assert not leases.take(store, "x", holders.new(), 1000)
    other.bury()
    mine = holders.new()
    assert leases.take(store, "x", mine, 1000)
    assert not leases.take(store, "x", holders.new(), 1000)
    assert leases.take(store, "x", mine, 1000)


def test_a_node_of_the_dead_is_due_and_is_verified(store: Store, other: Other) -> None:
    node = register(store, {NODE: {"uuid": NODE, "name": "n1"}}, threading.Lock())[NODE]
    mirrors = Mirrors(store, 1000)
    taken = mirrors.take(node.id, other.name)
    assert taken is not None and not taken.verifying
    assert mirrors.intend(taken, True, "why")
    assert mirrors.due(10) == [] and mirrors.take(node.id, holders.new()) is None
    other.bury()
    assert mirrors.due(10) == [node.id]
    again = mirrors.take(node.id, holders.new())
    assert again is not None and again.verifying, "the call may arrive after everything that is sent now"
    assert again.memory.sending == ("why",) and not mirrors.give_back(taken)
    assert mirrors.take(node.id, holders.new()) is None, "the dead gives nothing back"


def test_a_node_of_the_dead_that_sent_nothing_needs_no_verifying(store: Store, other: Other) -> None:
    node = register(store, {NODE: {"uuid": NODE, "name": "n1"}}, threading.Lock())[NODE]
    mirrors = Mirrors(store, 1000)
    assert mirrors.take(node.id, other.name) is not None
    other.bury()
    again = mirrors.take(node.id, holders.new())
    assert again is not None and not again.verifying
