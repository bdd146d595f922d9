# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A service in memory with the verbs of the client, for what no real part can be: a native API, one before an Ironic, one that fails late.

    world = World(["n1", "n2"])
    api = world.api("op")                                   system, every extension
    api = world.api("alice", project="p1")                  owner or lessee of nodes that say so
    api = world.api("op", kind="native")                    typed entries as in the specification, nothing more

It decides by the rules' own functions. `world.writes` has every write that was done, `world.calls` every request.
"""

from __future__ import annotations

import copy
import dataclasses
import itertools
import typing as t
import uuid

from ansible_collections.baremetal.maintenance.plugins.module_utils.client.errors import NotSupported, Refused, Unreachable
from ansible_collections.baremetal.maintenance.plugins.module_utils.client.service import Kind, Service
from ansible_collections.baremetal.maintenance.plugins.module_utils.rules import authority, masking, scopes, types

EXTENSIONS: t.Final = frozenset({"dry_run", "fleet", "node_entries", "bulk", "patch", "fault", "types", "fleet_history", "labels"})

_SPEC_MEMBERS: t.Final = ("uuid", "type", "reason", "scope", "asserted_by", "asserted_by_project", "asserted_at", "extra")


class World:
    """Nodes and their entries."""

    def __init__(self, names: t.Sequence[str]) -> None:
        self.nodes: dict[str, dict[str, t.Any]] = {}
        self.entries: dict[str, list[dict[str, t.Any]]] = {}
        self.writes: list[tuple[str, ...]] = []
        self.calls: list[str] = []
        #: Nodes on which the next write fails with this error.
        self.broken: dict[str, Exception] = {}
        #: The service stands in front of an Ironic that enforces an entry when it was read this often.
        self.reads_until_enforced: int | None = None
        self.reservation: str | None = None
        self._clock = itertools.count(1)
        for name in names:
            self.add(name)

    def add(self, name: str, **members: t.Any) -> dict[str, t.Any]:
        """Enrol a node."""
        node = {"uuid": str(uuid.uuid4()), "name": name, "owner": None, "lessee": None, "maintenance": False, "maintenance_reason": None}
        self.nodes[name] = {**node, **members}
        self.entries[name] = []
        return self.nodes[name]

    def api(
        self, user: str, *, project: str = "", kind: Kind = "extended", extensions: t.Collection[str] = EXTENSIONS
    ) -> FakeApi:
        """Give the verbs as a caller has them; one without a project is a system operator."""
        return FakeApi(self, user, project, Service(kind, "1.116", frozenset(extensions) if kind == "extended" else frozenset()))

    def now(self) -> str:
        """Give a time that only moves forward."""
        return f"2026-06-10T10:{next(self._clock):02d}:00.000000+00:00"

    def broke(self, node: str) -> None:
        """Fail if the next write on the node is to fail."""
        if node in self.broken:
            raise self.broken.pop(node)


@dataclasses.dataclass
class FakeApi:
    """The verbs of client.api.Api that operations use."""

    world: World
    user: str
    project: str
    _service: Service

    def service(self, node: str | None = None) -> Service:
        return self._service

    def list_entries(self, node: str) -> list[dict[str, t.Any]]:
        self._typed("list", node)
        name = self._name(node)
        return [self._shown(name, entry) for entry in self.world.entries[name]]

    def get_entry(self, node: str, uuid: str) -> dict[str, t.Any]:
        self._typed("get", node)
        return self._shown(self._name(node), self._entry(node, uuid))

    def assert_entry(
        self,
        node: str,
        *,
        type: str,
        reason: str | None = None,
        extra: t.Mapping[str, t.Any] | None = None,
        key: str = "",
        ticket: str | None = None,
        run: str | None = None,
        dry_run: bool = False,
    ) -> dict[str, t.Any]:
        self._typed("assert", node, dry_run, needs=("labels",) if key or ticket or run else ())
        name = self._name(node)
        if type in types.RESERVED or type not in types.Registry():
            raise self._refused(400, "unknown_type", f"Node {node}: type {type!r} can't be asserted.", node)
        standing = self._standing(name)
        if standing is None:
            raise self._refused(403, "not_permitted", f"Cannot assert {type} on node {node}: no standing", node)
        for entry in self.world.entries[name]:
            if (entry["type"], entry["scope"], entry["asserted_by_project"], entry["key"]) == (type, standing, self.project, key):
                blocking = [(entry, "the same hold is active")]
                raise self._refused(409, "duplicate", f"Cannot assert {type} on node {node}: it is held", node, blocking)
        entry = {
            "uuid": None if dry_run else str(uuid.uuid4()),
            "type": type,
            "reason": reason or None,
            "scope": standing,
            "asserted_by": self.user,
            "asserted_by_project": self.project,
            "asserted_at": None if dry_run else self.world.now(),
            "extra": dict(extra or {}),
            "key": key,
            "ticket": ticket,
            "run": run,
            "reads": 0,
        }
        if not dry_run:
            self._write("assert", node, type)
            self.world.entries[name].append(entry)
        return self._shown(name, entry)

    def update_entry(self, node: str, uuid: str, changes: t.Mapping[str, t.Any], dry_run: bool = False) -> dict[str, t.Any]:
        self._typed("update", node, dry_run, needs=("patch",))
        entry = self._entry(node, uuid)
        name = self._name(node)
        if not self._owns(name, entry):
            raise self._refused(403, "not_permitted", f"Cannot change {uuid}: not yours", node, [(entry, "not yours")])
        if not dry_run:
            self._write("update", node, uuid)
            entry.update(changes)
        return self._shown(name, {**entry, **changes})

    def release_entry(self, node: str, uuid: str, *, comment: str | None = None, dry_run: bool = False) -> None:
        self._typed("release", node, dry_run)
        entry = self._entry(node, uuid)
        self._may_release(node, [entry])
        if not dry_run:
            self._write("release", node, uuid, comment or "")
            self.world.entries[self._name(node)].remove(entry)

    def release_all(
        self, node: str, *, only: t.Collection[str] | None = None, comment: str | None = None, dry_run: bool = False
    ) -> None:
        self._typed("release_all", node, dry_run)
        name = self._name(node)
        chosen = [entry for entry in self.world.entries[name] if not self._service.has("bulk") or only is None or entry["uuid"] in only]
        self._may_release(node, chosen)
        if not dry_run:
            self._write("release_all", node, comment or "")
            self.world.entries[name] = [entry for entry in self.world.entries[name] if entry not in chosen]

    def assert_many(self, nodes: t.Sequence[str], *, on_error: str, dry_run: bool = False, **body: t.Any) -> list[dict[str, t.Any]]:
        self._typed("assert_many", "", dry_run, needs=("bulk",))

        def hold(node: str, dry: bool) -> dict[str, t.Any]:
            return {"status": 201, "entry": self.assert_entry(node, **body, dry_run=dry)}  # pylint: disable=missing-kwoa

        return self._many(nodes, on_error, dry_run, hold)

    def release_many(
        self, *, entries: t.Sequence[str], comment: str | None = None, on_error: str = "stop", dry_run: bool = False
    ) -> list[dict[str, t.Any]]:
        self._typed("release_many", "", dry_run, needs=("bulk",))
        at = {entry["uuid"]: node for node, active in self.world.entries.items() for entry in active}

        def release(entry_uuid: str, dry: bool) -> dict[str, t.Any]:
            node = at.get(entry_uuid)
            if node is None:
                raise self._refused(404, "not_found", f"Maintenance entry {entry_uuid} could not be found.", entry_uuid)
            before = self.get_entry(node, entry_uuid)
            self.release_entry(node, entry_uuid, comment=comment, dry_run=dry)
            return {"node": self.world.nodes[node]["uuid"], "status": 204, "entry": before}

        return self._many(entries, on_error, dry_run, release)

    def fleet_entries(self, filters: t.Mapping[str, t.Any] | None = None) -> list[dict[str, t.Any]]:
        self._typed("fleet", "", needs=("fleet",))
        wanted = {name: value for name, value in (filters or {}).items() if value is not None and name != "older_than"}
        node = wanted.pop("node", None)
        rows = [
            {**self._shown(name, entry), "node_uuid": self.world.nodes[name]["uuid"], "node_name": name}
            for name, active in self.world.entries.items()
            for entry in active
        ]
        return [
            row
            for row in rows
            if node in (None, row["node_name"], row["node_uuid"]) and all(row[member] == value for member, value in wanted.items())
        ]

    def put_fault(self, node: str, fault: str, reason: str | None, dry_run: bool = False) -> tuple[dict[str, t.Any], bool]:
        self._typed("put_fault", node, dry_run, needs=("fault",))
        name = self._name(node)
        entry = next((entry for entry in self.world.entries[name] if entry["type"] == types.FAULT), None)
        created = entry is None
        if entry is None:
            entry = {"uuid": str(uuid.uuid4()), "type": "fault", "scope": "system", "asserted_by": self.user, "asserted_by_project": ""}
            entry.update(asserted_at=self.world.now(), key="", ticket=None, run=None, reads=0)
        after = {**entry, "reason": reason, "extra": {"fault": fault}}
        if not dry_run:
            self._write("put_fault", node, fault)
            entry.update(after)
            if created:
                self.world.entries[name].append(entry)
        return self._shown(name, after), created

    def set_flag(self, node: str, reason: str | None, dry_run: bool = False) -> None:
        name = self._name(node)
        if not dry_run:
            self._write("set_flag", node, reason or "")
            self.world.nodes[name].update(maintenance=True, maintenance_reason=reason)
            if self._service.typed:
                self.world.entries[name] = [entry for entry in self.world.entries[name] if entry["type"] != types.LEGACY]
                self.world.entries[name].append(self.legacy(reason))

    def clear_flag(self, node: str, dry_run: bool = False) -> None:
        name = self._name(node)
        if self._service.typed:
            self._may_release(node, self.world.entries[name])
        if not dry_run:
            self._write("clear_flag", node)
            self.world.nodes[name].update(maintenance=False, maintenance_reason=None)
            self.world.entries[name] = []

    def get_node(self, node: str, fields: t.Sequence[str] | None = None) -> dict[str, t.Any]:
        self.world.calls.append("get_node")
        found = {**self.world.nodes[self._name(node)], "reservation": self.world.reservation}
        return found if fields is None else {name: found[name] for name in fields}

    def iter_nodes(
        self,
        fields: t.Sequence[str] | None = None,
        filters: t.Mapping[str, t.Any] | None = None,
        with_entries: bool = False,
    ) -> list[dict[str, t.Any]]:
        self.world.calls.append("iter_nodes")
        return [
            {**node, "maintenance_entries": [self._shown(name, entry) for entry in self.world.entries[name]]}
            for name, node in self.world.nodes.items()
        ]

    def legacy(self, reason: str | None) -> dict[str, t.Any]:
        """Give a legacy entry of this caller's."""
        entry = {"uuid": str(uuid.uuid4()), "type": "legacy", "reason": reason, "scope": "system", "asserted_by": self.user, "extra": {}}
        return {**entry, "asserted_by_project": "", "asserted_at": self.world.now(), "key": "", "ticket": None, "run": None, "reads": 0}

    def _many(
        self, names: t.Sequence[str], on_error: str, dry_run: bool, act: t.Callable[[str, bool], dict[str, t.Any]]
    ) -> list[dict[str, t.Any]]:
        results: list[dict[str, t.Any]] = []
        refused: list[Refused] = []
        before = copy.deepcopy((self.world.entries, self.world.writes))
        for name in names:
            try:
                results.append({"node": name, **act(name, dry_run)})
            except Refused as error:
                refused.append(error)
                refusal = {"code": error.code, "node": error.node, "blockers": error.blockers}
                results.append({"node": name, "status": error.status, "error": {"error_message": error.msg, "refusal": refusal}})
        if refused and on_error == "stop":
            self.world.entries, self.world.writes = before
            blockers = [blocker for error in refused for blocker in error.blockers]
            raise Refused(
                ". ".join(error.msg for error in refused), code=refused[0].code, status=refused[0].status, blockers=blockers, explained=True
            )
        return results

    def _typed(self, what: str, node: str, dry_run: bool = False, needs: t.Sequence[str] = ()) -> None:
        self.world.calls.append(f"{what} dry" if dry_run else what)
        if not self._service.typed:
            raise NotSupported(f"Cannot {what}: the maintenance flag only", code="not_supported", node=node)
        for extension in (*needs, *(("dry_run",) if dry_run else ())):
            if not self._service.has(extension):
                raise NotSupported(f"Cannot {what}: no {extension}", code="not_supported", node=node)

    def _write(self, what: str, node: str, *said: str) -> None:
        self.world.broke(node)
        self.world.writes.append((what, node, *said))

    def _name(self, node: str) -> str:
        for name, found in self.world.nodes.items():
            if node in (name, found["uuid"]):
                return name
        raise self._refused(404, "not_found", f"Node {node} could not be found.", node)

    def _entry(self, node: str, uuid: str) -> dict[str, t.Any]:
        for entry in self.world.entries[self._name(node)]:
            if entry["uuid"] == uuid:
                return entry
        raise self._refused(404, "not_found", f"Maintenance entry {uuid} could not be found.", node)

    def _standing(self, name: str) -> str | None:
        node = self.world.nodes[name]
        return scopes.standing(system=not self.project, project=self.project, owner=node["owner"], lessee=node["lessee"])

    def _owns(self, name: str, entry: dict[str, t.Any]) -> bool:
        return authority.is_own(
            scope=entry["scope"],
            asserted_by=entry["asserted_by"],
            asserted_by_project=entry["asserted_by_project"],
            standing=self._standing(name),
            user=self.user,
            project=self.project,
        )

    def _may_release(self, node: str, entries: t.Sequence[dict[str, t.Any]]) -> None:
        standing = self._standing(self._name(node))
        blocking = []
        for entry in entries:
            why = authority.release_floor(
                type=entry["type"],
                scope=entry["scope"],
                asserted_by_project=entry["asserted_by_project"],
                standing=standing,
                project=self.project,
            )
            if why:
                blocking.append((entry, f"not permitted at {standing} scope"))
        if blocking:
            raise self._refused(403, "not_permitted", f"Cannot release from node {node}", node, blocking)

    def _shown(self, name: str, entry: dict[str, t.Any]) -> dict[str, t.Any]:
        stored, shown = entry, {member: copy.deepcopy(value) for member, value in entry.items() if member != "reads"}
        if masking.hides(entry["scope"], self._standing(name)):
            shown.update(asserted_by=None, asserted_by_project=None)
        if self._service.kind == "native":
            return {member: shown[member] for member in _SPEC_MEMBERS}
        limit = self.world.reads_until_enforced
        stored["reads"] += 1
        return {
            **shown,
            "own": self._owns(name, entry),
            "enforced": limit is not None and stored["reads"] > limit,
            "enforced_by": "none" if limit is None else "ironic",
        }

    def _refused(
        self, status: int, code: str, msg: str, node: str, blockers: t.Sequence[tuple[dict[str, t.Any], str]] = ()
    ) -> Refused:
        shown = []
        for entry, why in blockers:
            named = {name: entry[name] for name in ("uuid", "type", "scope")}
            shown.append({**named, "project": entry["asserted_by_project"], "why": why, "who_can": "somebody"})
        if self._service.kind == "native":
            return Refused(msg, code="duplicate" if status == 409 else code, status=status, node=node)
        return Refused(msg, code=code, status=status, node=node, blockers=shown, explained=True)


def lost(what: str = "Cannot assert: closed the connection without an answer") -> Unreachable:
    """Give the error of a write whose reply was lost."""
    return Unreachable(what, code="unreachable", outcome_unknown=True)
