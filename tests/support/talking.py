# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Speaking HTTP to a real backend: an identity, a path, a version. Every error is checked for its shape."""

from __future__ import annotations

import itertools
import json
import typing as t

import requests
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend, password
from ansible_collections.baremetal.maintenance.tests.support.cast import LESSEE, OWNER
from ansible_collections.baremetal.maintenance.tests.support.service import TYPED
from ansible_collections.baremetal.maintenance.tests.support.wellformed import errors_are_well_formed

#: What a script of ten years ago asks for.
OLD: t.Final = "1.9"


class Talk:
    """Requests to one backend."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._session = requests.Session()
        self._session.trust_env = False
        self._names = itertools.count(1)

    def __call__(
        self, login: str | None, method: str, path: str, body: t.Any = None, *, version: str = TYPED, **more: t.Any
    ) -> requests.Response:
        """Send a request as this login; the path is below /v1, a body is sent as JSON."""
        headers = {"X-OpenStack-Ironic-API-Version": version, **more.pop("headers", {})}
        auth = None if login is None else more.pop("auth", (login, password(login)))
        if body is not None:
            more["json"] = body
        answer = self._session.request(
            method, f"{self._backend.url}/v1{path}", auth=auth, headers=headers, timeout=30, allow_redirects=False, **more
        )
        errors_are_well_formed(answer.status_code, answer.content, str(self._backend.folder))
        return answer

    def node(self, *, owner: str | None = OWNER, lessee: str | None = LESSEE) -> str:
        """Enrol a node and give its name."""
        name = f"http-{next(self._names)}"
        assert self("admin", "POST", "/nodes", {"name": name, "owner": owner, "lessee": lessee}).status_code == 201
        return name

    def entries(self, login: str, node: str) -> list[dict[str, t.Any]]:
        """Give a node's entries as this login sees them."""
        return t.cast("list[dict[str, t.Any]]", self(login, "GET", f"/nodes/{node}/maintenance").json()["maintenance"])

    def as_of_old(self, login: str, node: str) -> tuple[bool, str | None]:
        """Give the boolean and the reason, as a client that knows nothing of typed entries reads them."""
        shown = self(login, "GET", f"/nodes/{node}", version=OLD).json()
        return shown["maintenance"], shown["maintenance_reason"]


def said(answer: requests.Response) -> str:
    """Give the text of an error."""
    return t.cast(str, json.loads(answer.json()["error_message"])["faultstring"])
