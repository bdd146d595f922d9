# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Services for the races: one process, several workers, and two services on one database, of either kind."""

from __future__ import annotations

import contextlib
import typing as t

import pytest
from ansible_collections.baremetal.maintenance.tests.support import cast
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend

from .talking import Services

SHAPES: t.Final = ("one process", "two workers", "two services", "two services on PostgreSQL")


@pytest.fixture(scope="module", params=SHAPES)
def services(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Services]:
    """Services of each shape, with everyone of the cast. They wait for each other's writes as long as it takes."""
    folder = tmp_path_factory.mktemp("services")
    settings: dict[str, t.Any] = {"service_project": cast.SERVICE_NAME, "busy_timeout": 60, "log_level": "warning"}
    with contextlib.ExitStack() as stack:
        if request.param == "two workers":
            settings["workers"] = 2
        if "PostgreSQL" in request.param:
            settings["database"] = request.getfixturevalue("postgresql").database()
        first = stack.enter_context(Backend(folder, users=cast.CAST, **settings))
        ports = [first.port]
        if "two services" in request.param:
            other = folder / "other"
            other.mkdir()
            ports.append(stack.enter_context(Backend(other, users=cast.CAST, **{**settings, "database": str(first.database)})).port)
        yield Services(tuple(ports), first.database)
