# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The inventory of a fleet and its holds: fetch, verify, plan, populate, in this order."""

from __future__ import annotations

import functools
import os
import typing as t

from ansible import constants as C
from ansible.errors import AnsibleParserError
from ansible.plugins.inventory import BaseInventoryPlugin, Cacheable, Constructable

from ...module_utils.client import api, errors, options, settings
from . import fetch, hostnames, hostvars, selection, snapshot
from .cache_key import cache_key
from .errors import InventoryError
from .groups import NativeGroups
from .plan import Plan
from .populate import populate

FILES: t.Final = tuple(f"{before}holds.{end}" for before in ("/", ".") for end in ("yml", "yaml"))

BOOLEAN_ONLY: t.Final = (
    "The service at {url} knows maintenance as a flag only: hosts are grouped by the flag and by fault, "
    "and who holds a node, at which scope and by which type is not known."
)
UNCACHED: t.Final = (
    "The inventory is not cached: a token does not tell whose it is, and a cache must not mix up what two identities may see. "
    "Set cache to false."
)


class HoldsInventory(BaseInventoryPlugin, Constructable, Cacheable):
    """Hosts from the nodes of a bare-metal API, groups from the holds on them."""

    def verify_file(self, path: str) -> bool:
        """Tell whether the path is a configuration of this plugin: `holds.yml` or `*.holds.yml`, and readable."""
        return super().verify_file(path) and f"/{path}".endswith(FILES)

    def parse(self, inventory: t.Any, loader: t.Any, path: str, cache: bool = True) -> None:
        """Add the whole fleet to the inventory, or raise AnsibleParserError and add no host at all."""
        super().parse(inventory, loader, path, cache)
        self._read_config_data(path)
        try:
            connection = self._settings()
            fleet = self._fleet(connection, path, cache)
            nodes = self._selected(fleet, connection)
            native = NativeGroups(fleet, self.get_option("group_prefix"))
            populate(inventory, self._plan(nodes, native), native)
        except (InventoryError, errors.ClientError) as error:
            raise AnsibleParserError(f"no host is added: {error}") from None

    def _settings(self) -> settings.Settings:
        given = {name: self.templar.template(self.get_option(name)) for name in options.ARGUMENT_SPEC}
        connection = settings.resolve(given, os.environ)
        for warning in connection.warnings():
            self.display.warning(warning)
        return connection

    def _fleet(self, connection: settings.Settings, path: str, cache_allowed: bool) -> snapshot.Snapshot:
        """Give the fleet, read from the API unless a cache is wanted, can be trusted and holds it."""
        connect = functools.partial(api.Api, connection, cache_dir=C.DEFAULT_LOCAL_TMP)
        fields = (*snapshot.FIELDS, *self._further())
        filters = self.templar.template(self.get_option("filters"))
        if not self._cache_wanted(connection):
            return fetch.fetch(connect, fields=fields, filters=filters)
        link = connect()
        # What a login turned out to be counts: an entry of clouds.yaml may mean another user tomorrow.
        identity = [connection.identity(), link.who()]
        parts = {"identity": identity, "filters": filters, "fields": fields, "microversion": link.service().microversion}
        key = cache_key(self.get_cache_key(path), parts)
        fleet = self._cached(key, fields) if cache_allowed else None
        if not fleet:
            fleet = fetch.fetch(connect, fields=fields, filters=filters)
            self._cache[key] = fleet.to_plain()
        return fleet

    def _further(self) -> list[str]:
        """Give the node fields that were asked for beyond the usual ones."""
        further = [field for field in self.get_option("node_fields") if field not in snapshot.FIELDS]
        for field in further:
            if hostvars.variable_of(field) in hostvars.NAMES or field == snapshot.ENTRIES:
                raise InventoryError(f"node_fields can't have {field}: hosts already have that variable")
        return further

    def _cache_wanted(self, connection: settings.Settings) -> bool:
        if not self.get_option("cache"):
            return False
        if connection.auth_type == "token":
            self.display.warning(UNCACHED)
            return False
        return True

    def _cached(self, key: str, fields: t.Sequence[str]) -> snapshot.Snapshot | None:
        try:
            return snapshot.from_plain(self._cache[key], fields)
        except (KeyError, InventoryError):
            return None

    def _selected(self, fleet: snapshot.Snapshot, connection: settings.Settings) -> t.Sequence[snapshot.Node]:
        """Give the nodes that become hosts, with a warning if the service or the selection gives less than one expects."""
        query = self.get_option("query")
        nodes = selection.select(fleet.nodes, query) if query else fleet.nodes
        if not fleet.typed:
            self.display.warning(BOOLEAN_ONLY.format(url=connection.place))
        if not nodes:
            self.display.warning("The API listed no node that this identity may see and that filters and query let through.")
        return nodes

    def _plan(self, nodes: t.Sequence[snapshot.Node], native: NativeGroups) -> Plan:
        """Give the inventory to be, with everything that the options construct on top of nodes and holds."""
        further = self._further()
        variables = {node["uuid"]: hostvars.host_vars(node, further) for node in nodes}
        names = hostnames.checked({uuid: self._hostname(uuid, of_node) for uuid, of_node in variables.items()})
        plan = Plan(self.inventory, native.names)
        for node in nodes:
            plan.add_node(names[node["uuid"]], variables[node["uuid"]], native.of(node))
        self._construct(plan)
        return plan

    def _hostname(self, uuid: str, variables: dict[str, t.Any]) -> t.Any:
        """Give the host name of a node as the option `hostname` says; a node without a name is called by its UUID."""
        wanted = self.get_option("hostname")
        if wanted == "uuid":
            return uuid
        if wanted == "name":
            return variables["baremetal_node_name"] or uuid
        try:
            return self._compose(wanted, variables)
        except Exception as error:
            raise InventoryError(f"hostname {wanted!r} gives no name for node {uuid}: {error}") from error

    def _construct(self, plan: Plan) -> None:
        """Let Constructable work on the plan in place of the inventory, so that an error of an expression leaves no host behind."""
        compose, groups, keyed_groups, strict = (self.get_option(name) for name in ("compose", "groups", "keyed_groups", "strict"))
        fixed = sorted({*hostvars.NAMES, *map(hostvars.variable_of, self._further())}.intersection(compose))
        if fixed:
            raise InventoryError(f"compose can't set {', '.join(fixed)}: it says what the API says")
        inventory, self.inventory = self.inventory, plan
        try:
            for host, variables in plan.variables.items():
                self._set_composite_vars(compose, dict(variables), host, strict)
                self._add_host_to_composed_groups(groups, variables, host, strict)
                for keyed in keyed_groups:
                    self._add_host_to_keyed_groups([keyed], variables, host, strict, fetch_hostvars=not self._is_plain(keyed))
        finally:
            self.inventory = inventory

    def _is_plain(self, keyed: t.Any) -> bool:
        """Tell whether a keyed group needs nothing but one variable of the plugin's own."""
        return isinstance(keyed, dict) and self._is_own(keyed.get("key")) and not keyed.get("parent_group")

    def _is_own(self, expression: t.Any) -> bool:
        """Tell whether an expression is just the name of one of the plugin's own variables, which nothing overrides."""
        if not isinstance(expression, str) or expression not in hostvars.NAMES:
            return False
        return not (self.get_option("use_extra_vars") and expression in self._vars)

    def _compose(self, template: t.Any, variables: t.Any, *args: t.Any, **kwargs: t.Any) -> t.Any:
        """Give what an expression is worth.

        A plain variable of ours is looked up: Ansible compiles an expression anew for each host, which costs more than all the rest.
        """
        if self._is_own(template):
            self.templar.available_variables = variables
            return variables[template]
        return super()._compose(template, variables, *args, **kwargs)
