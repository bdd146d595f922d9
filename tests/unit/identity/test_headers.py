# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Identity headers of the outside never reach the application, in no spelling."""

from __future__ import annotations

import pytest
from ansible_collections.baremetal.maintenance.plugins.module_utils.backend.identity import headers

STRIPPED = [
    "OpenStack-System-Scope",
    "X-Domain-Id",
    "X-Domain-Name",
    "X-Identity-Status",
    "X-Is-Admin-Project",
    "X-Project-Domain-Id",
    "X-Project-Id",
    "X-Project-Name",
    "X-Role",
    "X-Roles",
    "X-Service-Identity-Status",
    "X-Service-Project-Id",
    "X-Service-Project-Name",
    "X-Service-Roles",
    "X-Service-User-Id",
    "X-Tenant",
    "X-Tenant-Id",
    "X-Tenant-Name",
    "X-User",
    "X-User-Domain-Id",
    "X-User-Id",
    "X-User-Name",
]
KEPT = [
    "Accept",
    "Authorization",
    "Content-Type",
    "OpenStack-API-Version",
    "User-Agent",
    "X-Auth-Token",
    "X-Forwarded-For",
    "X-OpenStack-Ironic-API-Version",
    "X-OpenStack-Request-ID",
    "X-Service-Token",
]


def as_wsgi(header: str) -> str:
    """Give the key under which a WSGI server hands the header over."""
    return "HTTP_" + header.upper().replace("-", "_")


@pytest.mark.parametrize("header", STRIPPED)
@pytest.mark.parametrize("spelling", [str, lambda name: name.replace("-", "_"), str.lower], ids=["dashes", "underscores", "lower"])
def test_a_statement_of_identity_is_removed(header: str, spelling: object) -> None:
    environ = {as_wsgi(spelling(header)): "root", "PATH_INFO": "/v1/nodes"}  # type: ignore[operator]
    headers.strip(environ)
    assert environ == {"PATH_INFO": "/v1/nodes"}


@pytest.mark.parametrize("key", ["HTTP_X-ROLES", "http_x_roles", "REMOTE_USER", "AUTH_TYPE"])
def test_what_a_server_may_make_of_it_is_removed_too(key: str) -> None:
    environ = {key: "root"}
    headers.strip(environ)
    assert environ == {}


@pytest.mark.parametrize("header", KEPT)
def test_everything_else_stays(header: str) -> None:
    environ = {as_wsgi(header): "value"}
    headers.strip(environ)
    assert environ == {as_wsgi(header): "value"}
