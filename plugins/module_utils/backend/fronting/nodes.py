# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes of the Ironic behind us: seen with the caller's own eyes, remembered in our table, enforced by the mirror.

Which nodes there are for a caller is Ironic's business: it is asked with the caller's credential, every time. Our row of a node
keeps what standing and listings need (owner, lessee, name…); every look brings it up to date.
"""

from __future__ import annotations

import threading
import typing as t
import urllib.parse

from .. import libs
from ..errors import Refusal
from ..schema.tables import tables
from ..service import node_members
from ..store import rows
from ..store.store import CHUNK, Store
from ..store.values import Changes, Locked, Node, same
from . import seen
from .ironic import PAGE
from .mirror import Mirror
from .seen import KEPT
from .upstream import Upstream

if t.TYPE_CHECKING:
    from ..service.acting import Acting

#: What a list with a caller's credential asks for: as little as decides who sees what and who stands where. The rest of a row the
#: reconciler reads, from whom Ironic hides nothing.
_LIST: t.Final = ("uuid", "name", "owner", "lessee")
_LOOK: t.Final = (*_LIST, "maintenance", "maintenance_reason", "fault")
#: Beyond so many named nodes one list of all is asked for instead of each of them.
_SINGLY: t.Final = 20
#: Seconds in all that a request waits for Ironic to have what it changed.
WAIT: t.Final = 10.0
_UNTOLD: t.Final = {**dict.fromkeys(KEPT), "conductor_group": "", "properties": {}, "extra": {}}


class IronicNodes:
    """The node source of a backend in front of an Ironic."""

    enforced_by = "ironic"

    def __init__(self, store: Store, upstream: Upstream, mirror: Mirror, *, policy_too: bool, observe: bool = False) -> None:
        """policy_too: the Ironic has no identities (noauth, http_basic), so that policy here decides who sees what.

        observe: nothing is told to Ironic.
        """
        self._observe = observe
        self.policy_too = policy_too
        self._store = store
        self._upstream = upstream
        self._mirror = mirror
        # One registration at a time in this process: two for one node would meet at its unique uuid.
        self.registering = threading.Lock()

    def find(self, ident: str, acting: Acting, *, by_name: bool = True) -> Node | None:
        """Give the node that Ironic shows to the caller under this uuid or name, our row of it brought up to date."""
        acting.hide_all(policy_too=self.policy_too)
        if not by_name and not node_members.is_uuid(ident):
            return None
        answer = self._upstream.get(acting.caller, f"/v1/nodes/{urllib.parse.quote(ident, safe='')}", {"fields": ",".join(_LOOK)})
        # 405: a word of Ironic's own paths, such as `maintenance`, which can be nobody's name.
        if answer.status in (404, 405):
            return None
        said = f"Ironic does not show node {ident}: status {answer.status}."
        if answer.status in (400, 406):
            raise Refusal(answer.status, "invalid", said, node=ident)
        if answer.status != 200:
            raise Refusal(403, "not_permitted", said, node=ident) if answer.status == 403 else Refusal(503, "unavailable", said, node=ident)
        try:
            looked = seen.read(answer.body if isinstance(answer.body, dict) else {})
        except ValueError as error:
            raise Refusal(503, "unavailable", f"The Ironic behind this service gave {error}.", node=ident) from None
        node = self._registered({looked.uuid: looked.members})[looked.uuid]
        acting.show([looked.uuid])
        if looked.maintenance and self._mirror.mirrors.states([node.id])[node.id].flag is None:
            # The first that we see of a maintained node: what holds it there is an entry before anybody is told that nothing does.
            self._mirror.settle(node.id, WAIT)
            node = self._row(looked.uuid) or node
        return node

    def find_many(self, idents: t.Sequence[str], acting: Acting) -> dict[str, Node]:
        """Give the nodes of these uuids or names that Ironic shows to the caller."""
        acting.hide_all(policy_too=self.policy_too)
        if len(idents) <= _SINGLY:
            found = {ident: self.find(ident, acting) for ident in dict.fromkeys(idents)}
            return {ident: node for ident, node in found.items() if node is not None}
        listed = self._listed(acting)
        by_name = {row["name"]: uuid for uuid, row in listed.items() if row.get("name")}
        uuids = {ident: ident if ident in listed else by_name.get(ident) for ident in idents}
        wanted = {uuid: listed[uuid] for uuid in uuids.values() if uuid is not None}
        nodes = self._registered(wanted)
        return {ident: nodes[uuid] for ident, uuid in uuids.items() if uuid is not None}

    def reveal(self, acting: Acting, uuids: t.Collection[str] | None) -> None:
        """Learn which of these nodes (None: of all) Ironic shows to the caller."""
        acting.hide_all(policy_too=self.policy_too)
        if uuids is not None and len(uuids) <= _SINGLY:
            for uuid in uuids:
                self.find(uuid, acting)
            return
        self._listed(acting)

    def changed(self, node_ids: t.Collection[int]) -> None:
        """Tell Ironic, and wait until it has it, as long as a request can wait. What is left, the sweep does."""
        if node_ids and not self._observe:
            self._mirror.settle_within(node_ids, WAIT)

    def enforced(self, node_ids: t.Collection[int]) -> dict[int, bool]:
        """Tell for each node whether Ironic has the flag for the entries as they are."""
        states = self._mirror.mirrors.states(node_ids)
        return {node_id: node_id in states and states[node_id].clean and bool(states[node_id].flag) for node_id in node_ids}

    def _listed(self, acting: Acting) -> dict[str, dict[str, t.Any]]:
        """Give what Ironic lists for the caller, by uuid; all pages or a Refusal: never a short list."""
        found: dict[str, dict[str, t.Any]] = {}
        marker = None
        while True:
            query = {"fields": ",".join(_LIST), "limit": str(PAGE), **({"marker": marker} if marker else {})}
            answer = self._upstream.get(acting.caller, "/v1/nodes", query)
            page = answer.body.get("nodes") if isinstance(answer.body, dict) else None
            if answer.status == 403:
                raise Refusal(403, "not_permitted", "Ironic does not let you list nodes.")
            if answer.status != 200 or not isinstance(page, list):
                raise Refusal(503, "unavailable", f"The Ironic behind this service does not list its nodes: status {answer.status}.")
            fresh = {row["uuid"]: row for row in page if isinstance(row, dict) and isinstance(row.get("uuid"), str)}
            if len(fresh) < len(page) or fresh.keys() & found.keys():
                raise Refusal(503, "unavailable", "The Ironic behind this service changed while its nodes were listed: try again.")
            found |= fresh
            if not answer.body.get("next") or not page:
                break
            marker = page[-1]["uuid"]
        acting.show(found)
        return found

    def _row(self, uuid: str) -> Node | None:
        sa, nodes = libs.sqlalchemy, tables().nodes
        with self._store.reading() as connection:
            row = connection.execute(sa.select(nodes).where(nodes.c.uuid == uuid)).first()
        return None if row is None else rows.node(row)

    def _registered(self, looked: t.Mapping[str, t.Mapping[str, t.Any]]) -> dict[str, Node]:
        """Bring our rows of these nodes (members by uuid) up to date and give them by uuid."""
        return register(self._store, looked, self.registering)


def register(store: Store, looked: t.Mapping[str, t.Mapping[str, t.Any]], lock: t.Any) -> dict[str, Node]:
    """Make or update the rows of nodes that Ironic has: members by uuid. Give the rows by uuid."""
    found = _rows(store, list(looked))
    if all(uuid in found and not differing(found[uuid], members) for uuid, members in looked.items()):
        return found
    with lock:
        for _try in range(2):
            found = _rows(store, list(looked))
            strangers = _strangers(store, looked, found)
            ids = [node.id for node in (*found.values(), *strangers)]

            def decide(locked: Locked, ids: list[int] = ids) -> Changes:
                changes = Changes()
                known = {node.uuid: node for node in locked.nodes}
                for uuid, node in known.items():
                    # A name or an instance belongs to whom Ironic gives it; who had it before is looked at again in its own time.
                    columns = differing(node, looked[uuid]) if uuid in looked else _given_up(node, looked)
                    if columns:
                        changes.update_nodes.append((node, columns))
                for uuid in looked.keys() - known.keys():
                    changes.create_nodes.append({"uuid": uuid, **_UNTOLD, **_columns(looked[uuid])})
                # Those that give something up go first: the names are unique at every moment.
                changes.update_nodes.sort(key=lambda change: change[0].uuid in looked)
                return changes

            try:
                store.change(ids, decide)
            except libs.sqlalchemy.exc.IntegrityError:
                # Another process registered the same node meanwhile.
                continue
            break
        found = _rows(store, list(looked))
    if len(found) < len(looked):
        raise Refusal(503, "unavailable", "A node was registered and removed at the same moment: try again.")
    return found


def _rows(store: Store, uuids: list[str]) -> dict[str, Node]:
    sa, nodes = libs.sqlalchemy, tables().nodes
    found = {}
    with store.reading() as connection:
        for start in range(0, len(uuids), CHUNK):
            for row in connection.execute(sa.select(nodes).where(nodes.c.uuid.in_(uuids[start : start + CHUNK]))):
                found[row.uuid] = rows.node(row)
    return found


def _strangers(store: Store, looked: t.Mapping[str, t.Mapping[str, t.Any]], found: t.Mapping[str, Node]) -> list[Node]:
    """Give rows of other nodes that have a name or an instance which Ironic gives to one of these now."""
    sa, nodes = libs.sqlalchemy, tables().nodes
    strangers: dict[int, Node] = {}
    with store.reading() as connection:
        for member in ("name", "instance_uuid"):
            values = [members[member] for uuid, members in looked.items() if members.get(member)]
            for start in range(0, len(values), CHUNK):
                for row in connection.execute(sa.select(nodes).where(nodes.c[member].in_(values[start : start + CHUNK]))):
                    if row.uuid not in looked:
                        strangers[row.id] = rows.node(row)
    return list(strangers.values())


def _given_up(node: Node, looked: t.Mapping[str, t.Mapping[str, t.Any]]) -> dict[str, None]:
    return {
        member: None
        for member in ("name", "instance_uuid")
        if getattr(node, member) is not None and any(members.get(member) == getattr(node, member) for members in looked.values())
    }


def differing(node: Node, members: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Give the columns of our row that differ from what Ironic says."""
    return {name: value for name, value in _columns(members).items() if not same(value, getattr(node, name))}


def _columns(members: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    columns = {name: value for name, value in members.items() if name in KEPT}
    for name in ("properties", "extra"):
        if name in columns:
            columns[name] = columns[name] or {}
    if "conductor_group" in columns:
        columns["conductor_group"] = columns["conductor_group"] or ""
    return columns
