# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Identity `noauth`, and what needs no identity."""

from __future__ import annotations

import typing as t

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.config import Config
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.identity import build as builder
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.identity.public import is_public


@pytest.mark.parametrize("environ", [{}, {"HTTP_AUTHORIZATION": "Basic !!!"}, {"HTTP_X_USER_ID": "eve", "HTTP_X_ROLES": "reader"}])
def test_everyone_is_the_same_system_admin(environ: dict[str, t.Any]) -> None:
    caller = builder.build(Config(database="/unused", auth_strategy="noauth")).identify(environ)
    assert (caller.user_id, caller.project_id, caller.system) == ("noauth", "", True)
    assert caller.roles == ("admin", "manager", "member", "reader")
    assert not any(name.startswith("HTTP_X_") for name in environ)


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/", "/healthz"])
def test_the_version_documents_and_the_health_check_are_public(path: str) -> None:
    assert is_public(path)


@pytest.mark.parametrize("path", ["/v1/nodes", "/v1/nodes/", "/v1/maintenance", "/v2", "/V1", "/v1/../v1/nodes", "/healthz/x", "/metrics"])
def test_nothing_else_is(path: str) -> None:
    assert not is_public(path)
