# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A caller acting on nodes: its standing, what policy lets it do, what it may see (api.md 4)."""

from __future__ import annotations

import dataclasses
import typing as t

from ...rules import authority, masking, scopes
from ..caller import Caller
from ..errors import Refusal, not_found
from ..policy import target
from ..store.values import Entry, Node

Call = target.Call

NODE_GET = "baremetal:node:get"
SET_MAINTENANCE = "baremetal:node:set_maintenance"
CLEAR_MAINTENANCE = "baremetal:node:clear_maintenance"
GET = "baremetal:node:maintenance:get"
ADD = "baremetal:node:maintenance:add"
REMOVE = "baremetal:node:maintenance:remove"
UPDATE = "baremetal:node:maintenance:update"
FAULT = "baremetal:node:maintenance:fault"
FLEET_HISTORY = "baremetal:maintenance:history:get"


class Acting:
    """One caller in one request. What it asks of policy is remembered for the request."""

    def __init__(self, caller: Caller, session: t.Any, *, service_project: str | None, project_admin_is_system: bool) -> None:
        """session: the request's policy session. The rest: the deployment's choice of who counts as system."""
        self.caller = caller
        self._session = session
        self._choices = {"service_project": service_project, "project_admin_is_system": project_admin_is_system}
        # Uuids of nodes that their own service has shown to this caller in this request; None: who sees what is ours to decide.
        self._shown: set[str] | None = None
        self._policy_too = True
        self.is_system = scopes.is_system(
            system_scoped=caller.system,
            roles=caller.roles,
            project_name=caller.project_name,
            service_project=service_project,
            project_admin_is_system=project_admin_is_system,
        )

    def from_source(self, source: str) -> Acting:
        """Give the same caller, whose changes history records as coming from this source."""
        other = Acting(dataclasses.replace(self.caller, source=source), self._session, **self._choices)
        other._shown, other._policy_too = self._shown, self._policy_too
        return other

    def hide_all(self, *, policy_too: bool) -> None:
        """Learn that the nodes belong to another service, which says who sees which, and has shown none yet.

        policy_too: that service lets everybody see everything (it has no identities), so that policy here decides as well.
        """
        if self._shown is None:
            self._shown = set()
        self._policy_too = policy_too

    def show(self, uuids: t.Iterable[str]) -> None:
        """Learn that the service to which the nodes belong shows these to the caller."""
        if self._shown is not None:
            self._shown.update(uuids)

    @property
    def nodes_are_shown(self) -> bool:
        """Tell whether the nodes belong to a service that decides who sees which."""
        return self._shown is not None

    def standing(self, node: Node) -> str | None:
        """Give the scope at which the caller acts on the node, None for none."""
        return scopes.standing(system=self.is_system, project=self.caller.project_id, owner=node.owner, lessee=node.lessee)

    @property
    def reads_all(self) -> bool:
        """Tell whether the caller reads as system: auditors must see names, so any role on the system counts."""
        return self.is_system or self.caller.system

    def reader(self, node: Node) -> str | None:
        """Give the scope at which the caller reads the node."""
        return scopes.SYSTEM if self.reads_all else self.standing(node)

    def hides(self, entry_scope: str, node: Node) -> bool:
        """Tell whether who acted at this scope on the node is hidden from the caller."""
        return masking.hides(entry_scope, self.reader(node))

    def may(self, rule: str, node: Node | None = None, entry: Entry | None = None, call: Call = "single") -> bool:
        """Ask policy. node None: a rule that is about no node."""
        if node is None:
            return self._session.allows(rule, target.fleet_target())
        about = target.node_target(
            owner=node.owner,
            lessee=node.lessee,
            uuid=node.uuid,
            name=node.name,
            resource_class=node.resource_class,
            driver=node.driver,
            conductor_group=node.conductor_group,
        )
        about = target.entry_target(
            about,
            type=entry and entry.type,
            scope=entry and entry.scope,
            asserted_by=entry and entry.asserted_by,
            asserted_by_project=entry and entry.asserted_by_project,
            call=call,
        )
        return self._session.allows(rule, about)

    def sees(self, node: Node) -> bool:
        """Tell whether the node exists for the caller."""
        if self._shown is not None and node.uuid not in self._shown:
            return False
        return (self._shown is not None and not self._policy_too) or self.may(NODE_GET, node)

    def require_sight(self, node: Node | None, ident: str) -> Node:
        """Give the node. Refusal 404: there is none, or it is not for the caller to see; the two do not differ."""
        if node is None or not self.sees(node):
            raise not_found(ident)
        return node

    def require(self, rule: str, node: Node, ident: str, entry: Entry | None = None, call: Call = "single") -> None:
        """Refusal 403, in Ironic's words: policy does not let the caller do it on a node that it sees."""
        if not self.may(rule, node, entry, call):
            raise Refusal(403, "not_permitted", f"Access was denied to the following resource: {rule}", node=ident)

    def owns(self, node: Node, entry: Entry) -> bool:
        """Tell whether the entry is the caller's own (api.md 5)."""
        return authority.is_own(
            scope=entry.scope,
            asserted_by=entry.asserted_by,
            asserted_by_project=entry.asserted_by_project,
            standing=self.standing(node),
            user=self.caller.user_id,
            project=self.caller.project_id,
        )
