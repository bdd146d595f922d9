# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The client of the API: ours, or an Ironic."""

from __future__ import annotations

import time
import typing as t

from . import connection, paths, service, shared_cache
from .bulk import Bulk
from .entries import Entries
from .fault import Fault
from .flag import Flag
from .fleet import Fleet
from .keystone.login import Login
from .nodes import Nodes
from .settings import Settings


class Api(Entries, Flag, Fault, Nodes, Fleet, Bulk):
    """Every verb of the API with these settings. Nothing is opened before the first of them.

    cache_dir: a folder of this run where its forks share their token and what they learn about the service; None to share nothing.
    Every verb raises errors.ClientError; what it gives are plain dicts and lists as the service gave them.
    """

    def __init__(
        self,
        settings: Settings,
        cache_dir: str | None = None,
        sleep: t.Callable[[float], None] = time.sleep,
    ) -> None:
        cache = shared_cache.SharedCache(cache_dir) if cache_dir is not None else None
        super().__init__(connection.Connection(settings, cache, sleep, Login(settings, cache_dir)))

    @property
    def warnings(self) -> list[str]:
        """What the user should be told, a sentence each; read it after the last request."""
        return self._link.warnings

    @property
    def place(self) -> str:
        """Where the API is, in words."""
        return self._link.login.place

    def secrets(self) -> tuple[str, ...]:
        """Give every text that must not be shown, as far as is known; read it after the last request."""
        return self._link.login.secrets()

    def who(self) -> str:
        """Give what tells the identity that a login to Keystone turned out to be from others, "" without one. Logs in if need be."""
        return self._link.login.access().who

    def service(self, node: str | None = None) -> service.Service:
        """Give what the service is. Where it does not say so itself, it is found out with this node, or else the first visible one.

        Its kind is `unknown` only where it does not say and no node is visible.
        """
        found = self._link.described()
        if found.kind != "unknown":
            return found
        ident = node if node is not None else self._some_node()
        return found if ident is None else self._link.probed(ident, paths.maintenance(ident))

    def _some_node(self) -> str | None:
        nodes = self._link.call(
            "GET",
            "/v1/nodes",
            what="find a node to learn from what the service is",
            query={"limit": "1", "fields": "uuid"},
            read=lambda answer: answer.rows("nodes", ("uuid",)),
        )
        return nodes[0]["uuid"] if nodes else None
