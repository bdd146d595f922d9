# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two real backends for the client: one where everyone is the system's admin, one with people of every standing."""

from __future__ import annotations

import itertools
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.api import Api
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.settings import resolve
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend, password

USERS: t.Final = {
    "operator": {"user_id": "operator-id", "roles": ["admin"], "system": True},
    "conductor": {"user_id": "conductor-id", "roles": ["service"], "system": True},
    "owner": {"user_id": "owner-id", "roles": ["member"], "project_id": "p-owner"},
    "lessee": {"user_id": "lessee-id", "roles": ["manager"], "project_id": "p-lessee"},
    "stranger": {"user_id": "stranger-id", "roles": ["admin"], "project_id": "p-other"},
}

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def backend(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Backend]:
    """A backend without authentication."""
    with Backend(tmp_path_factory.mktemp("noauth")) as running:
        yield running


@pytest.fixture(scope="session")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Backend]:
    """A backend with http_basic and USERS."""
    with Backend(tmp_path_factory.mktemp("basic"), users=USERS) as running:
        yield running


@pytest.fixture
def api(backend: Backend) -> Api:
    """A client of the backend without authentication."""
    return Api(resolve({"api_url": backend.url}, {}))


@pytest.fixture
def node(api: Api) -> str:
    """The name of a new node."""
    name = f"node-{next(_numbers)}"
    api.create_node({"name": name, "driver": "fake-hardware"})
    return name


@pytest.fixture
def of(guarded: Backend) -> t.Callable[[str], Api]:
    """Give the client of a login."""

    def client(login: str) -> Api:
        return Api(resolve({"api_url": guarded.url, "auth_type": "http_basic", "username": login, "password": password(login)}, {}))

    return client


@pytest.fixture
def leased(of: t.Callable[[str], Api]) -> str:
    """The name of a new node of p-owner, leased to p-lessee."""
    name = f"leased-{next(_numbers)}"
    of("operator").create_node({"name": name, "driver": "fake-hardware", "owner": "p-owner", "lessee": "p-lessee"})
    return name
