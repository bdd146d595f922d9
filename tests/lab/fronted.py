# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Our backend in front of a real Ironic, with a real Keystone: the pair as an operator would run it, on loopback.

fronted.through("system-admin")   asks through us        fronted.direct("system-admin")   asks Ironic, round us
fronted.backend, .ironic, .keystone                      the parts; `fronted.settings` are the backend's
Fixture: `fronted` (session). It is shared: make nodes of your own, and put back what you change.
"""

from __future__ import annotations

import dataclasses
import pathlib
import typing as t

from ansible_collections.baremetal.maintenance.tests.lab.direct import Direct
from ansible_collections.baremetal.maintenance.tests.lab.ironic import Ironic
from ansible_collections.baremetal.maintenance.tests.lab.keystone import Keystone
from ansible_collections.baremetal.maintenance.tests.support.backend import Backend

#: The version of the typed API in front of this Ironic.
TYPED: t.Final = "1.116"
#: Seconds between two comparisons in tests.
RECONCILE: t.Final = 2


@dataclasses.dataclass(frozen=True)
class Fronted:
    """The pair and its Keystone."""

    backend: Backend
    ironic: Ironic
    keystone: Keystone

    def through(self, user: str, scope: str | None = None) -> Direct:
        """Ask through us as one of keystone.PEOPLE."""
        return Direct(self.backend.url, {"X-Auth-Token": self.keystone.token(user, scope)})

    def direct(self, user: str, scope: str | None = None) -> Direct:
        """Ask Ironic itself."""
        return Direct(self.ironic.url, {"X-Auth-Token": self.keystone.token(user, scope)})

    def enrol(self, name: str, *, state: str = "enroll", owner: str | None = "owner", lessee: str | None = "lessee", **more: t.Any) -> str:
        """Make a node in Ironic with an owner and a lessee, by their projects' names; give its uuid."""
        ids = {role: self.keystone.project_id(project) for role, project in (("owner", owner), ("lessee", lessee)) if project}
        return self.ironic.nodes.enrol(name, state=state, **ids, **more)


def settings(keystone: Keystone, ironic_url: str, **more: t.Any) -> dict[str, t.Any]:
    """Give the settings of a backend in front of this Ironic."""
    return {
        "auth_strategy": "keystone",
        "keystone_authtoken": keystone.credentials("backend", "service"),
        "node_source": "ironic",
        "ironic": {"endpoint": ironic_url, "auth_type": "password", **keystone.credentials("backend", "system")},
        "reconcile_interval": RECONCILE,
        **more,
    }


def backend(folder: pathlib.Path, keystone: Keystone, ironic: Ironic, **more: t.Any) -> Backend:
    """Give a backend, not yet started, in front of this Ironic."""
    return Backend(folder, **settings(keystone, ironic.url, **more))
