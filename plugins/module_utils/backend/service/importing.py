# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Import of an Ironic's nodes into the registry: what is in maintenance there is held here (architecture.md, "Node source")."""

from __future__ import annotations

import dataclasses
import datetime
import typing as t
import uuid

from ...rules import faults, scopes, types
from .. import libs, storable
from ..caller import Caller, internal
from ..errors import Refusal
from ..schema.tables import tables
from ..store.store import CHUNK, Store
from ..store.values import Changes, Entry, Event, Locked, Node, same
from . import node_members

#: What is kept of a node beside its uuid. driver_info and its like may hold secrets and are dropped.
KEPT: t.Final = (*node_members.WRITABLE, "provision_state", "power_state")
#: What a new node has where the document does not tell.
_UNTOLD: t.Final = {**dict.fromkeys(KEPT), "conductor_group": "", "properties": {}, "extra": {}}


@dataclasses.dataclass
class Summary:
    """What an import did, in numbers of nodes."""

    nodes: int = 0
    created: int = 0
    changed: int = 0
    legacy: int = 0
    fault: int = 0
    unchanged: int = 0


@dataclasses.dataclass(frozen=True)
class _Wanted:
    #: Only what the document tells: an old version's node has no lessee, which ends no lease here.
    columns: dict[str, t.Any]
    maintenance: bool
    reason: str | None
    fault: str | None


def import_nodes(store: Store, documents: t.Sequence[t.Mapping[str, t.Any]]) -> Summary:
    """Bring the nodes of `GET /v1/nodes/detail` into the registry, in one transaction; running it again changes nothing.

    A maintained node gets a legacy entry with its reason, a node with a fault a fault entry. Nothing is ever released: a
    node that is out of maintenance there keeps its entries here. Refusal 400: a document that is not a node, naming it.
    """
    wanted = _read(documents)
    node_ids = _known(store, list(wanted))
    caller = internal("import", "import")
    summary = Summary(nodes=len(wanted))

    def decide(locked: Locked) -> Changes:
        changes = Changes(answer=summary)
        known = {node.uuid: node for node in locked.nodes}
        # The decision may be asked for twice: it counts anew.
        summary.created = summary.changed = summary.legacy = summary.fault = summary.unchanged = 0
        for node_uuid, want in wanted.items():
            node = known.get(node_uuid)
            if node is None:
                _create(changes, caller, node_uuid, want, locked.at, summary)
                continue
            before = (len(changes.insert), len(changes.update), len(changes.update_nodes))
            _update(changes, node, want)
            _hold(changes, caller, node, locked, want, summary)
            if before == (len(changes.insert), len(changes.update), len(changes.update_nodes)):
                summary.unchanged += 1
            else:
                summary.changed += 1
        return changes

    try:
        return store.change(node_ids, decide)
    except libs.sqlalchemy.exc.IntegrityError:
        raise Refusal(
            409,
            "duplicate",
            "Nothing was imported: a name or an instance in the document belongs to another node of the registry;"
            " remove or rename that node first.",
        ) from None


def _read(documents: t.Sequence[t.Mapping[str, t.Any]]) -> dict[str, _Wanted]:
    wanted: dict[str, _Wanted] = {}
    for number, document in enumerate(documents, 1):
        node_uuid = document.get("uuid") if isinstance(document, dict) else None
        if not isinstance(node_uuid, str) or not node_members.is_uuid(node_uuid):
            raise Refusal(400, "invalid", f"Nothing was imported: node number {number} of the document has no uuid.")
        if node_uuid in wanted:
            raise Refusal(400, "invalid", f"Nothing was imported: node {node_uuid} stands twice in the document.", node=node_uuid)
        columns = {name: _member(document, name, node_uuid) for name in KEPT if name in document}
        fault = document.get("fault")
        if fault is not None and fault not in faults.KINDS:
            raise Refusal(
                400,
                "invalid",
                f"Nothing was imported: node {node_uuid} has the unknown fault {str(fault)[:80]!r}; known are {', '.join(faults.KINDS)}.",
                node=node_uuid,
            )
        reason = document.get("maintenance_reason")
        if reason is not None and not isinstance(reason, str):
            raise Refusal(400, "invalid", f"Nothing was imported: maintenance_reason of node {node_uuid} is not a text.", node=node_uuid)
        _require_storable("maintenance_reason", reason, node_uuid)
        maintenance = document.get("maintenance")
        if not isinstance(maintenance, bool):
            # Unknown must not become "not in maintenance".
            raise Refusal(
                400,
                "invalid",
                f"Nothing was imported: node {node_uuid} does not say whether it is in maintenance; export with GET /v1/nodes/detail.",
                node=node_uuid,
            )
        wanted[node_uuid] = _Wanted(columns, maintenance or fault is not None, reason, fault)
    return wanted


