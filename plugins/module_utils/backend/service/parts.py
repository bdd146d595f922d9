# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What every service function works with."""

from __future__ import annotations

import dataclasses
import typing as t

from ...rules.types import Registry
from ..nodes.source import NodeSource
from ..store.store import Store


@dataclasses.dataclass(frozen=True)
class Parts:
    """The store, the node source and the deployment's choices, one set a process."""

    store: Store
    source: NodeSource
    registry: Registry
    max_entries_per_node: int
    #: The parts of a backend in front of an Ironic.
    fronting: t.Any = None
