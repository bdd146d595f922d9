# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The version documents of Ironic, which say what is offered in front of it, and everything else, which passes through."""

from __future__ import annotations

import typing as t

from ..errors import Refusal
from ..resources import bodies, versions
from . import paths
from .passing import Passing
from .showing import Lister, Shown


class Document:
    """/ and /v1."""

    #: Who may see what is for Ironic to say, with the credential that the request carries.
    asks_ironic = True

    def __init__(self, passing: Passing, extensions: t.Sequence[str]) -> None:
        self._passing = passing
        self._extensions = extensions

    def on_get(self, req: t.Any, resp: t.Any) -> None:
        """Show Ironic's own, with the typed version as the newest."""
        response = self._passing.open(req, plain=True)
        if response.status != 200:
            self._passing.relay(req, resp, response)
            return
        self._passing.head(req, resp, response)
        document = self._passing.links(req, self._passing.document(response))
        newest = f"1.{req.context.newest}"
        for version in (document.get("version"), document.get("default_version"), *(document.get("versions") or ())):
            if isinstance(version, dict) and version.get("version"):
                version["version"] = newest
        if req.path == "/v1" and req.context.newest >= versions.typed():
            document["maintenance_api"] = {"microversion": newest, "extensions": list(self._extensions)}
        resp.media = document


class Fault:
    """/v1/nodes/{ident}/maintenance/fault."""

    def on_put(self, _req: t.Any, _resp: t.Any, ident: str) -> None:
        """Refuse: faults are found by the Ironic behind us."""
        raise Refusal(
            409, "not_supported", f"Cannot assert a fault on node {ident}: faults come from the Ironic behind this service.", node=ident
        )


class ChassisNodes:
    """/v1/chassis/{ident}/nodes, with and without detail."""

    #: Who may see what is for Ironic to say, with the credential that the request carries.
    asks_ironic = True

    def __init__(self, lister: Lister) -> None:
        self._lister = lister

    def on_get(self, req: t.Any, resp: t.Any, **_params: str) -> None:
        """List a chassis's nodes, our entries laid over them."""
        passing = self._lister.passing
        response = passing.open(req, plain=True)
        if response.status != 200:
            passing.relay(req, resp, response)
            return
        passing.head(req, resp, response)
        document = passing.links(req, passing.document(response))
        self._lister.show(req, document.get("nodes", []), Shown(None, with_entries=False))
        resp.media = document


class Rest:
    """Everything that no route of ours takes."""

    def __init__(self, passing: Passing) -> None:
        self._passing = passing

    def __call__(self, req: t.Any, resp: t.Any, **_params: str) -> None:
        """Pass it through. Refusal 404: it could be what is decided here, in a spelling that we don't know."""
        if paths.hides(req.path):
            raise Refusal(404, "not_found", "There is no such path.")
        if bodies.media_type(req) == bodies.FORM:
            raise Refusal(415, "invalid", "A form is not passed through; send a JSON document.")
        self._passing.relay(req, resp, self._passing.open(req))
