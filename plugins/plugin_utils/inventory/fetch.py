# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading a fleet and its holds from the API: everything, or an error."""

from __future__ import annotations

import concurrent.futures
import threading
import typing as t

from ...module_utils.client import service
from ...module_utils.rules import types
from . import snapshot
from .errors import InventoryError

#: Requests at a time where each node in maintenance has to be asked.
PARALLEL = 8

#: Parameters of a node listing that shape it and are not filters.
SHAPING: t.Final = frozenset({"fields", "limit", "marker", "sort_key", "sort_dir", "detail"})


class Api(t.Protocol):
    """What is needed of the client."""

    def service(self) -> service.Service:
        """Give what the service is."""

    def iter_nodes(self, fields: t.Any = None, filters: t.Any = None, with_entries: bool = False) -> t.Iterable[dict[str, t.Any]]:
        """Give every node that the caller sees."""

    def list_entries(self, node: str) -> list[dict[str, t.Any]]:
        """Give the entries of one node."""

    def types(self) -> list[t.Any]:
        """Give the maintenance types of the service."""


def fetch(connect: t.Callable[[], Api], *, fields: t.Sequence[str], filters: t.Mapping[str, t.Any]) -> snapshot.Snapshot:
    """Read all nodes that pass the server-side filters, with their entries, in as few requests as the service allows.

    connect: opens a connection to the API; each thread has its own. fields: the node fields to read, FIELDS among them.
    One request per page where the service lists entries with its nodes; else one listing, then one request per node in
    maintenance; for a service that knows the flag only, the listing alone. Raises what the client raises, and InventoryError
    for an answer that is not whole.
    """
    wrong = sorted(SHAPING.intersection(filters))
    if wrong:
        raise InventoryError(f"{', '.join(wrong)} can't be used in filters: it shapes the listing and does not filter nodes")
    api = connect()
    offered = api.service()
    names = [known["name"] for known in api.types()] if offered.has("types") else list(types.BUILT_IN)
    with_entries = offered.has("node_entries")
    nodes = api.iter_nodes(fields=list(fields), filters=dict(filters), with_entries=with_entries)
    if not with_entries:
        nodes = [{**node, snapshot.ENTRIES: []} for node in nodes]
    typed = offered.kind != "boolean"
    fleet = snapshot.verified(typed=typed, types=names, nodes=nodes, fields=fields)
    if with_entries or not typed:
        return fleet
    entries = _ask_each(connect, [node["uuid"] for node in fleet.nodes if node["maintenance"]])
    nodes = [{**node, snapshot.ENTRIES: entries.get(node["uuid"], [])} for node in fleet.nodes]
    return snapshot.verified(typed=True, types=names, nodes=nodes, fields=fields)


def _ask_each(connect: t.Callable[[], Api], uuids: t.Sequence[str]) -> dict[str, list[dict[str, t.Any]]]:
    """Give the entries of each node, asking several at once. The first failure ends the asking and is raised."""
    failed = threading.Event()

    def ask(share: t.Sequence[str]) -> dict[str, list[dict[str, t.Any]]]:
        api = connect()
        return {uuid: api.list_entries(uuid) for uuid in share if not failed.is_set()}

    entries: dict[str, list[dict[str, t.Any]]] = {}
    with concurrent.futures.ThreadPoolExecutor(max_workers=PARALLEL) as pool:
        shares = [uuids[start::PARALLEL] for start in range(min(PARALLEL, len(uuids)))]
        pending = [pool.submit(ask, share) for share in shares]
        try:
            for done in concurrent.futures.as_completed(pending):
                entries.update(done.result())
        except BaseException:
            failed.set()
            raise
    return entries
