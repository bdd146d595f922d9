# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The version documents at / and /v1, and /healthz (api.md 1 and 7)."""

from __future__ import annotations

import typing as t

from ..service.parts import Parts
from . import versions
from .site import Site

#: What this backend offers beyond the specification; a client looks here and never guesses.
EXTENSIONS: t.Final = ("dry_run", "fleet", "node_entries", "bulk", "patch", "fault", "types", "fleet_history", "labels")


class Root:
    """The document at /."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def on_get(self, req: t.Any, resp: t.Any) -> None:
        """Say which versions there are."""
        version = _version(self._site.base(req))
        resp.media = {
            "name": "baremetal.maintenance",
            "description": "Typed, scoped, audited maintenance of bare metal nodes, in the shape of the OpenStack Bare Metal API.",
            "default_version": version,
            "versions": [version],
        }


class V1:
    """The document at /v1."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def on_get(self, req: t.Any, resp: t.Any) -> None:
        """Say what the API has."""
        base = self._site.base(req)
        resp.media = {
            "id": "v1",
            "links": [{"href": f"{base}/v1/", "rel": "self"}],
            "media_types": [{"base": "application/json", "type": "application/vnd.openstack.ironic.v1+json"}],
            "nodes": [{"href": f"{base}/v1/nodes/", "rel": "self"}, {"href": f"{base}/nodes/", "rel": "bookmark"}],
            "version": _version(base),
            "maintenance_api": {"microversion": f"1.{versions.typed()}", "extensions": list(EXTENSIONS)},
        }


class Health:
    """Is the process there, and does its database answer? 503 otherwise."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def on_get(self, _req: t.Any, resp: t.Any) -> None:
        """Ask the database for its time."""
        with self._parts.store.reading() as connection:
            self._parts.store.now(connection)
            connection.exec_driver_sql("SELECT 1 FROM nodes WHERE id = 0")
        resp.media = {"status": "ok"}

    def on_head(self, req: t.Any, resp: t.Any) -> None:
        """The same, for a load balancer that probes without wanting a body."""
        self.on_get(req, resp)


def _version(base: str) -> dict[str, t.Any]:
    return {
        "id": "v1",
        "links": [{"href": f"{base}/v1/", "rel": "self"}],
        "status": "CURRENT",
        "min_version": f"1.{versions.OLDEST}",
        "version": f"1.{versions.typed()}",
    }
