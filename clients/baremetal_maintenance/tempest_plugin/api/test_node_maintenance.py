# Copyright (c) 2026 the baremetal.maintenance authors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds are added, listed and removed, by the owner of a node and by the system (specification, "Testing")."""

from __future__ import annotations

import typing as t

from tempest import config, test
from tempest.lib import decorators
from tempest.lib import exceptions as refused
from tempest.lib.common.utils import data_utils

#: The newest version before the typed API that every Ironic of today has.
UNTYPED: t.Final = "1.109"


class NodeMaintenanceTest(test.BaseTestCase):
    """One node, which a project owns and nobody holds, for each test."""

    credentials: t.ClassVar[list[str]] = ["system_admin", "project_member", "project_alt_member"]

    @classmethod
    def setup_clients(cls) -> None:
        """Make a client for the system, the owner and somebody else."""
        super().setup_clients()
        cls.system, cls.owner, cls.stranger = (
            manager.baremetal_maintenance.MaintenanceClient().at(None)
            for manager in (cls.os_system_admin, cls.os_project_member, cls.os_project_alt_member)
        )

    def setUp(self) -> None:
        """Enrol the node."""
        super().setUp()
        self.node = self.system.create_node(
            name=data_utils.rand_name("maintenance"),
            driver=config.CONF.baremetal_maintenance.driver,
            owner=self.os_project_member.credentials.project_id,
        )["uuid"]
        self.addCleanup(self._remove)

    def _remove(self) -> None:
        self.system.at(None).remove_all(self.node)
        self.system.delete_node(self.node)

    @decorators.idempotent_id("6f4c1d0e-0f0b-4b7e-9a1d-6e2f6b1a7c01")
    def test_add(self) -> None:
        """The owner's hold puts the node into maintenance, at the owner's scope, under the owner's name."""
        entry = self.owner.add_entry(self.node, type="hardware_failure", reason="disk 3", extra={"slot": 3})
        credentials = self.os_project_member.credentials
        self.assertEqual(("hardware_failure", "disk 3"), (entry["type"], entry["reason"]))
        self.assertEqual(("owner", {"slot": 3}), (entry["scope"], entry["extra"]))
        self.assertEqual((credentials.user_id, credentials.project_id), (entry["asserted_by"], entry["asserted_by_project"]))
        shown = self.owner.show_node(self.node)
        self.assertEqual((True, "hardware_failure: disk 3"), (shown["maintenance"], shown["maintenance_reason"]))

    @decorators.idempotent_id("6f4c1d0e-0f0b-4b7e-9a1d-6e2f6b1a7c02")
    def test_add_the_same_hold_twice(self) -> None:
        """The second is a conflict and changes nothing."""
        entry = self.owner.add_entry(self.node, type="operator_hold", reason="first")
        self.assertRaises(refused.Conflict, self.owner.add_entry, self.node, type="operator_hold", reason="second")
        self.assertEqual([(entry["uuid"], "first")], [(row["uuid"], row["reason"]) for row in self.owner.list_entries(self.node)])

    @decorators.attr(type="negative")
    @decorators.idempotent_id("6f4c1d0e-0f0b-4b7e-9a1d-6e2f6b1a7c03")
    def test_add_what_is_no_type(self) -> None:
        """Reserved and unknown types are refused."""
        for name in ("legacy", "fault", "no_such_type"):
            self.assertRaises(refused.BadRequest, self.owner.add_entry, self.node, type=name)
        self.assertEqual([], self.owner.list_entries(self.node))

    @decorators.attr(type="negative")
    @decorators.idempotent_id("6f4c1d0e-0f0b-4b7e-9a1d-6e2f6b1a7c04")
    def test_add_on_a_node_that_is_not_seen(self) -> None:
        """To another project the node does not exist."""
        self.assertRaises(refused.NotFound, self.stranger.add_entry, self.node, type="operator_hold")
        self.assertRaises(refused.NotFound, self.stranger.list_entries, self.node)

    @decorators.idempotent_id("6f4c1d0e-0f0b-4b7e-9a1d-6e2f6b1a7c05")
    def test_list(self) -> None:
        """Everybody who sees the node sees its holds, oldest first; the owner does not learn who of the system asserted one."""
        first = self.owner.add_entry(self.node, type="hardware_failure", reason="disk 3")
        second = self.system.add_entry(self.node, type="operator_hold", reason="power work")
        for client in (self.owner, self.system):
            self.assertEqual([first["uuid"], second["uuid"]], [row["uuid"] for row in client.list_entries(self.node)])
        seen = self.owner.list_entries(self.node)[1]
        self.assertEqual((None, None, "power work"), (seen["asserted_by"], seen["asserted_by_project"], seen["reason"]))
        self.assertEqual("hardware_failure: disk 3; operator_hold: power work", self.owner.show_node(self.node)["maintenance_reason"])

    @decorators.idempotent_id("6f4c1d0e-0f0b-4b7e-9a1d-6e2f6b1a7c06")
    def test_remove(self) -> None:
        """The node is back in service when its last hold is gone."""
        first = self.owner.add_entry(self.node, type="hardware_failure")
        second = self.owner.add_entry(self.node, type="operator_hold")
        self.owner.remove_entry(self.node, first["uuid"])
        self.assertTrue(self.owner.show_node(self.node)["maintenance"])
        self.owner.remove_entry(self.node, second["uuid"])
        self.assertFalse(self.owner.show_node(self.node)["maintenance"])
        self.assertRaises(refused.NotFound, self.owner.remove_entry, self.node, second["uuid"])

    @decorators.idempotent_id("6f4c1d0e-0f0b-4b7e-9a1d-6e2f6b1a7c07")
    def test_remove_all_or_nothing(self) -> None:
        """The owner may not release the system's hold, so nothing is released; the system may release both."""
        self.owner.add_entry(self.node, type="hardware_failure")
        held = self.system.add_entry(self.node, type="operator_hold")
        self.assertRaises(refused.Forbidden, self.owner.remove_entry, self.node, held["uuid"])
        refusal = self.assertRaises(refused.Forbidden, self.owner.remove_all, self.node)
        self.assertIn(held["uuid"], str(refusal))
        self.assertEqual(2, len(self.owner.list_entries(self.node)))
        self.assertEqual(204, self.system.remove_all(self.node))
        self.assertEqual([], self.owner.list_entries(self.node))

    @decorators.idempotent_id("6f4c1d0e-0f0b-4b7e-9a1d-6e2f6b1a7c08")
    def test_the_boolean_below_the_typed_version(self) -> None:
        """A client of today sets and clears as ever, and sees of the typed API its reason only."""
        self.addCleanup(self.owner.at, None)
        self.owner.at(UNTYPED).set_flag(self.node, "rebalancing rack")
        self.assertEqual("rebalancing rack", self.owner.show_node(self.node)["maintenance_reason"])
        self.assertRaises(refused.NotFound, self.owner.list_entries, self.node)
        self.assertEqual(["legacy"], [row["type"] for row in self.owner.at(None).list_entries(self.node)])
        self.assertEqual(202, self.owner.at(UNTYPED).remove_all(self.node))
        self.assertFalse(self.owner.show_node(self.node)["maintenance"])
