# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The registry's nodes: list, show, create, change, remove (Ironic's API reference; api.md 3 and 4)."""

from __future__ import annotations

import dataclasses
import typing as t
import uuid

from .. import libs
from ..errors import Refusal
from ..schema.tables import tables
from ..store import derived, rows
from ..store.store import CHUNK
from ..store.values import Changes, Entry, Locked, Node, same
from . import acting as act
from . import decisions, node_members, visibility
from .acting import Acting, Call
from .holds import locked_node
from .parts import Parts

CREATE = "baremetal:node:create"
CREATE_OWN = "baremetal:node:create:self_owned_node"
UPDATE = "baremetal:node:update"
#: What is asked in addition where one of these members changes.
UPDATE_MEMBER: t.Final = {
    "name": "baremetal:node:update:name",
    "owner": "baremetal:node:update:owner",
    "lessee": "baremetal:node:update:lessee",
    "driver": "baremetal:node:update:driver_interfaces",
    "conductor_group": "baremetal:node:update:conductor_group",
    "instance_uuid": "baremetal:node:update:instance_uuid",
    "properties": "baremetal:node:update:properties",
    "extra": "baremetal:node:update_extra",
}
DELETE = "baremetal:node:delete"
DELETE_OWN = "baremetal:node:delete:self_owned_node"

SORT_KEYS: t.Final = (
    "id",
    "uuid",
    "name",
    "owner",
    "lessee",
    "driver",
    "resource_class",
    "conductor_group",
    "description",
    "instance_uuid",
    "provision_state",
    "power_state",
    "maintenance",
    "maintenance_reason",
    "fault",
    "created_at",
    "updated_at",
)

#: Rows that one query brings; policy may drop some of them.
BATCH: t.Final = 1000


@dataclasses.dataclass(frozen=True)
class Filters:
    """What to keep, as Ironic's list has it. project: owner or lessee. description: a part of the description."""

    maintenance: bool | None = None
    fault: str | None = None
    owner: str | None = None
    lessee: str | None = None
    project: str | None = None
    driver: str | None = None
    resource_class: str | None = None
    conductor_group: str | None = None
    provision_state: str | None = None
    instance_uuid: str | None = None
    associated: bool | None = None
    description: str | None = None


@dataclasses.dataclass(frozen=True)
class Page:
    """Nodes in the order that was asked for, whether there are more, and the nodes' entries if they were asked for.

    Nodes and entries are of one moment. entries has None for a node whose entries policy keeps from the caller.
    """

    nodes: list[Node]
    more: bool
    entries: dict[int, tuple[Entry, ...] | None]


def show(parts: Parts, acting: Acting, ident: str, *, by_name: bool = True) -> Node:
    """Give the node of this uuid or name. Refusal 404: there is none, or none for the caller."""
    return acting.require_sight(parts.source.find(ident, acting, by_name=by_name), ident)


def list_nodes(
    parts: Parts,
    acting: Acting,
    filters: Filters,
    *,
    limit: int,
    marker: str | None,
    sort_key: str = "id",
    descending: bool = False,
    with_entries: bool = False,
) -> Page:
    """Give up to `limit` nodes after the one of uuid `marker`. Refusal: 404 no such marker.

    The marker need not pass the filters: since the page that ended with it, its node may have gone into maintenance.
    """
    sa, nodes = libs.sqlalchemy, tables().nodes
    keep = sa.and_(sa.true(), *_conditions(filters))
    with parts.store.reading() as connection:
        last = None if marker is None else _marked(connection, acting, marker)
        if last is not None:
            keep = sa.or_(keep, nodes.c.id == last)
        ids = _ordered_ids(connection, sa.select(nodes.c.id).where(visibility.nodes(acting), keep), sort_key, descending)
        if last is not None:
            ids = ids[ids.index(last) + 1 :]
        found: list[Node] = []
        for start in range(0, len(ids), BATCH):
            chunk = ids[start : start + BATCH]
            by_id = {row.id: rows.node(row) for row in connection.execute(sa.select(nodes).where(nodes.c.id.in_(chunk)))}
            found += [by_id[node_id] for node_id in chunk if acting.sees(by_id[node_id])]
            if len(found) > limit:
                break
        entries = _entries(connection, found[:limit]) if with_entries else {}
    return Page(found[:limit], len(found) > limit, _readable(acting, found[:limit], entries) if with_entries else {})


def _ordered_ids(connection: t.Any, query: t.Any, sort_key: str, descending: bool) -> list[int]:
    sa, nodes = libs.sqlalchemy, tables().nodes
    column = nodes.c[sort_key]
    if connection.dialect.name == "postgresql" and isinstance(column.type, sa.String):
        # By code points, whatever language the database was made for: as on SQLite.
        column = sa.collate(column, "C")
    order = [column.desc().nulls_last(), nodes.c.id.desc()] if descending else [column.asc().nulls_first(), nodes.c.id.asc()]
    return [row.id for row in connection.execute(query.order_by(*order))]


