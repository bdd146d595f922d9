# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the backend's tests share: a service on a database of its own. However a test ends, its database agrees with itself.

A test file with `STORES = ("sqlite", "postgresql")` runs on both. TEST_STORE=postgresql in the environment runs the other files there, too;
what they say of SQLite itself then fails.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.schema import migrate
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.store.store import Store
from ansible_collections.baremetal.maintenance.tests.lab.postgresql import Postgresql
from ansible_collections.baremetal.maintenance.tests.support.agreement import disagreements
from ansible_collections.baremetal.maintenance.tests.support.service import Build, Client, Service


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test on the stores of its file."""
    stores = getattr(metafunc.module, "STORES", ())
    if "stored" in metafunc.fixturenames and stores:
        metafunc.parametrize("stored", stores, indirect=True, scope="module")


Stored = t.Callable[[], contextlib.AbstractContextManager[dict[str, str]]]


@pytest.fixture(scope="module")
def stored(request: pytest.FixtureRequest) -> Stored:
    """Give the settings of a service with a new database for a while: {} for the file in its folder, a URL on a server."""
    if getattr(request, "param", os.environ.get("TEST_STORE", "sqlite")) == "sqlite":
        return lambda: contextlib.nullcontext({})
    server: Postgresql = request.getfixturevalue("postgresql")
    empty = request.getfixturevalue("empty_on_server")

    @contextlib.contextmanager
    def copy() -> t.Iterator[dict[str, str]]:
        url = server.database(like=empty)
        yield {"database": url}
        server.drop(url)

    return copy


@pytest.fixture(scope="session")
def empty_on_server(postgresql: Postgresql) -> str:
    """A database of the newest schema without a node, to copy."""
    url = postgresql.database()
    store = Store(url)
    migrate.check(store)
    store.close()
    return url


@pytest.fixture
def build(tmp_path: pathlib.Path, stored: Stored) -> t.Iterator[Build]:
    """Make a service with settings of its own; all of a test's are on one database."""
    built: list[Service] = []
    with contextlib.ExitStack() as stack:
        database: dict[str, str] = {}

        def make(*, policy: t.Mapping[str, str] | str | None = None, **settings: t.Any) -> Service:
            if not built:
                database.update(stack.enter_context(stored()))
            built.append(Service(tmp_path, policy=policy, **{**database, **settings}))
            return built[-1]

        yield make
        for service in built:
            assert disagreements(service.database) == []
            service.parts.store.close()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, stored: Stored) -> t.Iterator[Service]:
    """The service as it is by default, one for the tests of a file: each works on nodes of its own."""
    with stored() as database:
        service = Service(tmp_path_factory.mktemp("backend"), **database)
        yield service
        assert disagreements(service.database) == []
        service.parts.store.close()


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
