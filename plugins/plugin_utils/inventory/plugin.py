# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The inventory of a fleet and its holds: fetch, verify, plan, populate, in this order."""

from __future__ import annotations

import typing as t

from ansible.errors import AnsibleParserError
from ansible.plugins.inventory import BaseInventoryPlugin, Cacheable, Constructable

from ...module_utils.client import api, errors, options
from . import cache, fetch, hostnames, hostvars, selection, snapshot
from .errors import InventoryError
from .groups import NativeGroups
from .plan import Plan
from .populate import populate

SUFFIXES: t.Final = tuple(f"{dot}holds.{end}" for dot in ("/", ".") for end in ("yml", "yaml"))


class HoldsInventory(BaseInventoryPlugin, Constructable, Cacheable):
    """Hosts from the nodes of a bare-metal API, groups from the holds on them."""

    def verify_file(self, path: str) -> bool:
        """Tell whether the path is this plugin's configuration: `holds.yml` or `*.holds.yml`, readable."""
        return super().verify_file(path) and f"/{path}".endswith(SUFFIXES)

    def parse(self, inventory: t.Any, loader: t.Any, path: str, cache: bool = True) -> None:
        """Add the whole fleet to the inventory, or raise AnsibleParserError and add no host at all."""
        super().parse(inventory, loader, path, cache)
        self._read_config_data(path)
        try:
            fleet = self._fleet(path, cache)
            native = NativeGroups(fleet, self.get_option("group_prefix"))
            populate(inventory, self._plan(fleet, native), native)
        except (InventoryError, errors.ClientError) as error:
            raise AnsibleParserError(f"the inventory of {path} has no hosts: {error}") from None

    def _fleet(self, path: str, use_cache: bool) -> snapshot.Snapshot:
        """Give the fleet, from the cache if that is wanted and allowed."""
