# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Host names: each node has one, and no two share one."""

from __future__ import annotations

import re
import typing as t

from .errors import InventoryError

#: Names that mean something else to Ansible.
RESERVED: t.Final = frozenset({"localhost", "127.0.0.1", "::1", "all", "ungrouped"})
#: Anything else would be read as a pattern, or as several hosts, where the name is used.
_NAME = re.compile(r"[\w.:%@+][\w.:%@+~-]*")
_REMEDY: t.Final = "choose another hostname, or exclude the node by query"


def checked(names: t.Mapping[str, t.Any]) -> dict[str, str]:
    """Give node uuid → host name, or raise InventoryError naming the nodes whose names can't be used."""
    taken: dict[str, str] = {}
    for uuid, name in names.items():
        if not isinstance(name, str) or not name:
            raise InventoryError(f"node {uuid} gets no host name: hostname gives {name!r}")
        if name in RESERVED:
            raise InventoryError(f"node {uuid} would be host {name!r}, a name that Ansible reserves: {_REMEDY}")
        if not _NAME.fullmatch(name):
            raise InventoryError(f"node {uuid} would be host {name!r}, which Ansible would read as a pattern: {_REMEDY}")
        if name in taken:
            raise InventoryError(f"nodes {taken[name]} and {uuid} would both be host {name!r}: {_REMEDY}")
        taken[name] = uuid
    return {uuid: name for name, uuid in taken.items()}
