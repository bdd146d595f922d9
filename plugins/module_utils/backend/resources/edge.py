# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens to every request before and after its resource: request id, identity, version, policy session."""

from __future__ import annotations

import re
import typing as t
import uuid

from ..identity import headers
from ..identity.public import is_public
from ..service.acting import Acting
from . import idents, versions

#: Below 1.91 Ironic takes `.json` at the end of a path.
_JSON_SUFFIX = re.compile(r"(/v1/nodes/(?:[^/]+/)?maintenance)\.json/?")


class Edge:
    """Falcon middleware."""

    def __init__(self, authenticator: t.Any, policy: t.Any, *, service_project: str | None, project_admin_is_system: bool) -> None:
        """authenticator: identifies a request. policy: gives sessions. The rest: who counts as system."""
        self._authenticator = authenticator
        self._policy = policy
        self._choices: dict[str, t.Any] = {
            "service_project": service_project,
            "project_admin_is_system": project_admin_is_system,
        }

    def process_request(self, req: t.Any, resp: t.Any) -> None:
        """Tell who asks and which version; a resource finds both in req.context."""
        req.context.version = None
        request_id = f"req-{uuid.uuid4()}"
        req.context.request_id = request_id
        resp.set_headers({"Openstack-Request-Id": request_id, "X-Openstack-Request-Id": request_id})
        # Whatever a client claims about itself in headers goes first, in every mode.
        headers.strip(req.env)
        if not is_public(req.path):
            caller = self._authenticator.identify(req.env)
            req.context.acting = Acting(caller, self._policy.session(caller), **self._choices)
        req.context.version = versions.requested(req.get_header(versions.HEADER), req.get_header(versions.STANDARD_HEADER))
        found = _JSON_SUFFIX.fullmatch(req.path)
        if found and req.context.version < versions.NO_JSON_SUFFIX:
            req.path = found[1]

    def process_resource(self, _req: t.Any, _resp: t.Any, _resource: t.Any, params: dict[str, t.Any]) -> None:
        """Refuse, as Ironic does before it looks for one, what can be neither the uuid nor the name of a node."""
        if "ident" in params:
            idents.check(params["ident"])

    def process_response(self, req: t.Any, resp: t.Any, _resource: t.Any, _succeeded: bool) -> None:
        """Say which versions the service has, and which one this answer is in."""
        if req.path == "/healthz":
            return
        resp.set_headers(versions.LIMITS)
        version = getattr(req.context, "version", None)
        if version is not None:
            resp.set_header(versions.HEADER, f"1.{version}")
        # Below the typed version an answer has exactly the headers of Ironic's.
        if version is not None and version >= versions.TYPED:
            resp.set_header(versions.STANDARD_HEADER, f"baremetal 1.{version}")
            resp.append_header("Vary", f"{versions.STANDARD_HEADER}, {versions.HEADER}")
