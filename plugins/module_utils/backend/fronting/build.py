# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of a backend in front of an Ironic, put together as the configuration says."""

from __future__ import annotations

import dataclasses
import typing as t

from .. import ironic_section
from ..mistakes import ConfigErrors
from ..store.store import Store
from . import pinning
from .ironic import Ironic
from .mirror import CALL_TIMEOUT, Choices, Mirror
from .nodes import IronicNodes
from .reconciler import Reconciler
from .upstream import Upstream

if t.TYPE_CHECKING:
    from ..config import Config


@dataclasses.dataclass(frozen=True)
class Fronting:
    """service: Ironic as the service itself sees it. upstream: as callers see it."""

    service: Ironic
    upstream: Upstream
    mirror: Mirror
    source: IronicNodes
    reconciler: Reconciler


def build(config: Config, store: Store) -> Fronting:
    """Put the parts together. Nothing is asked of the Ironic yet. Raises ConfigErrors."""
    if config.ironic is None:
        raise ConfigErrors(ironic_section.mistakes(None))
    session, auth = ironic_section.session(config.ironic)
    service = Ironic(session, auth, config.ironic.endpoint, timeout=CALL_TIMEOUT)
    upstream = Upstream(
        config.ironic.endpoint,
        ca=config.ironic.cafile,
        insecure=config.ironic.insecure,
        connections=config.threads,
        token=config.auth_strategy == "keystone",
    )

    def choices() -> Choices:
        return Choices(review=config.recovered_power_fault == "review", pinned=pinning.is_pinned(store), observe=config.observe)

    mirror = Mirror(store, service, choices)
    source = IronicNodes(store, upstream, mirror, policy_too=config.auth_strategy != "keystone", observe=config.observe)
    review = config.recovered_power_fault == "review"
    return Fronting(service, upstream, mirror, source, Reconciler(store, service, mirror, observe=config.observe, review=review))
