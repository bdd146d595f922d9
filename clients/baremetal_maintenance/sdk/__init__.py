# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Typed maintenance in openstacksdk: `attach(conn)`, or in clouds.yaml `vendor_hook: "baremetal_maintenance.sdk:attach"`."""

from __future__ import annotations

import contextlib
import typing as t

from openstack.baremetal import baremetal_service

from .node_maintenance_entry import NodeMaintenanceEntry
from .proxy import Proxy

__all__ = ["NodeMaintenanceEntry", "Proxy", "attach"]


class _BaremetalService(baremetal_service.BaremetalService):
    """The bare metal service of the SDK, with the verbs on typed holds besides its own."""

    supported_versions: t.ClassVar[dict[str, t.Any]] = {"1": Proxy}


def attach(conn: t.Any) -> None:
    """Give `conn.baremetal`, a connection of openstacksdk, the verbs of Proxy; everything else of it stays as it is.

    This is the SDK's way to replace a service: connections share their services, so other connections of the process have the verbs too.
    """
    # A connection whose service was replaced before has nothing to delete: what it has is this one.
    with contextlib.suppress(AttributeError):
        del conn.baremetal
    conn.add_service(_BaremetalService("baremetal"))
