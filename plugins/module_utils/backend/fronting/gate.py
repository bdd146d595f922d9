# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Provisioning that a hold stops, also in a moment in which Ironic's own flag is lost: Ironic's own refusal, given here."""

from __future__ import annotations

import typing as t
import urllib.parse

from ..errors import Refusal
from ..resources import bodies
from ..service import node_members
from .overlay import Overlay
from .passing import Passing
from .showing import dump

#: What Ironic does not do to a node in maintenance, with its word for it (ironic 39, NodeInMaintenance).
GATED: t.Final[t.Mapping[str, str]] = {
    "active": "provisioning",
    "deploy": "provisioning",
    "rebuild": "provisioning",
    "clean": "cleaning",
    "service": "service",
    "rescue": "rescuing",
    "unrescue": "unrescuing",
}
#: A config drive is 64 MiB at most, in base64.
_MOST_BODY: t.Final = 128 * 1024 * 1024


class Provision:
    """/v1/nodes/{ident}/states/provision."""

    #: Who may see what is for Ironic to say, with the credential that the request carries.
    asks_ironic = True

    def __init__(self, passing: Passing, over: Overlay) -> None:
        self._passing = passing
        self._overlay = over

    def on_put(self, req: t.Any, resp: t.Any, ident: str) -> None:
        """Pass it on unless it would start something on a held node. Nodes that nobody holds don't have their body read."""
        uuid = ident if node_members.is_uuid(ident) else self._uuid(req, resp, ident)
        if uuid is None:
            return
        if uuid not in self._overlay.held([uuid]):
            self._passing.relay(req, resp, self._passing.open(req))
            return
        body = bodies.json_value(req, _MOST_BODY)
        target = body.get("target") if isinstance(body, dict) else None
        # Ironic takes arguments from the query as well.
        targets = [target, *(value for name, value in urllib.parse.parse_qsl(req.query_string) if name == "target")]
        for gated in (GATED[one] for one in targets if isinstance(one, str) and one in GATED):
            raise Refusal(
                400, "gated", f"The {gated} operation can't be performed on node {uuid} because it's in maintenance mode.", node=ident
            )
        self._passing.relay(req, resp, self._passing.open(req, body=None if body is bodies.MISSING else dump(body), own=True))

    def _uuid(self, req: t.Any, resp: t.Any, ident: str) -> str | None:
        """Give the uuid that Ironic has for this name, for the caller; None: its own answer is the answer."""
        response = self._passing.look(req, ident)
        if response.status != 200:
            self._passing.relay(req, resp, response)
            return None
        document = self._passing.document(response)
        return document.get("uuid") if isinstance(document, dict) else None
