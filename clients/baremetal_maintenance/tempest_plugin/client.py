# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A client of tempest for nodes and their typed maintenance."""

from __future__ import annotations

import json
import typing as t

from tempest import config
from tempest.lib.common import rest_client

from .. import service

_HEADER: t.Final = "X-OpenStack-Ironic-API-Version"


class MaintenanceClient(rest_client.RestClient):
    """Requests at the typed microversion, or at that of `at`. Raises tempest's exceptions by status."""

    _microversion: str | None = None

    def get_headers(self, accept_type: str | None = None, send_type: str | None = None) -> dict[str, str]:
        """Add the version to every request."""
        return {**super().get_headers(accept_type, send_type), _HEADER: self._microversion or service.LATEST}

    def at(self, microversion: str | None) -> MaintenanceClient:
        """Use a microversion from now on; None for the typed one. Gives itself."""
        self._microversion = microversion or config.CONF.baremetal_maintenance.microversion or self._described()
        return self

    def create_node(self, **attributes: t.Any) -> dict[str, t.Any]:
        """Enrol a node."""
        return self._body(201, *self.post("v1/nodes", json.dumps(attributes)))

    def show_node(self, node: str) -> dict[str, t.Any]:
        """Show a node."""
        return self._body(200, *self.get(f"v1/nodes/{node}"))

    def delete_node(self, node: str) -> None:
        """Remove a node."""
        self.expected_success(204, self.delete(f"v1/nodes/{node}")[0].status)

    def add_entry(self, node: str, **members: t.Any) -> dict[str, t.Any]:
        """Assert a hold."""
        return self._body(201, *self.post(f"v1/nodes/{node}/maintenance", json.dumps(members)))

    def list_entries(self, node: str) -> list[dict[str, t.Any]]:
        """List the active entries of a node."""
        return self._body(200, *self.get(f"v1/nodes/{node}/maintenance"))["maintenance"]

    def remove_entry(self, node: str, uuid: str) -> None:
        """Release one hold."""
        self.expected_success(204, self.delete(f"v1/nodes/{node}/maintenance/{uuid}")[0].status)

    def remove_all(self, node: str) -> int:
        """Release every hold of a node, or clear the boolean; gives the status."""
        return self.delete(f"v1/nodes/{node}/maintenance")[0].status

    def set_flag(self, node: str, reason: str) -> None:
        """Set the boolean."""
        self.expected_success(202, self.put(f"v1/nodes/{node}/maintenance", json.dumps({"reason": reason}))[0].status)

    def _described(self) -> str:
        found = service.from_version_document(self._body(200, *self.get("v1")))
        return found.microversion

    def _body(self, status: int, response: t.Any, body: str) -> t.Any:
        self.expected_success(status, response.status)
        return json.loads(body)
