# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The routes of a backend in front of an Ironic, beside those that are ours wherever nodes live (fronting.md)."""

from __future__ import annotations

import typing as t

from ..errors import Refusal
from ..resources import bodies, root
from ..resources.site import Site
from . import paths
from .build import Fronting
from .changing import Node
from .documents import ChassisNodes, Document, Fault, Rest
from .events import NodeHistory, OneEvent
from .gate import Provision
from .overlay import Overlay
from .passing import Passing
from .showing import Lister, NodeList

#: What is not offered where faults come from an Ironic.
_NOT_HERE: t.Final = frozenset(("fault",))


def add(app: t.Any, site: Site, fronting: Fronting) -> None:
    """Add the routes, and what passes everything else through."""
    passing = Passing(fronting.upstream, site.public_endpoint)
    over = Overlay(site.parts.store)
    lister = Lister(site, passing, over)
    document = Document(passing, [name for name in root.EXTENSIONS if name not in _NOT_HERE])
    listing = NodeList(lister)
    for path, resource in (
        ("/", document),
        ("/v1", document),
        ("/v1/nodes", listing),
        ("/v1/nodes/detail", listing),
        ("/v1/nodes/{ident}", Node(lister, site)),
        ("/v1/nodes/{ident}/maintenance/fault", Fault()),
        ("/v1/nodes/{ident}/history", NodeHistory(site, passing)),
        ("/v1/nodes/{ident}/history/{event_uuid}", OneEvent(site, passing)),
        ("/v1/nodes/{ident}/states/provision", Provision(passing, over)),
        ("/v1/chassis/{chassis}/nodes", ChassisNodes(lister)),
        ("/v1/chassis/{chassis}/nodes/detail", ChassisNodes(lister)),
    ):
        app.add_route(path, resource)
    app.add_sink(Rest(passing))


def first(fronting: Fronting) -> t.Callable[[t.Any], str]:
    """Give what is done with every request first: Ironic's newest version is known, and the path has one spelling."""

    def spelled(req: t.Any) -> str:
        fronting.upstream.keep_version()
        return spell(req)

    return spelled


def spell(req: t.Any) -> str:
    """Give the one spelling of a request's path. Refusal: 400 path, query or form say two things; 415 a multipart body."""
    kind = bodies.media_type(req)
    if kind.startswith("multipart/"):
        raise Refusal(415, "invalid", "A multipart body is not taken here; send a JSON document.")
    # What a POST holds without saying what it is, is read as a form by Ironic's router.
    is_form = kind == bodies.FORM or (not kind and req.method == "POST")
    paths.require_one_method(req.query_string, (lambda: bodies.raw(req, bodies.FOUR_MIB)) if is_form else None)
    return paths.canonical(req.path)