def _marked(connection: t.Any, acting: Acting, marker: str) -> int:
    nodes = tables().nodes
    row = connection.execute(libs.sqlalchemy.select(nodes).where(nodes.c.uuid == marker, visibility.nodes(acting))).first()
    return acting.require_sight(None if row is None else rows.node(row), marker).id


def _conditions(filters: Filters) -> t.Iterator[t.Any]:
    sa, nodes = libs.sqlalchemy, tables().nodes
    for name in (
        "maintenance",
        "fault",
        "owner",
        "lessee",
        "driver",
        "resource_class",
        "conductor_group",
        "provision_state",
        "instance_uuid",
    ):
        value = getattr(filters, name)
        if value is not None:
            yield nodes.c[name] == value
    if filters.project is not None:
        yield sa.or_(nodes.c.owner == filters.project, nodes.c.lessee == filters.project)
    if filters.associated is not None:
        yield nodes.c.instance_uuid.is_not(None) if filters.associated else nodes.c.instance_uuid.is_(None)
    if filters.description is not None:
        yield nodes.c.description.icontains(filters.description, autoescape=True)


def show_with_entries(parts: Parts, acting: Acting, ident: str, *, by_name: bool = True) -> tuple[Node, tuple[Entry, ...]]:
    """Give a node and its entries, of one moment. Refusal: 404 node, 403 policy keeps its entries from the caller."""
    found = show(parts, acting, ident, by_name=by_name)
    nodes = tables().nodes
    with parts.store.reading() as connection:
        row = connection.execute(libs.sqlalchemy.select(nodes).where(nodes.c.id == found.id)).first()
        node = None if row is None else rows.node(row)
        entries = {} if node is None else _entries(connection, [node])
    node = acting.require_sight(node, ident)
    acting.require(act.GET, node, ident)
    return node, entries[node.id]


def _entries(connection: t.Any, found: t.Sequence[Node]) -> dict[int, tuple[Entry, ...]]:
    sa, table = libs.sqlalchemy, tables().node_maintenance
    entries: dict[int, list[Entry]] = {node.id: [] for node in found}
    ids = [node.id for node in found if node.maintenance]
    for start in range(0, len(ids), CHUNK):
        chunk = ids[start : start + CHUNK]
        for row in connection.execute(sa.select(table).where(table.c.node_id.in_(chunk)).order_by(table.c.asserted_at, table.c.id)):
            entries[row.node_id].append(rows.entry(row))
    return {node_id: tuple(of_node) for node_id, of_node in entries.items()}


def _readable(acting: Acting, found: t.Sequence[Node], entries: t.Mapping[int, tuple[Entry, ...]]) -> dict[int, tuple[Entry, ...] | None]:
    return {node.id: entries[node.id] if acting.may(act.GET, node) else None for node in found}


def create(parts: Parts, acting: Acting, members: t.Mapping[str, t.Any], *, dry_run: bool = False) -> Node:
    """Enrol a node. Refusal: 400 a member, 403 policy, 409 uuid, name or instance in use."""
    given = dict(members)
    node_uuid = given.pop("uuid", None)
    if node_uuid is None:
        node_uuid = str(uuid.uuid4())
    if not isinstance(node_uuid, str) or not node_members.is_uuid(node_uuid):
        raise Refusal(400, "invalid", f"Expected UUID for uuid: {str(node_uuid)[:80]}")
    columns = dict.fromkeys(node_members.WRITABLE)
    columns.update({"conductor_group": "", "properties": {}, "extra": {}})
    columns.update({name: node_members.check(name, value, None) for name, value in given.items()})
    columns["owner"] = _owner_at_creation(acting, columns["owner"])
    if not acting.may(CREATE, _asked(columns["owner"])):
        _require_new(parts, node_uuid)
    columns.update(uuid=node_uuid, provision_state=None, power_state=None)
    flags = {"maintenance": False, "maintenance_reason": None, "fault": None, "updated_at": None, "generation": 0}

    def decide(locked: Locked) -> Changes:
        # Not read back after the commit: that could fail, and say that nothing was written.
        return Changes(answer=Node(id=0, created_at=locked.at, **flags, **columns), create_nodes=[columns])

    try:
        return parts.store.change([], decide, dry_run=dry_run)
    except libs.sqlalchemy.exc.IntegrityError:
        raise _in_use(parts, columns, None) from None


def _asked(owner: str | None) -> Node:
    """Give what policy sees of a node that is to be made."""
    return Node(**{field.name: None for field in dataclasses.fields(Node) if field.name != "owner"}, owner=owner)


def _require_new(parts: Parts, node_uuid: str) -> None:
    """Refusal 409: a removed node had this uuid. Its history would be that of the new node, for whoever owns it to read."""
    sa, history = libs.sqlalchemy, tables().node_history
    with parts.store.reading() as connection:
        if connection.execute(sa.select(history.c.id).where(history.c.node_uuid == node_uuid).limit(1)).first() is not None:
            raise Refusal(409, "duplicate", f"The UUID {node_uuid} was given before: leave it out, or choose another.")


