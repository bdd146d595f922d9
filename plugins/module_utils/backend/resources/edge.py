# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens to every request before and after its resource: request id, identity, version, policy session."""

from __future__ import annotations

import functools
import re
import typing as t
import uuid

from .. import libs
from ..identity import headers
from ..identity.public import is_public
from ..service.acting import Acting
from . import idents, versions

#: Below 1.91 Ironic takes `.json` at the end of a path.
_JSON_SUFFIX = re.compile(
    r"(/v1/nodes(?:/detail|/(?:[^/]+/)?maintenance|/(?:[^/]+/)?states/provision)?|/v1/chassis/[^/]+/nodes(?:/detail)?)\.json/?"
)


class Edge:
    """Falcon middleware."""

    def __init__(
        self,
        authenticator: t.Any,
        policy: t.Any,
        *,
        service_project: str | None,
        project_admin_is_system: bool,
        late: bool = False,
        spell: t.Callable[[t.Any], str] | None = None,
        pinned: t.Callable[[], bool] | None = None,
    ) -> None:
        """authenticator: identifies a request. policy: gives sessions. service_project, project_admin_is_system: who counts as system.

        late: who asks is found out when something here needs it (context.acting), since what passes through is another service's to
        judge. spell: gives the one spelling of a request's path. pinned: tells whether the typed version is not on offer now.
        """
        self._pinned = pinned
        self._late = late
        self._spell = spell
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
        if self._spell is not None:
            req.path = self._spell(req)
        if self._late:
            req.context.identify = functools.partial(self._identify, req.env)
        elif not is_public(req.path):
            req.context.acting = self._identify(req.env)
        newest = req.context.newest = versions.ironic_newest() if self._pinned is not None and self._pinned() else versions.typed()
        req.context.version = versions.requested(req.get_header(versions.HEADER), req.get_header(versions.STANDARD_HEADER), newest)
        found = _JSON_SUFFIX.fullmatch(req.path)
        if found and req.context.version < versions.NO_JSON_SUFFIX:
            req.path = found[1]

    def _identify(self, environ: dict[str, t.Any]) -> Acting:
        caller = self._authenticator.identify(environ)
        return Acting(caller, self._policy.session(caller), **self._choices)

    def process_resource(self, req: t.Any, _resp: t.Any, resource: t.Any, params: dict[str, t.Any]) -> None:
        """Find out who asks, where it was not yet and what answers is ours.

        Refuse, as Ironic does before it looks for one, what can be neither the uuid nor the name of a node.
        """
        if self._late and not is_public(req.path) and not getattr(resource, "asks_ironic", False):
            _known_now = req.context.acting
        if "ident" in params:
            idents.check(params["ident"])

    def process_response(self, req: t.Any, resp: t.Any, _resource: t.Any, _succeeded: bool) -> None:
        """Say which versions the service has, and which one this answer is in."""
        if req.path == "/healthz":
            return
        resp.set_headers(versions.limits(getattr(req.context, "newest", None)))
        version = getattr(req.context, "version", None)
        if version is not None:
            resp.set_header(versions.HEADER, f"1.{version}")
        # Below the typed version an answer has exactly the headers of Ironic's.
        if version is not None and version >= versions.typed():
            resp.set_header(versions.STANDARD_HEADER, f"baremetal 1.{version}")
            resp.append_header("Vary", f"{versions.STANDARD_HEADER}, {versions.HEADER}")


def late_request() -> t.Any:
    """Give Falcon's class of requests whose `context.acting` is found out when it is first asked for."""
    context = libs.falcon.util.structures.Context

    class Known(context):  # type: ignore[misc,valid-type]  # the library's own class
        @functools.cached_property
        def acting(self) -> Acting:
            return t.cast("Acting", self.identify())

    class Request(libs.falcon.Request):  # type: ignore[misc,name-defined]  # the library's own class
        context_type = Known

    return Request
