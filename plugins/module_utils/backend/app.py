# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The WSGI application: every route of the HTTP contract on one page (api.md)."""

from __future__ import annotations

import typing as t

from ..rules.types import Registry
from . import libs
from .fronting import adopting, observing
from .fronting import routes as fronting_routes
from .fronting.build import build as build_fronting
from .fronting.observing import Observer
from .fronting.pinning import Pinned
from .identity.build import build as build_authenticator
from .nodes.local import LocalNodes
from .policy.engine import Policy
from .resources import entries, fleet, history, maintenance, native, nodes, root, typeless
from .resources.edge import Edge, late_request
from .resources.failures import Failures
from .resources.site import Site
from .service.parts import Parts
from .store.store import Store

if t.TYPE_CHECKING:
    from .config import Config


def parts_of(config: Config) -> Parts:
    """Open the store of a configuration, with its nodes and types."""
    store = Store(config.database_url, busy_timeout=config.busy_timeout, clock_offset=config.test_clock)
    fronting = build_fronting(config, store) if config.node_source == "ironic" else None
    source = LocalNodes(store) if fronting is None else fronting.source
    own = config.types
    if fronting is not None and config.recovered_power_fault == "review" and adopting.REVIEW_TYPE not in own:
        own = (*own, adopting.REVIEW_TYPE)
    return Parts(store, source, Registry(own), config.max_entries_per_node, fronting)


def build(config: Config) -> t.Any:
    """Give the WSGI application of a configuration that was checked, on a database of the newest schema."""
    libs.require()
    parts = parts_of(config)
    fronting = parts.fronting
    authenticator, policy = build_authenticator(config), Policy(config)
    if config.observe:
        judge = observing.judge(
            authenticator, policy, service_project=config.service_project, project_admin_is_system=config.project_admin_is_system
        )
        return Observer(parts, judge)
    edge = Edge(
        authenticator,
        policy,
        service_project=config.service_project,
        project_admin_is_system=config.project_admin_is_system,
        late=fronting is not None,
        spell=fronting_routes.first(fronting) if fronting is not None else None,
        pinned=Pinned(parts.store) if fronting is not None else None,
    )
    middleware = [edge] if config.extensions else [edge, native.Native()]
    app = libs.falcon.App(middleware=middleware, **({} if fronting is None else {"request_type": late_request()}))
    app.req_options.strip_url_path_trailing_slash = True
    Failures().install(app)
    site = Site(parts, config.public_endpoint)
    _route_maintenance(app, site)
    if fronting is None:
        _route_nodes(app, site)
    else:
        fronting_routes.add(app, site, fronting)
    return typeless.wrap(app)


def _route_maintenance(app: t.Any, site: Site) -> None:
    """Add what is ours wherever nodes live."""
    collection = maintenance.Collection(site)
    for path, resource in (
        ("/healthz", root.Health(site.parts)),
        ("/v1/nodes/maintenance", maintenance.Alias(collection)),
        ("/v1/nodes/{ident}/maintenance", collection),
        ("/v1/nodes/{ident}/maintenance/{entry_uuid}", entries.Single(site)),
        ("/v1/maintenance", fleet.Fleet(site)),
        ("/v1/maintenance/release", fleet.Release(site)),
        ("/v1/maintenance/types", fleet.Types(site)),
        ("/v1/maintenance/history", fleet.FleetHistory(site)),
    ):
        app.add_route(path, resource)


def _route_nodes(app: t.Any, site: Site) -> None:
    """Add the registry of our own nodes."""
    listing = nodes.Nodes(site)
    for path, resource in (
        ("/", root.Root(site)),
        ("/v1", root.V1(site)),
        ("/v1/nodes", listing),
        ("/v1/nodes/detail", nodes.Detail(listing)),
        ("/v1/nodes/{ident}", nodes.OneNode(site)),
        ("/v1/nodes/{ident}/maintenance/fault", entries.Fault(site)),
        ("/v1/nodes/{ident}/history", history.NodeHistory(site)),
        ("/v1/nodes/{ident}/history/{event_uuid}", history.OneEvent(site)),
    ):
        app.add_route(path, resource)
