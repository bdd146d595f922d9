# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Real backends, without authentication and with HTTP basic authentication, and the environment by which an OpenStack client finds them."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend, password

USERS: t.Final = {
    "op": {"user_id": "op-id", "roles": ["admin"], "system": True},
    "owner": {"user_id": "owner-id", "project_id": "own-1", "roles": ["member"]},
    "tenant": {"user_id": "tenant-id", "project_id": "les-1", "roles": ["manager"]},
}


class Service:
    """A running backend and how a client of OpenStack is told of it."""

    def __init__(self, backend: Backend, *, basic: bool) -> None:
        self.backend = backend
        self.url = backend.url
        self.basic = basic

    def environment(self, login: str = "op") -> dict[str, str]:
        """Give the OS_ variables for a login; without authentication everybody is the operator."""
        if not self.basic:
            return {"OS_AUTH_TYPE": "none", "OS_ENDPOINT": self.url}
        return {"OS_AUTH_TYPE": "http_basic", "OS_ENDPOINT": self.url, "OS_USERNAME": login, "OS_PASSWORD": password(login)}

    def credential(self, login: str = "op") -> tuple[str, str] | None:
        """Give login and password, None without authentication."""
        return (login, password(login)) if self.basic else None


@pytest.fixture(scope="package")
def noauth(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Service]:
    """A backend where everybody is system admin."""
    with Backend(tmp_path_factory.mktemp("noauth")) as backend:
        yield Service(backend, basic=False)


@pytest.fixture(scope="package")
def basic(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Service]:
    """A backend with an operator, an owner and a lessee."""
    with Backend(tmp_path_factory.mktemp("http_basic"), users=USERS) as backend:
        yield Service(backend, basic=True)


@pytest.fixture(params=["noauth", "http_basic"])
def service(request: pytest.FixtureRequest, noauth: Service, basic: Service) -> Service:
    """Each of the two in turn."""
    return basic if request.param == "http_basic" else noauth
