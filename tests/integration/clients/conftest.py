# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real backend with everybody of the cast, a node of theirs, and the commands."""

from __future__ import annotations

import dataclasses
import itertools
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend
from ansible_collections.baremetal.maintenance.tests.support.cast import CAST, LESSEE, OWNER, SERVICE_NAME
from ansible_collections.baremetal.maintenance.tests.support.commands import Commands

_NUMBERS = itertools.count(1)


@dataclasses.dataclass
class Party:
    """Commands of several people on the node `node`, a name of its own."""

    node: str
    commands: Commands

    def __call__(self, login: str) -> Commands:
        """Give the commands of a login."""
        self.commands.login = login
        return self.commands

    def add(self, login: str, *options: str) -> str:
        """Hold the node as somebody; give the hold's uuid."""
        return self(login).json(f"node maintenance add {self.node}", *options)["uuid"]


@pytest.fixture(scope="package")
def backend(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Backend]:
    """A backend."""
    with Backend(tmp_path_factory.mktemp("clients"), users=CAST, service_project=SERVICE_NAME) as backend:
        yield backend


@pytest.fixture(params=["baremetal", "openstack"])
def program(request: pytest.FixtureRequest) -> str:
    """Each command in turn, for the tests that ask for it."""
    return str(request.param)


@pytest.fixture
def party(backend: Backend, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Party:
    """Everybody, and a node that nobody holds."""
    node = f"r01-u{next(_NUMBERS):02}"
    party = Party(node, Commands(monkeypatch, capsys, backend.url, "admin"))
    party("admin").good(f"node create --driver redfish --name {node} --owner {OWNER} --lessee {LESSEE}")
    return party
