# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the store keeps, as values: nodes, entries, history events."""

from __future__ import annotations

import dataclasses
import datetime
import json
import typing as t


def same(one: t.Any, other: t.Any) -> bool:
    """Tell whether two JSON values are one: for Python true is 1 and 1 is 1.0, for who wrote them it is not."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@dataclasses.dataclass(frozen=True)
class Node:
    """A node of the registry. maintenance, maintenance_reason and fault are derived from its entries. Times are UTC without a zone."""

    id: int
    uuid: str
    name: str | None
    owner: str | None
    lessee: str | None
    driver: str | None
    resource_class: str | None
    conductor_group: str
    description: str | None
    properties: dict[str, t.Any]
    extra: dict[str, t.Any]
    instance_uuid: str | None
    provision_state: str | None
    power_state: str | None
    maintenance: bool
    maintenance_reason: str | None
    fault: str | None
    created_at: datetime.datetime
    updated_at: datetime.datetime | None
    generation: int

    def is_called(self, ident: str) -> bool:
        """Tell whether this is the node's uuid or name, as it is now."""
        return ident in (self.uuid, self.name)


@dataclasses.dataclass(frozen=True)
class Entry:
    """An active maintenance entry. id is None before it is stored. `key`, `ticket` and `run` are our labels (api.md 5)."""

    id: int | None
    uuid: str
    node_id: int
    type: str
    key: str
    reason: str | None
    scope: str
    asserted_by: str
    asserted_by_name: str | None
    asserted_by_project: str
    asserted_by_project_name: str | None
    asserted_at: datetime.datetime
    extra: dict[str, t.Any]
    ticket: str | None
    run: str | None

    @property
    def identity(self) -> tuple[int, str, str, str, str]:
        """What may exist once (spec, "Data model impact", and our key)."""
        return (self.node_id, self.type, self.scope, self.asserted_by_project, self.key)


@dataclasses.dataclass(frozen=True)
class Event:
    """A maintenance event of a node's history, not yet stored. Its text holds no identity: the actor has its own fields."""

    node_uuid: str
    node_name: str | None
    action: str
    entry_uuid: str
    type: str
    scope: str
    key: str
    reason: str | None
    ticket: str | None
    run: str | None
    user: str
    user_name: str | None
    project: str
    project_name: str | None
    actor_scope: str | None
    source: str
    comment: str | None = None
    data: dict[str, t.Any] | None = None
    #: Count it on the event of the same entry, action and data, if there is one, instead of writing another row.
    fold: bool = False

    @property
    def text(self) -> str:
        """The `event` field, as Ironic's history shows it."""
        said = f": {self.reason}" if self.reason else ""
        return f"maintenance {self.action}: type {self.type}, scope {self.scope}{said}"


@dataclasses.dataclass
class Changes:
    """What a decision wants done, in one transaction. answer is handed back to who asked for the decision."""

    answer: t.Any = None
    insert: list[Entry] = dataclasses.field(default_factory=list)
    #: The entry as it shall be, its id kept.
    update: list[Entry] = dataclasses.field(default_factory=list)
    delete: list[Entry] = dataclasses.field(default_factory=list)
    events: list[Event] = dataclasses.field(default_factory=list)
    #: Columns of new nodes, without id and times; all have the same columns.
    create_nodes: list[dict[str, t.Any]] = dataclasses.field(default_factory=list)
    #: Entries on new nodes: the node's uuid, and the entry, whose node_id is filled in.
    insert_on_new: list[tuple[str, Entry]] = dataclasses.field(default_factory=list)
    update_nodes: list[tuple[Node, dict[str, t.Any]]] = dataclasses.field(default_factory=list)
    delete_nodes: list[Node] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class Locked:
    """Nodes under their locks, in id order, with their entries, oldest first, and for each the time that a change of it has.

    at: the transaction's time, which a change of a node has unless the node's newest entry is later.
    """

    nodes: tuple[Node, ...]
    entries: dict[int, tuple[Entry, ...]]
    now: dict[int, datetime.datetime]
    at: datetime.datetime