def _owner_at_creation(acting: Acting, owner: str | None) -> str | None:
    """Give the owner of a node that the caller creates. Whoever may create only nodes of its own project owns them."""
    asked = _asked(owner)
    if acting.may(CREATE, asked):
        return owner
    own = dataclasses.replace(asked, owner=acting.caller.project_id or None)
    if own.owner and acting.may(CREATE_OWN, own):
        if owner not in (None, own.owner):
            raise Refusal(403, "not_permitted", "Cannot create a node as a project scoped admin with an owner other than your own project.")
        return own.owner
    raise Refusal(403, "not_permitted", f"Access was denied to the following resource: {CREATE}")


def _in_use(parts: Parts, columns: t.Mapping[str, t.Any], node: Node | None) -> Refusal:
    sa, nodes = libs.sqlalchemy, tables().nodes
    words = {"name": "name", "uuid": "UUID", "instance_uuid": "instance"}
    with parts.store.reading() as connection:
        for name, word in words.items():
            value = columns.get(name)
            if value is None:
                continue
            query = sa.select(nodes.c.id).where(nodes.c[name] == value)
            if node is not None:
                query = query.where(nodes.c.id != node.id)
            if connection.execute(query).first() is not None:
                return Refusal(409, "duplicate", f"A node with {word} {value} already exists.", node=node and node.uuid)
    return Refusal(409, "duplicate", "Another node with the same uuid, name or instance came between; try again.")


def update(
    parts: Parts,
    acting: Acting,
    ident: str,
    change: t.Callable[[Node], dict[str, t.Any]],
    hold: t.Callable[[Node, tuple[Entry, ...], Locked], Changes | None],
    *,
    by_name: bool = True,
    dry_run: bool = False,
) -> Node:
    """Change a node's members and, in the same transaction, its boolean; give the node as it is then, or would be.

    change: says from the node under its lock which members get which values; may refuse. hold: gives the changes of the
    boolean's entries, or None for none; it refuses before anything of the node is changed.
    """
    found = acting.require_sight(parts.source.find(ident, acting, by_name=by_name), ident)
    columns: dict[str, t.Any] = {}

    def decide(locked: Locked) -> Changes:
        node, entries = locked_node(locked, ident)
        acting.require_sight(node, ident)
        acting.require(UPDATE, node, ident, call="patch")
        changes = hold(node, entries, locked) or Changes()
        columns.clear()
        columns.update({name: value for name, value in change(node).items() if not same(value, getattr(node, name))})
        for name, rule in UPDATE_MEMBER.items():
            if name in columns:
                acting.require(rule, node, ident, call="patch")
        if columns:
            changes.update_nodes.append((node, dict(columns)))
        gone = {entry.id for entry in changes.delete}
        updated = {entry.id: entry for entry in changes.update}
        left = [updated.get(entry.id, entry) for entry in entries if entry.id not in gone] + changes.insert
        after = dataclasses.replace(node, **columns)
        if changes.insert or changes.update or changes.delete:
            after = dataclasses.replace(after, **derived.columns(node, left, changes.delete))
        if columns or changes.insert or changes.update or changes.delete:
            after = dataclasses.replace(after, updated_at=None if dry_run else locked.now[node.id])
        changes.answer = after
        return changes

    try:
        node = parts.store.change([found.id], decide, dry_run=dry_run)
    except libs.sqlalchemy.exc.IntegrityError:
        raise _in_use(parts, columns, found) from None
    if not dry_run:
        parts.source.changed([found.id])
    return node


def delete(parts: Parts, acting: Acting, ident: str, call: Call, *, by_name: bool = True, dry_run: bool = False) -> None:
    """Remove a node; its active entries are released into history first. call: how policy sees their release.

    Refusal: 404; 403 policy, or one that names every active entry that the caller may not release; 409 an instance is on it.
    """
    found = acting.require_sight(parts.source.find(ident, acting, by_name=by_name), ident)

    def decide(locked: Locked) -> Changes:
        node, entries = locked_node(locked, ident)
        acting.require_sight(node, ident)
        if not acting.may(DELETE, node) and not acting.may(DELETE_OWN, node):
            acting.require(DELETE, node, ident)
        decisions.require_release(acting, node, ident, entries, call)
        if node.instance_uuid is not None:
            raise Refusal(
                409,
                "gated",
                f"Node {ident} is associated with instance {node.instance_uuid}: remove the instance first.",
                node=ident,
            )
        return Changes(
            delete=list(entries),
            events=[decisions.event(acting, node, entry, "release") for entry in entries],
            delete_nodes=[node],
        )

    parts.store.change([found.id], decide, dry_run=dry_run)
    if not dry_run:
        parts.source.changed([found.id])
