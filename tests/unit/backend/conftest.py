# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the backend's tests share: a service on a database of its own. However a test ends, its database agrees with itself."""

from __future__ import annotations

import pathlib
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.support.agreement import disagreements
from ansible_collections.baremetal.maintenance.tests.support.service import Build, Client, Service


@pytest.fixture
def build(tmp_path: pathlib.Path) -> t.Iterator[Build]:
    """Make a service with settings of its own, once in a test."""
    built: list[Service] = []

    def make(*, policy: t.Mapping[str, str] | str | None = None, **settings: t.Any) -> Service:
        built.append(Service(tmp_path, policy=policy, **settings))
        return built[-1]

    yield make
    for service in built:
        assert disagreements(service.database) == []


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Service]:
    """The service as it is by default, one for the tests of a file: each works on nodes of its own."""
    service = Service(tmp_path_factory.mktemp("backend"))
    yield service
    assert disagreements(service.database) == []


@pytest.fixture(scope="module")
def operator(service: Service) -> Client:
    """A system operator without a project."""
    return service.by("operator")


@pytest.fixture(scope="module")
def owner(service: Service) -> Client:
    """A member of the project that owns every node, unless a test says otherwise."""
    return service.by("owner")


@pytest.fixture(scope="module")
def lessee(service: Service) -> Client:
    """A manager of the project that leases every node, unless a test says otherwise."""
    return service.by("lessee")