def _member(document: t.Mapping[str, t.Any], name: str, node_uuid: str) -> t.Any:
    value = document[name]
    _require_storable(name, value, node_uuid)
    if name in ("provision_state", "power_state"):
        return value if isinstance(value, str) else None
    if name in ("properties", "extra") and value is None:
        return {}
    try:
        return node_members.check(name, value, node_uuid)
    except Refusal as refusal:
        raise Refusal(400, "invalid", f"Nothing was imported: node {node_uuid}: {refusal.text}", node=node_uuid) from None


def _require_storable(name: str, value: t.Any, node_uuid: str) -> None:
    problem = storable.problem(value)
    if problem:
        raise Refusal(400, "invalid", f"Nothing was imported: {name} of node {node_uuid} holds {problem}.", node=node_uuid)


def _known(store: Store, uuids: list[str]) -> list[int]:
    sa, nodes = libs.sqlalchemy, tables().nodes
    found: list[int] = []
    with store.reading() as connection:
        for start in range(0, len(uuids), CHUNK):
            query = sa.select(nodes.c.id).where(nodes.c.uuid.in_(uuids[start : start + CHUNK]))
            found += [row.id for row in connection.execute(query)]
    return found


def _create(changes: Changes, caller: Caller, node_uuid: str, want: _Wanted, now: datetime.datetime, summary: Summary) -> None:
    summary.created += 1
    changes.create_nodes.append({"uuid": node_uuid, **_UNTOLD, **want.columns})
    if not want.maintenance:
        return
    entry = _entry(caller, 0, want, now)
    changes.insert_on_new.append((node_uuid, entry))
    changes.events.append(_event(caller, node_uuid, want.columns.get("name"), entry, "assert"))
    _count(summary, entry)


def _update(changes: Changes, node: Node, want: _Wanted) -> None:
    columns = {name: value for name, value in want.columns.items() if not same(value, getattr(node, name))}
    if columns:
        changes.update_nodes.append((node, columns))


def _hold(changes: Changes, caller: Caller, node: Node, locked: Locked, want: _Wanted, summary: Summary) -> None:
    """Make the node's entries say what the document says; never fewer than there are."""
    if not want.maintenance:
        return
    entries = locked.entries[node.id]
    kind = types.FAULT if want.fault else types.LEGACY
    found = next((entry for entry in entries if entry.type == kind), None)
    if found is None:
        if kind == types.LEGACY and entries and want.reason == node.maintenance_reason:
            # There somebody set the boolean for the holds here: it says nothing of its own.
            return
        entry = _entry(caller, node.id, want, locked.now[node.id])
        changes.insert.append(entry)
        changes.events.append(_event(caller, node.uuid, node.name, entry, "assert"))
        _count(summary, entry)
        return
    after = dataclasses.replace(found, reason=want.reason, extra={**found.extra, "fault": want.fault} if want.fault else found.extra)
    if after != found:
        changes.update.append(after)
        changes.events.append(_event(caller, node.uuid, node.name, after, "update"))


def _count(summary: Summary, entry: Entry) -> None:
    if entry.type == types.FAULT:
        summary.fault += 1
    else:
        summary.legacy += 1


def _entry(caller: Caller, node_id: int, want: _Wanted, now: datetime.datetime) -> Entry:
    return Entry(
        id=None,
        uuid=str(uuid.uuid4()),
        node_id=node_id,
        type=types.FAULT if want.fault else types.LEGACY,
        key="",
        reason=want.reason,
        scope=scopes.SYSTEM,
        asserted_by=caller.user_id,
        asserted_by_name=caller.user_name,
        asserted_by_project="",
        asserted_by_project_name=None,
        asserted_at=now,
        extra={"fault": want.fault} if want.fault else {},
        ticket=None,
        run=None,
    )


def _event(caller: Caller, node_uuid: str, node_name: str | None, entry: Entry, action: str) -> Event:
    return Event(
        node_uuid=node_uuid,
        node_name=node_name,
        action=action,
        entry_uuid=entry.uuid,
        type=entry.type,
        scope=entry.scope,
        key=entry.key,
        reason=entry.reason,
        ticket=None,
        run=None,
        user=caller.user_id,
        user_name=caller.user_name,
        project="",
        project_name=None,
        actor_scope=scopes.SYSTEM,
        source=caller.source,
    )
