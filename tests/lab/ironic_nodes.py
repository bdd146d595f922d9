# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes of a real Ironic for tests: enrolled, brought to a state, copied by the hundred, made faulty, kept busy.

node = ironic.nodes.enrol("n1", owner=keystone.project_id("owner"), state="available")
many = ironic.nodes.copies(node, 300); ironic.nodes.put_fault(many)
with Bmc() as bmc: node = ironic.nodes.enrol("rf-1", bmc=bmc, state="manageable"); bmc.die(); …; bmc.come_back()
"""

from __future__ import annotations

import contextlib
import itertools
import sqlite3
import time
import typing as t
import uuid

from ansible_collections.baremetal.maintenance.tests.lab.bmc import trees
from ansible_collections.baremetal.maintenance.tests.lab.bmc.static_redfish import StaticRedfish
from ansible_collections.baremetal.maintenance.tests.lab.direct import Direct

SYSTEM: t.Final = "/redfish/v1/Systems/1"
#: The targets that bring a node from `enroll` to a state, each with the state in which it ends.
_ROADS: t.Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "enroll": (),
    "manageable": (("manage", "manageable"),),
    "available": (("manage", "manageable"), ("provide", "available")),
    "active": (("manage", "manageable"), ("adopt", "active")),
}

Rows = t.Callable[[], contextlib.AbstractContextManager[sqlite3.Connection]]


class Bmc(StaticRedfish):
    """The Redfish BMC of one node, as small as Ironic needs it."""

    def __init__(self) -> None:
        tree = trees.machine()
        # Ironic looks for what it may ask of the power, and does not manage without.
        tree[SYSTEM] = {**tree[SYSTEM], "UUID": str(uuid.uuid4()), "Actions": {"#ComputerSystem.Reset": {"target": f"{SYSTEM}/Reset"}}}
        super().__init__(tree)

    @property
    def driver_info(self) -> dict[str, str]:
        """What makes a node of the Redfish driver this one's."""
        return {
            "redfish_address": self.url,
            "redfish_system_id": SYSTEM,
            "redfish_username": self.user,
            "redfish_password": self.password,
            "redfish_auth_type": "basic",
        }

    def die(self) -> None:
        """Answer 404 to everything about the machine: Ironic gives up at once, while it would ask a silent one again for minutes."""
        self.fault(SYSTEM, status=404)

    def come_back(self) -> None:
        """Answer again."""
        self.faults.clear()


class Nodes:
    """The nodes of one Ironic, as seen by its administrator and in its database."""

    def __init__(self, admin: t.Callable[[], Direct], rows: Rows) -> None:
        self._admin = admin
        self._rows = rows
        self._names = itertools.count(1)

    def enrol(
        self,
        name: str | None = None,
        *,
        owner: str | None = None,
        lessee: str | None = None,
        state: str = "enroll",
        bmc: Bmc | None = None,
        **members: t.Any,
    ) -> str:
        """Create a node, bring it to a state (enroll, manageable, available, active), give its uuid.

        name: a new one if None. owner, lessee: ids of projects. bmc: of fake hardware if None. members: further ones of the API.
        """
        body = {"name": name or f"lab-{next(self._names)}", "driver": "fake-hardware", "owner": owner, "lessee": lessee, **members}
        if bmc is not None:
            body.update(driver="redfish", driver_info=bmc.driver_info)
        answer = self._admin().post("/v1/nodes", {key: value for key, value in body.items() if value is not None})
        assert answer.status == 201, answer.content
        node = t.cast(str, answer.json["uuid"])
        for target, end in _ROADS[state]:
            self.provision(node, target, end)
        return node

    def provision(self, node: str, target: str, end: str, seconds: float = 90.0, **members: t.Any) -> None:
        """Ask for a provision state and wait until the node is in the state `end`, without a lock."""
        answer = self._admin().put(f"/v1/nodes/{node}/states/provision", {"target": target, **members})
        assert answer.status == 202, answer.content
        fields = ("provision_state", "reservation", "last_error")
        self._admin().until(node, lambda seen: seen["provision_state"] == end and not seen["reservation"], *fields, seconds=seconds)

    def clean(self, node: str, seconds: float = 60.0) -> None:
        """Start a clean step on a manageable node of fake hardware and wait until the conductor holds the node for it.

        How long the step takes is a setting of its Ironic; it ends by itself in `manageable`.
        """
        steps = [{"interface": "bios", "step": "factory_reset"}]
        answer = self._admin().put(f"/v1/nodes/{node}/states/provision", {"target": "clean", "clean_steps": steps})
        assert answer.status == 202, answer.content
        fields = ("provision_state", "reservation", "clean_step", "last_error")
        self._admin().until(node, lambda seen: bool(seen["reservation"] and seen["clean_step"]), *fields, seconds=seconds)

    @contextlib.contextmanager
    def locked(self, node: str) -> t.Iterator[None]:
        """Keep a node locked, as an operation of a conductor would; what needs it is then answered 409 after two seconds."""
        self._reserve(node, None, "lab-conductor")
        try:
            yield
        finally:
            self._reserve(node, "lab-conductor", None)

    def put_fault(self, nodes: t.Sequence[str], fault: str | None = "power failure", reason: str | None = "no answer") -> None:
        """Let Ironic have found a fault; None: let it have cleared the flag. In one transaction, past its API."""
        with self._rows() as rows:
            rows.executemany(
                "UPDATE nodes SET maintenance = ?, maintenance_reason = ?, fault = ? WHERE uuid = ?",
                [(fault is not None, reason if fault else None, fault, node) for node in nodes],
            )

    def copies(self, original: str, number: int) -> list[str]:
        """Have so many copies of a node, with names of their own, and give their uuids; the API would take seconds to make them."""
        made = [(str(uuid.uuid4()), f"lab-{next(self._names)}") for _number in range(number)]
        with self._rows() as rows:
            cursor = rows.execute("SELECT * FROM nodes WHERE uuid = ?", (original,))
            columns = [column[0] for column in cursor.description]
            row = dict(zip(columns, cursor.fetchone(), strict=True))
            row.pop("id")
            rows.executemany(
                f"INSERT INTO nodes ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",
                [tuple({**row, "uuid": node, "name": name, "reservation": None}.values()) for node, name in made],
            )
        return [node for node, _name in made]

    def flags(self) -> dict[str, tuple[bool, str | None, str | None]]:
        """Give maintenance, reason and fault of every node by uuid, straight from the database: in a millisecond, for samplers."""
        with self._rows() as rows:
            found = rows.execute("SELECT uuid, maintenance, maintenance_reason, fault FROM nodes").fetchall()
        return {node: (bool(maintenance), reason, fault) for node, maintenance, reason, fault in found}

    def remove_all(self) -> None:
        """Delete every node, past the API and whatever its state."""
        with self._rows() as rows:
            for table in ("node_history", "node_traits", "bios_settings", "nodes"):
                rows.execute(f"DELETE FROM {table}")

    def _reserve(self, node: str, before: str | None, after: str | None, seconds: float = 60.0) -> None:
        end = time.monotonic() + seconds
        while True:
            with self._rows() as rows:
                if rows.execute("UPDATE nodes SET reservation = ? WHERE uuid = ? AND reservation IS ?", (after, node, before)).rowcount:
                    return
            assert time.monotonic() < end, f"node {node} is locked already"
            time.sleep(0.05)
