# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The resource of openstacksdk for one typed maintenance entry (specification, "Client (CLI) impact")."""

from __future__ import annotations

import typing as t
import weakref

from openstack import exceptions, resource

from .. import errors, typed_api

#: What is known of each service, so that it is asked once a connection.
_KNOWN: weakref.WeakKeyDictionary[t.Any, typed_api.TypedApi] = weakref.WeakKeyDictionary()


class NodeMaintenanceEntry(resource.Resource):
    """One hold on a node. The service derives who asserted it, when, and at which scope.

    Every request is sent at the typed microversion that the service names, and once: the SDK repeats what Ironic answers with 409, where a
    node may be locked, and here 409 says that the same hold is active.
    """

    resources_key = "maintenance"
    base_path = "/nodes/%(node_id)s/maintenance"

    allow_create = True
    allow_list = True
    allow_delete = True

    #: The name or UUID of the node.
    node_id = resource.URI("node_id")
    #: The UUID of the entry.
    id = resource.Body("uuid", alternate_id=True)
    #: The type, such as hardware_failure or operator_hold.
    type = resource.Body("type")
    #: Why the node is held.
    reason = resource.Body("reason")
    #: The scope at which it is held: system, owner or lessee.
    scope = resource.Body("scope")
    #: The user who asserted it; None where the caller may not know.
    asserted_by = resource.Body("asserted_by")
    #: The project for which it was asserted, "" for none; None where the caller may not know.
    asserted_by_project = resource.Body("asserted_by_project")
    #: When it was asserted.
    asserted_at = resource.Body("asserted_at")
    #: A dictionary that the service stores and never reads.
    extra = resource.Body("extra", type=dict)
    #: Links to the entry.
    links = resource.Body("links", type=list)
    #: Tells this hold from another of the same type; extension, as all that follow.
    key = resource.Body("key")
    #: The ticket that it belongs to.
    ticket = resource.Body("ticket")
    #: The run that it belongs to.
    run = resource.Body("run")
    #: The name of the user who asserted it.
    asserted_by_name = resource.Body("asserted_by_name")
    #: The name of the project for which it was asserted.
    asserted_by_project_name = resource.Body("asserted_by_project_name")
    #: Whether it is the caller's own.
    is_own = resource.Body("own", type=bool)
    #: Whether the maintenance flag of an Ironic enforces it.
    is_enforced = resource.Body("enforced", type=bool)
    #: What enforces it: ironic or none.
    enforced_by = resource.Body("enforced_by")

    def create(
        self,
        session: t.Any,
        prepend_key: bool = False,
        base_path: str | None = None,
        *,
        microversion: str | None = None,
        **params: t.Any,
    ) -> NodeMaintenanceEntry:
        """Assert the hold. Raises ConflictException if the same hold is active, NotSupported on a service without typed holds."""
        microversion = microversion or self._get_microversion(session)
        request = self._prepare_request(requires_id=False, prepend_key=prepend_key, base_path=base_path)
        response = session.post(
            request.url, json=request.body, headers=request.headers, params=params, microversion=microversion, status_code_retries=0
        )
        self.microversion = microversion
        self._translate_response(response)
        return self

    def _raw_delete(self, session: t.Any, microversion: str | None = None, *, params: t.Any = None, base_path: str | None = None) -> t.Any:
        # An empty id would make the address that of all entries.
        if not self.id or "/" in self.id:
            raise exceptions.InvalidRequest(f"{self.id!r} is no UUID of a maintenance entry")
        request = self._prepare_request(params=params, base_path=base_path)
        microversion = microversion or self._get_microversion(session)
        return session.delete(request.url, headers=request.headers, microversion=microversion, status_code_retries=0)

    @classmethod
    def _get_microversion(cls, session: t.Any, *_others: t.Any, **_more: t.Any) -> str:
        """Give the typed microversion, as the service names it at /v1."""
        try:
            api = _KNOWN.get(session) or _KNOWN.setdefault(session, typed_api.TypedApi(session))
            return api.require("use typed maintenance", None).microversion
        except errors.NotSupported as error:
            raise exceptions.NotSupported(str(error)) from error
        except errors.MaintenanceError as error:
            raise exceptions.SDKException(str(error)) from error


def microversion_of(session: t.Any) -> str:
    """Give the typed microversion of the service that a proxy speaks to. Raises NotSupported where it has none."""
    return NodeMaintenanceEntry._get_microversion(session)
